import Foundation
import Frost
import FrostCLITestSupport
import FrostCore
import FrostGPU
import FrostImages
import Testing

@testable import FrostCLI

/// Tests `frost effect` with every effect of the catalogue. Input and output are files.
@Suite struct EffectTests {
    private let scratch: Scratch
    private let picture: PixelBuffer

    init() throws {
        scratch = try Scratch()
        picture = try scratch.picture("in.png", 40, 30)
    }

    private func effect(_ words: String...) throws -> Outcome {
        let outcome = try scratch.run(Program.path, ["effect"] + words)
        #expect(outcome.code == 0, "\(words): \(outcome.errors)")
        return outcome
    }

    /// Returns the options that an effect requires, such as --mask, and the mask that these options name; nil if there is
    /// none.
    private func needs(_ description: EffectDescription) throws -> (words: [String], mask: MaskImage?) {
        guard try description.make().mask == .image else { return ([], nil) }
        return (["--mask", "mask.png"], MaskImage(try scratch.picture("mask.png", 7, 5, PixelFormat(.grey), seed: 9)))
    }

    /// The result's line and JSON have the chosen colour of the content and the smallest contrast of the written pixels, rounded
    /// down in the line.
    @Test func contrast() throws {
        for (words, name) in [
            (["effect", "light", "in.png", "--min-contrast", "4.5", "--content-color", "white"], "#ffffff"),
            (["effect", "light", "in.png", "--min-contrast", "4.5"], nil),
            (["blur", "in.png", "--sigma", "3", "--min-contrast", "9", "--content-color", "black"], "#000000"),
        ] as [([String], String?)] {
            let outcome = try scratch.run(Program.path, words + ["-o", "out.png", "--force", "--json"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            let report = try #require(outcome.objects.first?["contrast"] as? [String: Any])
            let content = try Color(parsing: try #require(report["content"] as? String))
            if let name { #expect("\(content)" == name + "ff") }
            let minimum = try #require(Double(words[words.firstIndex(of: "--min-contrast").map { $0 + 1 } ?? 0]))
            let written = SampleRows(try PNG.read(path: scratch.file("out.png")).pixels).expanded(to: .rgba)
            var least = Double.infinity
            for y in 0..<written.height {
                let row = written[y]
                for x in 0..<written.width {
                    let color = try Color(red: row[4 * x], green: row[4 * x + 1], blue: row[4 * x + 2])
                    let pair = (ContrastFloor.luminance(color), ContrastFloor.luminance(content))
                    least = min(least, ContrastFloor.contrast(pair.0, pair.1))
                }
            }
            #expect(least >= minimum)
            #expect(abs((report["smallest"] as? Double ?? 0) - least) < 1e-4)
            let line = try scratch.run(Program.path, words + ["-o", "out.png", "--force"]).errors
            #expect(line.contains("  contrast \(fixed((least * 100).rounded(.down) / 100, 2)) to #"), "\(line)")
        }
        let plain = try scratch.run(
            Program.path, ["effect", "light", "in.png", "-o", "out.png", "--force", "--json"])
        #expect(try plain.objects.first?["contrast"] == nil)
        for (words, text) in [
            (["--min-contrast", "15", "--content-color", "#444"], "the largest is 9.54"),
            (["--content-color", "red"], "min-contrast"),
            (["--min-contrast", "22"], "1 to 21"),
            (["--min-contrast", "3", "--content-color", "autp"], "not a colour"),
        ] {
            let outcome = try scratch.run(
                Program.path, ["effect", "light", "in.png", "-o", "out.png", "--force"] + words)
            #expect(outcome.code == 2 && outcome.errors.contains(text), "\(outcome.errors)")
        }
    }

    /// Every effect of the catalogue runs by its name. The output file has the same pixels as the effect that the library
    /// renders.
    @Test(arguments: EffectCatalog.all.map(\.name)) func writesTheLibrarysPixels(name: String) throws {
        let description = try EffectCatalog.effect(name)
        var (words, mask) = try needs(description)
        var values: [String: EffectValue] = [:]
        // Without --seed the program draws a random seed. So effects with noise get a fixed seed, which makes their results
        // comparable.
        if description.parameters.contains(where: { $0.name == "seed" }) {
            words += ["--seed", "4"]
            values["seed"] = .number(4)
        }
        let outcome = try scratch.run(
            Program.path, ["effect", name, "in.png", "-o", "out.png", "--backend", "cpu", "--json"] + words)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let expected = try Renderer(backend: .cpu).render(picture, description.make(values), mask: mask).image
        let found = try scratch.image("out.png")
        #expect(found.width == expected.width && found.height == expected.height)
        #expect(found.bytes == expected.bytes)
        let object = try #require(try outcome.objects.first)
        #expect(object["schema"] as? String == "frost.result/1")
        #expect(object["effect"] as? String == name)
        #expect(object["width"] as? Int == expected.width)
    }

    /// Options whose values are numbers, colours or choices reach the effect. The option --no-dither switches dither off.
    @Test func parameters() throws {
        _ = try effect(
            "image-effects", "in.png", "-o", "out.png", "--radius", "7.5", "--tint", "#ff000080", "--saturation=-1",
            "--convention", "1.1", "--scale", "2", "--edge", "mirror", "--no-dither", "--backend", "cpu")
        var expected = try EffectCatalog.effect("image-effects").make([
            "radius": .number(7.5), "tint": .color(Color(parsing: "#ff000080")), "saturation": .number(-1),
            "convention": .choice("1.1"), "scale": .number(2), "edge": .choice("mirror"),
        ])
        expected.outputStages.dither = nil
        #expect(
            try scratch.image("out.png").bytes == Renderer(backend: .cpu).render(picture, expected).image.bytes)
    }

    /// If an effect grows the extent, the output is larger than the input.
    @Test func grows() throws {
        _ = try effect("ci-gaussian", "in.png", "-o", "out.png", "--radius", "2")
        let out = try scratch.image("out.png")
        #expect(out.width == 40 + 12 && out.height == 30 + 12)
        _ = try effect("ci-gaussian", "in.png", "-o", "out.png", "--radius", "2", "--edge", "clamp")
        #expect(try scratch.image("out.png").width == 40)
    }

    /// In every format, pixels outside the rectangles keep the input's bytes. Pixels inside the rectangles are the same as
    /// in the effect of the whole picture, if shapes lie in the picture.
    @Test(
        arguments: [
            PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.rgb, .u16), PixelFormat(.grey),
            PixelFormat(.greyAlpha, .u16),
        ], ["dark", "tint", "tilt-shift", "material-thin-light"])
    func rectangles(format: PixelFormat, name: String) throws {
        let picture = try scratch.picture("p.png", 40, 30, format)
        _ = try effect(name, "p.png", "-o", "whole.png", "--backend", "cpu")
        _ = try effect(
            name, "p.png", "-o", "part.png", "--rect", "3,4,9,11", "--rect", "20,0,20,7", "--relative-to", "picture",
            "--backend", "cpu")
        let whole = try scratch.image("whole.png")
        let part = try scratch.image("part.png")
        #expect(part.format.channels == whole.format.channels)
        let rects = [Rect(x: 3, y: 4, width: 9, height: 11), Rect(x: 20, y: 0, width: 20, height: 7)]
        let (size, sample) = (picture.format.bytesPerPixel, picture.format.sample.size)
        // A tint turns a grey picture into RGB, in which an untouched pixel repeats its grey value three times.
        let spread = picture.format.channels.isGrey && !whole.format.channels.isGrey
        for y in 0..<30 {
            for x in 0..<40 {
                let at = (y * 40 + x) * part.format.bytesPerPixel
                let found = part.bytes[at..<at + part.format.bytesPerPixel]
                if rects.contains(where: { $0.contains(Rect(x: x, y: y, width: 1, height: 1)) }) {
                    #expect(found == whole.bytes[at..<at + part.format.bytesPerPixel], "\(x),\(y)")
                } else {
                    let pixel = Array(picture.bytes[(y * 40 + x) * size..<(y * 40 + x + 1) * size])
                    let grey = Array(pixel[..<sample])
                    #expect(Array(found) == (spread ? grey + grey + grey + pixel[sample...] : pixel), "\(x),\(y)")
                }
            }
        }
    }

    /// With rounded corners, pixels in a corner outside its arc do not change. Pixels outside the rectangle do not change
    /// either.
    @Test func roundedCorners() throws {
        _ = try effect(
            "dark", "in.png", "-o", "out.png", "--rect", "5,5,20,20", "--corner-radius", "10", "--backend", "exact")
        let out = try scratch.image("out.png")
        func same(_ x: Int, _ y: Int) -> Bool {
            let at = (y * 40 + x) * 3
            return out.bytes[at..<at + 3] == picture.bytes[at..<at + 3]
        }
        let corners = [(5, 5), (24, 5), (5, 24), (24, 24)]
        #expect(corners.allSatisfy { same($0.0, $0.1) })
        #expect(!same(15, 15) && !same(15, 6))
        for y in 0..<30 {
            for x in 0..<40 where !(5..<25).contains(x) || !(5..<25).contains(y) { #expect(same(x, y), "\(x),\(y)") }
        }
    }

    /// The options for the curves of corners select the pixels of their shapes.
    @Test func curvedCorners() throws {
        let curves: [([String], CornerCurve)] = [
            ([], .circular), (["--corner-smoothing", "0.6"], .continuous(smoothing: 0.6)),
            (["--corner-smoothing", "1"], .continuous(smoothing: 1)),
            (["--corner-exponent", "4"], .superellipse(exponent: 4)),
            (["--corner-exponent", "1"], .superellipse(exponent: 1)),
        ]
        let words = ["dark", "in.png", "-o", "out.png", "--rect", "5,5,30,20", "--corner-radius", "5", "--no-dither"]
        for (options, corners) in curves {
            let outcome = try scratch.run(Program.path, ["effect"] + words + options)
            #expect(outcome.code == 0, "\(options): \(outcome.errors)")
            let out = try scratch.image("out.png")
            let rect = try RoundedRect(x: 5, y: 5, width: 30, height: 20, radius: 5, corners: corners)
            for y in 0..<30 {
                for x in 0..<40 {
                    let at = (y * 40 + x) * 3
                    let isSame = out.bytes[at..<at + 3] == picture.bytes[at..<at + 3]
                    // A pixel that is covered by a twentieth or more shows the dark tint.
                    let coverage = rect.coverage(x, y)
                    if coverage == 0 { #expect(isSame, "\(corners) \(x),\(y)") }
                    if coverage > 0.05 { #expect(!isSame, "\(corners) \(x),\(y)") }
                }
            }
        }
    }

    /// Under a black mask, an effect leaves the picture unchanged. Under a white mask, it has its full strength. This holds
    /// for effects without a tint.
    @Test func masks() throws {
        let layout = try PixelLayout(width: 2, height: 1, format: PixelFormat(.grey))
        let mask = try PixelBuffer(layout: layout, bytes: [0, 255])
        try PNG.write(DecodedImage(pixels: mask), path: scratch.file("mask.png"))
        let words = ["gpuimage-gaussian", "in.png", "--radius", "4", "--no-dither", "--backend", "exact"]
        _ = try scratch.run(Program.path, ["effect"] + words + ["-o", "plain.png"])
        let outcome = try scratch.run(Program.path, ["effect"] + words + ["-o", "masked.png", "--mask", "mask.png"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let (plain, masked) = (try scratch.image("plain.png"), try scratch.image("masked.png"))
        for y in 0..<30 {
            // The centres of the mask's two pixels lie at 1/4 and 3/4 of the width.
            let row = y * 120
            #expect(masked.bytes[row..<row + 30] == picture.bytes[row..<row + 30])
            #expect(masked.bytes[row + 90..<row + 120] == plain.bytes[row + 90..<row + 120])
        }
    }

    /// `frost blur` also accepts masks, rounded corners and dither.
    @Test func blurHasThemToo() throws {
        try scratch.picture("mask.png", 9, 9, PixelFormat(.grey), seed: 4)
        let mask = MaskImage(try scratch.image("mask.png"))
        let words = ["blur", "in.png", "-o", "out.png", "--sigma", "3", "--mask", "mask.png", "--dither"]
        let outcome = try scratch.run(Program.path, words + ["--backend", "cpu"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        var effect = Effect(try GaussianBlur(sigma: 3))
        effect.outputStages.mask = .image
        effect.outputStages.dither = Dither()
        let expected = try Renderer(backend: .cpu).render(picture, effect, mask: mask).image
        #expect(try scratch.image("out.png").bytes == expected.bytes)
    }

    @Test func templates() throws {
        _ = try effect("light", "in.png", "-o", "{stem}-{effect}-{sigma}.{ext}")
        _ = try effect("dark", "in.png", "-o", "{stem}-{effect}-{sigma}.{ext}", "--convention", "1.1")
        #expect(try scratch.entries() == ["in-dark-18.493.png", "in-light-28.496.png", "in.png"])
        try scratch.frost("effect", "light", "in.png", "-o", "{stem}-{effect}-{sigma}.png")
            .expectError(6, "in-light-28.496.png: file exists; use --force")
        // If the radius is given as a fraction of the width, there is no single sigma that could replace {sigma}.
        try scratch.frost(
            "effect", "gpuimage-gaussian", "in.png", "-o", "{sigma}.png", "--radius-fraction-of-width", "0.1"
        ).expectError(2, "unknown placeholder {sigma}")
        let blur = try scratch.frost("blur", "in.png", "-o", "{stem}-{effect}.png", "--sigma", "2")
        #expect(blur.code == 0)
        #expect(scratch.exists("in-gaussian.png"))
    }

    /// `frost plan` reports the cost and the error bound of an effect in the same way as for a blur, and adds one line for
    /// each colour stage.
    @Test func plan() throws {
        let words = ["plan", "--size", "400x300", "--effect", "light", "--scale", "2"]
        let outcome = try scratch.run(Program.path, words)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.contains(". saturation 1.8\n"))
        #expect(outcome.text.contains(". tint white 1 alpha 0.3\n"))
        #expect(outcome.text.contains(". dither by one step"))
        let object = try #require(try scratch.run(Program.path, words + ["--json"]).objects.first)
        #expect((object["outputStages"] as? [String])?.count == 3)
        #expect((object["effect"] as? String)?.hasPrefix("light (") == true)
        let numbered = outcome.lines.filter { $0.prefix { $0 != " " }.hasSuffix(".") }
        #expect(numbered.count == ((object["passes"] as? [Any])?.count ?? 0) + 3)
        let masked = try scratch.frost("plan", "--size", "400x300", "--effect", "selective", "--circle", "0.25")
        #expect(masked.text.contains("mask: sharp within 0.25 of the width"))
    }
}
