import CFrostKernels
import FrostCore

/// A node of the output stages. It changes chunks of rows in place, one after the other, in one kind of numbers.
///
/// Not thread-safe.
protocol OutputStage: AnyObject {
    /// Prepares for the chunks of a row. They come from left to right.
    func prepare(row y: Int)
    func apply(to chunk: PixelChunk)
}

/// Consecutive pixels of a row, as RGBA numbers of the kind that the output stages use.
///
/// SAFETY: the memory outlives the call that receives the chunk, and is followed by slack.
@safe struct PixelChunk {
    let y: Int
    /// The columns in absolute coordinates.
    let columns: Range<Int>
    let row: UnsafeMutableRawPointer

    /// The maximum number of pixels of a chunk, which stays in the L1 cache.
    static let maximumCount = 1024

    var count: Int32 { Int32(columns.count) }
    var floats: UnsafeMutablePointer<Float> { unsafe row.assumingMemoryBound(to: Float.self) }
    var fixed: UnsafeMutablePointer<UInt16> { unsafe row.assumingMemoryBound(to: UInt16.self) }
}

/// Colour stages in floats.
@safe final class FloatColors: OutputStage {
    private var stages: FloatStages
    private let maximum: Float
    private let table: UnsafePointer<frost_kernels>

    /// - Parameters:
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    ///   - columns: the columns of the rows.
    init(_ stages: [ColorStage], maximum: Double, columns: Range<Int>, kernels: KernelSet) {
        self.stages = FloatStages(stages, maximum: maximum, columns: columns)
        self.maximum = Float(maximum)
        unsafe table = kernels.table
    }

    func prepare(row y: Int) { stages.prepare(row: y) }

    func apply(to chunk: PixelChunk) {
        unsafe stages.apply(to: chunk, maximum: maximum, table)
    }
}

/// Colour stages in fixed point.
@safe final class FixedColors: OutputStage {
    private let stages: [frost_fixed_stage]
    private let table: UnsafePointer<frost_kernels>

    init(_ stages: [frost_fixed_stage], kernels: KernelSet) {
        self.stages = stages
        unsafe table = kernels.table
    }

    func prepare(row y: Int) {}

    func apply(to chunk: PixelChunk) {
        unsafe table.pointee.fixed_stages(chunk.fixed, stages, Int32(stages.count), chunk.count)
    }
}

/// Mixes rows with the original image. The values of a mask or of clipping rectangles are the weights: 1 keeps the row, 0
/// shows the original. ``weigh(_:y:)`` is called for each chunk before any node changes it.
@safe final class Mixture: OutputStage {
    private let coverage: any Coverage
    private let original: OriginalPixels
    private let kind: RowKind
    private let table: UnsafePointer<frost_kernels>
    private let values: RowStorage
    private let region: Rect
    /// The weight of all pixels of the chunk, if it is 0 or 1; nil if ``values`` has the weights.
    private(set) var uniform: Float?

    init(_ coverage: any Coverage, _ original: OriginalPixels, region: Rect, kind: RowKind, kernels: KernelSet) {
        self.coverage = coverage
        self.original = original
        self.region = region
        self.kind = kind
        unsafe table = kernels.table
        values = RowStorage(rows: 1, floats: region.width)
    }

    func prepare(row y: Int) {}

    /// Computes the weights of the next chunk.
    func weigh(_ columns: Range<Int>, y: Int) {
        uniform = unsafe coverage.values(y, relative(columns), into: values.row(0))
    }

    func apply(to chunk: PixelChunk) {
        if uniform == 1 { return }
        let part = relative(chunk.columns)
        let weights = unsafe values.row(0) + part.lowerBound
        if let uniform { unsafe weights.update(repeating: uniform, count: part.count) }
        let original = unsafe original.pixels(chunk.columns)
        switch kind {
        case .floats:
            unsafe table.pointee.color_mix(
                chunk.floats, original.assumingMemoryBound(to: Float.self), weights, chunk.count)
        case .fixed:
            unsafe table.pointee.fixed_mix(
                chunk.fixed, original.assumingMemoryBound(to: UInt16.self), weights, chunk.count)
        case .bytes: preconditionFailure("output stages do not mix bytes")
        }
    }

    /// Returns the first run of columns whose weights are 0, within the chunk that was weighed; nil if all weights are
    /// larger.
    func zeros(in columns: Range<Int>) -> Range<Int>? {
        if let uniform { return uniform == 0 && !columns.isEmpty ? columns : nil }
        let (part, weights) = unsafe (relative(columns), UnsafePointer(values.row(0)))
        let first = unsafe weights.end(part, of: 0, false)
        guard first < part.upperBound else { return nil }
        return unsafe region.x + first..<region.x + weights.end(first..<part.upperBound, of: 0, true)
    }

    private func relative(_ columns: Range<Int>) -> Range<Int> {
        columns.lowerBound - region.x..<columns.upperBound - region.x
    }
}
