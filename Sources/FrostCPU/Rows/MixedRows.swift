import CFrostKernels
import FrostCore

/// Rows of a blend while its levels come in: sums of RGBA in floats.
///
/// Not thread-safe: each band has its own.
///
/// SAFETY: rows are as long as the region is wide; levels lie within it.
@safe final class MixedRows {
    /// A row to which not all levels have been added.
    private final class Row {
        let sums: RowStorage
        /// The shares of the variance: see ``Blend``.
        var shares: [Float]
        /// The minimum and maximum of each chunk.
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
    /// Most pixels of a row have no part of a level. They are skipped in chunks of this length.
    private static let chunk = 128
    private let plain: RowStorage
    private let expanded: RowStorage
    private var rows: [Int: Row] = [:]
    private var spare: [Row] = []

    /// - Parameters:
    ///   - image: the mask, if it is an image.
    ///   - maximum: the number for 1.0.
    init(_ plan: Plan, mask: Mask, image: MaskImage?, maximum: Double, kernels: KernelSet = .best) {
        region = plan.region
        coverage = CoverageRows(
            mask: mask, columns: plan.region.columns, extent: plan.maskExtent, image: image, kernels: kernels)
        self.maximum = Float(maximum)
        self.kernels = kernels
        plain = RowStorage(rows: 1, floats: 4 * Self.chunk)
        expanded = RowStorage(rows: 1, floats: 4 * Self.chunk)
    }

    /// Adds a level's row: the pixels of its region.
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

    /// Hands out a row to which all levels have been added.
    func take(_ y: Int, _ body: (UnsafeRawPointer) -> Void) {
        let row = row(y)
        rows[y] = nil
        unsafe body(UnsafeRawPointer(row.sums.row(0)))
        spare.append(row)
    }

    /// Forgets rows that were begun.
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

    /// A part of a level's row as RGBA of floats.
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
