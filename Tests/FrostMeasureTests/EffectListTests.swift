import Foundation
import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests of `frost effects`, which lists the catalogue as text, as JSON, or as a page of pictures.
@Suite struct EffectListTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns the pictures of a sheet, by the names in their captions.
    private func sheet(_ name: String) throws -> [(name: String, image: PixelBuffer)] {
        let page = String(decoding: try scratch.bytes(name), as: UTF8.self)
        let figures = page.matches(of: #/<figure><img src="data:image\/png;base64,([^"]+)".*?<b>(.*?)<\/b>/#)
        return try figures.map { figure in
            let bytes = try #require(Data(base64Encoded: String(figure.1)))
            try scratch.write(Array(bytes), "cell")
            return (String(figure.2), try scratch.image("cell"))
        }
    }

    /// The JSON objects contain what the catalogue declares. They are grouped by family and follow the catalogue's order.
    @Test func objects() throws {
        let outcome = try scratch.frost("effects", "--json")
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        let expected = EffectDescription.Family.allCases.flatMap { family in
            EffectCatalog.all.filter { $0.family == family }
        }
        #expect(objects.count == EffectCatalog.all.count)
        for (object, effect) in zip(objects, expected) {
            #expect(object["schema"] as? String == "frost.effect/1")
            #expect(object["name"] as? String == effect.name)
            #expect(object["family"] as? String == effect.family.rawValue)
            #expect(object["summary"] as? String == effect.summary)
            #expect(object["source"] as? String == effect.source)
            let stages = try #require(object["stages"] as? [String])
            #expect(["blur of ", "means of "].contains { stages.first?.hasPrefix($0) == true })
            // Every stage has a descriptive name; no stage is shown as a plain matrix.
            #expect(stages.allSatisfy { !$0.contains("matrix") }, "\(stages)")
            let parameters = try #require(object["parameters"] as? [[String: Any]])
            #expect(parameters.count == effect.parameters.count)
            for (found, parameter) in zip(parameters, effect.parameters) {
                #expect(found["name"] as? String == parameter.name)
                #expect(found["help"] as? String == parameter.help)
                switch parameter.kind {
                case .number(let unit, let range, let value):
                    #expect(found["type"] as? String == "number")
                    #expect(found["unit"] as? String == unit)
                    #expect(found["minimum"] as? Double == range.lowerBound)
                    #expect(found["maximum"] as? Double == range.upperBound)
                    #expect(found["default"] as? Double == value)
                case .color(let color): #expect(found["default"] as? String == color.description)
                case .colorOrAuto:
                    #expect(found["type"] as? String == "color")
                    #expect(found["default"] as? String == "auto")
                case .choice(let names, let name):
                    #expect(found["choices"] as? [String] == names)
                    #expect(found["default"] as? String == name)
                case .stops:
                    #expect(found["type"] as? String == "stops")
                    #expect(found["default"] as? String == "none")
                }
            }
        }
    }

    @Test func text() throws {
        let outcome = try scratch.frost("effects")
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        // The list has a heading for each family and a line for each effect.
        #expect(outcome.lines.count == EffectCatalog.all.count + EffectDescription.Family.allCases.count)
        for effect in EffectCatalog.all {
            #expect(outcome.lines.contains { $0.hasPrefix("  \(effect.name) ") && $0.hasSuffix("  \(effect.summary)") })
            #expect(outcome.lines.contains(effect.family.rawValue))
        }
    }

    @Test("An effect that is named is described with its source, stages and parameters")
    func details() throws {
        for effect in EffectCatalog.all {
            let text = try scratch.frost("effects", effect.name).paragraph
            #expect(text.hasPrefix("\(effect.name): \(effect.summary) ") && text.contains(effect.source))
            for parameter in effect.parameters {
                #expect(text.contains("--\(parameter.name) ") && text.contains(parameter.help))
            }
        }
        try scratch.frost("effects", "tilt-shfit").expectError(
            2, "unknown effect tilt-shfit (did you mean tilt-shift?)")
    }

    /// --effect limits the list and the sheet to the named effects.
    @Test func chosen() throws {
        let names = try scratch.frost("effects", "--effect", "tint,light", "--json").objects.map {
            $0["name"] as? String
        }
        #expect(names == ["tint", "light"] || names == ["light", "tint"])
        try scratch.picture("in.png", 300, 200)
        let outcome = try scratch.frost("effects", "--effect", "tint,light", "--sheet", "out.html", "in.png")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try sheet("out.html").map(\.name) == ["original", "tint", "light"])
        try scratch.frost("effects", "--effect", "tint,lihgt").expectError(
            2, "unknown effect lihgt (did you mean light?)")
    }

    @Test func refusals() throws {
        try scratch.picture("in.png", 3, 2)
        try scratch.frost("effects", "in.png").expectError(2, "in.png is a file, not an effect")
        try scratch.frost("effects", "--threads", "2").expectError(2, "--threads needs --sheet")
        try scratch.frost("effects", "--sheet", "out.html").expectError(2, "--sheet needs exactly one input")
        try scratch.frost("effects", "--sheet", "out.png", "in.png").expectError(
            2, "out.png: the sheet is an HTML page")
        try scratch.frost("effects", "--sheet", "out.html", "none.png").expectError(3, "none.png")
        #expect(try scratch.entries() == ["in.png"])
        try scratch.picture("in", 3, 2)
        try scratch.frost("effects", "--sheet", "./in", "in").expectError(2, "would overwrite the input in")
        try scratch.frost("transitions", "--sheet", "in", "in.png", "in").expectError(2, "would overwrite")
    }

    /// For every input format, a sheet has a thumbnail for each effect, and each shows an effect.
    @Test(arguments: [
        PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey), PixelFormat(.greyAlpha, .u16),
        PixelFormat(.rgb, .u16),
    ]) func formats(format: PixelFormat) throws {
        try scratch.picture("in.png", 300, 200, format)
        let outcome = try scratch.frost("effects", "--sheet", "sheet.html", "in.png", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let object = try #require(try outcome.objects.first)
        #expect(object["schema"] as? String == "frost.sheet/1")
        #expect(object["effects"] as? Int == EffectCatalog.all.count)
        let cells = try sheet("sheet.html")
        #expect(Set(cells.map(\.name)) == Set(["original"] + EffectCatalog.all.map(\.name)))
        #expect(cells.allSatisfy { $0.image.width == SheetPage.column && $0.image.height == 171 })
        for cell in cells.dropFirst() { #expect(cell.image.bytes != cells[0].image.bytes, "\(cell.name)") }
    }

    @Test func transitions() throws {
        try scratch.picture("a.png", 30, 20)
        try scratch.picture("b.png", 40, 90, seed: 2)
        let outcome = try scratch.frost("transitions", "--sheet", "sheet.html", "a.png", "b.png", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try outcome.objects.first?["transitions"] as? Int == TransitionCatalog.all.count)
        let cells = try sheet("sheet.html")
        #expect(cells.count == 5 * TransitionCatalog.all.count)
        #expect(cells.allSatisfy { $0.image.width == 30 && $0.image.height == 20 })
    }

    /// On a sheet, vibrant content is drawn over the styles. A message names the effects that are not styles.
    @Test func vibrantSheet() throws {
        try scratch.picture("a.png", 40, 30)
        try scratch.picture("label.png", 9, 7, PixelFormat(.rgba), seed: 5)
        let names = ["tint", "light", "box"]
        func draw(_ words: String...) throws -> Outcome {
            try scratch.run(
                Program.path,
                [
                    "effects", "--sheet", "out.html", "a.png", "--backend", "cpu", "--effect",
                    names.joined(separator: ","),
                ]
                    + words)
        }
        #expect(try draw().code == 0)
        let before = try sheet("out.html")
        let vibrant = try draw("--content", "label.png", "--vibrancy", "label")
        #expect(vibrant.code == 0, "\(vibrant.errors)")
        #expect(vibrant.errors.contains("drawn without content, because they have no vibrancy: tint, box\n"))
        let changed = zip(before, try sheet("out.html")).filter { $0.image.bytes != $1.image.bytes }
        #expect(changed.map(\.0.name) == ["light"])
        try scratch.frost("effects", "--sheet", "out.html", "-", "--content", "-")
            .expectError(2, "standard input can be used only once")
    }

    /// A sheet can be made from a picture of any size, down to a single pixel.
    @Test(arguments: [(1, 1), (1, 400), (900, 2)]) func sheetOfOddSizes(width: Int, height: Int) throws {
        try scratch.picture("in.png", width, height)
        let outcome = try scratch.shell("\"$FROST\" effects --sheet - in.png -q >sheet.html")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try sheet("sheet.html").count == EffectCatalog.all.count + 1)
    }

    /// Reducing a picture keeps its mean, and keeps constant colours. It works on premultiplied colours.
    @Test func reduction() throws {
        let layout = try PixelLayout(width: 4, height: 2, format: PixelFormat(.greyAlpha))
        let image = try PixelBuffer(
            layout: layout, bytes: [0, 255, 100, 255, 200, 0, 200, 255, 0, 255, 100, 255, 200, 0, 200, 255])
        let out = try image.reduced(to: PictureSize(width: 2, height: 1))
        #expect(out.bytes == [50, 50, 50, 255, 100, 100, 100, 128])
        let third = try PixelBuffer(
            layout: PixelLayout(width: 3, height: 1, format: PixelFormat(.grey)), bytes: [0, 90, 240])
        #expect(try third.reduced(to: PictureSize(width: 2, height: 1)).bytes == [30, 30, 30, 255, 190, 190, 190, 255])
    }
}
