@testable import FrostCore
import FrostTestSupport
import Testing

/// Tests the distances of shapes that flow together.
struct ShapeGroupTests {
    private static func shapes(_ generator: inout SeededGenerator, _ count: Int) throws -> [RoundedRect] {
        try (0..<count).map { _ in
            func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
            let corners = [CornerCurve.circular, .continuous(), .superellipse(exponent: 3)].randomElement(
                using: &generator)
            let (width, height) = (number(20...60), number(20...60))
            let curve = corners ?? .circular
            return try RoundedRect(
                x: number(0...70), y: number(0...70), width: width, height: height,
                radius: number(0.5...1) * curve.maximumRadius(width: width, height: height), corners: curve
            ).turned(by: Bool.random(using: &generator) ? 0 : number(-90...90))
        }
    }

    private static func group(_ shapes: [RoundedRect], _ join: Double) -> ShapeGroup {
        ShapeGroup(shapes, join: join) { ShapeField(band: 12, along: $0) }
    }

    @Test("weights add up to 1, do not depend on the order, and give the polynomial smooth maximum of two")
    func weights() {
        var generator = SeededGenerator(seed: 70)
        for _ in 0..<500 {
            let depths = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                Double.random(in: -30...30, using: &generator)
            }
            let join = Double.random(in: 0.5...50, using: &generator)
            let weights = ShapeGroup.weights(depths, join)
            #expect(abs(weights.reduce(0, +) - 1) < 1e-9 && weights.allSatisfy { $0 >= 0 })
            let reversed = ShapeGroup.weights(depths.reversed(), join)
            #expect(zip(weights, reversed.reversed()).allSatisfy { abs($0 - $1) < 1e-9 })
            let largest = depths.max() ?? 0
            for (depth, weight) in zip(depths, weights) where depth <= largest - join { #expect(weight == 0) }
        }
        for difference in stride(from: -12.0, through: 12, by: 0.5) {
            let weights = ShapeGroup.weights([difference, 0], 10)
            let found = weights[0] * difference + 5 * (1 - weights[0] * weights[0] - weights[1] * weights[1])
            let near = max(10 - abs(difference), 0)
            #expect(abs(found - (max(difference, 0) + near * near / 40)) < 1e-12)
        }
    }

    @Test(
        "the distance has a continuous gradient, the direction is minus this, and it exceeds the largest by less than half the join"
    )
    func gradient() throws {
        var generator = SeededGenerator(seed: 71)
        for _ in 0..<60 {
            let shapes = try Self.shapes(&generator, Int.random(in: 2...4, using: &generator))
            let join = Double.random(in: 2...60, using: &generator)
            let group = Self.group(shapes, join)
            for _ in 0..<60 {
                let point = SIMD2(
                    Double.random(in: -10...130, using: &generator), Double.random(in: -10...130, using: &generator))
                let (depth, outward) = group.joined(at: point)
                let single = group.fields.map { $0.distance(point).depth }.max() ?? 0
                #expect(depth >= single - 1e-9 && depth <= single + join / 2)
                // Near the edge, no shape's distance has a crease, and contours are parallel to the edge for corners of 1.5 bands.
                guard abs(depth) < 0.5, group.fields.allSatisfy({ $0.growth == -1 }) else { continue }
                let step = 1e-4
                for axis in 0..<2 {
                    var (low, high) = (point, point)
                    low[axis] -= step
                    high[axis] += step
                    let slope = (group.joined(at: high).depth - group.joined(at: low).depth) / (2 * step)
                    let steepness = group.fields.allSatisfy { $0.gauge == .circular } ? 1.0 : 1.5
                    #expect(abs(slope + outward[axis]) < (steepness == 1 ? 1e-3 : 0.6))
                }
            }
        }
    }

    @Test("shapes that are farther apart than the join are as without it") func apart() throws {
        let shapes = [
            try RoundedRect(x: 0, y: 0, width: 40, height: 40, radius: 20),
            try RoundedRect(x: 70, y: 0, width: 40, height: 40, radius: 20),
        ]
        let (joined, single) = (Self.group(shapes, 27), Self.group(shapes, 0))
        let (area, plain) = (ClipArea(shapes, join: 27), ClipArea(shapes, join: 0))
        for y in -2..<42 {
            for x in -2..<112 {
                #expect(area.coverage(x, y) == plain.coverage(x, y))
                guard plain.coverage(x, y) == 1 else { continue }
                let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
                let (a, b) = (joined.place(point, x, y), single.place(point, x, y))
                let difference = abs((a?.depth ?? 0) - (b?.depth ?? 0))
                #expect(difference < 1e-9)
            }
        }
        // With a larger join, they flow together.
        #expect(ClipArea(shapes, join: 70).coverage(55, 20) > plain.coverage(55, 20))
        #expect(ClipArea(shapes, join: 70).coverage(55, 20) == 1 && plain.coverage(55, 20) == 0)
    }

    @Test("the coverage is the area within the outline") func coverage() throws {
        var generator = SeededGenerator(seed: 72)
        for index in 0..<40 {
            let shapes = try Self.shapes(&generator, 2 + index % 2)
            let join = Double.random(in: 5...60, using: &generator)
            let area = ClipArea(shapes, join: join)
            let group = ShapeGroup(shapes, join: join) { ShapeField(band: 1, along: $0) }
            let count = 16
            for _ in 0..<150 {
                let (x, y) = (Int.random(in: -5...125, using: &generator), Int.random(in: -5...125, using: &generator))
                var inside = 0
                for i in 0..<count * count {
                    let part = SIMD2(Double(i % count) + 0.5, Double(i / count) + 0.5) / Double(count)
                    if group.joined(at: SIMD2(Double(x), Double(y)) + part).depth >= 0 { inside += 1 }
                }
                let wanted = Double(inside) / Double(count * count)
                // The points along the edge of a pixel are 1/32 off on average; corners with small radii are not straight.
                #expect(abs(area.coverage(x, y) - wanted) < 0.06, "\(index): \(x), \(y)")
                let isNear = area.columns(y).contains { $0.contains(x) }
                #expect(wanted == 0 || isNear)
            }
        }
    }
}
