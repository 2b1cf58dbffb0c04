import CFrostKernels
import FrostCore

/// The rows of a blend, to which the rows of its levels are added one level after the other. A row holds weighted sums,
/// as RGBA floats or fixed-point numbers.
///
/// Not thread-safe: each band of rows has its own object.
///
/// SAFETY: rows are as long as the region is wide, and levels lie within the region. Each row is followed by slack.
@safe final class MixedRows {
    /// A row to which not all levels have been added yet.
    private final class Row {
        let sums: RowStorage
        /// For each pixel, the variance of its blur as a share of the largest variance, 0...1; see ``Blend``. They are
        /// followed by the slack that vector loops may read.
        var shares: [Float]
        /// For each chunk of pixels, the smallest and the largest of its ``shares``.
        var ranges: [ClosedRange<Float>] = []

        init(width: Int, _ kind: RowKind) {
            sums = RowStorage(rows: 1, floats: width * kind.size, zeroed: false)
            shares = [Float](repeating: 0, count: width + RowStorage.slack)
        }
    }

    /// A level of the blend, as the kernels need it.
    final class Level {
        fileprivate let columns: Range<Int>
        fileprivate let below, share, above: Float
        fileprivate let rise, fall: Float

        /// - Parameter region: the region of the blend.
        init(_ level: Blend.Level, region: Rect) {
            let first = level.plan.region.x - region.x
            columns = first..<first + level.plan.region.width
            (below, share, above) = (Float(level.below), Float(level.share), Float(level.above))
            (rise, fall) = (1 / (share - below), 1 / (above - share))
        }
    }

    private let region: Rect
    private let kind: RowKind
    private let coverage: CoverageRows
    private let maximum: Float
    private let kernels: KernelSet
    /// The number of pixels in a chunk. Most pixels of a row have the weight 0 for a level; whole chunks of such pixels
    /// are skipped.
    private static let chunk = 128
    private let converted: RowStorage
    private let expanded: RowStorage
    private var rows: [Int: Row] = [:]
    /// The row that was used last.
    private var last: (y: Int, row: Row)?
    private var spare: [Row] = []

    /// Creates the rows of a blend.
    ///
    /// - Parameters:
    ///   - image: the mask image, if the mask is an image.
    ///   - kind: the kind of the sums: floats or fixed point.
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    init(
        _ plan: Plan, mask: Mask, image: MaskImage?, kind: RowKind, maximum: Double, kernels: KernelSet = .best
    ) {
        region = plan.region
        self.kind = kind
        coverage = CoverageRows(
            mask: mask, columns: plan.region.columns, extent: plan.maskExtent, image: image, kernels: kernels)
        self.maximum = Float(maximum)
        self.kernels = kernels
        converted = RowStorage(rows: 1, floats: 4 * Self.chunk)
        expanded = RowStorage(rows: 1, floats: 4 * Self.chunk)
    }

    /// Adds a row of a level to the sums, with the weights of the level.
    ///
    /// - Parameter values: the row, as wide as the region of the level's plan.
    func add(_ y: Int, _ values: UnsafeRawPointer, as from: RowKind, channels: Int, of level: Level) {
        let row = row(y)
        unsafe row.shares.withUnsafeBufferPointer { shares in
            guard let shares = shares.baseAddress else { return }
            for (index, range) in row.ranges.enumerated()
            where range.upperBound > level.below && range.lowerBound < level.above {
                let part = (index * Self.chunk..<(index + 1) * Self.chunk).clamped(to: level.columns)
                guard !part.isEmpty else { continue }
                let start = part.lowerBound - level.columns.lowerBound
                let pixels = unsafe rgba(values, start..<start + part.count, from, channels)
                let (sum, share) = unsafe (row.sums.row(0), shares + part.lowerBound)
                let table = unsafe kernels.table
                if kind == .fixed {
                    let sum = unsafe UnsafeMutableRawPointer(sum).assumingMemoryBound(to: UInt16.self)
                    unsafe table.pointee.fixed_blend_level(
                        sum + 4 * part.lowerBound, pixels.assumingMemoryBound(to: UInt16.self), share,
                        Int32(part.count),
                        level.below, level.rise, level.share, level.fall)
                } else {
                    unsafe table.pointee.blend_level(
                        sum + 4 * part.lowerBound, pixels.assumingMemoryBound(to: Float.self), share, Int32(part.count),
                        level.below, level.rise, level.above, level.fall)
                }
            }
        }
    }

    /// Calls `body` with a row to which all levels have been added, and removes the row.
    func take(_ y: Int, _ body: (UnsafeRawPointer) -> Void) {
        let row = row(y)
        rows[y] = nil
        last = nil
        unsafe body(UnsafeRawPointer(row.sums.row(0)))
        spare.append(row)
    }

    /// Discards rows to which only some levels have been added.
    func restart() {
        spare += rows.values
        rows = [:]
        last = nil
    }

    private func row(_ y: Int) -> Row {
        if let last, last.y == y { return last.row }
        let row = rows[y] ?? begin(y)
        last = (y, row)
        return row
    }

    /// Computes the shares of a row, and sets its sums to 0.
    private func begin(_ y: Int) -> Row {
        let row = spare.popLast() ?? Row(width: region.width, kind)
        unsafe row.sums.row(0).update(repeating: 0, count: region.width * kind.size)
        let uniform = unsafe coverage.mask(y, 0..<region.width, into: &row.shares)
        row.ranges.removeAll(keepingCapacity: true)
        unsafe row.shares.withUnsafeMutableBufferPointer { shares in
            guard let shares = shares.baseAddress else { return }
            if let uniform { unsafe shares.update(repeating: uniform, count: region.width) }
            for start in stride(from: 0, to: region.width, by: Self.chunk) {
                var range = SIMD2<Float>()
                unsafe withUnsafeMutablePointer(to: &range) { range in
                    let range = unsafe UnsafeMutableRawPointer(range).assumingMemoryBound(to: Float.self)
                    unsafe kernels.table.pointee.blend_shares(
                        shares + start, Int32(min(Self.chunk, region.width - start)), range)
                }
                row.ranges.append(range[0]...max(range[0], range[1]))
            }
        }
        rows[y] = row
        return row
    }

    /// Converts a part of a level's row to RGBA of the kind of the sums.
    private func rgba(
        _ values: UnsafeRawPointer, _ part: Range<Int>, _ from: RowKind, _ channels: Int
    ) -> UnsafeRawPointer {
        var pixels = unsafe values + part.lowerBound * channels * from.size
        if from != kind {
            let out = unsafe UnsafeMutableRawPointer(converted.row(0))
            unsafe from.convert(pixels, to: kind, out, part.count * channels, kernels)
            unsafe pixels = UnsafeRawPointer(out)
        }
        guard channels < 4 else { return unsafe pixels }
        precondition(kind == .floats, "a level of another number of channels is mixed in floats")
        unsafe ChannelLayout(canonical: channels).expand(
            pixels.assumingMemoryBound(to: Float.self), count: part.count, opaque: maximum, into: expanded.row(0))
        return unsafe UnsafeRawPointer(expanded.row(0))
    }
}
