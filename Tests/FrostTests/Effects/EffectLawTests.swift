import FrostCore
import FrostImages
import FrostTestSupport
import Testing

@testable import Frost

/// Compares effects with the systems that they imitate, and compares an effect with the same effect under other parameters.
struct EffectLawTests {
    /// Returns a part of the sample photograph.
    static func photograph(_ width: Int, _ height: Int) throws -> PixelBuffer {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let file = try PNG.read(path: "/\(path)/Samples/photo.png")
        return try file.pixels.cropped(to: Rect(x: 200, y: 150, width: width, height: height))
    }

    @Test("ImageEffects light is near to three boxes: mean 0.8, maximum 5, away from the edges")
    func boxes() throws {
        for name in ["light", "dark", "extra-light", "tint"] {
            let image = try Self.photograph(420, 360)
            var effect = try EffectCatalog.effect(name).make()
            effect.outputStages.dither = nil
            let result = SampleRows(try OutputStagesTests.render(effect, image)).expanded(to: .rgba)
            let radius = name == "light" ? 30.0 : name == "tint" ? 10 : 20
            let width = EffectOracle.boxWidth(radius: radius, scale: 1, convention: "1.0")
            let boxes = TripleBox.render(SampleRows(image).expanded(to: .rgba), width: width)
            let oracle = try #require(EffectOracle.named(name))
            let margin = (3 * width + 1) / 2
            var (sum, worst, count) = (0.0, 0.0, 0)
            for y in margin..<image.height - margin {
                let row = result[y]
                for x in margin..<image.width - margin {
                    let expected = oracle.finished(boxes[y][x])
                    for c in 0..<3 {
                        let difference = abs(row[4 * x + c] - expected[c]) * 255
                        sum += difference
                        worst = max(worst, difference)
                        count += 1
                    }
                }
            }
            print("\(name) against three boxes: mean \(sum / Double(count)), maximum \(worst)")
            #expect(sum / Double(count) <= 0.8 && worst <= 5, "\(name): mean \(sum / Double(count)), maximum \(worst)")
        }
    }

    @Test("as the radius grows from 0 to 60, no pixel moves by more than in the exact effect and 2 steps")
    func animation() throws {
        let image = try TestImage.make(.screenshot, 96, 64)
        var before: (cpu: SampleRows, exact: SampleRows)?
        for step in 0...600 {
            var effect = try EffectCatalog.effect("image-effects").make([
                "radius": .number(Double(step) / 10), "tint": .color(Color(red: 1, green: 1, blue: 1, alpha: 0.3)),
            ])
            effect.outputStages.dither = nil
            let renderer = try #require(OutputStagesTests.renderer)
            let now = (
                cpu: SampleRows(try renderer.renderNow(image, effect).image), exact: try renderer.exact(image, effect)
            )
            if let before {
                let moved = try Comparison(now.cpu, before.cpu).maximum
                let allowed = try Comparison(now.exact, before.exact).maximum + 2
                #expect(moved <= allowed, "at radius \(Double(step) / 10): \(moved) of \(allowed)")
            }
            before = now
        }
    }

    @Test("radius 0 keeps saturation and tint")
    func radiusZero() throws {
        let image = try TestImage.make(.photograph, 30, 20)
        let effect = try EffectCatalog.effect("image-effects").make([
            "radius": .number(0), "saturation": .number(0),
            "tint": .color(Color(red: 1, green: 0, blue: 0, alpha: 0.5)),
        ])
        let rows = SampleRows(try OutputStagesTests.render(effect, image))
        for y in 0..<20 {
            for x in 0..<30 {
                let pixel = rows[y][4 * x..<4 * x + 4]
                #expect(abs(pixel[4 * x + 1] - pixel[4 * x + 2]) < 0.001)
                #expect(pixel[4 * x] - pixel[4 * x + 1] > 0.49)
            }
        }
    }
}

/// Computes three box blurs along each axis, as the original ImageEffects does. Outside the image, the edge pixels are
/// repeated.
private enum TripleBox {
    static func render(_ image: SampleRows, width: Int) -> [[[Double]]] {
        var pixels = (0..<image.height).map { y in
            let row = image[y]
            return (0..<image.width).map { Array(row[4 * $0..<4 * $0 + 4]) }
        }
        for _ in 0..<3 {
            pixels = pixels.map { box($0, width) }
            pixels = transposed(transposed(pixels).map { box($0, width) })
        }
        return pixels
    }

    private static func transposed(_ rows: [[[Double]]]) -> [[[Double]]] {
        rows[0].indices.map { x in rows.map { $0[x] } }
    }

    private static func box(_ line: [[Double]], _ width: Int) -> [[Double]] {
        func at(_ i: Int) -> [Double] { line[min(max(i, 0), line.count - 1)] }
        let reach = width / 2
        var sum = [0.0, 0, 0, 0]
        for i in -reach...reach { for c in 0..<4 { sum[c] += at(i)[c] } }
        return line.indices.map { i in
            defer { for c in 0..<4 { sum[c] += at(i + reach + 1)[c] - at(i - reach)[c] } }
            return sum.map { $0 / Double(width) }
        }
    }
}
