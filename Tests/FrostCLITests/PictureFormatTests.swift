import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
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
    @Test(arguments: ImageFormat.optional.filter { !ImageFormat.readOnly.contains($0) })
    func traits(format: ImageFormat) throws {
        let (name, absence) = ("out.\(format.traits.suffixes[0])", format.absence)
        guard try !blur("--help").text.contains("\(format.rawValue),") else {
            #expect(try blur("in.png", "-o", name).code == 0)
            return
        }
        try blur("in.png", "-o", name).expectError(2, "\(name): \(absence)")
        try blur("in.png", "-o", "-", "--format", format.rawValue).expectError(2, "allowed: png", absence)
        let starts: [ImageFormat: [UInt8]] = [
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
        try blur("in.png", "-o", "out.tga").expectError(2, "out.tga", "unknown output format")
        try blur("in.png", "-o", "out.png", "--format", "jpgg").expectError(2, "--format jpgg", "png, jpeg")
        try blur("in.png", "-o", "out.png", "--quality", "80").expectError(2, "--quality does not apply to PNG")
        try blur("in.png", "-o", "out.webp", "--progressive").expectError(2, "--progressive does not apply to WebP")
        try blur("in.png", "-o", "out.webp", "--lossless", "--quality", "5").expectError(
            2, "--quality does not apply to lossless WebP")
        try blur("in.png", "-o", "out.jpg", "--quality", "0").expectError(2, "--quality 0", "1 to 100")
        try blur("in.png", "-o", "out.jpg", "--depth", "9").expectError(2, "--depth 9")
        try blur("in.png", "-o", "out.pfm", "--depth", "8").expectError(2, "--depth 8 does not apply to PFM")
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
        try blur("wide.png", "-o", "out.webp", "--strict").expectError(
            6, "out.webp: WebP cannot hold 16 bits", "--depth 8")
        #expect(try blur("wide.png", "-o", "out.webp", "--depth", "8").code == 0)
        #expect(try blur("wide.png", "-o", "wide-out.png").code == 0)
        #expect(try scratch.image("wide-out.png").format.sample == .u16)
        #expect(try blur("wide.png", "-o", "wide-out.png", "--depth", "8").code == 0)
        #expect(try scratch.image("wide-out.png").format.sample == .u8)
        // Floats hold all bits.
        let floats = try blur("wide.png", "-o", "wide.pfm")
        #expect(floats.code == 0 && !floats.errors.contains("warning"), "\(floats.errors)")
    }

    /// Inks stay inks only if the effect does not depend on the colours.
    @Test func inksAndContrast() throws {
        var metadata = ImageMetadata()
        metadata.colorModel = .cmyk
        let pixels = try noise(24, 18, PixelFormat(.rgba, alpha: .premultiplied))
        try write(DecodedImage(pixels: pixels, metadata: metadata), "inks.jpg")
        #expect(try !blur("inks.jpg", "-o", "out.jpg").errors.contains("converted"))
        let contrast = try blur("inks.jpg", "-o", "out.jpg", "--force", "--min-contrast", "7")
        #expect(contrast.code == 0 && contrast.errors.contains("converted to RGB"), "\(contrast.errors)")
    }

    /// The remedy for floats names the depths that the format holds, and each of them helps.
    @Test func lossesOfFloats() throws {
        #expect(try blur("in.png", "-o", "float.pfm").code == 0)
        // The picture has colour, which PGM cannot hold.
        for format in ImageFormat.allCases
        where format.traits.channels.contains(.rgb) && !format.traits.samples.contains(where: \.isFloat) {
            let name = "out.\(format.traits.suffixes[0])"
            let outcome = try blur("float.pfm", "-o", name)
            outcome.expectError(6, "\(format.traits.title) cannot hold floats; --depth ")
            let remedy = try #require(outcome.errors.split(separator: "--depth ").last)
            let depths = remedy.split(whereSeparator: { !$0.isNumber }).map(String.init)
            #expect(!depths.isEmpty)
            for depth in depths {
                let reduced = try blur("float.pfm", "-o", name, "--depth", depth, "--force")
                #expect(reduced.code == 0, "\(reduced.errors)")
            }
        }
    }

    /// A gamma that no display has is a warning that names the picture. `--linear` then gives the pixels that it gives with
    /// the tone curve of sRGB.
    @Test func unusableGamma() throws {
        var metadata = ImageMetadata()
        metadata.gamma = 1_000_000
        try scratch.picture("gamma.png", metadata: metadata)
        let outcome = try blur("gamma.png", "-o", "out.png", "--linear", "--json")
        #expect(outcome.code == 0)
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains("gamma.png: its gamma 0.1 is out of range"))
        let warning = try #require(try outcome.objects.first?["warning"] as? String)
        #expect(warning == "its gamma 0.1 is out of range (allowed: 1 to 4); --linear uses the tone curve of sRGB")
        #expect(try blur("in.png", "-o", "expected.png", "--linear").code == 0)
        #expect(try scratch.image("out.png").bytes == scratch.image("expected.png").bytes)
    }

    /// The warnings on standard error are also in the JSON object of the picture.
    @Test func warningsAsObjects() throws {
        var metadata = ImageMetadata()
        metadata.gamma = 55_000
        try scratch.picture("gamma.png", metadata: metadata)
        let outcome = try blur("gamma.png", "-o", "out.qoi", "--json")
        #expect(outcome.code == 0)
        let warning = try #require(try outcome.objects.first?["warning"] as? String)
        #expect(warning.hasPrefix("QOI cannot hold the colour space"))
        #expect(outcome.errors.contains("gamma.png: \(warning)"))
        let plain = try blur("in.png", "-o", "plain.qoi", "--json")
        #expect(try plain.objects.first?["warning"] is NSNull)
    }

    /// An animated picture is refused as input, mask and content. The error names --first-frame if the command has this
    /// option, and the option then helps. All frames are the same, so the result is that of a still picture.
    @Test func severalFrames() throws {
        let animation = ["transition", "in.png", "in.png", "--duration", "0.2", "--fps", "10", "-o", "anim.apng"]
        #expect(try scratch.run(Program.path, animation).code == 0)
        let remedy = "anim.apng: it is an animated PNG, not a single picture; use --first-frame"
        for (animated, still) in [
            (["blur", "anim.apng", "--sigma", "2"], ["blur", "in.png", "--sigma", "2"]),
            (
                ["blur", "in.png", "--sigma", "2", "--mask", "anim.apng"],
                ["blur", "in.png", "--sigma", "2", "--mask", "in.png"]
            ),
            (
                ["effect", "blur-dark", "in.png", "--content", "anim.apng"],
                ["effect", "blur-dark", "in.png", "--content", "in.png"]
            ),
        ] {
            let refused = try scratch.run(Program.path, animated + ["-o", "out.png"])
            refused.expectError(3, remedy)
            // Another output keeps only the frames of an input.
            #expect(refused.errors.contains("keep all frames") == (animated[1] == "anim.apng"), "\(refused.errors)")
            let first = try scratch.run(Program.path, animated + ["-o", "first.png", "--first-frame", "--force"])
            #expect(first.code == 0, "\(first.errors)")
            #expect(try scratch.run(Program.path, still + ["-o", "still.png", "--force"]).code == 0)
            #expect(try scratch.image("first.png").bytes == scratch.image("still.png").bytes)
        }
        try scratch.folder("folder")
        try scratch.run(Program.path, ["blur", "folder", "-o", "out.gif", "--sigma", "2"]).expectError(3, "--recursive")
        let shard = ["blur", "in.png", "-o", "s.png", "--sigma", "2", "--mask", "depth", "--shard", "2/2"]
        #expect(try !scratch.run(Program.path, shard).errors.contains("video"))
        let uri = try scratch.run(Program.path, ["blur", "anim.apng", "--sigma", "2", "--data-uri"])
        #expect(uri.code == 3 && uri.errors.contains(remedy) && !uri.errors.contains(".webp"), "\(uri.errors)")
        for words in [
            ["compare", "anim.apng", "in.png"], ["check", "anim.apng", "--sigma", "2"],
            ["bench", "--input", "anim.apng"],
        ] {
            let outcome = try scratch.run(Program.path, words)
            #expect(outcome.code == 3 && outcome.errors.contains("it is an animated PNG"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("--first-frame"), "\(outcome.errors)")
        }
    }

    /// A colour behind transparent pixels is mixed before the result is rounded, so a frame has the bytes of a still picture.
    @Test func backgroundOfAnimations() throws {
        try write(DecodedImage(pixels: try noise(40, 30, PixelFormat(.rgba), seed: 7)), "soft.png")
        let words = ["transition", "soft.png", "soft.png", "--duration", "0.2", "--fps", "10", "-o", "soft.apng"]
        #expect(try scratch.run(Program.path, words).code == 0)
        for (effect, extra) in [
            (["blur", "--sigma", "2"], []), (["effect", "light", "--noise", "0.05"], []),
            (["blur", "--sigma", "3", "--edge", "clear"], ["--no-dither"]),
        ] {
            func run(_ input: String, _ output: String, _ words: [String]) throws {
                let all = [effect[0]] + (effect[0] == "effect" ? [effect[1]] : []) + [input, "-o", output, "--force"]
                let rest = effect.dropFirst(effect[0] == "effect" ? 2 : 1)
                let outcome = try scratch.run(Program.path, all + rest + words + extra + ["--background", "#3080f0"])
                #expect(outcome.code == 0, "\(outcome.errors)")
            }
            try run("soft.png", "still.png", [])
            try run("soft.apng", "moving.apng", [])
            let still = try scratch.image("still.png")
            let options = ImageReadOptions(firstFrame: true)
            let first = try ImageFile.read(path: scratch.file("moving.apng"), options: options).pixels
            #expect(first.bytes == still.bytes, "\(effect)")
        }
    }

    /// By default, the output keeps only the metadata that affects the display of colours. If the output format cannot hold
    /// some of this metadata, the program prints a warning.
    @Test func metadata() throws {
        var metadata = ImageMetadata()
        metadata.xmp = TestMetadata.xmp
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

    /// `--verbose` names what is left out, by the choice of the user or because it may hold a picture. `redact` warns of texts
    /// that it does not look into.
    @Test func leftOut() throws {
        var metadata = ImageMetadata()
        metadata.exif = TestMetadata.exif
        metadata.comments = [[0, 1, 2]]
        try write(DecodedImage(pixels: try noise(24, 18), metadata: metadata), "in.jpg")
        let all = try blur("in.jpg", "-o", "all.jpg", "--keep", "all", "-v")
        #expect(all.errors.contains("left out: a comment that is not a text\n"), "\(all.errors)")
        let color = try blur("in.jpg", "-o", "color.jpg", "-v")
        #expect(color.errors.contains("left out: EXIF, a comment that is not a text\n"), "\(color.errors)")
        #expect(try !blur("in.jpg", "-o", "quiet.jpg").errors.contains("left out"))
        func redact(_ words: String...) throws -> String {
            try scratch.run(Program.path, ["effect", "redact", "in.jpg", "-o", "safe.jpg", "--force"] + words).errors
        }
        #expect(try redact("--keep", "all").contains("redact does not look into EXIF, which --keep all keeps"))
        #expect(try !redact().contains("look into"))
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

    /// Writes a CMYK picture of one colour, 24 x 18, and returns its inks.
    @discardableResult private func writeFlatInks(_ name: String) throws -> [UInt8] {
        let layout = try PixelLayout(width: 24, height: 18, format: PixelFormat(.rgba, alpha: .premultiplied))
        let inks = (0..<24 * 18).flatMap { _ in [200, 100, 150, 60] as [UInt8] }
        var metadata = ImageMetadata()
        metadata.colorModel = .cmyk
        let picture = DecodedImage(pixels: try PixelBuffer(layout: layout, bytes: inks), metadata: metadata)
        try scratch.write(try ImageFile.encode(picture, as: .tiff), name)
        return inks
    }

    @Test("the background of a padded CMYK picture is in RGB, whatever blurs it") func paddedInks() throws {
        // The last ink is not alpha: without conversion, the background would show through it.
        try writeFlatInks("in.tif")
        let flat = try scratch.frost("blur", "in.tif", "-o", "flat.png", "--sigma", "0")
        #expect(flat.code == 0, "\(flat.errors)")
        let color = Array(try scratch.image("flat.png").bytes.prefix(3))
        for (background, around) in [("blur", color), ("mirror", color), ("#102030", [0x10, 0x20, 0x30])] {
            let outcome = try scratch.frost(
                "blur", "in.tif", "-o", "out.tif", "--force", "--sigma", "1", "--pad", "60x40", "--pad-with", background
            )
            #expect(outcome.code == 0 && outcome.errors.contains("CMYK"), "\(outcome.errors)")
            let made = try ImageFile.read(path: FilePath(scratch.file("out.tif"))).pixels
            #expect(made.format.channels == .rgb)
            #expect(Array(made.bytes.dropFirst(3 * (20 * 60 + 30)).prefix(3)) == color, "\(background)")
            #expect(Array(made.bytes.prefix(3)) == around, "\(background)")
        }
    }

    @Test("a CMYK picture of one colour stays so where its blur is mixed with it") func mixedInks() throws {
        // The first inks are above the last, which colours premultiplied with alpha never are.
        let inks = try writeFlatInks("in.tif")
        try scratch.picture("mask.png", 5, 5, PixelFormat(.grey))
        for words in [
            ["--opacity", "0.5"], ["--rect", "3,3,12,9", "--ellipse"], ["--mask", "mask.png"],
            ["--rect", "3,3,12,9", "--feather", "3", "--invert-rects"],
        ] {
            let outcome = try scratch.run(
                Program.path, ["blur", "in.tif", "-o", "out.tif", "--force", "--sigma", "3"] + words)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let made = try ImageFile.read(path: FilePath(scratch.file("out.tif")))
            #expect(made.metadata.colorModel == .cmyk && made.pixels.bytes == inks, "\(words)")
        }
    }
}
