import FrostCore
import Glibc

/// Computes the lens and the lit edge of glass that covers a whole picture, from docs/Glass.md. A picture has corners without
/// a radius, so the equation for the distance d has a solution in closed form. It shares no code with the library.
///
/// Not covered: other shapes, other profiles than `soft`, dispersion, and the mean of several samples, which blurs of sigma 4
/// or more do without.
struct GlassOracle {
    var band: Double
    var depth: Double
    var rim: Double
    var shade: Double
    var rimWidth = 1.5
    var shadeWidth = 10.0
    /// The direction of the light, in degrees.
    var rimAngle = -60.0
    var rimSharpness = 1.5

    /// Creates the oracle of glass with these parameters in points, and the defaults that both kinds of glass share.
    init(band: Double, thickness: Double, refraction: Double, rim: Double, shade: Double, scale: Double) {
        (self.band, depth) = (band * scale, thickness * refraction * scale)
        (self.rim, self.shade) = (rim, shade)
        rimWidth *= scale
        shadeWidth *= scale
    }

    /// The distance of a place from the edge, and the direction outwards; 0, 0 where the distance has none.
    typealias Place = (d: Double, nx: Double, ny: Double)

    /// Returns where a place in a picture lies.
    ///
    /// With R = 0 and β = ½, and the distances p and q from the two nearest sides, the law is
    /// `(1.5 d - p)² + (1.5 d - q)² = (d / 2)²`, without the terms whose bracket is negative. With the term of p alone it is
    /// d = p. Otherwise it is the equation 4.25 d² - 3 (p + q) d + p² + q² = 0, whose larger solution has positive brackets.
    static func place(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Place {
        let (p, q) = (min(x, width - x), min(y, height - y))
        var d = min(p, q)
        if 1.5 * d > max(p, q) {
            let half = 1.5 * (p + q)
            d = (half + (half * half - 4.25 * (p * p + q * q)).squareRoot()) / 4.25
        }
        let across = max(1.5 * d - p, 0) * (2 * x < width ? -1 : 1)
        let down = max(1.5 * d - q, 0) * (2 * y < height ? -1 : 1)
        let length = (across * across + down * down).squareRoot()
        return length > 0 ? (d, across / length, down / length) : (d, 0, 0)
    }

    /// Returns a blurred picture, seen through the lens.
    func refracted(_ blurred: SampleRows) -> SampleRows {
        let (columns, rows) = (blurred.width, blurred.height)
        let lines = (0..<rows).map { blurred[$0] }
        let half = Double(min(columns, rows)) / 2
        let (reach, width) = (min(depth, half), min(band, half * 2 / 3))
        return SampleRows(width: columns, height: rows, channels: .rgba) { row in
            (0..<columns).flatMap { column -> EffectOracle.Pixel in
                let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
                let at = Self.place(x, y, Double(columns), Double(rows))
                let t = min(at.d / width, 1)
                let moved = reach * exp(-t / 0.225) * pow(1 - t * t, 2)
                return Self.sample(lines, x - at.nx * moved, y - at.ny * moved)
            }
        }
    }

    /// Returns the linear interpolation at a place. Outside the picture the nearest place counts.
    private static func sample(_ lines: [[Double]], _ x: Double, _ y: Double) -> EffectOracle.Pixel {
        func neighbours(_ place: Double, _ count: Int) -> [(index: Int, weight: Double)] {
            let from = max(0, min(Double(count - 1), place - 0.5))
            let first = Int(from)
            let part = from - Double(first)
            return [(first, 1 - part), (min(first + 1, count - 1), part)]
        }
        var pixel = [0.0, 0, 0, 0]
        for (row, v) in neighbours(y, lines.count) {
            for (column, u) in neighbours(x, lines[0].count / 4) {
                for c in 0..<4 { pixel[c] += u * v * lines[row][4 * column + c] }
            }
        }
        return pixel
    }

    /// Returns a pixel with the saturation 1.5 and the white point 0.55, by "Vivid" in docs/internals/Formulas.md.
    static func vivid(_ pixel: EffectOracle.Pixel) -> EffectOracle.Pixel {
        let alpha = pixel[3]
        guard alpha > 0 else { return pixel }
        let k = pixel[..<3].map { min(max($0 / alpha, 0), 1) }
        let luma = 0.2126 * k[0] + 0.7152 * k[1] + 0.0722 * k[2]
        let d = k.map { $0 - luma }
        let square = 1.25 * d.reduce(0) { $0 + $1 * $1 }
        // On the border of the gamut the sum is infinite, except for black and white, whose distances are 0.
        let sum = k.reduce(0.0) { $0 + (square == 0 ? 0 : pow(square, 2) / pow($1 * (1 - $1), 4)) }
        let factor = 0.5 / pow(1 + pow(0.5, 4) * sum, 0.25)
        let t = min(max(2 * luma - 1, 0), 1)
        let pull = 0.55 * t * t * (3 - 2 * t)
        return zip(k, d).map { value, distance in
            let vivid = value + factor * distance
            return (vivid + pull * (1 - vivid)) * alpha
        } + [alpha]
    }

    /// Returns a pixel with the shadow and the light of the edge.
    ///
    /// - Parameter half: half of the shorter side of the picture.
    func lit(_ pixel: EffectOracle.Pixel, _ at: Place, half: Double) -> EffectOracle.Pixel {
        func fall(_ wanted: Double) -> Double {
            let width = min(wanted, half * 2 / 3)
            return at.d < width ? pow(1 - pow(at.d / width, 2), 2) : 0
        }
        let alpha = pixel[3]
        guard alpha > 0 else { return pixel }
        let angle = rimAngle * .pi / 180
        let light = rim * pow(abs(at.nx * cos(angle) + at.ny * sin(angle)), rimSharpness) * fall(rimWidth)
        let shadow = 1 - shade * fall(shadeWidth)
        return pixel[..<3].map { value in
            let c = value / alpha * shadow
            let x = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
            let lit = x + light * (1 - x)
            return alpha * (lit <= 0.0031308 ? 12.92 * lit : 1.055 * pow(lit, 1 / 2.4) - 0.055)
        } + [alpha]
    }
}
