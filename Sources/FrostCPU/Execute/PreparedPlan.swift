import FrostCore
import FrostThreads
import Synchronization

/// A plan together with everything that its execution needs: the drivers for each band of rows, and the images between
/// the plan's parts. One prepared plan can be executed for any number of images of the same size and format, one after
/// the other. Creating the drivers takes as long as blurring 64x64 pixels.
///
/// Not thread-safe: only one thread at a time may call ``run(source:target:cancellation:)``. The call itself runs the
/// bands on several threads.
final class PreparedPlan {
    let shape: Shape
    private let parts: [PlanPart]

    /// The properties that images must share so that one prepared plan serves them.
    struct Shape: Equatable {
        let plan: Plan
        let source: PixelFormat
        let target: PixelFormat
        let threads: Int
        /// Whether the plan is executed in one sweep instead of in parts: on one thread, or on several threads that divide
        /// the columns.
        let isWhole: Bool
    }

    init(_ shape: Shape, mask: MaskImage?) {
        self.shape = shape
        let plan = CPUPlan(shape.plan, source: shape.source, target: shape.target, mask: mask)
        parts = PlanPart.parts(of: plan, isWhole: shape.isWhole, threads: shape.threads)
    }

    /// Executes the plan for one image.
    ///
    /// - Throws: ``CPUError/cancelled``; the prepared plan can then not be used any more.
    func run(source: PixelSource, target: PixelTarget, cancellation: Cancellation?) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: TargetRows(target, region: shape.plan.region),
            originals: .source(source, extent: shape.plan.extent), cancellation: cancellation)
        for part in parts { try part.run(memory) }
    }
}

