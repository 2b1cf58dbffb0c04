import Foundation
import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests of `frost effects`, which lists the catalogue as text, as JSON, or as a picture.
@Suite struct EffectListTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

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
                case .choice(let names, let name):
                    #expect(found["choices"] as? [String] == names)
                    #expect(found["default"] as? String == name)
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

    /// --effect limits the list to the named effects. A sheet of named effects has no headings.
    @Test func chosen() throws {
        let names = try scratch.frost("effects", "--effect", "tint,light", "--json").objects.map {
            $0["name"] as? String
        }
        #expect(names == ["tint", "light"] || names == ["light", "tint"])
        try scratch.picture("in.png", 300, 200)
        let outcome = try scratch.frost("effects", "--effect", "tint,light", "--sheet", "out.png", "in.png")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let sheet = try scratch.image("out.png")
        #expect(sheet.width == SheetPage.width && sheet.height < 400)
        try scratch.frost("effects", "--effect", "tint,lihgt").expectError(
            2, "unknown effect lihgt (did you mean light?)")
    }

    @Test func refusals() throws {
        try scratch.picture("in.png", 3, 2)
        try scratch.frost("effects", "in.png").expectError(2, "in.png is a file, not an effect")
        try scratch.frost("effects", "--threads", "2").expectError(2, "--threads needs --sheet")
        try scratch.frost("effects", "--sheet", "out.png").expectError(2, "--sheet needs exactly one input")
        try scratch.frost("effects", "--sheet", "./in.png", "in.png").expectError(2, "would overwrite the input in.png")
        try scratch.frost("transitions", "--sheet", "in.png", "in.png", "in.png").expectError(2, "would overwrite")
        try scratch.frost("effects", "--sheet", "out.gif", "in.png").expectError(2, "out.gif: unknown output format")
        try scratch.frost("effects", "--sheet", "out.png", "none.png").expectError(3, "none.png")
        #expect(try scratch.entries() == ["in.png"])
    }

    /// For every input format, the size of the sheet follows from its rows and columns, and every cell has a picture that
    /// differs from the background.
    @Test(arguments: [
        PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey), PixelFormat(.greyAlpha, .u16),
        PixelFormat(.rgb, .u16),
    ]) func sheet(format: PixelFormat) throws {
        try scratch.picture("in.png", 300, 200, format)
        let outcome = try scratch.frost("effects", "--sheet", "sheet.png", "in.png", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let object = try #require(try outcome.objects.first)
        let sheet = try scratch.image("sheet.png")
        #expect(object["schema"] as? String == "frost.sheet/1")
        #expect(object["effects"] as? Int == EffectCatalog.all.count)
        #expect(object["width"] as? Int == sheet.width && object["height"] as? Int == sheet.height)
        #expect(sheet.width == SheetPage.width)
        #expect(sheet.format.channels == .rgb)
        // Thumbnails have 256 by 171 pixels. There is one for each effect, and one for the original picture.
        let background = Array(sheet.bytes[0..<3])
        var drawn = 0
        for n in 0..<sheet.width * sheet.height where Array(sheet.bytes[3 * n..<3 * n + 3]) != background { drawn += 1 }
        let pictures = (EffectCatalog.all.count + 1) * 256 * 171
        if !format.channels.hasAlpha { #expect(drawn > pictures * 9 / 10) }
        #expect(drawn > pictures / 2)
    }

    /// On a sheet, vibrant content is drawn over the styles. A message names the effects that are not styles.
    @Test func vibrantSheet() throws {
        try scratch.picture("a.png", 40, 30)
        try scratch.picture("label.png", 9, 7, PixelFormat(.rgba), seed: 5)
        let names = ["tint", "light", "box"]
        func sheet(_ words: String...) throws -> Outcome {
            try scratch.run(
                Program.path,
                [
                    "effects", "--sheet", "out.png", "a.png", "--backend", "cpu", "--effect",
                    names.joined(separator: ","),
                ]
                    + words)
        }
        let plain = try sheet()
        #expect(plain.code == 0)
        let before = try scratch.image("out.png")
        let vibrant = try sheet("--content", "label.png", "--vibrancy", "label")
        #expect(vibrant.code == 0, "\(vibrant.errors)")
        #expect(vibrant.errors.contains("drawn without content, because they have no vibrancy: tint, box\n"))
        let after = try scratch.image("out.png")
        // Of the three columns, only the second one changes.
        for index in names.indices {
            let cell = Rect(
                x: SheetPage.left(of: index), y: 0, width: SheetPage.column, height: before.height)
            #expect((try crop(before, cell) == crop(after, cell)) == (index != 1))
        }
        try scratch.frost("effects", "--sheet", "out.png", "-", "--content", "-")
            .expectError(2, "standard input can be used only once")
    }

    /// A sheet can be made from a picture of any size, down to a single pixel.
    @Test(arguments: [(1, 1), (1, 400), (900, 2)]) func sheetOfOddSizes(width: Int, height: Int) throws {
        try scratch.picture("in.png", width, height)
        let outcome = try scratch.shell("\"$FROST\" effects --sheet - in.png -q >sheet.png")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try scratch.image("sheet.png").width == SheetPage.width)
    }

    /// No line of a caption is wider than its column, and no part of the text is lost.
    @Test func captions() throws {
        let canvas = try Canvas(width: 1, height: 1, background: [1, 1, 1, 1])
        for (size, texts) in [(15.0, EffectCatalog.all.map(\.name)), (12.5, EffectCatalog.all.map(\.summary))] {
            let font = Canvas.Font(size: size)
            for text in texts {
                for width in [80.0, Double(SheetPage.column)] {
                    let lines = canvas.lines(of: text, in: font, width: width)
                    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
                    for line in lines where line.contains(" ") || line.dropLast().contains("-") {
                        #expect(canvas.width(of: line, in: font) <= width, "\(line)")
                    }
                }
            }
        }
    }

    /// Reducing a picture keeps its mean, and keeps constant colours. It works on premultiplied colours.
    @Test func reduction() throws {
        let layout = try PixelLayout(width: 4, height: 2, format: PixelFormat(.greyAlpha))
        let image = try PixelBuffer(
            layout: layout, bytes: [0, 255, 100, 255, 200, 0, 200, 255, 0, 255, 100, 255, 200, 0, 200, 255])
        let out = try image.reduced(width: 2, height: 1)
        #expect(out.bytes == [50, 50, 50, 255, 100, 100, 100, 128])
        let third = try PixelBuffer(
            layout: PixelLayout(width: 3, height: 1, format: PixelFormat(.grey)), bytes: [0, 90, 240])
        #expect(try third.reduced(width: 2, height: 1).bytes == [30, 30, 30, 255, 190, 190, 190, 255])
    }
}
