import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests that `frost transition` drops nothing silently, and refuses what has no effect.
struct TransitionCommandTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("a.png", seed: 1)
        try scratch.picture("b.png", seed: 2)
    }

    private func transition(_ a: String, _ b: String, _ words: String...) throws -> Outcome {
        try scratch.run(Program.path, ["transition", a, b, "--fps", "10"] + words + ["--force"])
    }

    /// Returns the bytes of the luma plane of the first frame of a Y4M file.
    private func luma(_ name: String, _ count: Int) throws -> [UInt8] {
        let file = try scratch.bytes(name)
        let mark = Array("FRAME\n".utf8)
        let start = try #require(file.indices.first { file[$0...].starts(with: mark) })
        return Array(file[(start + mark.count)...].prefix(count))
    }

    private func metadata() -> ImageMetadata {
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(bytes: TestProfile.bytes())
        metadata.exif = TestMetadata.exif
        metadata.xmp = TestMetadata.xmp
        return metadata
    }

    @Test(
        "A colour profile that the output cannot hold is reported, and all other outputs keep it or convert the colours"
    )
    func profile() throws {
        try scratch.picture("p.png", metadata: metadata())
        try scratch.folder("f")
        for (output, format) in [("x.qoi", "QOI"), ("x.ppm", "PPM"), ("f/{frame}.ppm", "PPM")] {
            let time = output.contains("{") ? ["--duration", "0.2"] : ["--time", "0.5"]
            let words = ["transition", "p.png", "p.png", "-o", output] + time
            let outcome = try scratch.run(Program.path, words)
            #expect(outcome.code == 0)
            #expect(
                outcome.errors.contains("p.png: \(format) cannot hold the colour profile; left out"),
                "\(outcome.errors)")
        }
        for output in ["x.png", "x.webp", "x.apng", "x.y4m"] {
            let outcome = try transition("p.png", "p.png", "-o", output, "--duration", "0.1")
            #expect(outcome.code == 0 && !outcome.errors.contains("warning"), "\(output): \(outcome.errors)")
        }
    }

    @Test("Y4M holds sRGB: other colours are converted")
    func y4mColors() throws {
        var linear = ImageMetadata()
        linear.gamma = 100_000
        let layout = try PixelLayout(width: 4, height: 4, format: PixelFormat(.rgb))
        let pixels = try PixelBuffer(layout: layout, bytes: [UInt8](repeating: 55, count: 48))
        try PNG.write(DecodedImage(pixels: pixels, metadata: linear), path: scratch.file("linear.png"))
        try PNG.write(DecodedImage(pixels: pixels), path: scratch.file("plain.png"))
        for (name, value) in [("linear.png", 1.055 * pow(55.0 / 255, 1 / 2.4) - 0.055), ("plain.png", 55.0 / 255)] {
            for time in [["--time", "0.5"], ["--duration", "0.3"]] {
                let words = ["transition", name, name, "-o", "x.y4m"] + time
                #expect(try scratch.run(Program.path, words).code == 0)
                // Luma is rounded after the colours are.
                for luma in try luma("x.y4m", 16) { #expect(abs(Double(luma) - (16 + 219 * value)) <= 1) }
            }
        }
    }

    @Test("Y4M refuses transparency without --background, and leaves no file")
    func y4mTransparency() throws {
        let clear = try noise(24, 18, PixelFormat(.rgba), seed: 3)
        try PNG.write(DecodedImage(pixels: clear), path: scratch.file("clear.png"))
        var bytes = clear.bytes
        for at in stride(from: 3, to: bytes.count, by: 4) { bytes[at] = 255 }
        let opaque = try PixelBuffer(layout: clear.layout, bytes: bytes)
        try PNG.write(DecodedImage(pixels: opaque), path: scratch.file("opaque.png"))
        try scratch.picture("large.png", 30, 30)
        for (a, b) in [("clear.png", "a.png"), ("a.png", "clear.png"), ("a.png", "large.png")] {
            try transition(a, b, "-o", "x.y4m", "--duration", "0.3").expectError(6, "transparency", "--background")
            #expect(!scratch.exists("x.y4m"))
            let outcome = try transition(a, b, "-o", "white.y4m", "--duration", "0.3", "--background", "white", "-q")
            #expect(outcome.code == 0 && outcome.errors.isEmpty)
        }
        // Frost may drop an alpha channel that has no transparent pixels.
        #expect(try transition("opaque.png", "a.png", "-o", "x.y4m", "--duration", "0.3", "-q").code == 0)
    }

    @Test("Y4M holds the same frames whether opaque pictures have an alpha channel or not")
    func y4mOpaque() throws {
        for (name, seed) in [("one", 5), ("two", 6)] as [(String, UInt64)] {
            let picture = try noise(50, 34, PixelFormat(.rgb), seed: seed)
            try PNG.write(DecodedImage(pixels: picture), path: scratch.file("\(name)-rgb.png"))
            let opaque = try PixelBuffer(
                width: 50, height: 34, format: PixelFormat(.rgba), bytes: picture.addingOpaqueAlpha().bytes)
            try PNG.write(DecodedImage(pixels: opaque), path: scratch.file("\(name)-rgba.png"))
        }
        for kind in ["dissolve", "page-curl", "ripple", "flash", "accordion-fold"] {
            for channels in ["rgb", "rgba"] {
                let words = ["one-\(channels).png", "two-\(channels).png", "-o", "\(kind)-\(channels).y4m", "-q"]
                let outcome = try scratch.run(Program.path, ["transition", kind] + words + ["--duration", "0.4"])
                #expect(outcome.code == 0, "\(outcome.errors)")
            }
            #expect(try scratch.bytes("\(kind)-rgb.y4m") == scratch.bytes("\(kind)-rgba.y4m"), "\(kind)")
        }
        #expect(try scratch.bytes("dissolve-rgb.y4m") != scratch.bytes("flash-rgb.y4m"))
    }

    @Test("Y4M refuses 16 bits without --depth 8")
    func y4mDepth() throws {
        try scratch.picture("deep.png", 24, 18, PixelFormat(.rgb, .u16))
        for (a, b) in [("deep.png", "a.png"), ("a.png", "deep.png")] {
            try transition(a, b, "-o", "x.y4m", "--duration", "0.3").expectError(6, "16 bits", "--depth 8")
            #expect(!scratch.exists("x.y4m"))
        }
        #expect(try transition("deep.png", "a.png", "-o", "x.y4m", "--duration", "0.3", "--depth", "8", "-q").code == 0)
        try transition("a.png", "b.png", "-o", "x.y4m", "--duration", "0.3", "--depth", "16").expectError(
            2, "--depth 16 does not apply to Y4M output")
        // Files of 8 bits need no option, although a conversion of their colours has 16 bits.
        try scratch.picture("p.png", metadata: metadata())
        #expect(try transition("p.png", "a.png", "-o", "x.y4m", "--duration", "0.3", "-q").code == 0)
    }

    @Test("--keep all keeps the first picture's metadata in every format that holds them, and reports what is lost")
    func keep() throws {
        let metadata = metadata()
        try scratch.picture("p.png", metadata: metadata)
        try scratch.folder("f")
        for (output, first) in [("x.apng", "x.apng"), ("x.webp", "x.webp"), ("f/{frame}.png", "f/0001.png")] {
            for (keep, isKept) in [("all", true), ("color", false)] {
                let outcome = try transition(
                    "p.png", "b.png", "-o", output, "--duration", "0.3", "--keep", keep, "--depth", "8")
                #expect(outcome.code == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
                let read = try ImageFile.read(
                    path: FilePath(scratch.file(first)), options: ImageReadOptions(firstFrame: true)
                ).metadata
                #expect(read.iccProfile == metadata.iccProfile, "\(output)")
                #expect(read.exif == (isKept ? metadata.exif : nil), "\(output) \(keep)")
                #expect(read.xmp == (isKept ? metadata.xmp : nil), "\(output) \(keep)")
            }
        }
        let lossy = try transition("p.png", "p.png", "-o", "x.qoi", "--duration", "0.1", "--keep", "all")
        #expect(lossy.errors.contains("QOI cannot hold the colour profile, EXIF, XMP; left out"), "\(lossy.errors)")
        for keep in ["all", "none", "times"] {
            try transition("a.png", "b.png", "-o", "x.y4m", "--duration", "0.3", "--keep", keep).expectError(
                2, "--keep does not apply to Y4M output")
        }
    }

    @Test("--keep times gives every file the times of the first picture")
    func times() throws {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: scratch.file("a.png"))
        for (output, files) in [
            ("x.png", ["x.png"]), ("x.webp", ["x.webp"]), ("f/", ["f/0000.png", "f/0001.png"]),
        ] {
            let duration = output == "x.png" ? "0.1" : "0.2"
            let outcome = try transition(
                "a.png", "b.png", "-o", output, "--duration", duration, "--keep", "color,times")
            #expect(outcome.code == 0, "\(outcome.errors)")
            for file in files {
                let found = try FileManager.default.attributesOfItem(atPath: scratch.file(file))[.modificationDate]
                #expect(found as? Date == date, "\(file)")
            }
        }
        try transition("a.png", "b.png", "-o", "-", "--format", "webp", "--duration", "0.2", "--keep", "times")
            .expectError(2, "--keep times applies to files")
    }

    @Test("A rectangle is refused by a transition that does not use it, and if it lies outside both pictures")
    func extents() throws {
        func run(_ words: String...) throws -> Outcome {
            try scratch.run(Program.path, ["transition", "a.png", "b.png", "-o", "x.png", "--time", "0.5"] + words)
        }
        try run("--extent", "0,0,9,9").expectError(2, "--extent does not apply to dissolve")
        for name in ["dissolve", "swipe", "flash", "mod", "ripple", "page-curl"] {
            try run("--effect", name, "--shadow-extent", "0,0,9,9").expectError(
                2, "--shadow-extent does not apply to \(name)")
        }
        for option in ["--extent", "--shadow-extent"] {
            try run("--effect", "page-curl-with-shadow", option, "24,0,9,9").expectError(
                2, "\(option): the rectangle", "outside both pictures", "24x18")
            #expect(try run("--effect", "page-curl-with-shadow", option, "23,0,9,9", "-q").code == 0)
        }
        // The second picture counts too.
        try scratch.picture("large.png", 40, 40)
        #expect(
            try transition(
                "a.png", "large.png", "-o", "x.png", "--duration", "0.1", "--effect", "swipe", "--extent", "30,30,9,9"
            ).code
                == 0)
    }

    @Test("The folder of a template is created, also if its name has the number of the frame")
    func folders() throws {
        for (output, files) in [
            ("new/deep/{frame}.png", ["new/deep/0000.png", "new/deep/0001.png"]),
            ("by/{frame}/x.png", ["by/0000/x.png", "by/0001/x.png"]),
        ] {
            let outcome = try transition("a.png", "b.png", "-o", output, "--duration", "0.2")
            #expect(outcome.code == 0, "\(outcome.errors)")
            for file in files { #expect(scratch.exists(file)) }
        }
    }

    @Test("The first frame keeps the colours of transparent grey pixels, and a warning names the deep picture")
    func transparentGrey() throws {
        let grey = try scratch.picture("grey.png", 24, 18, PixelFormat(.greyAlpha, alpha: .straight))
        #expect(try scratch.frost("transition", "grey.png", "b.png", "-o", "x.png", "--time", "0").code == 0)
        let frame = try scratch.image("x.png")
        let wanted = stride(from: 0, to: grey.bytes.count, by: 2).flatMap { i in
            [grey.bytes[i], grey.bytes[i], grey.bytes[i], grey.bytes[i + 1]]
        }
        #expect(frame.format.channels == .rgba && frame.bytes == wanted)
        try scratch.picture("deep.png", 24, 18, PixelFormat(.rgb, .u16))
        for words in [["a.png", "deep.png"], ["deep.png", "a.png"]] {
            let outcome = try scratch.frost(
                "transition", words[0], words[1], "-o", "x.webp", "--time", "0.5", "--force")
            #expect(outcome.code == 0 && outcome.errors.contains("warning: deep.png: "), "\(outcome.errors)")
        }
    }
}
