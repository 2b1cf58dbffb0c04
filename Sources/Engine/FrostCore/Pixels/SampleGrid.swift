/// The pixels of some rectangles from which a mean colour is computed: one in each square of `step` x `step` pixels, from about
/// 4096 squares.
package struct SampleGrid: Sendable, Hashable {
    /// The samples of a rectangle.
    package struct Part: Sendable, Hashable {
        /// The first pixel.
        package let x, y: Int
        /// The numbers of pixels.
        package let columns, rows: Int
    }

    /// The rectangles, in the order of the samples.
    package let parts: [Part]
    /// The distance between neighbouring samples in pixels.
    package let step: Int

    private static let limit = 4096.0
    /// The maximum number of samples in a row or in a column of all parts. Every GPU can hold twice as many.
    package static let sideLimit = 1024
    /// The maximum number of rectangles. If there are more, some are joined.
    private static let rectLimit = 16

    /// Creates a grid. Pixels that several rectangles share count more than once.
    package init(_ rects: [Rect]) {
        let rects = rects.count > Self.rectLimit ? Region(rects).cover(limit: Self.rectLimit) : rects
        let area = rects.reduce(0.0) { $0 + Double($1.width) * Double($1.height) }
        let side = max(rects.map(\.width).max() ?? 0, rects.reduce(0) { $0 + $1.height })
        let sides = Self.sideLimit - Self.rectLimit
        let step = max(1, Int((area / Self.limit).squareRoot().rounded(.up)), (side + sides - 1) / sides)
        self.step = step
        parts = rects.filter { !$0.isEmpty }.map { rect in
            func samples(_ count: Int) -> (first: Int, count: Int) {
                let first = min(step, count) / 2
                return (first, (count - first + step - 1) / step)
            }
            let (x, y) = (samples(rect.width), samples(rect.height))
            return Part(x: rect.x + x.first, y: rect.y + y.first, columns: x.count, rows: y.count)
        }
    }

    /// The number of samples.
    package var count: Int { parts.reduce(0) { $0 + $1.columns * $1.rows } }

    /// Returns the mean of colours, which are premultiplied RGBA of encoded numbers; 0 if there are none.
    ///
    /// - Parameter decoding: decodes the numbers that a blur mixes; nil if they are mixed as they are.
    package static func mean(of colors: [SIMD4<Float>], _ decoding: TransferFunction?) -> SIMD4<Double> {
        guard !colors.isEmpty else { return .zero }
        let sum = colors.reduce(SIMD4<Double>.zero) { sum, color in
            let color = SIMD4<Double>(color)
            return sum + (decoding?.decode(color) ?? color)
        }
        let mean = sum / Double(colors.count)
        return decoding?.encode(mean) ?? mean
    }
}
