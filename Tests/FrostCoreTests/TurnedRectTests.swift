import FrostTestSupport
import Glibc
import Testing

@testable import FrostCore

/// Tests rounded rectangles that are turned.
struct TurnedRectTests {
    static let curves: [CornerCurve] = [
        .circular, .continuous(), .continuous(smoothing: 1), .superellipse(), .superellipse(exponent: 1.3),
    ]
    static let angles = [0.001, 7, 30, 45, 61.5, 89.999]

    static func rects(_ corners: CornerCurve) throws -> [RoundedRect] {
        try [(20.3, 11.7, 18, 0), (33.1, 30, 25, 10), (40, 12, 9, 3), (0.7, 0.4, 0.2, 0.05), (90, 80, 70, 30)].map {
            (width, height, x, radius) throws(ParameterError) in
            try RoundedRect(
                x: x, y: x / 2 - 3, width: width, height: height, radius: radius / corners.reach, corners: corners)
        }
    }

    private static func total(_ rect: RoundedRect) -> Double {
        rect.bounds.rows.reduce(0) { sum, y in
            rect.bounds.columns.reduce(sum) { $0 + rect.coverage($1, y) }
        }
    }

    @Test("a turned rectangle without corners covers the area of the pixel's polygon within it")
    func polygons() throws {
        for angle in Self.angles {
            let (plain, turned) = try (Self.rects(.circular)[0], Self.rects(.circular)[0].turned(by: angle))
            for y in turned.bounds.rows {
                for x in turned.bounds.columns {
                    let area = PolygonReference.area(ofPixel: x, y, in: plain, turnedBy: angle)
                    #expect(abs(turned.coverage(x, y) - area) < 1e-9, "\(angle)° \(x),\(y)")
                }
            }
            // The reference would find another angle.
            let isOther = turned.bounds.rows.contains { y in
                turned.bounds.columns.contains { x in
                    let other = PolygonReference.area(ofPixel: x, y, in: plain, turnedBy: angle + 1)
                    return abs(other - turned.coverage(x, y)) > 1e-2
                }
            }
            #expect(isOther, "\(angle)°")
        }
    }

    @Test("a turn keeps the area, and each pixel's part is that of its points", arguments: curves)
    func areas(_ corners: CornerCurve) throws {
        for plain in try Self.rects(corners) {
            for angle in [7, 45, 61.5] {
                let rect = try plain.turned(by: angle)
                // The polygon is at most 2^-12 pixels inside of the curves.
                let curved = 4 * 2 * rect.radius * corners.reach
                #expect(abs(Self.total(rect) - Self.total(plain)) <= curved * 0x1p-12 + 1e-9, "\(rect)")
                var largest = 0.0
                for y in rect.bounds.rows {
                    // Few pixels of a row are partly inside.
                    for x in rect.bounds.columns where (0.001..<0.999).contains(rect.coverage(x, y)) {
                        let part = Self.sampled(plain, angle, x, y)
                        largest = max(largest, abs(rect.coverage(x, y) - part))
                    }
                }
                // 16x16 samples: a straight edge misses up to half a column of them, a corner up to a whole one.
                #expect(largest < 0.08, "\(rect)")
            }
        }
    }

    /// The part of a pixel's 16x16 points that lie in a rectangle turned by an angle.
    private static func sampled(_ plain: RoundedRect, _ angle: Double, _ column: Int, _ row: Int) -> Double {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        let (cx, cy) = (plain.x + plain.width / 2, plain.y + plain.height / 2)
        var count = 0
        for j in 0..<16 {
            for i in 0..<16 {
                let (dx, dy) = (Double(column) + (Double(i) + 0.5) / 16 - cx, Double(row) + (Double(j) + 0.5) / 16 - cy)
                let (u, v) = (abs(dx * cosine + dy * sine), abs(dy * cosine - dx * sine))
                let (s, t) = (plain.width / 2 - u, plain.height / 2 - v)
                guard s >= 0, t >= 0 else { continue }
                guard plain.radius > 0 else {
                    count += 1
                    continue
                }
                let r = plain.radius
                let isInside =
                    plain.outline.map { s >= $0.boundary(t) }
                    ?? (s >= r || t >= r || (r - s) * (r - s) + (r - t) * (r - t) <= r * r)
                count += isInside ? 1 : 0
            }
        }
        return Double(count) / 256
    }

