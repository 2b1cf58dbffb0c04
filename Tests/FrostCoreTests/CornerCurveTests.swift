import Glibc
import Testing

@testable import FrostCore

/// Tests rounded rectangles whose corners are not quarter circles.
struct CornerCurveTests {
    static let curves: [CornerCurve] = [
        .continuous(), .continuous(smoothing: 0.15), .continuous(smoothing: 1), .superellipse(),
        .superellipse(exponent: 1), .superellipse(exponent: 1.5), .superellipse(exponent: 2.7),
        .superellipse(exponent: 5),
        .superellipse(exponent: 16),
    ]

    /// Rectangles whose upper and lower edges lie on the lines of the reference, so that only curves have errors there.
    static func rects(_ corners: CornerCurve) throws -> [RoundedRect] {
        let room = corners.reach
        return [
            try RoundedRect(x: 1.3, y: 2.625, width: 27.45, height: 22.25, radius: 9.7 / room, corners: corners),
            try RoundedRect(x: 0.3, y: 0.125, width: 18, height: 18, radius: 9 / room, corners: corners),
            try RoundedRect(x: 3.5, y: 3.5, width: 0.6, height: 0.5, radius: 0.25 / room, corners: corners),
            try RoundedRect(x: 2.25, y: 1, width: 6, height: 3, radius: 0.9 / room, corners: corners),
            try RoundedRect(x: -60.7, y: -50, width: 80, height: 70, radius: 35 / room, corners: corners),
        ]
    }

    @Test("the coverage is the area, as measured in 2048 lines of each pixel", arguments: curves)
    func coverage(_ corners: CornerCurve) throws {
        for rect in try Self.rects(corners) {
            let reference = CornerReference(corners, radius: rect.radius)
            // Where the outline is nearly parallel to the lines, the reference has an error of up to half the distance
            // between two lines.
            #expect(Self.largestError(rect, reference) < 0.5 / 2048, "\(rect)")
        }
    }

    @Test("the reference detects another curve, radius and position")
    func detection() throws {
        let rect = try Self.rects(.continuous())[0]
        for reference in [
            CornerReference(.continuous(smoothing: 0.55), radius: rect.radius),
            CornerReference(.superellipse(exponent: 2.4), radius: rect.radius),
            CornerReference(.continuous(), radius: rect.radius * 1.01), CornerReference(.circular, radius: rect.radius),
        ] {
            #expect(Self.largestError(rect, reference) > 2e-3)
        }
        let moved = try RoundedRect(
            x: rect.x + 0.01, y: rect.y, width: rect.width, height: rect.height, radius: rect.radius,
            corners: rect.corners)
        let own = CornerReference(rect.corners, radius: rect.radius)
        let errors = (1..<30).map { abs(moved.coverage(1, $0) - own.coverage(rect, 1, $0)) }
        #expect((errors.max() ?? 0) > 2e-3)
    }

    private static func largestError(_ rect: RoundedRect, _ reference: CornerReference) -> Double {
        var largest = 0.0
        for y in -2..<28 {
            for x in -2..<32 {
                largest = max(largest, abs(rect.coverage(x, y) - reference.coverage(rect, x, y)))
            }
        }
        return largest
    }

    @Test("the areas of superellipses add up to the area by the gamma function", arguments: [1, 1.5, 2.7, 4, 5, 16])
    func totalArea(exponent: Double) throws {
        for radius in [0.3, 2, 9] {
            let rect = try RoundedRect(
                x: 0.4, y: 0.7, width: 20.3, height: 19.1, radius: radius, corners: .superellipse(exponent: exponent))
            let quarter = pow(tgamma(1 + 1 / exponent), 2) / tgamma(1 + 2 / exponent)
            let area = rect.width * rect.height - 4 * radius * radius * (1 - quarter)
            let total = (0..<21).reduce(0) { sum, y in (0..<22).reduce(sum) { $0 + rect.coverage($1, y) } }
            // In each of the at most 80 pixels of a curve, the quadrature has an error far below that of an 8-bit step.
            #expect(abs(total - area) < 1e-4 * radius * radius, "radius \(radius): \(total - area)")
        }
    }

