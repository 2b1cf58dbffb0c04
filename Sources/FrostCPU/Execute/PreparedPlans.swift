import FrostCore
import Synchronization

/// Plans that were prepared for images of a few shapes: a stream of small images, or the same panel again and again,
/// prepares and allocates nothing.
///
/// Thread safety: may be used from any thread.
final class PreparedPlans: Sendable {
    static let shared = PreparedPlans()

    /// Kept at the most: a few panels, on a few threads each.
    private static let limit = 8

    /// Of source and target together. Preparing is a small part of larger images, and their rows take more memory than
    /// one would like to find held.
    private static let largest = 8 << 20

    /// SAFETY: a value is in the list or with one caller.
    @safe private struct Kept: @unchecked Sendable {
        let plan: PreparedPlan
    }

    /// The least recently used first.
    private let kept = Mutex<[Kept]>([])

    /// One that serves the shape, and no one else for now; nil if there is none.
    func take(_ shape: PreparedPlan.Shape) -> PreparedPlan? {
        let found = kept.withLock { kept -> Kept? in
            guard let index = kept.lastIndex(where: { $0.plan.shape == shape }) else { return nil }
            return kept.remove(at: index)
        }
        return found?.plan
    }

    /// Takes back what has done its work, if it is worth keeping.
    ///
    /// - Parameter bytes: of source and target.
    func give(_ plan: PreparedPlan, bytes: Int) {
        guard bytes <= Self.largest, plan.shape.plan.isWorthKeeping else { return }
        let added = Kept(plan: plan)
        kept.withLock { kept in
            if kept.count == Self.limit { kept.removeFirst() }
            kept.append(added)
        }
    }
}

extension Plan {
    /// 2-D kernels, blends and content hold more memory than source and target tell; a copy takes no preparation.
    fileprivate var isWorthKeeping: Bool {
        switch work {
        case .passes: outputStages.content.isEmpty
        case .copy, .kernel2D, .blend: false
        }
    }
}
