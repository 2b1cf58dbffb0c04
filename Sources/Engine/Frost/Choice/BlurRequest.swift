import FrostCore
import Glibc

/// A blur that needs a backend.
struct BlurRequest: Sendable, Hashable {
    /// The shape class: a line of text that is equal for blurs which take about the same time per pixel. These blurs have
    /// the same format, kind of work and number of passes, and within a factor of two the same numbers of pixels and taps.
    let shape: String
    /// The number of pixels that are read and written.
    let pixels: Double

    /// - Parameter format: the source's format.
    init(_ plan: Plan, _ format: PixelFormat) {
        pixels = plan.sourceRead.area + plan.region.area
        let kind = plan.work.kind
        let stages = plan.outputStages.isEmpty ? "" : " and output stages"
        shape =
            "\(format): \(type(of: kind)), \(kind.passCount) filters\(stages), 2^\(Self.exponent(kind.taps(in: plan))) taps, "
            + "2^\(Self.exponent(pixels)) pixels"
    }

    private static func exponent(_ count: Double) -> Int { Int(log2(max(1, count)).rounded(.down)) }
}
