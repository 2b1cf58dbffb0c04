import FrostCLITestSupport
import FrostCore
import FrostExact
import FrostImages
import FrostPipeline
import FrostTestSupport
import Foundation
import Testing

@testable import FrostCLI

/// Tests `--resize`, `--pad` and `--data-uri`.
struct ResizeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The pixels of an image, premultiplied, decoded by a curve.
    private static func pixels(_ image: PixelBuffer, _ light: TransferFunction?) -> [[SIMD4<Double>]] {
        let rows = SampleRows(image).expanded(to: .rgba)
        return (0..<image.height).map { y in
            (0..<image.width).map { x in
                let pixel = SIMD4(rows[y][4 * x], rows[y][4 * x + 1], rows[y][4 * x + 2], rows[y][4 * x + 3])
                return light?.decode(pixel) ?? pixel
            }
        }
    }

    /// Compares a result with the definition, in premultiplied values. Returns the largest difference in 8-bit steps.
    private static func difference(
        _ found: PixelBuffer, _ wanted: [[SIMD4<Double>]], _ light: TransferFunction?
    ) throws -> Double {
        let isFloat = found.format.sample.isFloat
        let rows = SampleRows(width: found.width, height: found.height, channels: .rgba) { y in
            wanted[y].flatMap { pixel -> [Double] in
                let alpha = min(max(pixel.w, 0), 1)
                return (0..<4).map { c -> Double in
                    if c == 3 { return alpha }
                    var value = alpha > 0 ? pixel[c] / alpha : 0
                    if let light { value = light.encode(value) }
                    return (isFloat ? value : min(max(value, 0), 1)) * alpha
                }
            }
        }
        return try Comparison(SampleRows(found).expanded(to: .rgba), rows).maximum
    }

    @Test("a resized picture is that of Lanczos's filter in double precision")
    func accuracy() throws {
        let formats: [(String, PixelFormat, Double)] = [
            ("rgb.png", PixelFormat(.rgb), 0.55), ("grey.png", PixelFormat(.grey), 0.55),
            ("rgba.png", PixelFormat(.rgba), 1),
            ("la.png", PixelFormat(.greyAlpha), 1), ("deep.png", PixelFormat(.rgb, .u16), 0.003),
            ("float.pfm", PixelFormat(.rgb, .f32), 0.001),
        ]
        for (name, format, tolerance) in formats {
            let picture: PixelBuffer
            if name.hasSuffix("pfm") {
                picture = try TestImage.make(.photograph, 47, 31, format)
                try scratch.write(try ImageFile.encode(DecodedImage(pixels: picture), as: .pfm), name)
            } else {
                picture = try scratch.picture(name, 47, 31, format)
            }
            for (size, mode, width, height) in [
                ("20x20", "fit", 20, 13), ("20x20", "cover", 20, 20), ("30x9", "stretch", 30, 9), ("100", "", 100, 66),
                ("x8", "", 12, 8), ("50%", "", 24, 16), ("47x31", "cover", 47, 31),
            ] {
                for isLinear in [false, true] where !isLinear || size == "20x20" {
                    let output = name.hasSuffix("pfm") ? "out.pfm" : "out.png"
                    var words = ["blur", name, "-o", output, "--sigma", "0", "--resize", size]
                    if !mode.isEmpty { words += ["--resize-mode", mode] }
                    if isLinear { words.append("--linear") }
                    let outcome = try scratch.run(Program.path, words)
                    #expect(outcome.code == 0, "\(outcome.errors)")
                    let found =
                        name.hasSuffix("pfm")
                        ? try ImageFile.read(path: FilePath(scratch.file(output))).pixels : try scratch.image(output)
                    #expect(found.width == width && found.height == height, "\(size) \(mode)")
                    #expect(found.format.sample == format.sample && found.format.channels == format.channels)
                    let scale = max(Double(width) / 47, Double(height) / 31)
                    let part =
                        mode == "cover"
                        ? (
                            (47 - Double(width) / scale) / 2, (31 - Double(height) / scale) / 2, Double(width) / scale,
                            Double(height) / scale
                        )
                        : (0, 0, 47, 31)
                    let light: TransferFunction? = isLinear ? .sRGB : nil
                    let wanted = Lanczos.resized(Self.pixels(picture, light), width, height, part: part)
                    let worst = try Self.difference(found, wanted, light)
                    // Colour with alpha is rounded before the comparison multiplies it, so alpha's rounding adds.
                    #expect(worst <= tolerance, "\(name) \(size) \(mode) \(isLinear): \(worst)")
                    // The comparison detects a shift of a hundredth of a pixel.
                    if !isLinear, size == "20x20", tolerance < 0.6 {
                        let moved = Lanczos.resized(
                            Self.pixels(picture, nil), width, height, part: (part.0 + 0.01, part.1, part.2, part.3))
                        #expect(try Self.difference(found, moved, nil) > tolerance)
                    }
                }
            }
        }
    }

    @Test("orientation comes before the size, and the profile and resolution are kept") func order() throws {
        let stored = try noise(40, 20)
        var metadata = ImageMetadata()
        var exif = TestMetadata.exif
        // The value of the orientation: turned to the right.
        exif[19] = 6
        metadata.exif = exif
        metadata.iccProfile = ICCProfile(bytes: TestProfile.bytes())
        try scratch.write(
            try ImageFile.encode(DecodedImage(pixels: stored, metadata: metadata), as: .jpeg), "in.jpg")
        let outcome = try scratch.frost("blur", "in.jpg", "-o", "out.png", "--sigma", "0", "--resize", "10")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let found = try PNG.read(path: FilePath(scratch.file("out.png")))
        #expect(found.pixels.width == 10 && found.pixels.height == 20)
        #expect(found.metadata.iccProfile == metadata.iccProfile)
    }

    @Test("rectangles count in pixels of the input, and move with it") func rectangles() throws {
        try scratch.picture("in.png", 60, 40)
        for (mode, size, rect, moved) in [
            ("fit", "30x30", "10,8,20,12", "5,4,10,6"), ("fit", "120", "10,8,20,12", "20,16,40,24"),
            ("fit", "30", "1,1,3,3", "0,0,2,2"), ("cover", "20x20", "20,10,20,20", "5,5,10,10"),
            ("stretch", "30x80", "10,8,20,12", "5,16,10,24"), ("fit", "30", "50%,0,50%,100%", "15,0,15,20"),
        ] {
            let mode = size.contains("x") ? ["--resize-mode", mode] : []
            let first = try scratch.run(
                Program.path,
                ["blur", "in.png", "-o", "a.png", "--sigma", "3", "--resize", size, "--rect", rect] + mode)
            #expect(first.code == 0, "\(first.errors)")
            let small = try scratch.run(
                Program.path, ["blur", "in.png", "-o", "small.png", "--sigma", "0", "--resize", size] + mode)
            #expect(small.code == 0)
            let second = try scratch.frost("blur", "small.png", "-o", "b.png", "--sigma", "3", "--rect", moved)
            #expect(second.code == 0, "\(second.errors)")
            #expect(try scratch.image("a.png").bytes == scratch.image("b.png").bytes, "\(size) \(mode)")
        }
        // What cover cuts off needs no effect, but a rectangle outside the picture is an error.
        let cut = try scratch.frost(
            "blur", "in.png", "-o", "a.png", "--sigma", "3", "--resize", "20x20", "--resize-mode", "cover", "--rect",
            "0,0,5,5")
        #expect(cut.code == 0, "\(cut.errors)")
        try scratch.frost("blur", "in.png", "-o", "a.png", "--sigma", "3", "--resize", "20", "--rect", "60,0,5,5")
            .expectError(2, "outside the image of 60x40")
    }

    @Test("a padded picture is the picture on its background after the effect") func padding() throws {
        let picture = try scratch.picture("in.png", 40, 20)
        let wide = (x: 40 / 3.0, y: 0.0, w: 40 / 3.0, h: 20.0)
        for background in ["blur", "mirror", "#123456"] {
            let outcome = try scratch.frost(
                "blur", "in.png", "-o", "out.png", "--sigma", "2", "--pad", "20x30", "--pad-with", background)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let found = try scratch.image("out.png")
            #expect(found.width == 20 && found.height == 30)
            let inner = try scratch.frost("blur", "in.png", "-o", "inner.png", "--sigma", "0", "--resize", "20x30")
            #expect(inner.code == 0)
            let small = try scratch.image("inner.png")
            #expect(small.width == 20 && small.height == 10)
            #expect(try crop(found, Rect(x: 0, y: 10, width: 20, height: 10)).bytes == small.bytes)
            let canvas: PixelBuffer
            switch background {
            case "blur":
                let rows = Lanczos.resized(Self.pixels(picture, nil), 20, 30, part: wide)
                canvas = try PixelBuffer(
                    layout: PixelLayout(width: 20, height: 30, format: PixelFormat(.rgb)),
                    bytes: rows.flatMap { row in
                        row.flatMap { pixel in (0..<3).map { UInt8(min(max(pixel[$0] * 255, 0), 255).rounded()) } }
                    })
            case "mirror":
                canvas = try PixelBuffer(
                    layout: PixelLayout(width: 20, height: 30, format: PixelFormat(.rgb)),
                    bytes: (0..<30).flatMap { y -> [UInt8] in
                        let from = EdgeMode.mirror.map(y - 10, into: 0..<10) ?? 0
                        return Array(small.bytes[60 * from..<60 * from + 60])
                    })
            default:
                canvas = try PixelBuffer(
                    layout: PixelLayout(width: 20, height: 30, format: PixelFormat(.rgb)),
                    bytes: Array([[0x12, 0x34, 0x56]].joined() + (1..<600).flatMap { _ in [0x12, 0x34, 0x56] }))
            }
            let exact = try Blurring.exact(GaussianBlur(sigma: 2), canvas).rows
            let rows = SampleRows(found)
            for y in Array(0..<10) + Array(20..<30) {
                // The oracle's canvas and Frost's may differ by a step where their roundings do, which the blur averages.
                for at in 0..<60 { #expect(abs(rows[y][at] - exact[y][at]) * 255 <= 1, "\(background) \(at),\(y)") }
            }
        }
        // Transparent pixels show what is behind them.
        try scratch.picture("alpha.png", 20, 20, PixelFormat(.rgba))
        let drawn = try scratch.frost(
            "blur", "alpha.png", "-o", "out.png", "--sigma", "0", "--pad", "30x20", "--pad-with", "white")
        #expect(drawn.code == 0, "\(drawn.errors)")
        let made = SampleRows(try scratch.image("out.png")).expanded(to: .rgba)
        let given = SampleRows(try scratch.image("alpha.png"))
        for y in 0..<20 {
            for x in 0..<20 {
                for c in 0..<3 {
                    let wanted = given[y][4 * x + c] + (1 - given[y][4 * x + 3])
                    #expect(abs(made[y][4 * (x + 5) + c] - wanted) * 255 <= 1)
                }
            }
        }
    }

    @Test("a data URI is the base64 text of the file") func dataURI() throws {
        try scratch.picture("in.png", 40, 30)
        let words = ["blur", "in.png", "--sigma", "1", "--resize", "8", "--format", "webp", "--lossless"]
        let uri = try scratch.run(Program.path, words + ["--data-uri"])
        let file = try scratch.run(Program.path, words + ["-o", "out.webp"])
        #expect(uri.code == 0 && file.code == 0, "\(uri.errors) \(file.errors)")
        let line = try #require(uri.lines.first)
        let data = try Data(scratch.bytes("out.webp")).base64EncodedString()
        #expect(line == "data:image/webp;base64,\(data)")
        let object = try scratch.run(Program.path, words + ["--data-uri", "--json"]).objects.first
        #expect(object?["dataURI"] as? String == line)
        let several = try scratch.frost("blur", "in.png", "in.png", "--sigma", "1", "--resize", "4", "--data-uri")
        #expect(several.lines.count == 2 && several.lines.allSatisfy { $0.hasPrefix("data:image/png;base64,") })
    }

    @Test("options that cannot be combined, and wrong sizes, are refused") func refusals() throws {
        try scratch.picture("in.png", 40, 30)
        func refused(_ words: [String], _ evidence: String, code: Int32 = 2) throws {
            try scratch.run(Program.path, ["blur", "in.png", "--sigma", "2"] + words).expectError(code, evidence)
        }
        for size in ["0", "0x5", "5x", "x", "-3", "5x5x5", "a", "0%", "nan%"] {
            try refused(["-o", "o.png", "--resize", size], "--resize \(size)")
        }
        try refused(["-o", "o.png", "--resize", "40000"], "width of 40000 exceeds", code: 4)
        try refused(["-o", "o.png", "--resize-mode", "fit"], "needs --resize")
        try refused(["-o", "o.png", "--resize", "5", "--resize-mode", "cover"], "two sides")
        try refused(["-o", "o.png", "--pad-with", "blur"], "needs --pad")
        try refused(["-o", "o.png", "--pad", "9x9", "--pad-with", "bluur"], "not a colour")
        try refused(["-o", "o.png", "--pad", "9x9", "--resize", "5"], "--pad cannot be combined with --resize")
        try refused(["-o", "o.png", "--pad", "9x9", "--rect", "1,1,2,2"], "--pad cannot be combined with --rect")
        try refused(["-o", "o.png", "--data-uri"], "--data-uri prints the result")
        try refused(["-o", "o.png", "--resize", "4000x4000", "--max-pixels", "1000000"], "pixels", code: 4)
        try refused(["-o", "o.png", "--pad", "4000x4000", "--max-pixels", "1000000"], "pixels", code: 4)
        try scratch.frost("effect", "redact", "in.png", "-o", "o.png", "--pad", "50x50").expectError(
            2, "would show as it is")
        #expect(!scratch.exists("o.png"))
    }
}
