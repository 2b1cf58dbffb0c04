import Frost
import FrostCLI

/// A measurement for which the automatic choice of a backend was slower than the best backend.
struct AutoLoss {
    /// The loss in percent of the best backend's time. It is negative if the automatic choice was faster.
    let percent: Double
    /// `size` and `effect` describe the blur that was measured. `better` is the backend that was faster.
    let size: PictureSize
    let effect: Effect
    let better: String

    /// The maximum number of repetitions. If a loss is too large, its blur is measured again. The loss counts only if
    /// it is still too large after all repetitions.
    static let attempts = 8

    func isAbout(_ measurement: Measurement) -> Bool { measurement.size == size && measurement.effect == effect }

    /// Returns the largest loss.
    ///
    /// - Returns: nil if no blur was measured with both `auto` and another backend.
    static func worst(of measurements: [Measurement]) -> AutoLoss? {
        let losses = measurements.filter { $0.asked == .auto }.compactMap { auto -> AutoLoss? in
            let rivals = measurements.filter {
                ($0.asked == .cpu || $0.asked == .gpu) && $0.size == auto.size && $0.effect == auto.effect
                    // Measurements with software GL or with another number of threads are excluded. They are not
                    // comparable, because the automatic choice never selects these.
                    && !$0.isSoftware && ($0.threads == nil || auto.threads == nil || $0.threads == auto.threads)
            }
            guard let best = rivals.min(by: { $0.blur.minimum < $1.blur.minimum }) else { return nil }
            return AutoLoss(
                percent: (auto.blur.minimum / best.blur.minimum - 1) * 100, size: auto.size,
                effect: auto.effect, better: best.subject)
        }
        return losses.max { $0.percent < $1.percent }
    }

    /// The loss as text for users.
    var text: String {
        percent > 0
            ? "auto takes at most \(fixed(percent, 1)) % longer than the better backend (\(size) \(effect), against \(better))"
            : "auto takes no longer than the better backend"
    }
}
