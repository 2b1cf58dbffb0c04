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

    /// Returns the plan of an effect. Plans are reused, unless there is a mask image or the effect has content.
    ///
    /// - Throws: like ``Effect/plan(extent:region:accuracy:mask:)``.
    func plan(
        _ effect: Effect, extent: Rect, region: Rect, accuracy: Accuracy, mask: MaskImage?
    ) throws(ParameterError) -> Plan {
        // Plans with a mask or content are not kept. A plan may depend on the mask's values, and masks and content are as
        // large as pictures, so comparing them takes long.
        if mask != nil || !effect.outputStages.content.isEmpty {
            return try effect.plan(extent: extent, region: region, accuracy: accuracy, mask: mask)
        }
        let known = entries.withLock { entries in
            entries.last {
                $0.extent == extent && $0.region == region && $0.accuracy == accuracy && $0.effect == effect
            }?.plan
        }
        if let known { return known }
        let plan = try effect.plan(extent: extent, region: region, accuracy: accuracy)
        let entry = Entry(effect: effect, extent: extent, region: region, accuracy: accuracy, plan: plan)
        entries.withLock { entries in
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(entry)
        }
        return plan
    }
}
