import FrostCLITestSupport
import FrostCore
import Testing

/// Tests that many frames of a redaction show the mosaic of one frame.
struct HeldMosaicTests {
    private let scratch: Scratch
    private let width = 70
    private let height = 50
    private let count = 7
    private static let mosaic = ["--cell", "8", "--seed", "7"]

    init() throws { scratch = try Scratch() }

    /// Frames of a pattern that moves by a pixel from frame to frame.
    private func frames(_ channels: Int) throws -> [[UInt8]] {
        let wide = try noise(width + count, height, PixelFormat(channels == 1 ? .grey : .rgb), seed: 3).bytes
        return (0..<count).map { frame in
            (0..<height).flatMap { y in
                let start = (y * (width + count) + frame) * channels
                return wide[start..<start + width * channels]
            }
        }
    }

    private func redacted(
        _ frames: [[UInt8]], _ words: [String], format: String = "rgb24"
    ) throws -> [[UInt8]] {
        try scratch.write(frames.flatMap(\.self), "in")
        let form = ["--format", format, "--size", "\(width)x\(height)", "-q"]
        let outcome = try scratch.run(Program.path, ["effect", "redact", "in", "-o", "out"] + form + words)
        #expect(outcome.code == 0, "\(words): \(outcome.errors)")
        let (bytes, size) = (try scratch.bytes("out"), frames[0].count)
        try #require(bytes.count == size * frames.count)
        return frames.indices.map { Array(bytes[$0 * size..<($0 + 1) * size]) }
    }

    @Test(
        "Frames show the mosaic of one frame in every pixel that a bar would hide, and their own pixels elsewhere",
        arguments: [
            ["--rect", "9,7,31,22"], ["--rect", "9,7,31,22", "--ellipse"], ["--rect", "9,7,31,22", "--invert-rects"],
            ["--rect", "-5,30,40,40", "--rect", "20,20,30,30", "--ellipse"], [],
        ], ["rgb24", "gray"])
    func shapes(places: [String], format: String) throws {
        let frames = try frames(format == "gray" ? 1 : 3)
        let black = try redacted(frames, ["--fill", "black"] + places, format: format)
        let white = try redacted(frames, ["--fill", "white"] + places, format: format)
        let own = try redacted(frames, ["--hold", "1"] + Self.mosaic, format: format)
        let result = try redacted(frames, ["--hold", "3"] + Self.mosaic + places, format: format)
        #expect(Set(own).count == count, "the frames must differ")
        for frame in 0..<count {
            let shown = own[frame / 3 * 3]
            for index in frames[frame].indices {
                let isHidden = black[frame][index] != white[frame][index]
                let wanted = isHidden ? shown[index] : frames[frame][index]
                if result[frame][index] != wanted { Issue.record("frame \(frame), sample \(index)"); return }
            }
        }
        // Without --hold, 300 frames show one mosaic.
        let usual = try redacted(frames, Self.mosaic + places, format: format)
        for frame in 0..<count {
            for index in frames[frame].indices where black[frame][index] != white[frame][index] {
                if usual[frame][index] != own[0][index] { Issue.record("frame \(frame), sample \(index)"); return }
            }
        }
    }

    @Test("The mosaic is that of the first frame with a box, and changes only with a box")
    func boxes() throws {
        let frames = try frames(3)
        let own = try redacted(frames, ["--hold", "1"] + Self.mosaic)
        try scratch.write(Array("frame,x,y,w,h\n1,4,5,8,6\n2,10,2,16,6\n6,8,8,9,9\n".utf8), "boxes.csv")
        let result = try redacted(frames, ["--hold", "4", "--rects", "boxes.csv"] + Self.mosaic)
        let boxes = [
            1: (Rect(x: 4, y: 5, width: 8, height: 6), 1), 2: (Rect(x: 10, y: 2, width: 16, height: 6), 1),
            6: (Rect(x: 8, y: 8, width: 9, height: 9), 6),
        ]
        for frame in 0..<count {
            for index in frames[frame].indices {
                let (x, y) = (index / 3 % width, index / 3 / width)
                var wanted = frames[frame][index]
                if let (rect, shown) = boxes[frame], rect.columns.contains(x), rect.rows.contains(y) {
                    wanted = own[shown][index]
                }
                if result[frame][index] != wanted { Issue.record("frame \(frame) at \(x),\(y)"); return }
            }
        }
    }

    @Test("In luma and chroma too, a rectangle shows one mosaic")
    func planes() throws {
        let (luma, chroma) = (width * height, width / 2 * (height / 2))
        var file = Array("YUV4MPEG2 W\(width) H\(height) F25:1 C420jpeg\n".utf8)
        for frame in try frames(1) {
            file += Array("FRAME\n".utf8) + frame + frame.prefix(chroma) + frame.suffix(chroma)
        }
        try scratch.write(file, "in.y4m")
        func inside(_ words: [String]) throws -> [[UInt8]] {
            let place = ["--rect", "10,8,32,16", "--cell", "8", "-q"]
            let outcome = try scratch.run(
                Program.path, ["effect", "redact", "in.y4m", "-o", "out.y4m"] + place + words)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let bytes = try scratch.bytes("out.y4m")
            let size = 6 + luma + 2 * chroma
            let start = bytes.count - count * size + 6
            return (0..<count).map { frame in
                let first = start + frame * size
                func part(_ plane: Int, _ stride: Int, columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
                    rows.flatMap { y -> ArraySlice<UInt8> in
                        let row = plane + y * stride
                        return bytes[row + columns.lowerBound..<row + columns.upperBound]
                    }
                }
                // The chroma on the border also belongs to pixels outside the rectangle, which are those of the frame.
                return part(first, width, columns: 10..<42, rows: 8..<24)
                    + part(first + luma, width / 2, columns: 7..<19, rows: 6..<10)
            }
        }
        #expect(Set(try inside([])).count == 1)
        #expect(Set(try inside(["--hold", "2"])).count == (count + 1) / 2)
        #expect(Set(try inside(["--hold", "1"])).count == count)
    }

    @Test("--hold needs a mosaic")
    func refusals() throws {
        try scratch.picture("in.png")
        for words in [["redact", "--fill", "red"], ["light"]] {
            try scratch.run(Program.path, ["effect"] + words + ["in.png", "-o", "out.png", "--hold", "2"])
                .expectError(2, "--hold", "shows no mosaic")
        }
        for value in ["0", "-1", "x"] {
            try scratch.run(Program.path, ["effect", "redact", "in.png", "-o", "out.png", "--hold", value])
                .expectError(2, "--hold")
        }
    }
}
