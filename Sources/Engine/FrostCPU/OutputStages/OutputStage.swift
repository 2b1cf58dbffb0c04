import CFrostKernels
import FrostCore

/// A node of the output stages. It changes chunks of rows in place, one after the other, in one kind of numbers.
///
/// Not thread-safe.
protocol OutputStage: AnyObject {
    /// Prepares for the chunks of a row. They come from left to right.
    func prepare(row y: Int)
    func apply(to chunk: PixelChunk)
    /// Whether the result is the same in all rows of a mosaic's cell if the chunk is.
    var isSameInCell: Bool { get }
}

extension OutputStage {
    var isSameInCell: Bool { false }
}

/// Consecutive pixels of a row, as RGBA numbers of the kind that the output stages use.
struct PixelChunk {
    let y: Int
    /// The columns in absolute coordinates.
    let columns: Range<Int>
    let row: Row

    /// The maximum number of pixels of a chunk, which stays in the L1 cache.
    static let maximumCount = 1024

    var count: Int32 { Int32(columns.count) }
}

final class FloatColors: OutputStage {
    private var stages: FloatStages
    private let maximum: Float
    private let kernels: KernelSet

    /// - Parameters:
    ///   - sample: the type of the image's samples.
    ///   - columns: the columns of the rows.
    init(_ stages: [ColorStage], for sample: SampleType, columns: Range<Int>, kernels: KernelSet) throws(CPUError) {
        self.stages = try FloatStages(
            stages, maximum: sample.maximum, extendsLight: sample.isFloat, columns: columns)
        maximum = Float(sample.maximum)
        self.kernels = kernels
    }

    var isSameInCell: Bool { !stages.hasGrain }

    func prepare(row y: Int) { stages.prepare(row: y) }

    func apply(to chunk: PixelChunk) { stages.apply(to: chunk, maximum: maximum, kernels) }
}

final class FixedColors: OutputStage {
    private let stages: [frost_fixed_stage]
    private let kernels: KernelSet

    init(_ stages: [frost_fixed_stage], kernels: KernelSet) {
        self.stages = stages
        self.kernels = kernels
    }

    func prepare(row y: Int) {}

    func apply(to chunk: PixelChunk) {
        unsafe kernels.table.pointee.fixed_stages(chunk.row.fixed, stages, Int32(stages.count), chunk.count)
    }
}

/// Keeps a copy of a chunk, with which a ``Mixture`` mixes the chunk that later nodes have changed.
final class KeptChunk: OutputStage, MixtureBase {
    private let kind: RowKind
    private let kept: RowStorage

    init(kind: RowKind) throws(CPUError) {
        self.kind = kind
        kept = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
    }

    func prepare(row y: Int) {}

    func apply(to chunk: PixelChunk) {
        kept.row(0).copy(from: chunk.row, byteCount: 4 * kind.size * chunk.columns.count)
    }

    func pixels(_ columns: Range<Int>) -> Row { kept.row(0) }
}

/// The pixels with which a ``Mixture`` mixes, as RGBA numbers of the kind that the output stages use.
protocol MixtureBase: AnyObject {
    /// Returns the pixels of a chunk of the current row.
    func pixels(_ columns: Range<Int>) -> Row
}

/// Mixes rows with other pixels, mostly of the original image. The values of a mask, or the parts of the pixels that the result
/// covers, are the weights: 1 keeps the row, 0 shows the others. ``weigh(_:y:)`` is called for each chunk before any node changes it.
final class Mixture: OutputStage {
    private let coverage: any Coverage
    private let base: any MixtureBase
    private let kind: RowKind
    private let kernels: KernelSet
    private let values: RowStorage
    private let region: Rect
    /// The weight of all pixels of the chunk, if it is 0 or 1; nil if ``values`` has the weights.
    private(set) var uniform: Float?

    init(
        _ coverage: any Coverage, _ base: any MixtureBase, region: Rect, kind: RowKind, kernels: KernelSet
    ) throws(CPUError) {
        self.coverage = coverage
        self.base = base
        self.region = region
        self.kind = kind
        self.kernels = kernels
        values = try RowStorage(rows: 1, floats: region.width)
    }

    func prepare(row y: Int) {}

    /// Computes the weights of the next chunk.
    func weigh(_ columns: Range<Int>, y: Int) {
        uniform = unsafe coverage.values(y, relative(columns), into: values.row(0).floats)
    }

    func apply(to chunk: PixelChunk) {
        if uniform == 1 { return }
        let part = relative(chunk.columns)
        let weights = unsafe values.row(0).floats + part.lowerBound
        if let uniform { unsafe weights.update(repeating: uniform, count: part.count) }
        let base = base.pixels(chunk.columns)
        switch kind {
        case .floats:
            unsafe kernels.table.pointee.color_mix(chunk.row.floats, base.floats, weights, chunk.count)
        case .fixed: unsafe kernels.table.pointee.fixed_mix(chunk.row.fixed, base.fixed, weights, chunk.count)
        case .bytes: preconditionFailure("output stages do not mix bytes")
        }
    }

    /// Returns the first run of columns whose weights are 0, within the chunk that was weighed; nil if all weights are
    /// larger.
    func zeros(in columns: Range<Int>) -> Range<Int>? {
        if let uniform { return uniform == 0 && !columns.isEmpty ? columns : nil }
        let (part, weights) = unsafe (relative(columns), UnsafePointer(values.row(0).floats))
        let first = unsafe weights.end(part, of: 0, false)
        guard first < part.upperBound else { return nil }
        return unsafe region.x + first..<region.x + weights.end(first..<part.upperBound, of: 0, true)
    }

    private func relative(_ columns: Range<Int>) -> Range<Int> {
        columns.lowerBound - region.x..<columns.upperBound - region.x
    }
}