/// A part of a plan's work. Each part is completed for the whole image before the next part begins. The rows of a part
/// are divided into bands, one for each thread, or its columns into strips, or both into tiles.
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
    ///   - driver: creates the driver for a band of rows.
    private init(
        _ window: Rect, threads: Int, offset: Int = 0, _ driver: @escaping (Range<Int>, CallerMemory) -> any RowDriver
    ) {
        let count = Self.bands(window, threads: threads)
        jobs = (0..<count).map { [Band(window.rows.band($0, of: count), offset: offset, driver)] }
        self.threads = count
    }

    /// Creates a part in which each thread computes one of several strips of columns.
    private init(strips: [CPUPlan], of plan: CPUPlan) {
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
    ///   - bytesPerPixel: the size of a pixel of the target.
    ///   - area: the number of pixels of all levels that a tile computes.
    ///   - driver: creates the driver for a tile.
    private init(
        tiles window: Rect, threads: Int, bytesPerPixel: Int, area: (Rect) -> Int,
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
        let (wide, narrow) = (tiles(1), tiles(max(1, window.width / Self.tile.width)))
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
}

extension PlanPart {
    /// Divides a plan into parts.
    ///
    /// - Parameter isWhole: whether the plan becomes a single part.
    static func parts(of plan: CPUPlan, isWhole: Bool, threads: Int) -> [PlanPart] {
        if isWhole, plan.plan.isDividedByColumns(threads: threads) {
            return [
                PlanPart(strips: plan.strips(threads: PlanPart.bands(plan.plan.region, threads: threads)), of: plan)
            ]
        }
        let sweep = { (rows: Range<Int>, memory: CallerMemory) in plan.driver(rows, memory) }
        let strips = plan.strips()
        if strips.count > 1 {
            return strips.map { strip in
                PlanPart(strip.plan.region, threads: threads, offset: strip.offset(in: plan)) { strip.driver($0, $1) }
            }
        }
        switch plan.plan.work {
        // A copy is not divided into bands. Its source and target may be the same memory, and then the rows have to be
        // moved in order.
        case .copy: return [PlanPart(plan.plan.region, threads: 1, sweep)]
        case .kernel2D: return [PlanPart(plan.plan.region, threads: threads, sweep)]
        case .passes(let passes):
            if isWhole { return [PlanPart(plan.plan.region, threads: threads, sweep)] }
            return chain(plan, passes, passes.list.indices, threads: threads)
        case .blend(let blend): return mixture(plan, blend, threads: threads)
        }
    }

    /// Divides consecutive passes into parts. Each part computes the image that the next part reads.
    ///
    /// - Parameters:
    ///   - isWhole: whether the passes become a single part.
    ///   - read: the image that the first pass reads; nil for the source.
    ///   - made: the image that the last pass writes; nil for the target.
    static func chain(
        _ plan: CPUPlan, _ passes: Passes, _ range: Range<Int>, isWhole: Bool = false, read: RowPlane? = nil,
        made: RowPlane? = nil, threads: Int
    ) -> [PlanPart] {
        let cuts = isWhole ? [range] : passes.bandedParts.map { $0.clamped(to: range) }.filter { !$0.isEmpty }
        var read = read
        return cuts.map { cut in
            let place = plan.place(after: cut)
            let (input, plane) = (read, cut.upperBound == range.upperBound ? made : plan.plane(at: place))
            read = plane
            return PlanPart(plan.plan.window(of: place), threads: threads) { rows, memory in
                PassDriver(
                    plan, passes: cut, rows: rows, read: input, output: plane.map { .plane($0) } ?? plan.output(),
                    memory)
            }
        }
    }

    /// Divides a blend into parts. The decimations that levels share form the first parts. The other passes of each level
    /// form one or more parts. All of these parts run before the last part of each level. The final part of the blend then
    /// runs the last parts of the levels together and mixes their rows, tile by tile. In a tile, a level is computed only for the pixels for which the mask needs it.
    private static func mixture(_ plan: CPUPlan, _ blend: Blend, threads: Int) -> [PlanPart] {
        let decimations = SharedDecimations(plan, blend, threads: threads)
        var parts = decimations.parts
        let levels = blend.levels.map { level -> BlendDriver.Level in
            let (own, passes) = (plan.level(level.plan), level.passes)
            let shared = decimations.image(level.decimation, for: own.arithmetic, of: passes)
            let rest = (shared?.passCount ?? 0)..<passes.list.count
            guard let last = passes.bandedParts.last, last.lowerBound > rest.lowerBound else {
                return BlendDriver.Level(level: level, plan: own, passes: rest, read: shared?.plane)
            }
            let plane = own.plane(at: passes.list[last.lowerBound - 1].to)
            parts += chain(
                own, passes, rest.lowerBound..<last.lowerBound, read: shared?.plane, made: plane, threads: threads)
            return BlendDriver.Level(level: level, plan: own, passes: last, read: plane)
        }
        return parts + [
            PlanPart(
                tiles: plan.plan.region, threads: threads, bytesPerPixel: plan.writer.format.bytesPerPixel,
                area: { tile in blend.windows(in: tile).reduce(0) { $0 + ($1.map { $0.width * $0.height } ?? 0) } }
            ) { tile, memory in
                let needed = zip(levels, blend.windows(in: tile)).compactMap { level, window in
                    window.map { level.restricted(to: $0) }
                }
                return BlendDriver(plan.restricted(to: tile), blend, levels: needed, rows: tile.rows, memory)
            }
        ]
    }

    /// Returns the number of bands for a window, at most `threads`. If there is more than one band, each band has at
    /// least about 4 rows and 4096 pixels, so that the work is worth waking a thread.
    static func bands(_ window: Rect, threads: Int) -> Int {
        max(1, min(threads, window.height / 4, window.height * window.width / 4096))
    }
}

extension CPUPlan {
    /// Returns the distance in bytes from the beginning of each target row of a plan to the first pixel of this plan, which
    /// computes a part of the other plan's region.
    fileprivate func offset(in whole: CPUPlan) -> Int {
        (plan.region.x - whole.plan.region.x) * writer.format.bytesPerPixel
    }
}

extension Range<Int> {
    /// Returns one of several bands of about the same length.
    fileprivate func band(_ index: Int, of bands: Int) -> Range<Int> {
        lowerBound + count * index / bands..<lowerBound + count * (index + 1) / bands
    }
}

extension Passes {
    /// The passes, grouped into parts; each part runs over the whole image before the next part begins.
    ///
    /// Two neighbouring bands of output rows read some of the same input rows, and both compute these rows. The lower
    /// the resolution that a part reaches, the larger is this overlap in the full image. The plan is therefore cut at
    /// an eighth of the height: the decimations down to an eighth form one part, and the interpolations from an eighth
    /// up to the full height form another part. At an eighth, the overlap of a band is still only a few dozen rows, and
    /// the image between the parts is small. Passes that keep the height, or halve it once, form a single part.
    var bandedParts: [Range<Int>] {
        let lowest = slots.map(\.levelY).max() ?? 0
        guard lowest > 1 else { return [0..<list.count] }
        let cut = min(lowest, 3)
        // The decimation along x that follows belongs to the same part, because it makes the image between the parts
        // smaller.
        var down = slots.firstIndex { $0.levelY == cut } ?? 0
        while down + 1 < slots.count, case .decimate = list[down + 1].operation, list[down + 1].axis == .x {
            down += 1
        }
        guard lowest > 3, let up = slots.lastIndex(where: { $0.levelY == cut }) else {
            return [0..<down + 1, down + 1..<list.count]
        }
        return [0..<down + 1, down + 1..<up + 1, up + 1..<list.count]
    }
}
