import CFrostKernels
import FrostCore

/// The rows of a blend, to which the rows of its levels are added one level after the other. A row holds weighted sums,
/// as RGBA floats.
///
/// Not thread-safe: each band of rows has its own object.
///
/// SAFETY: rows are as long as the region is wide, and levels lie within the region.
@safe final class MixedRows {
    /// A row to which not all levels have been added yet.
    private final class Row {
        let sums: RowStorage
        /// For each pixel, the variance of its blur as a share of the largest variance, 0...1; see ``Blend``.
        var shares: [Float]
        /// For each chunk of pixels, the smallest and the largest of its ``shares``.
        var ranges: [ClosedRange<Float>] = []

        init(width: Int) {
            sums = RowStorage(rows: 1, floats: 4 * width, zeroed: false)
            shares = [Float](repeating: 0, count: width)
        }
    }

    private let region: Rect
    private let coverage: CoverageRows
    private let maximum: Float
    private let kernels: KernelSet
    /// The number of pixels in a chunk. Most pixels of a row have the weight 0 for a level; whole chunks of such pixels
    /// are skipped.
    private static let chunk = 128
    private let plain: RowStorage
    private let expanded: RowStorage
    private var rows: [Int: Row] = [:]
    private var spare: [Row] = []

    /// Creates the rows of a blend.
    ///
    /// - Parameters:
    ///   - image: the mask image, if the mask is an image.
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    init(_ plan: Plan, mask: Mask, image: MaskImage?, maximum: Double, kernels: KernelSet = .best) {
        region = plan.region
        coverage = CoverageRows(
            mask: mask, columns: plan.region.columns, extent: plan.maskExtent, image: image, kernels: kernels)
        self.maximum = Float(maximum)
        self.kernels = kernels
        plain = RowStorage(rows: 1, floats: 4 * Self.chunk)
        expanded = RowStorage(rows: 1, floats: 4 * Self.chunk)
    }

    /// Adds a row of a level to the sums, with the weights of the level.
    ///
    /// - Parameter values: the row, as wide as the region of the level's plan.
    func add(_ y: Int, _ values: UnsafeRawPointer, as kind: RowKind, channels: Int, of level: Blend.Level) {
        let row = row(y)
        let table = unsafe kernels.table.pointee
        let columns = level.plan.region.x - region.x..<level.plan.region.x - region.x + level.plan.region.width
        let (below, above) = (Float(level.below), Float(level.above))
        let (rise, fall) = (1 / Float(level.share - level.below), 1 / Float(level.above - level.share))
        unsafe row.shares.withUnsafeBufferPointer { shares in
            guard let shares = shares.baseAddress else { return }
            for (index, range) in row.ranges.enumerated()
            where range.upperBound > below && range.lowerBound < above {
                let part = (index * Self.chunk..<(index + 1) * Self.chunk).clamped(to: columns)
                guard !part.isEmpty else { continue }
                let from = part.lowerBound - columns.lowerBound
                let pixels = unsafe rgba(values, from..<from + part.count, kind, channels)
                unsafe table.blend_level(
                    row.sums.row(0) + 4 * part.lowerBound, pixels, shares + part.lowerBound, Int32(part.count), below,
                    rise, above, fall)
            }
        }
    }

    /// Calls `body` with a row to which all levels have been added, and removes the row.
    func take(_ y: Int, _ body: (UnsafeRawPointer) -> Void) {
        let row = row(y)
        rows[y] = nil
        unsafe body(UnsafeRawPointer(row.sums.row(0)))
        spare.append(row)
    }

    /// Discards rows to which only some levels have been added.
    func restart() {
        spare += rows.values
        rows = [:]
    }

    private func row(_ y: Int) -> Row {
        if let known = rows[y] { return known }
        let row = spare.popLast() ?? Row(width: region.width)
        unsafe row.sums.row(0).update(repeating: 0, count: 4 * region.width)
        if let value = coverage.mask(y, 0..<region.width, into: &row.shares) {
            for x in row.shares.indices { row.shares[x] = value }
        }
        row.ranges.removeAll(keepingCapacity: true)
        unsafe row.shares.withUnsafeMutableBufferPointer { shares in
            for start in stride(from: 0, to: region.width, by: Self.chunk) {
                var (low, high) = (Float(1), Float(0))
                for x in start..<min(start + Self.chunk, region.width) {
                    let share = unsafe min(shares[x] * shares[x], 1)
                    unsafe shares[x] = share
                    low = min(low, share)
                    high = max(high, share)
                }
                row.ranges.append(low...max(low, high))
            }
        }
        rows[y] = row
        return row
    }

    /// Converts a part of a level's row to RGBA floats.
    private func rgba(
        _ values: UnsafeRawPointer, _ part: Range<Int>, _ kind: RowKind, _ channels: Int
    ) -> UnsafePointer<Float> {
        let table = unsafe kernels.table.pointee
        var pixels: UnsafePointer<Float>
        if kind == .fixed {
            let from = unsafe values.assumingMemoryBound(to: UInt16.self) + part.lowerBound * channels
            unsafe table.fixed_store_floats(from, plain.row(0), Int32(part.count * channels))
            unsafe pixels = UnsafePointer(plain.row(0))
        } else {
            unsafe pixels = values.assumingMemoryBound(to: Float.self) + part.lowerBound * channels
        }
        guard channels < 4 else { return unsafe pixels }
        unsafe ChannelLayout(canonical: channels).expand(
            pixels, count: part.count, opaque: maximum, into: expanded.row(0))
        return unsafe UnsafePointer(expanded.row(0))
    }
}
