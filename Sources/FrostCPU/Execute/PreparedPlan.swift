import FrostCore

/// A plan with all that carrying it out takes: drivers for each band of rows, and the images between its parts. Serves
/// any number of images of one size and format, one at a time: making the drivers takes as long as blurring 64x64 pixels.
///
/// Not thread-safe, except for the bands within ``run(source:target:cancellation:)``.
final class PreparedPlan {
    let shape: Shape
    private let parts: [PlanPart]

    /// What two images have in common that one prepared plan can serve.
    struct Shape: Equatable {
        let plan: Plan
        let source: PixelFormat
        let target: PixelFormat
        let threads: Int
        /// Carried out in one sweep, not in parts.
        let isWhole: Bool
    }

    init(_ shape: Shape, mask: MaskImage?) {
        self.shape = shape
        let plan = CPUPlan(shape.plan, source: shape.source, target: shape.target, mask: mask)
        parts = PlanPart.parts(of: plan, isWhole: shape.isWhole, threads: shape.threads)
    }

    /// - Throws: ``CPUError/cancelled``; the value is then of no further use.
    func run(source: PixelSource, target: PixelTarget, cancellation: Cancellation?) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: TargetRows(target, region: shape.plan.region),
            originals: .source(source, extent: shape.plan.extent), cancellation: cancellation)
        for part in parts { try part.run(memory) }
    }
}

/// Work that is done for a whole image before the next part begins, in bands of rows, one a thread.
final class PlanPart {
    private let bands: [Band]

    /// - Parameters:
    ///   - window: what the part makes.
    ///   - threads: at most so many bands.
    ///   - driver: makes what carries out some rows.
    private init(
        _ window: Rect, threads: Int, _ driver: @escaping (Range<Int>, CallerMemory) -> any RowDriver
    ) {
        let count = Self.bands(window, threads: threads)
        bands = (0..<count).map { Band(window.rows.band($0, of: count), driver) }
    }

    func run(_ memory: CallerMemory) throws(CPUError) {
        if bands.count == 1 { return try bands[0].run(memory) }
        let work = Shared(bands: bands, memory: memory)
        try Workers.shared.runAll(bands.count) { (band) throws(CPUError) in
            try work.bands[band].run(work.memory)
        }
    }

    /// SAFETY: the caller's images outlive the run; each band is run by one thread, and they write disjoint rows.
    @safe private struct Shared: @unchecked Sendable {
        let bands: [Band]
        let memory: CallerMemory
    }

    /// Rows of a part, as one thread makes them.
    private final class Band {
        private let rows: Range<Int>
        private let make: (Range<Int>, CallerMemory) -> any RowDriver
        /// Made by the thread that first runs the band, and kept for the next image.
        private var driver: (any RowDriver)?

        init(_ rows: Range<Int>, _ make: @escaping (Range<Int>, CallerMemory) -> any RowDriver) {
            self.rows = rows
            self.make = make
        }

        func run(_ memory: CallerMemory) throws(CPUError) {
            defer { unsafe memory.target?.endStreaming() }
            if let driver {
                driver.restart(memory)
                return try driver.advance(to: rows.upperBound - 1)
            }
            let driver = make(rows, memory)
            self.driver = driver
            try driver.advance(to: rows.upperBound - 1)
        }
    }
}

extension PlanPart {
    /// A plan in parts.
    ///
    /// - Parameter isWhole: one part only.
    static func parts(of plan: CPUPlan, isWhole: Bool, threads: Int) -> [PlanPart] {
        let sweep = { (rows: Range<Int>, memory: CallerMemory) in plan.driver(rows, memory) }
        switch plan.plan.work {
        // One band: source and target may be the same memory, and rows are moved in order.
        case .copy: return [PlanPart(plan.plan.region, threads: 1, sweep)]
        case .kernel2D: return [PlanPart(plan.plan.region, threads: threads, sweep)]
        case .passes(let passes):
            if isWhole { return [PlanPart(plan.plan.region, threads: threads, sweep)] }
            return chain(plan, passes, passes.list.indices, threads: threads)
        case .blend(let blend):
            if isWhole { return [PlanPart(plan.plan.region, threads: threads, sweep)] }
            return mixture(plan, blend, threads: threads)
        }
    }

    /// Consecutive passes in parts, each of which makes the image that the next one reads.
    ///
    /// - Parameters:
    ///   - isWhole: one part only.
    ///   - read: what the first pass reads; nil for the source.
    ///   - made: what the last pass makes; nil for the target.
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

    /// A blend: all parts of its levels except the last of each, then these together, mixed.
    private static func mixture(_ plan: CPUPlan, _ blend: Blend, threads: Int) -> [PlanPart] {
        var parts: [PlanPart] = []
        let levels = blend.levels.map { level -> BlendDriver.Level in
            let (own, passes) = (plan.level(level), level.passes)
            let last = passes.bandedParts[passes.bandedParts.count - 1]
            let plane = last.lowerBound > 0 ? own.plane(at: passes.list[last.lowerBound - 1].to) : nil
            if let plane { parts += chain(own, passes, 0..<last.lowerBound, made: plane, threads: threads) }
            return BlendDriver.Level(level: level, plan: own, passes: last, read: plane)
        }
        return parts + [
            PlanPart(plan.plan.region, threads: threads) { rows, memory in
                BlendDriver(plan, blend, levels: levels, rows: rows, memory)
            }
        ]
    }

    /// How many threads share the rows of a window: a band has to be worth waking a thread for.
    static func bands(_ window: Rect, threads: Int) -> Int {
        max(1, min(threads, window.height / 4, window.height * window.width / 4096))
    }
}

extension Range<Int> {
    /// One of several bands of about the same length.
    fileprivate func band(_ index: Int, of bands: Int) -> Range<Int> {
        lowerBound + count * index / bands..<lowerBound + count * (index + 1) / bands
    }
}

extension Passes {
    /// The passes in parts that are each run over the whole image before the next begins.
    ///
    /// Bands of output rows overlap in what they read, and the lower the resolution the larger the overlap. So the
    /// full-resolution work down and up is cut off at an eighth of the height, where the overlap of a band is still a
    /// few dozen rows and the image between the parts is small. Passes that keep the height, or half of it, are one part.
    var bandedParts: [Range<Int>] {
        let lowest = slots.map(\.levelY).max() ?? 0
        guard lowest > 1 else { return [0..<list.count] }
        let cut = min(lowest, 3)
        // The pass along x of the same level belongs to the same part: it makes the image between them small.
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
