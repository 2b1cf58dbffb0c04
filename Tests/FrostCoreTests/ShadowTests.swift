@testable import FrostCore
import Foundation
import FrostTestSupport
import Testing

/// The law: a shadow is the Gaussian of its shape's area, as the mean over each pixel.
struct ShadowTests {
    /// Returns the Gaussian by numbers: the shape is magnified, and the exact areas of its small pixels are weighted.
    private static func gaussian(
        _ shape: RoundedRect, sigma: Double, offset: SIMD2<Double>, in bounds: Rect, fine: Int
    ) throws -> [[Double]] {
        let scale = Double(fine)
        let large = try RoundedRect(
            x: (shape.x + offset.x) * scale, y: (shape.y + offset.y) * scale, width: shape.width * scale,
            height: shape.height * scale, radius: shape.radius * scale, corners: shape.corners
        ).turned(by: shape.rotation)
        /// Returns the first place and the weights of the places that a pixel's Gaussian reaches.
        func weights(_ pixel: Int, _ places: Range<Int>) -> (first: Int, values: [Double]) {
            func integral(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }
            let reach = Int(((6 * sigma + 1) * scale).rounded(.up))
            let near = (fine * pixel - reach..<fine * (pixel + 1) + reach).clamped(to: places)
            let values = near.map { place in
                // The weight of a small pixel is the mean over the pixel of the Gaussian's density at its centre.
                let center = (Double(place) + 0.5) / scale
                return (integral((Double(pixel + 1) - center) / sigma) - integral((Double(pixel) - center) / sigma))
                    / scale
            }
            return (near.lowerBound, values)
        }
        func sum(_ weights: (first: Int, values: [Double]), _ value: (Int) -> Double) -> Double {
            weights.values.indices.reduce(0) { $0 + weights.values[$1] * value(weights.first + $1) }
        }
        let columns = large.bounds.columns
        let across = bounds.columns.map { weights($0, columns) }
        let rows = large.bounds.rows.map { y in
            let areas = columns.map { large.coverage($0, y) }
            return across.map { weights in sum(weights) { areas[$0 - columns.lowerBound] } }
        }
        return bounds.rows.map { y in
            let down = weights(y, large.bounds.rows)
            return (0..<bounds.width).map { x in sum(down) { rows[$0 - large.bounds.y][x] } }
        }
    }

    private static func found(
        _ shape: RoundedRect, sigma: Double, offset: SIMD2<Double>, in bounds: Rect
    ) -> [[Double]] {
        let blur = OutlineBlur(shape, sigma: sigma, offset: offset, over: bounds)
        return bounds.rows.map { y in
            var row = [Double](repeating: 0, count: bounds.width)
            blur.add(y, bounds.columns, to: &row, from: bounds.x)
            return row
        }
    }

    private static func difference(_ a: [[Double]], _ b: [[Double]]) -> Double {
        zip(a, b).reduce(0) { largest, rows in
            zip(rows.0, rows.1).reduce(largest) { max($0, abs($1.0 - $1.1)) }
        }
    }

    @Test("a shadow is the Gaussian of the area of its shape") func area() throws {
        let curves: [CornerCurve] = [
            .circular, .continuous(), .continuous(smoothing: 1), .superellipse(exponent: 1), .superellipse(exponent: 5),
        ]
        for (index, corners) in curves.enumerated() {
            let cases = [(0.5, 8.0), (1.3, 3), (2, 11), (6, 11), (20, 5), (3, 0)]
            for (number, (sigma, radius)) in cases.enumerated() where TestCases.every || (number + index) % 3 == 0 {
                let shape = try RoundedRect(
                    x: 8.3 + Double(index), y: 6, width: 44, height: 30.6,
                    radius: min(radius, corners.maximumRadius(width: 44, height: 30.6)), corners: corners)
                let offset = SIMD2(1.25, -2)
                let bounds = Rect(x: -3, y: -5, width: 66, height: 50)
                let wanted = try Self.gaussian(
                    shape, sigma: sigma, offset: offset, in: bounds, fine: sigma < 1 ? 12 : 6)
                let found = Self.found(shape, sigma: sigma, offset: offset, in: bounds)
                // The sums over small pixels have an error of up to 1/400 (1/fine²) of the curvature of the Gaussian.
                let tolerance = sigma < 1 ? 1.5e-3 : 1e-3 / (sigma * sigma) + 1e-5
                #expect(Self.difference(found, wanted) < tolerance, "\(shape), sigma \(sigma)")
                // Half a pixel further, or another sigma, is another shadow.
                let moved = Self.found(shape, sigma: sigma, offset: offset + SIMD2(0.5, 0), in: bounds)
                #expect(Self.difference(moved, wanted) > 5 * tolerance)
            }
        }
    }

