import CFrostKernels
import FrostCore

/// The original below a shadow, with which the result is mixed, and the parts of the pixels that the result covers.
///
/// Not thread-safe.
final class ShadowRows: Coverage, MixtureBase {
    private let field: ShadowField
    private let covered: ResultRows
    private let original: OriginalPixels
    private let columns: Range<Int>
    private let kind: RowKind
    private let maximum: Float
    private let kernels: KernelSet
    private let numbers, darkened: RowStorage
    /// The row of `parts`, which has an element for each of `columns`.
    private var row: Int?
    private var parts: [Float] = []

    /// - Parameters:
    ///   - columns: the columns of the rows.
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    init(
        _ field: ShadowField, _ covered: ResultRows, _ original: OriginalPixels, columns: Range<Int>, kind: RowKind,
        maximum: Double, kernels: KernelSet
    ) throws(CPUError) {
        (self.field, self.covered, self.original, self.columns) = (field, covered, original, columns)
        (self.kind, self.maximum, self.kernels) = (kind, Float(maximum), kernels)
        numbers = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
        darkened = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
    }

    func values(_ y: Int, _ part: Range<Int>, into values: UnsafeMutablePointer<Float>) -> Float? {
        if row != y {
            row = y
            let isReached = field.bounds.rows.contains(y)
            parts = isReached ? field.parts(y, columns).map { Float($0) } : [Float](repeating: 0, count: columns.count)
        }
        let uniform = unsafe covered.values(y, part, into: values)
        guard uniform != 1, parts[part].contains(where: { $0 > 0 }) else { return uniform }
        if uniform == 0 { unsafe (values + part.lowerBound).update(repeating: 0, count: part.count) }
        // A pixel of the weight 0 would keep the bytes of the original. The least weight adds nothing to the darkened pixel.
        for i in part where parts[i] > 0 { unsafe values[i] = max(values[i], .leastNormalMagnitude) }
        return nil
    }

    func pixels(_ columns: Range<Int>) -> Row {
        let original = original.pixels(columns)
        let first = columns.lowerBound - self.columns.lowerBound
        let parts = parts[first..<first + columns.count]
        guard parts.contains(where: { $0 > 0 }) else { return original }
        let row = numbers.row(0)
        kind.convert(original, to: .floats, row, 4 * columns.count, kernels)
        // SAFETY: the row has room for the pixels of a chunk.
        let pixels = unsafe UnsafeMutableRawPointer(row.floats).assumingMemoryBound(to: SIMD4<Float>.self)
        let color = SIMD4<Float>(field.color)
        for (index, part) in parts.enumerated() where part > 0 {
            let below = unsafe pixels[index]
            unsafe pixels[index] = below + (color * maximum - below * color.w) * part
        }
        RowKind.floats.convert(row, to: kind, darkened.row(0), 4 * columns.count, kernels)
        return darkened.row(0)
    }
}
