import FrostCLITestSupport
import FrostCore
import FrostExact
import FrostImages
import FrostTestSupport
import Testing

@testable import FrostCLI

/// Tests `--resize` and `--pad` with streams of frames.
struct VideoSizeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A chroma format: its name in Y4M, the pixels per chroma sample, and where chroma samples are.
    private struct Chroma {
        let name: String
        var x = 1
        var y = 1
        var isOnColumn = false
        var isOnRow = false
        var bits = 8
        var isGrey = false

        func size(_ width: Int, _ height: Int, _ plane: Int) -> (width: Int, height: Int) {
            plane == 0 ? (width, height) : ((width + x - 1) / x, (height + y - 1) / y)
        }
        var planes: Range<Int> { isGrey ? 0..<1 : 0..<3 }
        var bytes: Int { bits > 8 ? 2 : 1 }
        var largest: Double { Double(1 << bits - 1) }
    }

    private static let formats = [
        Chroma(name: "420jpeg", x: 2, y: 2), Chroma(name: "420mpeg2", x: 2, y: 2, isOnColumn: true),
        Chroma(name: "420paldv", x: 2, y: 2, isOnColumn: true, isOnRow: true),
        Chroma(name: "422", x: 2, isOnColumn: true), Chroma(name: "444"), Chroma(name: "411", x: 4, isOnColumn: true),
        Chroma(name: "420p10", x: 2, y: 2, isOnColumn: true, bits: 10),
        Chroma(name: "422p10", x: 2, isOnColumn: true, bits: 10),
        Chroma(name: "444p10", bits: 10), Chroma(name: "mono", isGrey: true),
    ]

    private typealias Plane = [[Double]]

    /// Writes a stream of two frames of noise. Returns the samples.
    private func stream(_ name: String, _ chroma: Chroma, _ width: Int, _ height: Int) throws -> [[Plane]] {
        var file = Array("YUV4MPEG2 W\(width) H\(height) F30:1 Ip A4:3 C\(chroma.name) XWORDS=H1\n".utf8)
        var frames: [[Plane]] = []
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2 {
            file += Array("FRAME Xnote\n".utf8)
            frames.append(
                chroma.planes.map { plane in
                    let size = chroma.size(width, height, plane)
                    return (0..<size.height).map { _ in
                        // Black and white beside each other let the filter reach beyond them.
                        (0..<size.width).map { _ in
                            let sample = min(max(Int.random(in: -200...1223, using: &random), 0), 1023)
                            return Double(chroma.bits > 8 ? sample : sample / 4)
                        }
                    }
                })
            for plane in frames[frames.count - 1] { file += Self.bytes(plane, chroma) }
        }
        try scratch.write(file, name)
        return frames
    }

    private static func bytes(_ plane: Plane, _ chroma: Chroma) -> [UInt8] {
        plane.flatMap { row in
            row.flatMap { sample in
                chroma.bits > 8 ? [UInt8(Int(sample) & 255), UInt8(Int(sample) >> 8)] : [UInt8(sample)]
            }
        }
    }

    /// Reads a stream of two frames. Checks its header.
    private func frames(_ name: String, _ chroma: Chroma, _ width: Int, _ height: Int) throws -> [[Plane]] {
        let file = try scratch.bytes(name)
        let header = Array("YUV4MPEG2 W\(width) H\(height) F30:1 Ip A4:3 C\(chroma.name) XWORDS=H1\n".utf8)
        try #require(file.starts(with: header), "\(String(decoding: file.prefix(80), as: UTF8.self))")
        var rest = file.dropFirst(header.count)
        let frames = try (0..<2).map { _ in
            try #require(rest.starts(with: Array("FRAME Xnote\n".utf8)))
            rest = rest.dropFirst(12)
            return try chroma.planes.map { plane in
                let size = chroma.size(width, height, plane)
                return try (0..<size.height).map { _ in
                    let row = Array(rest.prefix(size.width * chroma.bytes))
                    try #require(row.count == size.width * chroma.bytes)
                    rest = rest.dropFirst(row.count)
                    return (0..<size.width).map { (x: Int) -> Double in
                        guard chroma.bits > 8 else { return Double(row[x]) }
                        return Double(Int(row[2 * x]) | Int(row[2 * x + 1]) << 8)
                    }
                }
            }
        }
        #expect(rest.isEmpty)
        return frames
    }

    /// Resizes a plane by the definition. Chroma is placed by the positions of its samples among the pixels.
    private static func resized(
        _ plane: Plane, _ index: Int, _ chroma: Chroma, _ width: Int, _ height: Int,
        part: (x: Double, y: Double, w: Double, h: Double)
    ) -> Plane {
        /// The start and the length of the part of the plane along an axis, for a number of samples.
        func along(
            _ start: Double, _ length: Double, _ size: Int, _ samples: Int, _ step: Int, _ isOnPixel: Bool
        ) -> (Double, Double) {
            let place = isOnPixel ? 0.5 : Double(step) / 2
            // Where a sample of the result lies among the samples of the plane, if the first is at 0.5.
            func source(_ sample: Int) -> Double {
                let pixel = start + (Double(step * sample) + place) * length / Double(size)
                return (pixel - place) / Double(step) + 0.5
            }
            let scale = source(1) - source(0)
            return (source(0) - scale / 2, scale * Double(samples))
        }
        let size = chroma.size(width, height, index)
        let (x, y) = index == 0 ? (1, 1) : (chroma.x, chroma.y)
        let columns = along(part.x, part.w, width, size.width, x, index > 0 && chroma.isOnColumn)
        let rows = along(part.y, part.h, height, size.height, y, index > 0 && chroma.isOnRow)
        let wide = plane.map { row in row.map { SIMD4<Double>(repeating: $0) } }
        return Lanczos.resized(wide, size.width, size.height, part: (columns.0, rows.0, columns.1, rows.1)).map { row in
            row.map { min(max($0.x, 0), chroma.largest) }
        }
    }

    private static func difference(_ a: Plane, _ b: Plane) -> Double {
        guard a.count == b.count, a.first?.count == b.first?.count else { return .infinity }
        return zip(a, b).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? 0
    }

    @Test("each plane of a resized frame is that of Lanczos's filter in double precision, with chroma in its place")
    func accuracy() throws {
        for (number, chroma) in Self.formats.enumerated() {
            let source = try stream("in.y4m", chroma, 49, 31)
            let (x, y) = (chroma.isGrey ? 1 : chroma.x, chroma.isGrey ? 1 : chroma.y)
            func whole(_ side: Double, _ unit: Int) -> Int { Int((side / Double(unit)).rounded()) * unit }
            let cases = [
                ("20x20", "cover", 20, 20), ("25x25", "stretch", 25, 25), ("80x70", "stretch", 80, 70),
                ("20", "", 20, whole(31 * 20 / 49, y)), ("150%", "", whole(73.5, x), whole(46.5, y)),
                ("49x31", "fit", 49, 31),
            ]
            for (size, mode, width, height) in TestCases.share(cases, of: 2, from: number) {
                var words = ["blur", "in.y4m", "-o", "out.y4m", "--sigma", "0", "--resize", size]
                if !mode.isEmpty { words += ["--resize-mode", mode] }
                let outcome = try scratch.run(Program.path, words)
                #expect(outcome.code == 0, "\(outcome.errors)")
                let found = try frames("out.y4m", chroma, width, height)
                var part = (x: 0.0, y: 0.0, w: 49.0, h: 31.0)
                if mode == "cover" {
                    let scale = max(Double(width) / 49, Double(height) / 31)
                    (part.w, part.h) = (Double(width) / scale, Double(height) / scale)
                    (part.x, part.y) = ((49 - part.w) / 2, (31 - part.h) / 2)
                }
                for (result, frame) in zip(found, source) {
                    for index in chroma.planes {
                        let wanted = Self.resized(frame[index], index, chroma, width, height, part: part)
                        let worst = Self.difference(result[index], wanted)
                        // Rounding takes half a step, and the weights of zimg in integers a few hundredths.
                        #expect(worst <= 0.55, "\(chroma.name) \(size) \(mode) \(index): \(worst)")
                        if size == "49x31" { #expect(result[index] == frame[index]) }
                        // The comparison detects chroma that is a few hundredths of a pixel away.
                        if size == "80x70" {
                            var moved = part
                            moved.x += 0.04
                            let other = Self.resized(frame[index], index, chroma, width, height, part: moved)
                            #expect(Self.difference(result[index], other) > 0.6)
                        }
                    }
                }
            }
        }
    }

    @Test("a padded frame is the fitted frame on its background after the effect, in every plane") func padding() throws
    {
        for chroma in Self.formats where chroma.name != "411" {
            let source = try stream("in.y4m", chroma, 48, 30)
            let inner = try scratch.frost("blur", "in.y4m", "-o", "inner.y4m", "--sigma", "0", "--resize", "24x40")
            #expect(inner.code == 0, "\(inner.errors)")
            // 24x15, rounded to whole chroma samples.
            let rows = chroma.y == 2 ? 16 : 15
            let front = try frames("inner.y4m", chroma, 24, rows)
            for background in ["blur", "mirror", "#808080"] {
                let outcome = try scratch.frost(
                    "blur", "in.y4m", "-o", "out.y4m", "--sigma", "2", "--pad", "24x40", "--pad-with", background)
                #expect(outcome.code == 0, "\(outcome.errors)")
                let found = try frames("out.y4m", chroma, 24, 40)
                let top = 12
                for number in 0..<2 {
                    let (result, frame, small) = (found[number], source[number], front[number])
                    for index in chroma.planes {
                        let step = index == 0 ? 1 : chroma.y
                        let first = top / step
                        let range = first..<first + small[index].count
                        #expect(Array(result[index][range]) == small[index], "\(chroma.name) \(background) \(index)")
                        let size = chroma.size(24, 40, index)
                        let canvas: Plane
                        switch background {
                        case "blur":
                            let part = (x: 15.0, y: 0.0, w: 18.0, h: 30.0)
                            let exact: Plane = Self.resized(frame[index], index, chroma, 24, 40, part: part)
                            canvas = exact.map { (row: [Double]) -> [Double] in row.map { $0.rounded() } }
                        case "mirror":
                            let rows = small[index]
                            canvas = (0..<size.height).map { (y: Int) -> [Double] in
                                rows[EdgeMode.mirror.map(y - first, into: 0..<rows.count) ?? 0]
                            }
                        default:
                            // Grey of half the scale has the luma 16 + 219 * 128 / 255.
                            let grey: Double = (16 + 219 * 128.0 / 255) / 256 * (chroma.largest + 1)
                            let sample: Double = index == 0 ? grey.rounded() : (chroma.largest + 1) / 2
                            let row = [Double](repeating: sample, count: size.width)
                            canvas = Plane(repeating: row, count: size.height)
                        }
                        let layout = try PixelLayout(
                            width: size.width, height: size.height,
                            format: PixelFormat(.grey, chroma.bits > 8 ? .u16 : .u8))
                        let image = try PixelBuffer(layout: layout, bytes: Self.bytes(canvas, chroma))
                        let (x, y) = index == 0 ? (1, 1) : (chroma.x, chroma.y)
                        let exact = try Blurring.exact(
                            GaussianBlur(sigmaX: 2 / Double(x), sigmaY: 2 / Double(y)), image
                        ).rows
                        for row in 0..<size.height where !range.contains(row) {
                            for column in 0..<size.width {
                                let wanted = exact[row][column] * (chroma.bits > 8 ? 65535 : 255)
                                // The canvas of the oracle and Frost's differ by a step where their roundings do.
                                #expect(
                                    abs(result[index][row][column] - wanted) <= 1,
                                    "\(chroma.name) \(background) \(index) \(column),\(row)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("rectangles count in pixels of the input, and move with the frame") func rectangles() throws {
        let chroma = Self.formats[1]
        _ = try stream("in.y4m", chroma, 48, 32)
        for command in [["blur", "--sigma", "3"], ["effect", "dark"]] {
            for (size, rect, moved) in [("24", "8,8,20,12", "4,4,10,6"), ("96x64", "8,8,20,12", "16,16,40,24")] {
                let rest = command.dropFirst(command[0] == "blur" ? 1 : 2)
                let base = Array(command.prefix(command.count - rest.count))
                for words in [
                    base + ["in.y4m", "-o", "a.y4m", "--resize", size, "--rect", rect] + rest,
                    ["blur", "in.y4m", "-o", "small.y4m", "--resize", size, "--sigma", "0"],
                    base + ["small.y4m", "-o", "b.y4m", "--rect", moved] + rest,
                ] {
                    let outcome = try scratch.run(Program.path, words)
                    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
                }
                #expect(try scratch.bytes("a.y4m") == scratch.bytes("b.y4m"), "\(command) \(size)")
            }
        }
        // The report has the size of the result, also of an effect by way of RGB.
        let outcome = try scratch.frost(
            "effect", "light", "in.y4m", "-o", "out.y4m", "--pad", "20x40", "--min-contrast", "4.5", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let object = try #require(outcome.objects.first)
        #expect(object["width"] as? Int == 20 && object["height"] as? Int == 40 && object["frames"] as? Int == 2)
    }

    @Test("raw frames are resized as pictures are") func raw() throws {
        for (name, format) in [("rgb24", PixelFormat(.rgb)), ("gray16le", PixelFormat(.grey, .u16))] {
            let picture = try scratch.picture("in.png", 40, 30, format)
            try scratch.write(picture.bytes + picture.bytes, "in.raw")
            for words in [
                ["--resize", "17x13", "--resize-mode", "cover"], ["--pad", "25x60"], ["--resize", "11", "--linear"],
            ] {
                let whole = try scratch.run(Program.path, ["blur", "in.png", "-o", "out.png", "--sigma", "2"] + words)
                let raw = try scratch.run(
                    Program.path,
                    ["blur", "in.raw", "-o", "out.raw", "--format", name, "--size", "40x30", "--sigma", "2"] + words)
                #expect(whole.code == 0 && raw.code == 0, "\(whole.errors) \(raw.errors)")
                let wanted = try scratch.image("out.png").bytes
                #expect(try scratch.bytes("out.raw") == wanted + wanted, "\(name) \(words)")
            }
        }
    }

    @Test("what frames cannot hold is refused before anything is written") func refusals() throws {
        _ = try stream("in.y4m", Self.formats[0], 48, 32)
        _ = try stream("mono.y4m", Self.formats[9], 48, 32)
        try scratch.write(Array("YUV4MPEG2 W8 H8 C444alpha\n".utf8), "alpha.y4m")
        try scratch.write([], "in.raw")
        func refused(_ words: [String], _ evidence: String, code: Int32 = 2) throws {
            try scratch.run(Program.path, ["blur", "-o", "out.y4m", "--sigma", "2"] + words).expectError(code, evidence)
        }
        try refused(["alpha.y4m", "--resize", "4"], "--resize does not apply to video of luma and chroma with alpha")
        try refused(["alpha.y4m", "--pad", "9x9"], "--pad does not apply to video with alpha")
        try refused(["in.y4m", "--pad", "9x9", "--pad-with", "#ff000080"], "must be opaque")
        try refused(["mono.y4m", "--pad", "9x9", "--pad-with", "red"], "frames are grey")
        try refused(["in.y4m", "--pad", "9x9", "--rect", "0,0,9,9"], "--pad cannot be combined with --rect")
        try refused(["in.y4m", "--pad", "9x9", "--resize", "9"], "--pad cannot be combined with --resize")
        try refused(["in.y4m", "--resize", "40000"], "width of 40000 exceeds", code: 4)
        try refused(["in.y4m", "--pad", "40000x9"], "width of 40000 exceeds", code: 4)
        try refused(
            ["in.raw", "--format", "rgba", "--size", "8x8", "--pad", "9x9", "-o", "out.raw"],
            "--pad does not apply to video with alpha")
        #expect(!scratch.exists("out.y4m") && !scratch.exists("out.raw"))
    }

    @Test(
        "A side that follows from the ratio is rounded once to whole chroma samples",
        arguments: [
            (62, 46, "10%", "W6 H4"), (1280, 537, "640", "W640 H268"), (1280, 537, "640x480", "W640 H268"),
            (33, 21, "50%", "W16 H10"), (6, 6, "1%", "W2 H2"),
        ])
    func rounded(width: Int, height: Int, size: String, wanted: String) throws {
        let chroma = 2 * ((width + 1) / 2) * ((height + 1) / 2)
        try scratch.write(
            Array("YUV4MPEG2 W\(width) H\(height) F25:1 C420jpeg\nFRAME\n".utf8)
                + [UInt8](repeating: 90, count: width * height + chroma), "even.y4m")
        let outcome = try scratch.frost("blur", "even.y4m", "-o", "to.y4m", "--sigma", "0", "--resize", size, "-q")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let header = String(decoding: try scratch.bytes("to.y4m").prefix(40), as: UTF8.self)
        #expect(header.hasPrefix("YUV4MPEG2 \(wanted) "), "\(header)")
    }
}
