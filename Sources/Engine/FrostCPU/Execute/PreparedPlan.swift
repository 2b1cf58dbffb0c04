import FrostCore
import FrostThreads

/// A plan together with everything that its execution needs: the drivers for each band of rows, and the images between
/// the plan's stages. One prepared plan can be executed for any number of images of the same size and format, one after
/// the other. Creating the drivers takes as long as blurring 64x64 pixels.
///
/// Not thread-safe: only one thread at a time may call ``run(source:target:cancellation:)``. The call itself runs the
/// bands on several threads.
final class PreparedPlan {
    let key: Key
    private let steps: [PlanTask]

    /// The properties that images must share so that one prepared plan serves them.
    struct Key: Equatable {
        let plan: Plan
        let source: PixelFormat
        let target: PixelFormat
        let threads: Int
        /// Whether source and target are the same memory. Row y of the result then replaces row y of the source.
        let isInPlace: Bool
    }

    enum PlanTask {
        /// Runs parts of the work, one after the other. If `waiting` is not nil, the rows of the result go there.
        case run(() -> [PlanPart], waiting: WaitingRows?)
        /// Copies rows that have waited to the target.
        case replace(WaitingRows)
    }

    /// The memory in bytes that images between stages and waiting rows should take together. The rows that the drivers keep
    /// come in addition, and ``MemoryPool`` may keep as much again of an earlier image.
    static let memoryLimit = 8 << 20

    /// Prepares a plan: each stage computes its whole image, if the images fit in memory and no pixel of the result replaces a
    /// pixel of the source. Otherwise a ``RowSchedule`` orders the rows.
    ///
    /// - Parameter memoryLimit: the memory in bytes that images between stages and waiting rows should take together.
    /// - Throws: ``CPUError/outOfMemory(bytes:)``.
    init(_ key: Key, mask: MaskImage?, memoryLimit: Int = PreparedPlan.memoryLimit) throws(CPUError) {
        self.key = key
        let plan = CPUPlan(key.plan, source: key.source, target: key.target, mask: mask)
        let stages = key.stages(of: plan, isFine: false)
        if key.isInPlace || stages.reduce(0, { $0 + $1.byteCount }) > memoryLimit {
            steps = try Self.scheduledSteps(plan, stages, key, memoryLimit: memoryLimit)
            return
        }
        let images = try stages.map { (stage) throws(CPUError) in try stage.image(rows: stage.window.height) }
        steps = zip(stages, images).map { stage, image in
            let parts = stage.parts(
                stage.window.rows, images: images, output: image, threads: key.threads, keepsDrivers: true)
            return .run({ parts }, waiting: nil)
        }
    }

    /// The number of steps, each of which begins when the one before it is complete.
    var stepCount: Int { steps.count }

    /// Executes the plan for one image.
    ///
    /// - Throws: ``CPUError/cancelled`` or ``CPUError/outOfMemory(bytes:)``; the prepared plan can then not be used any more.
    func run(source: PixelSource, target: PixelTarget, cancellation: Cancellation?) throws(CPUError) {
        let target = unsafe TargetRows(target, region: key.plan.region)
        for step in steps {
            switch step {
            case .run(let parts, let waiting):
                let memory = try unsafe CallerMemory(
                    source: source, target: waiting?.begin() ?? target,
                    originals: .source(source, extent: key.plan.extent), cancellation: cancellation)
                for part in parts() { try part.run(memory) }
            case .replace(let waiting): waiting.replace(target, threads: key.threads)
            }
        }
    }
}

extension PreparedPlan.Key {
    /// Divides the plan into stages.
    func stages(of plan: CPUPlan, isFine: Bool) -> [any Stage] {
        // One thread computes all rows in one sweep, which avoids reading rows twice at the borders of bands and stages; or
        // several threads in one sweep each.
        let isWhole =
            !isInPlace
            && (PlanPart.bands(self.plan.region, threads: threads) == 1
                || self.plan.isDividedByColumns(threads: threads))
        return plan.plan.work.cpu.stages(of: plan, isWhole: isWhole, isFine: isFine)
    }
}

/// A cache of prepared plans for a few keys; see ``PreparedPlan/Key``. If a stream of small images is rendered, or
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

    /// Removes a plan for the given key from the cache and returns it, so that no other caller uses it. Returns nil
    /// if the cache has none.
    func take(_ key: PreparedPlan.Key) -> PreparedPlan? {
        let found = kept.withLock { kept -> Kept? in
            guard let index = kept.lastIndex(where: { $0.plan.key == key }) else { return nil }
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
        guard bytes <= Self.largest, plan.key.plan.work.cpu.hasLightDrivers,
            plan.key.plan.outputStages.content.isEmpty
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
