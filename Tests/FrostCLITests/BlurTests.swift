import Foundation
import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests `frost blur` with files as input and output.
@Suite struct BlurTests {
    private let scratch: Scratch
    private let picture: PixelBuffer

    init() throws {
        scratch = try Scratch()
        picture = try scratch.picture("in.png", 40, 30)
    }

    private func blur(_ words: String...) throws -> Outcome {
        let outcome = try scratch.run(Program.path, ["blur"] + words)
        #expect(outcome.code == 0, "\(words): \(outcome.errors)")
        return outcome
    }

    /// The output file has the same pixels as an image that the library blurs.
    @Test(arguments: TestGPU.isWanted ? [Backend.cpu, .gpu, .exact, .auto] : [.cpu, .exact, .auto], EdgeMode.allCases)
    func writesTheLibrarysPixels(backend: Backend, edge: EdgeMode) throws {
        _ = try blur(
            "in.png", "-o", "out.png", "--sigma", "2.5,6", "--edge", edge.rawValue, "--backend", backend.rawValue)
        let effect = try GaussianBlur(sigmaX: 2.5, sigmaY: 6, edge: edge)
        let expected = try Renderer(backend: backend).blur(picture, effect).image
        let found = try scratch.image("out.png")
        #expect(found.format.channels == (edge == .clear ? .rgba : .rgb))
        #expect(found.bytes == expected.bytes)
    }

    /// Sigma can apply to a single axis. The default edge mode is clamp.
    @Test func sigmas() throws {
        _ = try blur("in.png", "-o", "a.png", "--sigma", "3")
        _ = try blur("in.png", "-o", "b.png", "--sigma", "3,3", "--edge", "clamp")
        #expect(try scratch.bytes("a.png") == scratch.bytes("b.png"))
        _ = try blur("in.png", "-o", "zero.png", "--sigma", "0")
        #expect(try scratch.image("zero.png").bytes == picture.bytes)
        _ = try blur("in.png", "-o", "x.png", "--sigma", "3,0")
        let expected = try Renderer(backend: .cpu).blur(picture, GaussianBlur(sigmaX: 3, sigmaY: 0)).image
        #expect(try scratch.image("x.png").bytes == expected.bytes)
    }

    @Test func threadsAndRepetitionsDoNotShow() throws {
        try scratch.picture("large.png", 301, 207, PixelFormat(.rgba))
        for threads in ["1", "2", "3", "8"] {
            for round in 0..<2 {
                _ = try blur(
                    "large.png", "-o", "\(threads)-\(round).png", "--sigma", "9", "--threads", threads, "--backend",
                    "cpu")
            }
        }
        let first = try scratch.bytes("1-0.png")
        for name in try scratch.entries() where name.contains("-") {
            #expect(try scratch.bytes(name) == first, "\(name)")
        }
    }

    /// The decimal point and the error messages are the same in every locale.
    @Test func localesDoNotShow() throws {
        let words = ["blur", "in.png", "-o", "out.png", "--sigma", "2.5", "--json"]
        let plain = try scratch.run(Program.path, words)
        let expected = try scratch.bytes("out.png")
        for locale in ["de_DE.UTF-8", "tr_TR.UTF-8", "C", "nonsense"] {
            let outcome = try scratch.run(Program.path, words, environment: ["LC_ALL": locale, "LANG": locale])
            #expect(outcome.code == 0)
            #expect(try scratch.bytes("out.png") == expected)
            #expect(try outcome.objects[0]["errorBound"] as? Double == plain.objects[0]["errorBound"] as? Double)
            try scratch.run(
                Program.path, ["blur", "none.png", "-o", "x.png", "--sigma", "1"], environment: ["LC_ALL": locale]
            )
            .expectError(3, "No such file or directory")
        }
    }

