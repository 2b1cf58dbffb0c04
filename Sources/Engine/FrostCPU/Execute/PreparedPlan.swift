import FrostCore
import FrostThreads

/// A plan together with everything that its execution needs: the drivers for each band of rows, and the images between
/// the plan's stages. One prepared plan can be executed for any number of images of the same size and format, one after
/// the other. Creating the drivers takes as long as blurring 64x64 pixels.
///
/// Not thread-safe: only one thread at a time may call ``run(source:target:cancellation:)``. The call itself runs the
/// bands on several threads.
final class PreparedPlan {
    let shape: Shape
    private let steps: [Step]

    /// The properties that images must share so that one prepared plan serves them.
    struct Shape: Equatable {
        let plan: Plan
        let source: PixelFormat
        let target: PixelFormat
        let threads: Int
        /// Whether source and target are the same memory. Row y of the result then replaces row y of the source.
        let isInPlace: Bool
    }

    private enum Step {
        /// Runs parts of the work, one after the other. If `waiting` is not nil, the rows of the result go there.
        case run(() -> [PlanPart], waiting: WaitingRows?)
        /// Copies rows that have waited to the target.
        case replace(WaitingRows)
    }

    /// The memory in bytes that images between stages and waiting rows should take together. The rows that the drivers keep
    /// come in addition, and ``MemoryPool`` may keep as much again of an earlier image.
    static let memoryLimit = 8 << 20
    /// The memory in bytes that the waiting rows of passes should take. They are then copied to the target from the cache,
    /// which makes a short blur in place a third faster.
    private static let cachedLimit = 4 << 20

    /// Prepares a plan.
    ///
    /// - Parameter memoryLimit: the memory in bytes that images between stages and waiting rows should take together. If
    ///   they take more for the whole image, then the image is computed in blocks of rows.
    init(_ shape: Shape, mask: MaskImage?, memoryLimit: Int = PreparedPlan.memoryLimit) {
        self.shape = shape
        let (stages, schedule) = Self.arranged(shape, mask: mask, memoryLimit: memoryLimit)
        let images = zip(stages, schedule.capacities).map { $0.image(rows: $1) }
        // The parts and drivers of several blocks together would take much memory, so they are made when a block is computed.
        let keepsDrivers = schedule.steps.count { $0.isOfStage(stages.count - 1) } == 1
        var waiting: [Range<Int>: WaitingRows] = [:]
        steps = schedule.steps.compactMap { step in
            switch step {
            case .compute(let stage, let rows, let waits):
                let rest = waits ? stages[stage].waitingRows(rows) : nil
                if let rest { waiting[rows] = rest }
                let make = {
                    stages[stage].parts(
                        rows, images: images, output: images[stage], threads: shape.threads, keepsDrivers: keepsDrivers)
                }
                let kept = keepsDrivers ? make() : nil
                return .run({ kept ?? make() }, waiting: rest)
            case .replace(let rows): return waiting[rows].map { .replace($0) }
            }
        }
    }

    /// Divides a plan into stages, and orders the work.
    static func arranged(
        _ shape: Shape, mask: MaskImage?, memoryLimit: Int
    ) -> (stages: [any Stage], schedule: RowSchedule) {
        let plan = CPUPlan(shape.plan, source: shape.source, target: shape.target, mask: mask)
        let work = shape.plan.work.cpu
        // One thread computes all rows in one sweep, which avoids reading rows twice at the borders of bands and stages; or
        // several threads in one sweep each.
        let isWhole =
            !shape.isInPlace
            && (PlanPart.bands(shape.plan.region, threads: shape.threads) == 1
                || shape.plan.isDividedByColumns(threads: shape.threads))
        let stages = work.stages(of: plan, isWhole: isWhole, isFine: false)
        let schedule = RowSchedule(stages.map(\.scheduled), isInPlace: shape.isInPlace)
        // If drivers are heavy, low blocks would cost more time than the cache saves.
        let waiting = work.hasLightDrivers ? min(memoryLimit, cachedLimit) : memoryLimit
        if schedule.fits(memoryLimit, waiting: waiting) || !stages.allSatisfy(\.isDivisible) {
            return (stages, schedule)
        }
        let fine = work.stages(of: plan, isWhole: isWhole, isFine: true)
        return (
            fine,
            RowSchedule.fitting(
                memoryLimit, waiting: waiting, fine.map(\.scheduled), isInPlace: shape.isInPlace)
        )
    }

    /// The number of steps, each of which begins when the one before it is complete.
    var stepCount: Int { steps.count }

    /// Executes the plan for one image.
    ///
    /// - Throws: ``CPUError/cancelled``; the prepared plan can then not be used any more.
    func run(source: PixelSource, target: PixelTarget, cancellation: Cancellation?) throws(CPUError) {
        let target = unsafe TargetRows(target, region: shape.plan.region)
        for step in steps {
            switch step {
            case .run(let parts, let waiting):
                let memory = unsafe CallerMemory(
                    source: source, target: waiting?.begin() ?? target,
                    originals: .source(source, extent: shape.plan.extent), cancellation: cancellation)
                for part in parts() { try part.run(memory) }
            case .replace(let waiting): unsafe waiting.replace(target, threads: shape.threads)
            }
        }
    }
}

/// A cache of prepared plans for a few shapes; see ``PreparedPlan/Shape``. If a stream of small images is rendered, or
/// a panel is rendered again and again, each image after the first one needs no preparation and no allocation.
///
/// Thread safety: may be used from any thread.
final class PreparedPlans: Sendable {
    static let shared = PreparedPlans()

    /// The maximum number of plans in the cache: enough for a few panels on a few threads each.
    private static let limit = 8

    /// The limit on the bytes of the images of all kept plans together; an image counts with its source and its target.
    /// For larger images, preparation is a small part of the work, and the plans' rows would occupy too much idle memory.
    private static let largest = 8 << 20

    /// SAFETY: a plan is either in the list or used by exactly one caller.
    @safe private struct Kept: @unchecked Sendable {
        let plan: PreparedPlan
        /// The bytes of the plan's source and target.
        let bytes: Int
    }

    /// The cached plans, from the least to the most recently used.
    private let kept = Lock<[Kept]>([])

    /// Removes a plan for the given shape from the cache and returns it, so that no other caller uses it. Returns nil
    /// if the cache has none.
    func take(_ shape: PreparedPlan.Shape) -> PreparedPlan? {
        let found = kept.withLock { kept -> Kept? in
            guard let index = kept.lastIndex(where: { $0.plan.shape == shape }) else { return nil }
            return kept.remove(at: index)
        }
        return found?.plan
    }

    /// Puts a plan back into the cache after use, if it is worth keeping.
    ///
    /// - Parameter bytes: the bytes of source and target together.
    func give(_ plan: PreparedPlan, bytes: Int) {
        // Heavy drivers and content hold more memory than the sizes of source and target suggest. A copy needs no
        // preparation.
        guard bytes <= Self.largest, plan.shape.plan.work.cpu.hasLightDrivers,
            plan.shape.plan.outputStages.content.isEmpty
        else { return }
        let added = Kept(plan: plan, bytes: bytes)
        kept.withLock { kept in
            while kept.count == Self.limit || kept.reduce(bytes, { $0 + $1.bytes }) > Self.largest {
                kept.removeFirst()
            }
            kept.append(added)
        }
    }
}
