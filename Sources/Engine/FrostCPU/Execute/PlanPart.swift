import FrostCore
import FrostThreads

/// A part of a plan's work. Each part is completed before the next part begins. The rows of a part are divided into bands,
/// one for each thread, or its columns into strips, or both into tiles.
final class PlanPart {
    /// The bands of each job. A thread that has completed a job takes the next one.
    private let jobs: [[Band]]
    private let threads: Int

    /// Creates a part from jobs, for a maximum number of threads.
    init(_ jobs: [[Band]], threads: Int) {
        self.jobs = jobs
        self.threads = threads
    }

    /// Creates a part and divides its rows into bands, a job each.
    ///
    /// - Parameters:
    ///   - window: the rectangle that the part computes.
    ///   - threads: the maximum number of bands.
    ///   - offset: the distance in bytes from the beginning of each target row to the first pixel that the part writes.
    ///   - keepsDrivers: whether the drivers are kept for the next image.
    ///   - driver: creates the driver for a band of rows.
    convenience init(
        _ window: Rect, threads: Int, offset: Int = 0, keepsDrivers: Bool,
        _ driver: @escaping (Range<Int>, CallerMemory) throws(CPUError) -> any RowDriver
    ) {
        let count = Self.bands(window, threads: threads)
        let bands = (0..<count).map {
            Band(window.rows.band($0, of: count), offset: offset, keepsDriver: keepsDrivers, driver)
        }
        self.init(bands.map { [$0] }, threads: count)
    }

    func run(_ memory: CallerMemory) throws(CPUError) {
        let work = Shared(jobs: jobs, memory: memory)
        let pieces = WorkPieces(jobs.count)
        try ThreadPool.computation.runAll(threads) { (_) throws(CPUError) in
            while let job = pieces.take() {
                for band in work.jobs[job] { try band.run(work.memory) }
            }
        }
    }

    /// SAFETY: the caller's images outlive the run. Each job is run by one thread, and the bands write disjoint pixels.
    @safe private struct Shared: @unchecked Sendable {
        let jobs: [[Band]]
        let memory: CallerMemory
    }

    /// A band: the rows of a part that one thread computes.
    final class Band {
        private let rows: Range<Int>
        private let offset: Int
        private let keepsDriver: Bool
        private let make: (Range<Int>, CallerMemory) throws(CPUError) -> any RowDriver
        /// The driver of the band. It is created when the band is run for the first time, and kept for the next image.
        private var driver: (any RowDriver)?

        init(
            _ rows: Range<Int>, offset: Int, keepsDriver: Bool = true,
            _ make: @escaping (Range<Int>, CallerMemory) throws(CPUError) -> any RowDriver
        ) {
            self.rows = rows
            self.offset = offset
            self.keepsDriver = keepsDriver
            self.make = make
        }

        func run(_ memory: CallerMemory) throws(CPUError) {
            defer { memory.target?.endStreaming() }
            var memory = memory
            memory.target = memory.target?.advanced(by: offset)
            if let driver {
                driver.restart(memory)
                return try driver.advance(to: rows.upperBound - 1)
            }
            let driver = try make(rows, memory)
            if keepsDriver { self.driver = driver }
            try driver.advance(to: rows.upperBound - 1)
        }
    }

    /// Returns the number of bands for a window, at most `threads`. If there is more than one band, each band has at
    /// least about 4 rows and 4096 pixels, so that the work is worth waking a thread.
    static func bands(_ window: Rect, threads: Int) -> Int {
        max(1, min(threads, window.height / 4, window.height * window.width / 4096))
    }
}

/// Strips of columns. A strip is a region of the result, and regions have the same pixels as the whole. So both uses of
/// strips are optimisations that could be deleted.
///
/// - The nodes of a chain keep rows: as many as their taps read. If rows are long, these rows do not fit in the L2 cache. So
///   each strip runs all passes of the plan before the next strip.
/// - Threads divide a low and wide image by columns, because all bands of its rows would read nearly all rows.
extension CPUPlan {
    /// The size in bytes of the rows that a strip may keep: half of a large L2 cache.
    private static let capacity = 1 << 20
    /// A strip is at least this many times as wide as the columns beside it that it also reads.
    fileprivate static let leastShare = 8

    /// The maximum number of columns outside the image for which strips pay off. The rows of a strip outside the image also
    /// hold all columns between the strip and the image, so the memory of all strips together grows with the square of this
    /// number.
    private static let mostOutside = 16384

    private var reachesFarOutside: Bool {
        let (region, extent) = (plan.region.columns, plan.extent.columns)
        return region.count - region.clamped(to: extent).count > Self.mostOutside
    }

    /// Returns the plans of the strips, from left to right; only this plan if its rows fit in the cache.
    func strips() -> [CPUPlan] {
        let passes = Passes(plan.passes, slots: plan.slots)
        guard !passes.list.isEmpty, passes.bandedParts.count == 1, !reachesFarOutside else { return [self] }
        let kept =
            passes.list.filter { $0.axis == .y }.map { $0.operation.taps.count + NodeRequest.targetRows }.max() ?? 0
        let size = arithmetic.fixedLevel == nil ? RowKind.floats.size : RowKind.fixed.size
        let region = plan.region
        let bytes = kept * region.width * arithmetic.channels * size
        let count = (bytes + Self.capacity - 1) / Self.capacity
        guard count > 1 else { return [self] }
        // Strips begin at multiples of 64 pixels, so that most of them begin at cache lines.
        let width = (region.width / count + 63) / 64 * 64
        guard plan.overlap(width, along: .x) * Self.leastShare <= width else { return [self] }
        return strips(width: width)
    }

    /// Returns a strip for each thread. Only for plans for which ``Plan/isDividedByColumns(threads:)`` is true.
    func strips(threads: Int) -> [CPUPlan] { strips(width: plan.stripWidth(threads: threads)) }

    /// Returns the plans of strips of a certain width in pixels.
    func strips(width: Int) -> [CPUPlan] {
        stride(from: 0, to: plan.region.width, by: width).map { x in
            let columns = plan.region.x + x..<plan.region.x + min(x + width, plan.region.width)
            return restricted(to: Rect(columns: columns, rows: plan.region.rows))
        }
    }
}

extension Plan {
    /// Whether each thread computes a strip of columns, because a band of rows would read at least as many rows of other
    /// bands as of its own.
    func isDividedByColumns(threads: Int) -> Bool {
        let bands = PlanPart.bands(region, threads: threads)
        guard bands > 1, !passes.isEmpty else { return false }
        let (height, width) = (region.height / bands, stripWidth(threads: bands))
        return overlap(height, along: .y) >= height
            && overlap(width, along: .x) * CPUPlan.leastShare <= width
    }

    fileprivate func stripWidth(threads: Int) -> Int { (region.width / threads + 63) / 64 * 64 }

    /// Returns the number of source rows or columns that a band or a strip in the middle of the region reads besides its own.
    fileprivate func overlap(_ size: Int, along axis: Axis) -> Int {
        let middle = region[axis].lowerBound + (region[axis].count - size) / 2
        var samples = lastRead(for: middle..<middle + size, along: axis)
        for pass in passes.reversed() where pass.axis == axis {
            samples = pass.input(for: samples, of: window(of: pass.from)[axis])
        }
        return samples.count - size
    }
}
