import FrostCore
import FrostThreads
import Synchronization

/// A part of a plan's work. Each part is completed before the next part begins. The rows of a part are divided into bands,
/// one for each thread, or its columns into strips, or both into tiles.
final class PlanPart {
    /// The bands of each job. A thread that has completed a job takes the next one.
    private let jobs: [[Band]]
    private let threads: Int

    /// Creates a part and divides its rows into bands.
    ///
    /// - Parameters:
    ///   - window: the rectangle that the part computes.
    ///   - threads: the maximum number of bands.
    ///   - offset: the distance in bytes from the beginning of each target row to the first pixel that the part writes.
    ///   - keepsDrivers: whether the drivers are kept for the next image.
    ///   - driver: creates the driver for a band of rows.
    init(
        _ window: Rect, threads: Int, offset: Int = 0, keepsDrivers: Bool,
        _ driver: @escaping (Range<Int>, CallerMemory) -> any RowDriver
    ) {
        let count = Self.bands(window, threads: threads)
        jobs = (0..<count).map {
            [Band(window.rows.band($0, of: count), offset: offset, keepsDriver: keepsDrivers, driver)]
        }
        self.threads = count
    }

    /// Creates a part in which each thread computes one of several strips of columns.
    init(strips: [CPUPlan], of plan: CPUPlan) {
        jobs = strips.map { strip in
            strip.strips().map { part in
                Band(part.plan.region.rows, offset: part.offset(in: plan)) { part.driver($0, $1) }
            }
        }
        threads = strips.count
    }

    /// Creates a part that is divided into tiles. The drivers of tiles are not kept, because together they need much memory.
    ///
    /// - Parameters:
    ///   - maximumWidth: the maximum width of a tile.
    ///   - bytesPerPixel: the size of a pixel of the target.
    ///   - area: the number of pixels of all levels that a tile computes.
    ///   - driver: creates the driver for a tile.
    init(
        tiles window: Rect, threads: Int, maximumWidth: Int, bytesPerPixel: Int, area: (Rect) -> Int,
        _ driver: @escaping (Rect, CallerMemory) -> any RowDriver
    ) {
        let bandCount = Self.bands(window, threads: threads)
        let rowCount = max(bandCount, (window.height + Self.tile.height - 1) / Self.tile.height)
        func tiles(_ columnCount: Int) -> [Rect] {
            (0..<rowCount * columnCount).map { index in
                Rect(
                    columns: window.columns.band(index % columnCount, of: columnCount),
                    rows: window.rows.band(index / columnCount, of: rowCount))
            }
        }
        // Short rows cost more per pixel, so tiles are as wide as the window unless narrow tiles save a fifth of the pixels.
        let columnCount = (window.width + maximumWidth - 1) / maximumWidth
        let (wide, narrow) = (tiles(columnCount), tiles(max(columnCount, window.width / Self.tile.width)))
        func sum(_ tiles: [Rect]) -> Int { tiles.reduce(0) { $0 + area($1) } }
        jobs = (5 * sum(narrow) < 4 * sum(wide) ? narrow : wide).map { tile in
            [Band(tile.rows, offset: (tile.x - window.x) * bytesPerPixel, keepsDriver: false) { driver(tile, $1) }]
        }
        self.threads = bandCount
    }

    /// The size of a narrow tile in pixels. The rows of a level that a tile keeps fit in the L2 cache.
    private static let tile = (width: 1024, height: 256)

    func run(_ memory: CallerMemory) throws(CPUError) {
        let work = Shared(jobs: jobs, memory: memory)
        let next = Atomic(0)
        try ThreadPool.computation.runAll(threads) { (_) throws(CPUError) in
            while true {
                let job = next.add(1, ordering: .relaxed).oldValue
                guard job < work.jobs.count else { return }
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
    private final class Band {
        private let rows: Range<Int>
        private let offset: Int
        private let keepsDriver: Bool
        private let make: (Range<Int>, CallerMemory) -> any RowDriver
        /// The driver of the band. It is created when the band is run for the first time, and kept for the next image.
        private var driver: (any RowDriver)?

        init(
            _ rows: Range<Int>, offset: Int, keepsDriver: Bool = true,
            _ make: @escaping (Range<Int>, CallerMemory) -> any RowDriver
        ) {
            self.rows = rows
            self.offset = offset
            self.keepsDriver = keepsDriver
            self.make = make
        }

        func run(_ memory: CallerMemory) throws(CPUError) {
            defer { unsafe memory.target?.endStreaming() }
            var memory = memory
            unsafe memory.target = memory.target?.advanced(by: offset)
            if let driver {
                driver.restart(memory)
                return try driver.advance(to: rows.upperBound - 1)
            }
            let driver = make(rows, memory)
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

extension Range<Int> {
    /// Returns one of several bands of about the same length.
    func band(_ index: Int, of bands: Int) -> Range<Int> {
        lowerBound + count * index / bands..<lowerBound + count * (index + 1) / bands
    }
}
