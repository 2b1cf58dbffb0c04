import CFrostKernels
import FrostCore

/// The rows of a blend, to which the rows of its levels are added one level after the other. A row holds weighted sums,
/// as RGBA floats or fixed-point numbers.
///
/// Not thread-safe: each band of rows has its own object.
///
/// SAFETY: the object owns the memory of its rows. Rows are as long as the region is wide, and levels lie within the
/// region. Each row is followed by slack.
@safe final class MixedRows {
    /// A row to which not all levels have been added yet. It is not reference-counted, because adding a level takes
    /// less time than changing a counter.
    @safe private struct MixedRow {
        let sums: Row
        /// For each pixel, the variance of its blur as a share of the largest variance, 0...1; see ``Blend``. They are
        /// followed by the slack that vector loops may read.
        let shares: Row
        let chunks: UnsafeMutablePointer<Chunk>
    }

    /// What is known of the pixels of a chunk.
    private struct Chunk {
        /// The smallest and the largest of the pixels' ``MixedRow/shares``.
        let range: ClosedRange<Float>
        /// Whether the sums begin at 0 and every level adds to them. Otherwise the pixels show at most two levels, and
        /// the first of them is copied.
        let isSum: Bool
        /// Whether a level has been copied to the sums.
        var isBegun = false
    }

    /// A level of the blend, as the kernels need it.
    struct Level {
        fileprivate let columns: Range<Int>
        fileprivate let below, share, above: Float
        fileprivate let rise, fall: Float

        /// - Parameters:
        ///   - columns: the columns for which the level is computed.
        ///   - region: the region of the blend.
        init(_ level: Blend.Level, columns: Range<Int>, of region: Rect) {
            self.columns = columns.lowerBound - region.x..<columns.upperBound - region.x
            (below, share, above) = (Float(level.below), Float(level.share), Float(level.above))
            (rise, fall) = (1 / (share - below), 1 / (above - share))
        }
    }

    private let region: Rect
    private let kind: RowKind
    /// The shares of each two adjacent levels.
    private let pairs: [ClosedRange<Float>]
    private let mask: MaskRows
    private let maximum: Float
    private let kernels: KernelSet
    /// The number of pixels in a chunk. Most pixels of a row have the weight 0 for a level; whole chunks of such pixels
    /// are skipped. If all pixels of a row have the same share, the row is one chunk.
    private let chunk: Int
    private let converted: RowStorage
    private let expanded: RowStorage
    private let chunkCount: Int
    /// The minimum and the maximum of the shares of each chunk of a row.
    private let ranges: RowStorage
    /// The rows of the region, from the first to the last; nil for rows that no level has been added to, or that are
    /// complete.
    private var rows: [MixedRow?]
    private var idleRows: [MixedRow] = []
    private var memory: [RowStorage] = []

    /// The number of rows that each level adds in turn. Their sums fit in the L2 cache.
    static let rowsPerTurn = 32

    /// Creates the rows of a blend.
    ///
    /// - Parameters:
    ///   - image: the mask image, if the mask is an image.
    ///   - kind: the kind of the sums: floats or fixed point.
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    init(
        _ plan: Plan, _ blend: Blend, image: MaskImage?, kind: RowKind, maximum: Double, kernels: KernelSet = .best
    ) throws(CPUError) {
        region = plan.region
        self.kind = kind
        pairs = zip(blend.levels, blend.levels.dropFirst()).map { Float($0.share)...Float($1.share) }
        mask = try MaskRows(
            blend.mask, columns: plan.region.columns, extent: plan.maskExtent, image: image, kernels: kernels)
        chunk = blend.mask.isConstant(along: .x) ? region.width : 128
        self.maximum = Float(maximum)
        self.kernels = kernels
        chunkCount = (region.width + chunk - 1) / chunk
        ranges = try RowStorage(rows: 1, floats: 2 * chunkCount)
        rows = [MixedRow?](repeating: nil, count: region.height)
        converted = try RowStorage(rows: 1, floats: 4 * chunk)
        expanded = try RowStorage(rows: 1, floats: 4 * chunk)
    }

    /// Adds a row of a level to the sums, with the weights of the level.
    ///
    /// - Parameter values: the row, as wide as the region of the level's plan.
    func add(_ y: Int, _ values: Row, as from: RowKind, channels: Int, of level: Level) throws(CPUError) {
        let row = try row(y)
        let touched = level.columns.lowerBound / chunk..<(level.columns.upperBound - 1) / chunk + 1
        for index in touched {
            let about = unsafe row.chunks[index]
            guard about.range.upperBound > level.below, about.range.lowerBound < level.above else { continue }
            let part = (index * chunk..<(index + 1) * chunk).clamped(to: level.columns)
            let start = part.lowerBound - level.columns.lowerBound
            let pixels = rgba(values, start..<start + part.count, from, channels)
            unsafe row.chunks[index].isBegun = true
            add(
                pixels, of: level, to: row.sums + part.lowerBound * 4 * kind.size, row.shares + 4 * part.lowerBound,
                Int32(part.count), about)
        }
    }