    /// With --rect, pixels outside the rectangle keep their bytes. Pixels inside the rectangle are the same as in a blur of
    /// the whole picture.
    @Test(arguments: [PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey, .u16)], [EdgeMode.clamp, .mirror])
    func rectangles(format: PixelFormat, edge: EdgeMode) throws {
        let picture = try scratch.picture("p.png", 40, 30, format)
        _ = try blur("p.png", "-o", "whole.png", "--sigma", "4", "--edge", edge.rawValue)
        let whole = try scratch.image("whole.png")
        let rects = [Rect(x: 3, y: 4, width: 9, height: 11), Rect(x: 20, y: 0, width: 20, height: 7)]
        _ = try blur(
            "p.png", "-o", "part.png", "--sigma", "4", "--edge", edge.rawValue, "--rect", "3,4,9,11", "--rect",
            "20,0,20,7")
        var expected = picture
        for rect in rects { try expected.paste(crop(whole, rect), at: rect) }
        #expect(try scratch.image("part.png").bytes == expected.bytes)
    }

    /// A rectangle that extends past the picture is cropped to it.
    @Test func rectanglesAtTheEdge() throws {
        _ = try blur("in.png", "-o", "a.png", "--sigma", "4", "--rect", "30,20,10,10")
        _ = try blur("in.png", "-o", "b.png", "--sigma", "4", "--rect", "30,20,100,1000000")
        _ = try blur("in.png", "-o", "whole.png", "--sigma", "4", "--rect", "-7,-7,999,999")
        _ = try blur("in.png", "-o", "plain.png", "--sigma", "4")
        #expect(try scratch.bytes("a.png") == scratch.bytes("b.png"))
        #expect(try scratch.bytes("whole.png") == scratch.bytes("plain.png"))
    }

    /// With a rectangle and transparent edges, the output has an alpha channel. Pixels outside the rectangle are opaque.
    @Test func rectanglesWithTransparentEdges() throws {
        _ = try blur("in.png", "-o", "out.png", "--sigma", "4", "--edge", "clear", "--rect", "0,0,10,10")
        let out = try scratch.image("out.png")
        #expect(out.format.channels == .rgba)
        for y in 0..<30 {
            for x in 0..<40 where x >= 10 || y >= 10 {
                let n = y * 40 + x
                #expect(Array(out.bytes[4 * n..<4 * n + 4]) == Array(picture.bytes[3 * n..<3 * n + 3]) + [255])
            }
        }
        #expect(out.bytes[3] < 255)
    }

    @Test func sixteenBitsStay() throws {
        for channels in [ChannelLayout.grey, .greyAlpha, .rgb, .rgba] {
            let deep = try scratch.picture("deep.png", 20, 15, PixelFormat(channels, .u16))
            _ = try blur("deep.png", "-o", "out.png", "--sigma", "1.5", "--backend", "cpu")
            let out = try scratch.image("out.png")
            #expect(out.format.sample == .u16 && out.format.channels == channels)
            #expect(out.bytes == (try Renderer(backend: .cpu).blur(deep, GaussianBlur(sigma: 1.5)).image.bytes))
        }
    }

    /// The output has the same colour metadata and the same pixel density as the input, in identical PNG chunks.
    @Test func metadataStays() throws {
        var metadata = ImageMetadata()
        metadata.gamma = 45455
        metadata.pixelDensity = PixelDensity(x: 3780, y: 3779, unit: .perMetre)
        metadata.chromaticities = Chromaticities(
            white: .init(x: 31270, y: 32900), red: .init(x: 64000, y: 33000), green: .init(x: 30000, y: 60000),
            blue: .init(x: 15000, y: 6000))
        try scratch.picture("in.png", metadata: metadata)
        for words in [[], ["--rect", "0,0,5,5"], ["--edge", "clear"]] {
            for policy in MetadataPolicy.allCases {
                let outcome = try scratch.run(
                    Program.path,
                    ["blur", "in.png", "-o", "out.png", "--sigma", "2", "--keep", policy.rawValue] + words)
                #expect(outcome.code == 0, "\(outcome.errors)")
                #expect(try PNG.read(path: scratch.file("out.png")).metadata == metadata.keeping(policy))
            }
        }
        metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(name: "test", bytes: TestProfile.bytes())
        try scratch.picture("icc.png", metadata: metadata)
        _ = try blur("icc.png", "-o", "out.png", "--sigma", "2")
        #expect(try PNG.read(path: scratch.file("out.png")).metadata == metadata)
        metadata = ImageMetadata()
        metadata.renderingIntent = .relativeColorimetric
        try scratch.picture("srgb.png", metadata: metadata)
        _ = try blur("srgb.png", "-o", "out.png", "--sigma", "2")
        #expect(try PNG.read(path: scratch.file("out.png")).metadata == metadata)
    }

    /// A damaged ICC profile gives a warning. The picture is blurred and written without a profile, and the exit code is 0.
    @Test func damagedProfile() throws {
        var metadata = ImageMetadata()
        metadata.iccProfile = ICCProfile(bytes: TestProfile.bytes())
        let image = DecodedImage(pixels: try noise(8, 8, PixelFormat(.rgb)), metadata: metadata)
        var file = try ImageFile.encode(image, as: .jpeg)
        try scratch.write(file, "whole.jpg")
        let signature = try #require(file.indices.first { file[$0...].starts(with: Array("acsp".utf8)) })
        file[signature] = 0
        try scratch.write(file, "damaged.jpg")
        for output in ["out.png", "out.jpg"] {
            #expect(try !blur("whole.jpg", "-o", output, "--sigma", "1").errors.contains("warning"))
            #expect(try ImageFile.read(path: scratch.file(output)).metadata.iccProfile == metadata.iccProfile)
            let outcome = try blur("damaged.jpg", "-o", output, "--sigma", "1")
            #expect(outcome.code == 0)
            #expect(outcome.errorLines.filter { $0.contains("warning") }.count == 1)
            #expect(outcome.errors.contains("damaged.jpg: its ICC profile is damaged"))
            #expect(try ImageFile.read(path: scratch.file(output)).metadata.iccProfile == nil)
        }
    }

    /// The output may be the input file, because the input is read before it is replaced.
    @Test func overItself() throws {
        _ = try blur("in.png", "-o", "out.png", "--sigma", "3")
        _ = try blur("in.png", "-o", "in.png", "--sigma", "3")
        #expect(try scratch.bytes("in.png") == scratch.bytes("out.png"))
        #expect(try scratch.entries() == ["in.png", "out.png"])
    }

    /// Progress messages go to standard error, and an existing output file needs no --force.
    @Test func remarks() throws {
        let outcome = try blur("in.png", "-o", "out.png", "--sigma", "3", "--backend", "cpu")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("in.png -> out.png  40x30  CPU  "))
        let quiet = try blur("in.png", "-o", "out.png", "--sigma", "3", "--quiet")
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    }

    @Test func resultsAsObjects() throws {
        let outcome = try blur("in.png", "-o", "out.png", "--sigma", "3", "--backend", "cpu", "--json")
        #expect(outcome.errors.isEmpty)
        let object = try #require(try outcome.objects.first)
        #expect(outcome.lines.count == 1)
        #expect(object["schema"] as? String == "frost.result/1")
        #expect(object["input"] as? String == "in.png")
        #expect(object["output"] as? String == "out.png")
        #expect(object["status"] as? String == "ok")
        #expect(object["width"] as? Int == 40 && object["height"] as? Int == 30)
        #expect(object["backend"] as? String == "cpu")
        #expect(object["device"] is NSNull)
        #expect(object["reason"] as? String == "as requested")
        let bound = try #require(object["errorBound"] as? Double)
        #expect(bound > 0 && bound <= 0.4)
        let times = try #require(object["ms"] as? [String: Double])
        #expect(Set(times.keys) == ["decode", "upload", "blur", "readback", "encode", "total"])
        #expect(times.values.allSatisfy { $0 >= 0 })
        // The phases overlap in time, so the sum of their times may exceed the total. But no phase may take longer than
        // the total. Each time is rounded to a microsecond.
        let total = try #require(times["total"])
        #expect(times.values.allSatisfy { $0 <= total + 0.01 })
    }

    @Test(.enabled(if: TestGPU.isWanted, "no EGL device")) func resultsOfTheGPU() throws {
        let outcome = try blur("in.png", "-o", "out.png", "--sigma", "3", "--backend", "gpu", "--json")
        let object = try #require(try outcome.objects.first)
        #expect(object["backend"] as? String == "gpu")
        #expect((object["device"] as? String)?.isEmpty == false)
        let device = try blur("in.png", "-o", "byid.png", "--sigma", "3", "--device", "0", "--json")
        #expect(try device.objects.first?["backend"] as? String == "gpu")
    }

    /// File names may contain quotes, newlines, braces and non-ASCII characters. In JSON output, these characters are
    /// escaped where JSON requires it.
    @Test(arguments: [
        "a \"b\".png", "a\nb.png", "{stem}.png", "ä 雪 🌨.png", "a\\b.png", "%s%n.png", "a\u{1}b.png",
    ])
    func oddNames(name: String) throws {
        try scratch.picture(name)
        try scratch.folder("out")
        let outcome = try scratch.run(Program.path, ["blur", "--sigma", "2", "-o", "out/", "--json", "--", name])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try outcome.objects.first?["input"] as? String == name)
        #expect(try scratch.entries("out") == [name])
    }
}
