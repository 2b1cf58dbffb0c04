import FrostTestSupport
import Glibc
import Testing

@testable import FrostCore

/// Tests the distances and offsets of a lens along the edge of a shape.
struct ShapeFieldTests {
    private static let curves: [CornerCurve] = [
        .circular, .continuous(), .continuous(smoothing: 1), .superellipse(), .superellipse(exponent: 2.5),
    ]

    private static func shapes(_ corners: CornerCurve) throws -> [RoundedRect] {
        try [0, 3, 12, 30, 48].flatMap { radius in
            try [0, 25, 90].map {
                try RoundedRect(
                    x: 10.3, y: 7.6, width: 150, height: 96.5, radius: radius / corners.reach,
                    corners: radius == 0 ? .circular : corners
                ).turned(by: $0)
            }
        }
    }

    private static func lens(_ band: Double, _ depth: Double = 40, _ profile: Lens.Profile = .soft) throws -> Lens {
        try Lens(band: band, depth: depth, profile: profile)
    }

    @Test("the distance is 0 on the outline", arguments: curves)
    func outline(corners: CornerCurve) throws {
        for shape in try Self.shapes(corners) where shape.rotation == 0 {
            let field = ShapeField(try Self.lens(20), along: shape)
            // The outline leaves a row of the picture's pixels at this place.
            for step in 0..<200 {
                let s = shape.reach * Double(step) / 199
                let t = shape.outline.map { $0.boundary(s) } ?? Self.arc(s, shape.radius)
                let point = SIMD2(shape.x + t, shape.y + s)
                let (depth, outward) = field.distance(point)
                #expect(abs(depth) < 1e-6, "\(corners), radius \(shape.radius), \(s)")
                #expect(abs((outward * outward).sum() - 1) < 1e-9)
            }
        }
    }