    /// Adds pixels of a level, in the kind of the sums, to a part of a chunk.
    private func add(
        _ pixels: Row, of level: Level, to sums: Row, _ shares: Row, _ count: Int32, _ chunk: Chunk
    ) {
        let table = unsafe kernels.table
        switch kind {
        case .floats:
            unsafe table.pointee.blend_level(
                sums.floats, pixels.floats, shares.floats, count, level.below, level.rise, level.above, level.fall)
        case .fixed:
            if chunk.isSum {
                unsafe table.pointee.fixed_blend_level(
                    sums.fixed, pixels.fixed, shares.floats, count, level.below, level.rise, level.share, level.fall)
            } else if chunk.isBegun {
                let isLower = chunk.range.lowerBound >= level.share
                unsafe table.pointee.fixed_blend_pair(
                    sums.fixed, pixels.fixed, shares.floats, count, isLower ? level.share : level.below,
                    isLower ? level.fall : level.rise, isLower ? 1 : 0)
            } else {
                sums.copy(from: pixels, byteCount: 8 * Int(count))
            }
        case .bytes: preconditionFailure("levels are not mixed as bytes")
        }
    }

    /// Returns a row to which all levels have been added, and removes the row. Its memory is valid until a level is
    /// added to another row.
    func take(_ y: Int) throws(CPUError) -> Row {
        let row = try row(y)
        rows[y - region.y] = nil
        idleRows.append(row)
        return row.sums
    }

    /// Discards rows to which only some levels have been added.
    func restart() {
        for index in rows.indices {
            guard let row = rows[index] else { continue }
            idleRows.append(row)
            rows[index] = nil
        }
    }

    private func row(_ y: Int) throws(CPUError) -> MixedRow {
        if let row = rows[y - region.y] { row } else { try begin(y) }
    }

    /// Computes the shares of a row, and prepares its sums.
    private func begin(_ y: Int) throws(CPUError) -> MixedRow {
        if idleRows.isEmpty { try makeSpare() }
        let row = idleRows.removeLast()
        if let uniform = unsafe mask.values(y, 0..<region.width, into: row.shares.floats) {
            unsafe row.shares.floats.update(repeating: uniform, count: region.width)
        }
        let ranges = unsafe ranges.row(0).floats
        unsafe kernels.table.pointee.blend_shares(row.shares.floats, Int32(region.width), Int32(chunk), ranges)
        var pair = 0
        for index in 0..<chunkCount {
            let (low, high) = unsafe (ranges[2 * index], ranges[2 * index + 1])
            let about = about(low...max(low, high), &pair)
            unsafe (row.chunks + index).initialize(to: about)
            guard about.isSum else { continue }
            let start = index * chunk
            let count = min(chunk, region.width - start)
            (row.sums + start * 4 * kind.size).clear(byteCount: count * 4 * kind.size)
        }
        rows[y - region.y] = row
        return row
    }

    /// Allocates the memory of several rows.
    private func makeSpare() throws(CPUError) {
        let count = min(Self.rowsPerTurn, region.height)
        let chunkFloats = chunkCount * MemoryLayout<Chunk>.stride / MemoryLayout<Float>.stride
        let sums = try RowStorage(rows: count, floats: region.width * kind.size, zeroed: false)
        let shares = try RowStorage(rows: count, floats: region.width, zeroed: false)
        let chunks = try RowStorage(rows: count, floats: chunkFloats, zeroed: false)
        memory += [sums, shares, chunks]
        for index in 0..<count {
            unsafe idleRows.append(
                MixedRow(
                    sums: sums.row(index), shares: shares.row(index),
                    chunks: chunks.row(index).address.bindMemory(to: Chunk.self, capacity: chunkCount)))
        }
    }

    /// Returns how a chunk is mixed, from the range of its shares.
    ///
    /// - Parameter pair: the index of the pair of the chunk before, from which the search begins; it becomes the index
    ///   of this chunk's pair.
    private func about(_ range: ClosedRange<Float>, _ pair: inout Int) -> Chunk {
        switch kind {
        case .fixed:
            while pair + 1 < pairs.count, pairs[pair + 1].lowerBound <= range.lowerBound { pair += 1 }
            while pair > 0, pairs[pair].lowerBound > range.lowerBound { pair -= 1 }
            let isPair =
                pair < pairs.count && pairs[pair].contains(range.lowerBound) && pairs[pair].contains(range.upperBound)
            return Chunk(range: range, isSum: !isPair)
        case .floats, .bytes: return Chunk(range: range, isSum: true)
        }
    }

    /// Converts a part of a level's row to RGBA of the kind of the sums.
    private func rgba(_ values: Row, _ part: Range<Int>, _ from: RowKind, _ channels: Int) -> Row {
        var pixels = values + part.lowerBound * channels * from.size
        if from != kind {
            from.convert(pixels, to: kind, converted.row(0), part.count * channels, kernels)
            pixels = converted.row(0)
        }
        guard channels < 4 else { return pixels }
        precondition(kind == .floats, "a level of another number of channels is mixed in floats")
        unsafe ChannelLayout(canonical: channels).expand(
            pixels.floats, count: part.count, opaque: maximum, into: expanded.row(0).floats)
        return expanded.row(0)
    }
}
