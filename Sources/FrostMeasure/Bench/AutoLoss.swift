import Frost
import FrostCLI

/// How much slower the automatic choice was than the best backend measured with it.
struct AutoLoss {
    /// Percent; negative if the choice was faster.
    let percent: Double
    /// The blur, and the backend that was faster.
    let size: PictureSize
    let effect: Effect
    let better: String

    /// How many losses are measured once more before they count.
    static let attempts = 8

    func isAbout(_ measurement: Measurement) -> Bool { measurement.size == size && measurement.effect == effect }

    /// The largest loss.
    ///
    /// - Returns: nil unless some blur was measured with `auto` and another backend.
    static func worst(of measurements: [Measurement]) -> AutoLoss? {
        let losses = measurements.filter { $0.asked == .auto }.compactMap { auto -> AutoLoss? in
            let rivals = measurements.filter {
                ($0.asked == .cpu || $0.asked == .gpu) && $0.size == auto.size && $0.effect == auto.effect
                    // The automatic choice never takes software GL or another number of threads.
                    && !$0.isSoftware && ($0.threads == nil || auto.threads == nil || $0.threads == auto.threads)
            }
            guard let best = rivals.min(by: { $0.blur.minimum < $1.blur.minimum }) else { return nil }
            return AutoLoss(
                percent: (auto.blur.minimum / best.blur.minimum - 1) * 100, size: auto.size,
                effect: auto.effect, better: best.subject)
        }
        return losses.max { $0.percent < $1.percent }
    }

    /// For people.
    var text: String {
        percent > 0
            ? "auto takes at most \(fixed(percent, 1)) % longer than the better backend (\(size) \(effect), against \(better))"
            : "auto takes no longer than the better backend"
    }
}