    @Test("a turned shape throws the shadow of its turned area") func turned() throws {
        for (sigma, angle) in [(0.5, 30.0), (1, 45), (2.5, 10), (8, 77)] {
            for corners in [CornerCurve.circular, .continuous(), .superellipse(exponent: 4)] {
                let shape = try RoundedRect(x: 12, y: 10, width: 40, height: 24, radius: 7, corners: corners)
                    .turned(by: angle)
                let bounds = Rect(x: 0, y: -4, width: 64, height: 56)
                let wanted = try Self.gaussian(shape, sigma: sigma, offset: .zero, in: bounds, fine: sigma < 1 ? 12 : 6)
                let found = Self.found(shape, sigma: sigma, offset: .zero, in: bounds)
                let worst = Self.difference(found, wanted)
                #expect(worst < (sigma < 1 ? 8e-3 : 1.2e-3), "sigma \(sigma), turned by \(angle): \(worst)")
            }
        }
    }

    @Test("a shadow's parts do not depend on the region, and end at its bounds") func regions() throws {
        let shape = try RoundedRect(x: 20, y: 15, width: 30, height: 20, radius: 8)
        let shadow = try DropShadow(sigma: 3, offset: SIMD2(2, 5), color: Color(red: 0, green: 0, blue: 0))
        let bounds = shadow.bounds(of: shape)
        let area = ClipArea([shape], join: 0)
        let whole = Rect(x: 0, y: 0, width: 80, height: 70)
        let field = try #require(ShadowField(shadow, of: [shape], under: area, opacity: 1, in: whole))
        #expect(field.bounds == bounds)
        let part = Rect(x: 40, y: 20, width: 15, height: 30)
        let small = try #require(ShadowField(shadow, of: [shape], under: area, opacity: 1, in: part))
        for y in part.rows { #expect(small.parts(y, part.columns) == Array(field.parts(y, whole.columns)[40..<55])) }
        // Without bounds the shadow would not reach further.
        let blur = OutlineBlur(shape, sigma: 3, offset: SIMD2(2, 5), over: whole)
        for y in whole.rows {
            var row = [Double](repeating: 0, count: whole.width)
            blur.add(y, whole.columns, to: &row, from: 0)
            for x in whole.columns where !(bounds.columns.contains(x) && bounds.rows.contains(y)) {
                #expect(row[x] < DropShadow.leastPart)
            }
        }
        #expect(ShadowField(shadow, of: [shape], under: area, opacity: 0, in: whole) == nil)
        #expect(
            ShadowField(shadow, of: [shape], under: area, opacity: 1, in: Rect(x: 70, y: 0, width: 10, height: 70))
                == nil)
    }

    @Test("values outside the ranges are refused") func ranges() throws {
        let black = try Color(red: 0, green: 0, blue: 0)
        for sigma in [0.4, 1001, .nan] {
            #expect(throws: ParameterError.self) { try DropShadow(sigma: sigma, color: black) }
        }
        for offset in [SIMD2(5000, 0.0), SIMD2(0, -5000), SIMD2(.nan, 0)] {
            #expect(throws: ParameterError.self) { try DropShadow(sigma: 2, offset: offset, color: black) }
        }
    }
}
