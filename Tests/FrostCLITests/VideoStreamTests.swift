import FrostCLITestSupport
import FrostExact
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

@testable import FrostCLI

/// Tests `frost blur` and `frost effect` with Y4M video streams.
struct VideoStreamTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Writes a Y4M stream of noise. Returns the samples of each plane of each frame.
    @discardableResult
    private func stream(
        _ name: String, _ words: String, frames: Int = 3, planes: [(width: Int, height: Int)], bytes: Int = 1
    ) throws -> [[[UInt8]]] {
        var file = Array("YUV4MPEG2 \(words)\n".utf8)
        var all: [[[UInt8]]] = []
        for frame in 0..<frames {
            file += Array("FRAME\(frame == 1 ? " Xsecond" : "")\n".utf8)
            all.append(
                try planes.enumerated().map { index, plane in
                    let format = PixelFormat(.grey, bytes == 1 ? .u8 : .u16)
                    var samples = try noise(
                        plane.width, plane.height, format, seed: UInt64(10 * frame + index + 1)
                    ).bytes
                    // Clearing the upper 6 bits of each high byte limits the samples to 10 bits.
                    if bytes == 2 { for i in stride(from: 1, to: samples.count, by: 2) { samples[i] &= 3 } }
                    return samples
                })
            file += all[frame].flatMap { $0 }
        }
        try scratch.write(file, name)
        return all
    }

    /// Parses a Y4M stream whose planes have the same sizes as those of `frames`. Returns the samples of each plane of each
    /// frame.
    private func planes(_ bytes: [UInt8], like frames: [[[UInt8]]]) throws -> [[[UInt8]]] {
        var rest = bytes[...]
        func line() throws {
            let end = try #require(rest.firstIndex(of: 10))
            rest = rest[(end + 1)...]
        }
        try line()
        return try frames.map { frame in
            try line()
            return frame.map { plane in
                defer { rest = rest.dropFirst(plane.count) }
                return Array(rest.prefix(plane.count))
            }
        }
    }

    private static let small: [(width: Int, height: Int)] = [(33, 21), (17, 11), (17, 11)]
    private static let header = "W33 H21 F25:1 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED"

    @Test("Sigma 0 gives back every byte, by file and by pipe, with the header and the frames' notes")
    func identity() throws {
        try stream("in.y4m", Self.header, planes: Self.small)
        try stream("alpha.y4m", "W9 H7 C444alpha", planes: .init(repeating: (9, 7), count: 4))
        try stream("deep.y4m", "W9 H7 C422p10", planes: [(9, 7), (5, 7), (5, 7)], bytes: 2)
        for name in ["in.y4m", "alpha.y4m", "deep.y4m"] {
            let file = try scratch.frost("blur", name, "-o", "out.y4m", "--sigma", "0", "-q")
            #expect(file.code == 0 && file.errors.isEmpty, "\(file.errors)")
            #expect(try scratch.bytes("out.y4m") == scratch.bytes(name))
            let pipe = try scratch.shell("cat \(name) | \"$FROST\" blur - -o - --format y4m --sigma 0 -q | cat")
            #expect(try [UInt8](pipe.output) == scratch.bytes(name), "\(pipe.errors)")
        }
        // A Y4M file without the suffix .y4m is recognised by its first bytes.
        let magic = try scratch.shell("cp in.y4m clip; \"$FROST\" blur clip -o - --sigma 0 -q")
        #expect(try [UInt8](magic.output) == scratch.bytes("in.y4m"))
    }

    @Test("A Gaussian is exact on each plane, with sigma divided as the plane is smaller")
    func exactPlanes() throws {
        for (name, words, sizes, bytes) in [
            ("in.y4m", Self.header, Self.small, 1),
            ("deep.y4m", "W33 H21 C422p10", [(33, 21), (17, 21), (17, 21)], 2),
        ] {
            // The comparison counts in 8-bit steps. One step of a 16-bit sample is 1/257 of an 8-bit step.
            let step = bytes == 1 ? 1 : 1.0 / 257
            let frames = try stream(name, words, planes: sizes, bytes: bytes)
            let outcome = try scratch.frost("blur", name, "-o", "out.y4m", "--sigma", "5", "--threads", "3", "-q")
            #expect(outcome.code == 0, "\(outcome.errors)")
            let results = try planes(scratch.bytes("out.y4m"), like: frames)
            for (frame, result) in zip(frames, results) {
                for index in sizes.indices {
                    let (width, height) = sizes[index]
                    let layout = try PixelLayout(
                        width: width, height: height, format: PixelFormat(.grey, bytes == 1 ? .u8 : .u16))
                    let factor = (Double(33) / Double(width)).rounded()
                    let factorY = (Double(21) / Double(height)).rounded()
                    let source = try PixelBuffer(layout: layout, bytes: frame[index])
                    let made = try PixelBuffer(layout: layout, bytes: result[index])
                    let exact = try Blurring.exact(
                        GaussianBlur(sigmaX: 5 / factor, sigmaY: 5 / factorY), source)
                    #expect(try Comparison(SampleRows(made), exact.rows).maximum <= step, "\(name) \(index)")
                    // If sigma were not divided by the subsampling factor, the comparison would fail.
                    if index > 0 {
                        let wrong = try Blurring.exact(GaussianBlur(sigma: 5), source)
                        let difference = try Comparison(SampleRows(made), wrong.rows).maximum
                        #expect(difference > step)
                    }
                }
            }
        }
    }

    @Test("Effects know the range: white of either stays white, and the order of frames is kept")
    func range() throws {
        for (range, white) in [("LIMITED", 235), ("FULL", 255)] {
            var file = Array("YUV4MPEG2 W40 H30 C420jpeg XCOLORRANGE=\(range)\n".utf8)
            // Each frame is darker than the one before it.
            for frame in 0..<20 {
                file += Array("FRAME\n".utf8) + [UInt8](repeating: UInt8(white - 5 * frame), count: 1200)
                file += [UInt8](repeating: 128, count: 600)
            }
            try scratch.write(file, "in.y4m")
            let outcome = try scratch.frost(
                "effect", "blur-light", "in.y4m", "-o", "out.y4m", "--no-dither", "--threads", "4", "--json")
            #expect(outcome.code == 0, "\(outcome.errors)")
            let object = try #require(try outcome.objects.first)
            #expect(object["frames"] as? Int == 20 && object["schema"] as? String == "frost.result/1")
            let frames = [[[UInt8]]](
                repeating: [[UInt8](repeating: 0, count: 1200), [UInt8](repeating: 0, count: 600)], count: 20)
            let results = try planes(scratch.bytes("out.y4m"), like: frames)
            #expect(abs(Int(results[0][0][600]) - white) <= 1, "\(results[0][0][600])")
            #expect(zip(results, results.dropFirst()).allSatisfy { $0[0][600] >= $1[0][600] })
            #expect(results.allSatisfy { $0[1].allSatisfy { abs(Int($0) - 128) <= 1 } })
        }
    }

    @Test("The first frame decides the colour of content for a stream, and the smallest contrast is that of all frames")
    func contrast() throws {
        for isDark in [true, false] {
            // The first frame is dark or light, and the others are the opposite.
            let frames = (0..<3).map { [UInt8](repeating: ($0 == 0) == isDark ? 20 : 240, count: 3 * 20 * 10) }
            try scratch.write(frames.flatMap { $0 }, "in.rgb")
            let words = [
                "effect", "gpuimage-gaussian", "in.rgb", "-o", "out.rgb", "--format", "rgb24", "--size", "20x10",
                "--force",
                "--min-contrast", "4.5",
            ]
            let outcome = try scratch.run(Program.path, words + ["--json"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            let report = try #require(outcome.objects.first?["contrast"] as? [String: Any])
            #expect(report["content"] as? String == (isDark ? "#ffffffff" : "#000000ff"))
            #expect(report["minimum"] as? Double == 4.5 && report["x"] == nil)
            let levels = try scratch.bytes("out.rgb").map { ContrastFloor.curve.decode(Double($0) / 255) }
            #expect(levels.count == 1800)
            let least = levels.map { ContrastFloor.contrast($0, isDark ? 1 : 0) }.min() ?? 0
            #expect(least >= 4.5 && least < 4.7 && abs((report["smallest"] as? Double ?? 0) - least) < 1e-4)
            let line = try scratch.run(Program.path, words).errors
            #expect(line.contains("; contrast \(fixed((least * 100).rounded(.down) / 100, 2)) to #"), "\(line)")
        }
        // A frame with chroma is measured as it will be decoded.
        _ = try stream("in.y4m", Self.header, planes: Self.small)
        let outcome = try scratch.frost(
            "effect", "light", "in.y4m", "-o", "out.y4m", "--min-contrast", "4.5", "--content-color", "white", "--json")
        let report = try #require(outcome.objects.first?["contrast"] as? [String: Any])
        #expect(report["content"] as? String == "#ffffffff" && (report["smallest"] as? Double ?? 0) > 3, "\(report)")
    }

    @Test("Outside of a rectangle every sample stays, by planes and by way of RGB")
    func rect() throws {
        let frames = try stream("in.y4m", Self.header, planes: Self.small)
        for command in [["blur", "in.y4m", "--sigma", "4"], ["effect", "dark", "in.y4m"]] {
            let outcome = try scratch.run(
                Program.path, command + ["-o", "out.y4m", "--rect", "9,5,12,8", "-q"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            for (frame, result) in zip(frames, try planes(scratch.bytes("out.y4m"), like: frames)) {
                // The rectangle covers columns 9 to 20 and rows 5 to 12. In the colour planes, which have half the size,
                // these are columns 4 to 10 and rows 2 to 6.
                for (index, inside) in [(9..<21, 5..<13), (4..<11, 2..<7), (4..<11, 2..<7)].enumerated() {
                    let width = Self.small[index].width
                    let changed = frame[index].indices.filter { frame[index][$0] != result[index][$0] }
                    #expect(!changed.isEmpty)
                    #expect(
                        changed.allSatisfy { inside.0.contains($0 % width) && inside.1.contains($0 / width) },
                        "\(command) \(index)")
                }
            }
        }
    }

    @Test("A cut stream is exit 3 with the frame: whole frames are on the pipe, and no file appears")
    func truncated() throws {
        try stream("in.y4m", Self.header, planes: Self.small)
        let whole = try scratch.bytes("in.y4m")
        try scratch.write(Array(whole.dropLast(10)), "cut.y4m")
        for name in ["blur", "effect light"] {
            let options = name == "blur" ? "--sigma 0" : ""
            let pipe = try scratch.shell("\"$FROST\" \(name) - -o - --format y4m \(options) < cut.y4m")
            #expect(pipe.code == 3 && pipe.errors.contains("frame 3"), "\(pipe.errors)")
            #expect(pipe.output.count == whole.count - 6 - 33 * 21 - 2 * 17 * 11)
        }
        try scratch.write([1, 2, 3], "old.y4m")
        try scratch.frost("blur", "cut.y4m", "-o", "old.y4m", "--sigma", "2").expectError(3, "cut.y4m", "frame 3")
        #expect(try scratch.bytes("old.y4m") == [1, 2, 3])
        #expect(try scratch.entries() == ["cut.y4m", "in.y4m", "old.y4m"])
    }

    @Test("Frames without a header are blurred as pictures are, and a part of one is exit 3 after all whole ones")
    func raw() throws {
        for (name, format) in [
            ("rgba", PixelFormat(.rgba)), ("rgb24", PixelFormat(.rgb)), ("gray", PixelFormat(.grey)),
            ("rgba64le", PixelFormat(.rgba, .u16)),
        ] {
            let pictures = try (1...3).map { try noise(20, 10, format, seed: $0) }
            try scratch.write(pictures.flatMap(\.bytes) + [1, 2], "in")
            let outcome = try scratch.shell("\"$FROST\" blur - -o - --format \(name) --size 20x10 --sigma 3 < in")
            #expect(outcome.code == 3 && outcome.errors.contains("frame 4 ends after 2 bytes"), "\(outcome.errors)")
            let bytes = [UInt8](outcome.output)
            let count = pictures[0].bytes.count
            #expect(bytes.count == 3 * count)
            for (index, picture) in pictures.enumerated() where bytes.count == 3 * count {
                let made = try PixelBuffer(
                    layout: picture.layout, bytes: Array(bytes[index * count..<(index + 1) * count]))
                let exact = try Blurring.exact(GaussianBlur(sigma: 3), picture)
                #expect(try Comparison(SampleRows(made), exact.rows).maximum <= 1)
            }
        }
    }

    @Test("What has no meaning for streams is refused before anything is written")
    func refusals() throws {
        try stream("in.y4m", Self.header, planes: Self.small)
        try scratch.picture("in.png")
        let cases: [([String], Int32, String)] = [
            (["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--keep", "all"], 2, "--keep"),
            (["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--quality", "80"], 2, "--quality"),
            (["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--manifest", "m"], 2, "--manifest"),
            (["blur", "in.y4m", "-o", "{stem}-b.y4m", "--sigma", "2"], 2, "--output"),
            (
                ["blur", "in.y4m", "in.y4m", "-o", "out.y4m", "--sigma", "2"], 2,
                "only one video stream can be read at a time"
            ),
            (["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--edge", "clear"], 2, "transparent"),
            (["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--size", "3x3"], 2, "--size"),
            (["blur", "in.y4m", "-o", "out.raw", "--sigma", "2", "--format", "rgba"], 2, "--size"),
            (["blur", "in.png", "-o", "out.png", "--sigma", "2", "--size", "3x3"], 2, "--size"),
            (["blur", "in.y4m", "-o", "out.png", "--sigma", "2", "--format", "y4m"], 2, "PNG"),
            (
                ["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--format", "png"], 2,
                "out.y4m: the file name means Y4M, but --format selects PNG"
            ),
            (["blur", "in.y4m", "-o", "out.png", "--sigma", "2"], 3, "--format y4m"),
            (["blur", "in.png", "-o", "out.y4m", "--sigma", "2"], 3, "it is a PNG"),
            (["blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--max-side", "32"], 4, "limit"),
            (["blur", "missing.y4m", "-o", "out.y4m", "--sigma", "2"], 3, "missing.y4m"),
            (["blur", "in.y4m", "-o", "none/out.y4m", "--sigma", "2"], 6, "none/out.y4m"),
        ]
        for (words, code, evidence) in cases {
            try scratch.run(Program.path, words).expectError(code, evidence)
        }
        #expect(try scratch.entries() == ["in.png", "in.y4m"])
    }

    @Test("A reader that goes away ends the program quietly")
    func closedPipe() throws {
        try stream("in.y4m", "W320 H240 Cmono", frames: 12, planes: [(320, 240)])
        let outcome = try scratch.shell("\"$FROST\" effect light in.y4m -o - -q | head -c1")
        #expect(outcome.output.count == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("A stream without frames is one")
    func empty() throws {
        try scratch.write(Array("YUV4MPEG2 W8 H8 Cmono\n".utf8), "in.y4m")
        let outcome = try scratch.frost("effect", "light", "in.y4m", "-o", "out.y4m", "--json")
        #expect(outcome.code == 0)
        #expect(try outcome.objects.first?["frames"] as? Int == 0)
        #expect(try scratch.bytes("out.y4m") == scratch.bytes("in.y4m"))
    }

    @Test(
        "Effects with rectangles and shadows change the same pixels of luma and chroma as of colours",
        arguments: [
            "glass", "glass-clear", "dark", "redact",
        ])
    func shadows(effect: String) throws {
        let (width, height) = (90, 70)
        let greys = (0..<width * height).map { UInt8(60 + ($0 % width) + ($0 / width) % 7 * 9) }
        let neutral = [UInt8](repeating: 128, count: width * height)
        try scratch.write(
            Array("YUV4MPEG2 W90 H70 F25:1 C444 XCOLORRANGE=FULL\nFRAME\n".utf8) + greys + neutral + neutral, "in.y4m")
        let layout = try PixelLayout(width: width, height: height, format: PixelFormat(.rgb))
        let colors = try PixelBuffer(layout: layout, bytes: greys.flatMap { [$0, $0, $0] })
        try PNG.write(DecodedImage(pixels: colors), path: scratch.file("in.png"))
        for more in effect.hasPrefix("glass") ? [["--shadow", "0"], ["--shadow", "1"]] : [[]] {
            let words = (effect == "redact" ? ["--fill", "#404040"] : []) + more + ["--rect", "30,20,30,24", "-q"]
            for (from, to) in [("in.y4m", "out.y4m"), ("in.png", "out.png")] {
                let outcome = try scratch.run(Program.path, ["effect", effect, from, "-o", to] + words)
                #expect(outcome.code == 0, "\(outcome.errors)")
            }
            let frame = try #require(try planes(scratch.bytes("out.y4m"), like: [[greys, neutral, neutral]]).first)
            let picture = try scratch.image("out.png").bytes
            var (largest, changed) = (0, 0)
            for i in greys.indices {
                let grey = (0..<3).map { Double(picture[3 * i + $0]) }
                let luma = 0.2126 * grey[0] + 0.7152 * grey[1] + 0.0722 * grey[2]
                largest = max(largest, Int(abs(luma - Double(frame[0][i])).rounded()))
                let isOutside = !(30..<60).contains(i % width) || !(20..<44).contains(i / width)
                changed += isOutside && frame[0][i] != greys[i] ? 1 : 0
            }
            // Two roundings of luma and one of colours, each of half a step, and the dither of one.
            #expect(largest <= 3, "\(effect) \(more)")
            #expect((changed > 500) == (more.last == "1"), "\(effect) \(more): \(changed)")
        }
    }
}
