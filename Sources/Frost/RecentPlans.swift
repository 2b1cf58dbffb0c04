import FrostCore
import Synchronization

/// The last few plans of a renderer: a stream of small images spends as long on planning as on a tenth of its pixels.
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

    /// Kept at the most: a plan is a few kilobytes.
    private static let limit = 8

    /// The oldest first.
    private let entries = Mutex<[Entry]>([])

    /// - Throws: as ``Effect/plan(extent:region:accuracy:mask:)``.
    func plan(
        _ effect: Effect, extent: Rect, region: Rect, accuracy: Accuracy, mask: MaskImage?
    ) throws(ParameterError) -> Plan {
        // A plan may depend on what the mask asks for, and masks and content are as large as pictures.
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
