import FrostCore
import FrostThreads

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
        guard bytes <= Self.largest, plan.shape.plan.isWorthKeeping else { return }
        let added = Kept(plan: plan, bytes: bytes)
        kept.withLock { kept in
            while kept.count == Self.limit || kept.reduce(bytes, { $0 + $1.bytes }) > Self.largest {
                kept.removeFirst()
            }
            kept.append(added)
        }
    }
}

extension Plan {
    /// Whether a prepared plan should be kept. 2-D kernels, blends and content hold more memory than the sizes of
    /// source and target suggest, and a copy needs no preparation.
    fileprivate var isWorthKeeping: Bool {
        switch work {
        case .passes: outputStages.content.isEmpty
        case .copy, .kernel2D, .blend: false
        }
    }
}
