import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

/// Tests which picture formats the command reads, writes and refuses.
@Suite struct PictureFormatTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png")
    }

    private func blur(_ words: String...) throws -> Outcome {
        try scratch.run(Program.path, ["blur"] + words + ["--sigma", "1"])
    }

    private func write(_ image: DecodedImage, _ name: String) throws {
        try ImageFile.write(image, path: scratch.file(name))
    }

    /// The output format follows the suffix of the output file's name. The input format follows the file's first bytes,
    /// whatever the name of the input file is.
    @Test(arguments: ["jpg", "JPEG", "webp", "qoi", "ppm", "pnm", "pam", "pfm", "png"])
    func suffixes(suffix: String) throws {
        let outcome = try blur("in.png", "-o", "out.\(suffix)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let expected = try #require(ImageFormat(suffixOf: "x." + suffix))
        let found = try ImageReader(path: scratch.file("out.\(suffix)")).format
        #expect(found == expected || found == .ppm && expected == .pnm)
        try FileManager.default.moveItem(atPath: scratch.file("out.\(suffix)"), toPath: scratch.file("wrong.tiff"))
        #expect(try blur("wrong.tiff", "-o", "again.png", "--depth", "16").code == 0)
    }

    /// If the program was built without a format, the error names the package trait that adds it.
    @Test(arguments: OptionalFormat.allCases) func traits(format: OptionalFormat) throws {
        let (name, absence) = ("out.\(format.suffixes[0])", format.absence)
        guard try !blur("--help").text.contains("\(format.rawValue),") else {
            #expect(try blur("in.png", "-o", name).code == 0)
            return
        }
        try blur("in.png", "-o", name).expectError(2, "\(name): \(absence)")
        try blur("in.png", "-o", "-", "--format", format.rawValue).expectError(2, "allowed: png", absence)
        let starts: [OptionalFormat: [UInt8]] = [
            .tiff: [0x4D, 0x4D, 0, 42], .avif: [0, 0, 0, 32] + Array("ftypmif1\0\0\0\0mif1avif".utf8),
            .jxl: [0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A],
        ]
        try scratch.write(starts[format] ?? [], "in.jpg")
        try blur("in.jpg", "-o", "out.png").expectError(3, "in.jpg: not a supported picture", absence)
        #expect(try scratch.entries() == ["in.jpg", "in.png"])
    }

    @Test func pipesAndFoldersKeepTheFormat() throws {
        _ = try blur("in.png", "-o", "in.jpg")
        let piped = try scratch.shell("\"$FROST\" blur - -o - --sigma 1 -q <in.jpg")
        #expect(piped.output.starts(with: [0xFF, 0xD8, 0xFF]))
        let asPNG = try scratch.shell("\"$FROST\" blur - -o - --sigma 1 -q --format png <in.jpg")
        #expect(asPNG.output.starts(with: [0x89, 0x50]))
        #expect(try blur("in.jpg", "in.png", "-o", "out/").code == 0)
        #expect(try scratch.entries("out") == ["in.jpg", "in.png"])
        #expect(try blur("in.jpg", "-o", "{dir}/out/{stem}-{ext}.{ext}", "--format", "webp").code == 0)
        #expect(try scratch.entries("out") == ["in-webp.webp", "in.jpg", "in.png"])
    }

    @Test func contradictions() throws {
        try blur("in.png", "-o", "out.png", "--format", "jpeg").expectError(2, "out.png", "PNG", "JPEG")
        try blur("in.png", "-o", "out.jpgg").expectError(2, "out.jpgg", "did you mean jpg")
        try blur("in.png", "-o", "out.gif").expectError(2, "out.gif", "unknown output format")
        try blur("in.png", "-o", "out.png", "--format", "jpgg").expectError(2, "--format jpgg", "png, jpeg")
        try blur("in.png", "-o", "out.png", "--quality", "80").expectError(2, "--quality does not apply to PNG")
        try blur("in.png", "-o", "out.webp", "--progressive").expectError(2, "--progressive does not apply to WebP")
        try blur("in.png", "-o", "out.jpg", "--quality", "0").expectError(2, "--quality 0", "1 to 100")
        try blur("in.png", "-o", "out.jpg", "--depth", "9").expectError(2, "--depth 9")
        try blur("in.png", "-o", "out.jpg", "--background", "blue-ish").expectError(2, "--background")
        try blur("in.png", "-o", "out.jpg", "--background", "#ffffff80").expectError(2, "opaque")
        #expect(try scratch.entries() == ["in.png"])
    }

    /// If the output format cannot hold the picture, the error names an option that helps. With this option the command
    /// succeeds.
    @Test func losses() throws {
        try scratch.picture("alpha.png", 24, 18, PixelFormat(.rgba))
        try blur("alpha.png", "-o", "out.jpg").expectError(6, "out.jpg: JPEG cannot hold transparency", "--background")
        #expect(try blur("alpha.png", "-o", "out.jpg", "--background", "#fff").code == 0)
        try scratch.picture("wide.png", 24, 18, PixelFormat(.rgb, .u16))
        try blur("wide.png", "-o", "out.webp").expectError(6, "out.webp: WebP cannot hold 16 bits", "--depth 8")
        #expect(try blur("wide.png", "-o", "out.webp", "--depth", "8").code == 0)
        #expect(try blur("wide.png", "-o", "wide-out.png").code == 0)
        #expect(try scratch.image("wide-out.png").format.sample == .u16)
        #expect(try blur("wide.png", "-o", "wide-out.png", "--depth", "8").code == 0)
        #expect(try scratch.image("wide-out.png").format.sample == .u8)
    }

    /// By default, the output keeps only the metadata that affects the display of colours. If the output format cannot hold
    /// some of this metadata, the program prints a warning.
    @Test func metadata() throws {
        var metadata = ImageMetadata()
        metadata.xmp = Array("<x/>".utf8)
        metadata.comments = [Array("hello".utf8)]
        metadata.pixelDensity = PixelDensity(x: 11811, y: 11811, unit: .perMetre)
        try write(DecodedImage(pixels: try noise(24, 18), metadata: metadata), "in.jpg")
        #expect(try blur("in.jpg", "-o", "color.jpg").code == 0)
        #expect(try ImageFile.read(path: scratch.file("color.jpg")).metadata == ImageMetadata())
        #expect(try blur("in.jpg", "-o", "all.jpg", "--keep", "all").code == 0)
        #expect(try ImageFile.read(path: scratch.file("all.jpg")).metadata == metadata)
        let outcome = try blur("in.jpg", "-o", "all.webp", "--keep", "all")
        #expect(outcome.code == 0 && outcome.errors.contains("WebP cannot hold the density, comments"))
        #expect(try ImageFile.read(path: scratch.file("all.webp")).metadata.xmp == metadata.xmp)
        metadata = ImageMetadata()
        metadata.gamma = 100_000
        try scratch.picture("linear.png", metadata: metadata)
        #expect(try blur("linear.png", "-o", "linear.jpg").errors.contains("JPEG cannot hold the colour space"))
    }

    /// For JPEG output, each ink of a CMYK picture is blurred separately. For other output formats, the picture is converted
    /// to RGB.
    @Test func inks() throws {
        var metadata = ImageMetadata()
        metadata.colorModel = .cmyk
        let inks = try noise(32, 24, PixelFormat(.rgba, alpha: .premultiplied))
        try write(DecodedImage(pixels: inks, metadata: metadata), "ink.jpg")
        let outcome = try blur("ink.jpg", "-o", "out.jpg", "--quality", "98")
        #expect(outcome.code == 0 && !outcome.errors.contains("CMYK"))
        let found = try ImageFile.read(path: scratch.file("out.jpg"))
        #expect(found.metadata.colorModel == .cmyk)
        // The result of each ink must be the same as that of a grey picture with the same samples.
        let source = try ImageFile.read(path: scratch.file("ink.jpg")).pixels
        for channel in 0..<4 {
            let grey = try PixelBuffer(
                layout: try PixelLayout(width: 32, height: 24, format: PixelFormat(.grey)),
                bytes: stride(from: channel, to: source.bytes.count, by: 4).map { source.bytes[$0] })
            try write(DecodedImage(pixels: grey), "grey.png")
            #expect(try blur("grey.png", "-o", "grey-out.png").code == 0)
            let expected = try scratch.image("grey-out.png").bytes
            let worst = zip(expected, stride(from: channel, to: found.pixels.bytes.count, by: 4)).map {
                abs(Int($0) - Int(found.pixels.bytes[$1]))
            }
            #expect(try #require(worst.max()) <= 12, "channel \(channel)")
        }
        for words in [["out.png"], ["out.jpg", "--linear"]] {
            let converted = try scratch.run(Program.path, ["blur", "ink.jpg", "--sigma", "1", "-o"] + words)
            #expect(converted.code == 0 && converted.errors.contains("CMYK without a usable profile"))
            #expect(try ImageFile.read(path: scratch.file(words[0])).pixels.format.channels == .rgb)
        }
    }
}