    @Test("without a radius, the direction at the edge is that of the side, and diagonal at a corner")
    func edgeWithoutRadius() throws {
        let field = ShapeField(try Self.lens(20), along: try RoundedRect(x: 10.5, y: 7.5, width: 150, height: 96))
        for (x, y, outward) in [
            (10.5, 40, SIMD2(-1, 0)), (160.5, 40, SIMD2(1, 0)), (80, 7.5, SIMD2(0, -1)), (80, 103.5, SIMD2(0, 1)),
            (160.5, 103.5, SIMD2(1, 1) / 2.0.squareRoot()),
        ] {
            let found = field.distance(SIMD2(x, y))
            #expect(
                found.depth == 0 && ((found.outward - outward) * (found.outward - outward)).sum() < 1e-18, "\(x), \(y)")
        }
    }

    private static func arc(_ s: Double, _ radius: Double) -> Double {
        let rise = radius - s
        return radius - max(radius * radius - rise * rise, 0).squareRoot()
    }

    @Test("for circular corners of at least 1.5 bands, the distance is the true one")
    func parallels() throws {
        for radius in [30, 36.5, 48] {
            let shape = try RoundedRect(x: 0, y: 0, width: 130, height: 96, radius: radius)
            let field = ShapeField(try Self.lens(20), along: shape)
            var generator = SeededGenerator(seed: 5)
            for _ in 0..<2000 {
                let point = SIMD2(
                    Double.random(in: 0..<130, using: &generator), Double.random(in: 0..<96, using: &generator))
                let inside = SIMD2(min(point.x, 130 - point.x), min(point.y, 96 - point.y))
                let (dx, dy) = (max(radius - inside.x, 0), max(radius - inside.y, 0))
                let wanted = dx > 0 && dy > 0 ? radius - hypot(dx, dy) : min(inside.x, inside.y)
                guard wanted < 20 else { continue }
                #expect(abs(field.distance(point).depth - wanted) < 1e-9)
            }
        }
    }

    @Test(
        "the distance is at most the true one, and less by at most a quarter of the band",
        arguments: [0, 5, 12, 15, 22, 29])
    func difference(radius: Double) throws {
        let shape = try RoundedRect(x: 0, y: 0, width: 130, height: 96, radius: radius)
        let field = ShapeField(try Self.lens(20), along: shape)
        var largest = 0.0
        for x in stride(from: 0.0, to: 40, by: 0.25) {
            for y in stride(from: 0.0, to: 40, by: 0.25) {
                let (dx, dy) = (max(radius - x, 0), max(radius - y, 0))
                let wanted = dx > 0 && dy > 0 ? radius - hypot(dx, dy) : min(x, y)
                let depth = field.distance(SIMD2(x, y)).depth
                guard wanted >= 0, depth < 20 else { continue }
                #expect(depth <= wanted + 1e-9)
                largest = max(largest, wanted - depth)
            }
        }
        #expect(largest <= 5, "\(largest)")
        // The bound is not idle.
        #expect(radius != 15 || largest > 3.5, "\(largest)")
    }

    @Test("neighbouring points have neighbouring offsets, also at corners and in the middle", arguments: curves)
    func continuity(corners: CornerCurve) throws {
        for shape in try Self.shapes(corners) {
            for profile in Lens.Profile.allCases {
                // A band that is wider than the shape is limited.
                for band in [8.0, 20, 200] {
                    let field = ShapeField(try Self.lens(band, 40, profile), along: shape)
                    let step = 0.02
                    // How fast the offset changes along a line: with its profile, and with the direction. Corners of the
                    // contour at depth d have the length ρ(d), and the curves here turn at most four times as fast as a circle
                    // of this radius.
                    func limit(_ depth: Double) -> Double {
                        let length = field.reach + field.growth * min(depth, field.band)
                        return abs(field.depth) * (profile.slope / field.band + 4 / length) * step
                    }
                    for line in TestCases.share(0..<12, of: 4, from: 0) {
                        let y = shape.y + (Double(line) + 0.37) / 24 * shape.height
                        var before: (offset: SIMD2<Double>, depth: Double)?
                        for index in 0..<Int(shape.width / step) {
                            let point = SIMD2(shape.x + Double(index) * step, y)
                            let depth = field.distance(point).depth
                            let here = depth < 0.5 ? nil : (offset: field.offset(point), depth: depth)
                            if let before, let here {
                                let difference = here.offset - before.offset
                                let change = (difference * difference).sum().squareRoot()
                                #expect(
                                    change <= limit(min(before.depth, here.depth)),
                                    "\(shape), \(profile), band \(band), \(point), \(field.distance(point))")
                            }
                            before = here
                        }
                    }
                }
            }
        }
    }

    @Test("offsets lead towards the inside, mirror the picture only near the edge, and end with the band")
    func profiles() throws {
        let shape = try RoundedRect(x: 0, y: 0, width: 200, height: 120, radius: 40)
        for profile in Lens.Profile.allCases {
            for depth in [33.6, -12] {
                let field = ShapeField(try Self.lens(20, depth, profile), along: shape)
                var mirrored = 0.0
                var before = 0.0
                for step in 0..<2100 {
                    let y = Double(step) / 100
                    let offset = field.offset(SIMD2(100, y))
                    #expect(offset.x == 0 && offset.y * depth >= 0)
                    if y >= 20 { #expect(offset == .zero) }
                    if step > 0, offset.y - before < -0.01 { mirrored = y }
                    before = offset.y
                }
                // The outer 9 of 20 pixels, as docs/Glass.md says.
                if profile == .soft, depth > 0 { #expect((8.5...9.5).contains(mirrored)) }
                if profile == .gentle || depth < 0 { #expect(mirrored == 0) }
            }
        }
        #expect(throws: ParameterError.self) { try Lens(band: -1, depth: 3) }
        #expect(throws: ParameterError.self) { try Lens(band: 20, depth: .nan) }
        #expect(throws: ParameterError.self) { try Lens(band: 20, depth: 3, dispersion: 1.5) }
    }
}