    @Test("smoothing 0 and exponent 2 give circular corners, to the bit")
    func circles() throws {
        for (width, height, radius) in [(20.5, 14.25, 5.5), (9, 9, 4.5), (3, 0.5, 0.2)] {
            let circle = try RoundedRect(x: 1.25, y: 2.5, width: width, height: height, radius: radius)
            for corners in [CornerCurve.continuous(smoothing: 0), .superellipse(exponent: 2)] {
                let other = try RoundedRect(
                    x: 1.25, y: 2.5, width: width, height: height, radius: radius, corners: corners)
                for y in 0..<20 {
                    #expect(other.wholeColumns(y) == circle.wholeColumns(y))
                    for x in 0..<24 { #expect(other.coverage(x, y) == circle.coverage(x, y)) }
                }
            }
        }
        // Curves that are nearly circular are nearly equal.
        let circle = try RoundedRect(x: 1.25, y: 2.5, width: 20, height: 20, radius: 9)
        for corners in [CornerCurve.continuous(smoothing: 1e-6), .superellipse(exponent: 2 + 1e-6)] {
            let other = try RoundedRect(x: 1.25, y: 2.5, width: 20, height: 20, radius: 9, corners: corners)
            for y in 0..<24 { for x in 0..<24 { #expect(abs(other.coverage(x, y) - circle.coverage(x, y)) < 1e-4) } }
        }
    }

    @Test("coverage has the symmetries of the shape", arguments: curves)
    func symmetry(_ corners: CornerCurve) throws {
        let rect = try RoundedRect(x: 2.5, y: 2.5, width: 19, height: 19, radius: 9 / corners.reach, corners: corners)
        for y in 0..<24 {
            for x in 0..<24 {
                let value = rect.coverage(x, y)
                for (a, b) in [(23 - x, y), (x, 23 - y), (y, x)] { #expect(abs(value - rect.coverage(a, b)) < 1e-12) }
            }
        }
    }

    @Test("whole columns are fully covered, and the pixels beside them are not", arguments: curves)
    func wholeColumns(_ corners: CornerCurve) throws {
        for rect in try Self.rects(corners) {
            for row in -3..<28 {
                let whole = rect.wholeColumns(row)
                for x in -3..<32 where whole.contains(x) { #expect(rect.coverage(x, row) == 1, "\(rect) \(x),\(row)") }
                let touched = rect.touchedColumns(row)
                // The tolerance is for areas of which nothing is left but the rounding of their parts.
                for x in -3..<32 where !touched.contains(x) {
                    #expect(rect.coverage(x, row) < 1e-12, "\(rect) \(x),\(row)")
                }
                guard !whole.isEmpty else { continue }
                for x in [whole.lowerBound - 1, whole.upperBound] where x > -4 {
                    #expect(rect.coverage(x, row) < 1, "\(rect) \(x),\(row)")
                }
            }
        }
    }

    /// The corner of iOS 7 as a path: three cubic Bézier curves, in radii. The numbers were published by PaintCode
    /// ("Code for iOS 7 rounded rectangles", 2013).
    @Test("smoothing 0.6 follows the corners of iOS within 0.6 % of the radius")
    func systemCorners() {
        let first = [(1.52866483, 0), (1.08849296, 0), (0.86840694, 0), (0.66993427, 0.065496)]
        let middle = [
            (0.63149399, 0.074911), (0.37282392, 0.16905899), (0.16905899, 0.37282401), (0.074911, 0.63149399),
        ]
        func distance(_ corners: CornerCurve) -> Double {
            let reference = CornerReference(corners, radius: 1)
            return [first, middle].flatMap { control in
                (0...200).map { step in
                    let (s, t) = CornerReference.bezier(control, Double(step) / 200)
                    // The path's slope is at most 1 where t is below s.
                    return s >= t ? abs(reference.inset(s) - t) : abs(reference.inset(t) - s)
                }
            }.max() ?? .infinity
        }
        let own = distance(.continuous())
        #expect(own < 0.006, "\(own)")
        #expect(distance(.continuous(smoothing: 0.3)) > 2 * own)
        #expect(distance(.circular) > 2 * own)
    }

    @Test("radii and parameters out of range are refused")
    func ranges() {
        func refused(_ radius: Double, _ corners: CornerCurve) -> ParameterError? {
            do throws(ParameterError) {
                _ = try RoundedRect(x: 0, y: 0, width: 64, height: 32, radius: radius, corners: corners)
                return nil
            } catch { return error }
        }
        #expect(refused(10, .continuous()) == nil)
        #expect(refused(16, .superellipse()) == nil)
        #expect(refused(10.5, .continuous()) == .outOfRange(parameter: "corner radius", value: 10.5, allowed: 0...10))
        #expect(
            refused(1, .continuous(smoothing: 1.25))
                == .outOfRange(parameter: "corner smoothing", value: 1.25, allowed: 0...1))
        #expect(
            refused(0, .superellipse(exponent: 0.5))
                == .outOfRange(parameter: "corner exponent", value: 0.5, allowed: 1...16))
        #expect(refused(1, .superellipse(exponent: .nan)) != nil)
    }
}

/// The outline of a corner, computed from the curve's definition as a fine polygon or by its equation.
struct CornerReference {
    private let radius: Double
    private let exponent: Double?
    /// The points of the outline as distances (s, t) from the sides, by increasing t.
    private var points: [(s: Double, t: Double)] = []

    init(_ corners: CornerCurve, radius: Double) {
        self.radius = radius
        switch corners {
        // A corner with equal sides.
        case .circular, .ellipse: exponent = 2
        case .superellipse(let own): exponent = own
        case .continuous(let smoothing):
            exponent = nil
            // The arc of radius R around (R, R) ends at the angle α from the normal of the side. The tangent there meets the
            // side at `corner`. The control points divide the side from the curve's start to that point in thirds.
            let angle = smoothing * Double.pi / 4
            let end = (radius * (1 - sin(angle)), radius * (1 - cos(angle)))
            let corner = end.0 + end.1 / tan(angle)
            let start = radius * (1 + smoothing)
            let control = [(start, 0), (start - (start - corner) * 2 / 3, 0), (corner, 0), end]
            let transition = (0...4000).map { Self.bezier(control, Double($0) / 4000) }
            let arc = (1..<4000).map { step in
                let place = angle + (.pi / 2 - 2 * angle) * Double(step) / 4000
                return (radius * (1 - sin(place)), radius * (1 - cos(place)))
            }
            points = transition + (angle < .pi / 4 ? arc : []) + transition.reversed().map { ($0.1, $0.0) }
        }
    }

    static func bezier(_ control: [(Double, Double)], _ place: Double) -> (Double, Double) {
        var points = control
        while points.count > 1 {
            points = zip(points, points.dropFirst()).map { a, b in
                (a.0 + (b.0 - a.0) * place, a.1 + (b.1 - a.1) * place)
            }
        }
        return points[0]
    }

    /// Returns s of the outline at a distance t from the side.
    func inset(_ t: Double) -> Double {
        if let exponent {
            guard t < radius else { return 0 }
            return radius - radius * pow(max(1 - pow(1 - max(t, 0) / radius, exponent), 0), 1 / exponent)
        }
        guard let first = points.first, let last = points.last, t < last.t else { return 0 }
        guard t > first.t else { return first.s }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].t <= t { low = middle } else { high = middle }
        }
        let (a, b) = (points[low], points[high])
        return b.t > a.t ? a.s + (b.s - a.s) * (t - a.t) / (b.t - a.t) : a.s
    }

    /// Returns the area of a pixel within a rectangle with this corner, measured along 2048 lines.
    func coverage(_ rect: RoundedRect, _ x: Int, _ y: Int) -> Double {
        let (left, right) = (Double(x), Double(x + 1))
        guard right > rect.x, left < rect.x + rect.width else { return 0 }
        func width(at y: Double) -> Double {
            let t = min(y - rect.y, rect.y + rect.height - y)
            guard t >= 0 else { return 0 }
            let inset = inset(t)
            return max(0, min(rect.x + rect.width - inset, right) - max(rect.x + inset, left))
        }
        // The shape is convex. If it contains the upper and the lower edge of the pixel, it contains the whole pixel.
        if width(at: Double(y)) == 1, width(at: Double(y + 1)) == 1 { return 1 }
        return (0..<2048).reduce(0) { $0 + width(at: Double(y) + (Double($1) + 0.5) / 2048) } / 2048
    }
}
