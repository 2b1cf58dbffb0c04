import Frost
import FrostCLI

/// By how much the automatic choice was slower than the best of the backends that were measured beside it.
struct AutoLoss {
    /// Percent; negative where the choice was the faster.
    let percent: Double
    /// The blur, and on what it was faster.
    let size: PictureSize
    let effect: Effect
    let better: String

    /// How many losses are measured once more before they count.
    static let attempts = 8

    func isAbout(_ measurement: Measurement) -> Bool { measurement.size == size && measurement.effect == effect }

    /// Where it lost most.
    ///
    /// - Returns: nil unless some blur was measured on both.
    static func worst(of measurements: [Measurement]) -> AutoLoss? {
        let losses = measurements.filter { $0.asked == .auto }.compactMap { auto -> AutoLoss? in
            let rivals = measurements.filter {
                ($0.asked == .cpu || $0.asked == .gpu) && $0.size == auto.size && $0.effect == auto.effect
                    // Automatic choice may not take software GL, nor other numbers of threads.
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