    @Test("a quarter turn exchanges the sides, half a turn changes nothing, and turns add up")
    func quarters() throws {
        let rect = try RoundedRect(x: 3, y: 5, width: 20, height: 8, radius: 2, corners: .continuous())
        let upright = try RoundedRect(x: 9, y: -1, width: 8, height: 20, radius: 2, corners: .continuous())
        #expect(try rect.turned(by: 90) == upright)
        #expect(try rect.turned(by: -90) == upright && rect.turned(by: 270) == upright)
        #expect(try rect.turned(by: 180) == rect && rect.turned(by: -360) == rect && rect.turned(by: 0) == rect)
        #expect(try rect.turned(by: 30).turned(by: 60) == upright)
        #expect(try rect.turned(by: 30) == rect.turned(by: 210) && rect.turned(by: 30) != rect.turned(by: 31))
        #expect(try rect.turned(by: 120) == upright.turned(by: 30))
        #expect(throws: ParameterError.self) { try rect.turned(by: .nan) }
        #expect(throws: ParameterError.self) { try rect.turned(by: .infinity) }
    }

    @Test(
        "pixels of the whole columns are inside, and pixels beside the touched columns are outside", arguments: curves)
    func columns(_ corners: CornerCurve) throws {
        for plain in try Self.rects(corners) {
            for angle in Self.angles {
                let rect = try plain.turned(by: angle)
                for y in rect.bounds.rows.lowerBound - 2..<rect.bounds.rows.upperBound + 2 {
                    let (whole, touched) = (rect.wholeColumns(y), rect.touchedColumns(y))
                    var inside = 0
                    for x in rect.bounds.columns.lowerBound - 2..<rect.bounds.columns.upperBound + 2 {
                        let part = rect.coverage(x, y)
                        if whole.contains(x) { #expect(part > 1 - 1e-9, "\(rect) \(x),\(y)") }
                        if !touched.contains(x) { #expect(part < 1e-9, "\(rect) \(x),\(y)") }
                        inside += part > 1 - 1e-9 ? 1 : 0
                    }
                    #expect(whole.count >= inside - 2, "\(rect) row \(y)")
                }
            }
        }
    }
}

/// The area of a pixel within a turned rectangle, by clipping the pixel at the rectangle's four sides.
private enum PolygonReference {
    static func area(ofPixel column: Int, _ row: Int, in rect: RoundedRect, turnedBy angle: Double) -> Double {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        let (cx, cy) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        // The pixel in the rectangle's own frame.
        var polygon = [(0, 0), (1, 0), (1, 1), (0, 1)].map { x, y in
            let (dx, dy) = (Double(column + x) - cx, Double(row + y) - cy)
            return (x: dx * cosine + dy * sine, y: dy * cosine - dx * sine)
        }
        for (a, b, limit) in [
            (1.0, 0.0, rect.width / 2), (-1, 0, rect.width / 2), (0, 1, rect.height / 2), (0, -1, rect.height / 2),
        ] {
            func depth(_ point: (x: Double, y: Double)) -> Double { limit - a * point.x - b * point.y }
            var cut: [(x: Double, y: Double)] = []
            for (from, to) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
                let (d, e) = (depth(from), depth(to))
                if d >= 0 { cut.append(from) }
                if (d >= 0) != (e >= 0) {
                    let t = d / (d - e)
                    cut.append((from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t))
                }
            }
            polygon = cut
        }
        let edges = zip(polygon, polygon.dropFirst() + polygon.prefix(1))
        return abs(edges.reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
    }
}
