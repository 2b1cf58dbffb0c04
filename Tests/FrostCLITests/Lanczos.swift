import FrostCore
import Foundation

/// Resizes rows of pixels by the definition, in double precision.
enum Lanczos {
    private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

    /// The weights of an output sample, for each input sample.
    private static func weights(_ count: Int, _ index: Int, of size: Int, from start: Double, _ length: Double)
        -> [Double]
    {
        let scale = Double(size) / length
        let (step, place) = (min(scale, 1), (Double(index) + 0.5) / scale + start)
        var weights = [Double](repeating: 0, count: count)
        for at in Int(place - 3 / step) - 1...Int(place + 3 / step) + 1 {
            let x = (Double(at) + 0.5 - place) * step
            guard abs(x) < 3 else { continue }
            let inside = EdgeMode.mirror.map(at, into: 0..<count) ?? 0
            weights[inside] += sinc(x) * sinc(x / 3)
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    static func resized(
        _ pixels: [[SIMD4<Double>]], _ width: Int, _ height: Int, part: (x: Double, y: Double, w: Double, h: Double)
    ) -> [[SIMD4<Double>]] {
        let columns = (0..<width).map { weights(pixels[0].count, $0, of: width, from: part.x, part.w) }
        let rows = pixels.map { row in
            columns.map { column in zip(row, column).reduce(SIMD4<Double>.zero) { $0 + $1.0 * $1.1 } }
        }
        return (0..<height).map { y in
            let weights = weights(pixels.count, y, of: height, from: part.y, part.h)
            return (0..<width).map { x in
                weights.indices.reduce(SIMD4<Double>.zero) { $0 + rows[$1][x] * weights[$1] }
            }
        }
    }
}
