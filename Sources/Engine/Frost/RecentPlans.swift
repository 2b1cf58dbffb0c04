import FrostCore
import FrostThreads

/// Keeps the most recent plans of a renderer. For a small image, planning takes up to a tenth of the time of computing the
/// pixels.
///
/// Thread safety: may be used from any thread.
final class RecentPlans: Sendable {
    private struct Entry {
        let effect: Effect
        let extent: Rect
        let region: Rect
        let accuracy: Accuracy
        let plan: Plan
    }

    /// The maximum number of plans to keep. A plan takes a few kilobytes.
    private static let limit = 8

    /// The plans and the arguments that they were made for, oldest first.
    private let entries = Lock<[Entry]>([])

    /// Returns the plan of an effect. Plans are reused, unless there is a mask image or the effect has content: a plan may
    /// depend on the mask's values, and masks and content are as large as pictures, so comparing them takes long.
    ///
    /// - Throws: ``FrostError/parameter(_:)``, also if the effect's mask is an image and `mask` is nil, or the reverse.
    func plan(
        _ effect: Effect, extent: Rect, region: Rect, accuracy: Accuracy, mask: MaskImage?
    ) throws(FrostError) -> Plan {
        try rethrow(effect.check(mask), as: FrostError.parameter)
        let isKept = mask == nil && effect.outputStages.content.isEmpty
        let known = entries.withLock { entries in
            entries.last {
                isKept && $0.extent == extent && $0.region == region && $0.accuracy == accuracy && $0.effect == effect
            }?.plan
        }
        if let known { return known }
        let plan = try rethrow(
            effect.plan(extent: extent, region: region, accuracy: accuracy, mask: mask), as: FrostError.parameter)
        guard isKept else { return plan }
        let entry = Entry(effect: effect, extent: extent, region: region, accuracy: accuracy, plan: plan)
        entries.withLock { entries in
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(entry)
        }
        return plan
    }
}
