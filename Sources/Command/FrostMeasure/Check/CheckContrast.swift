import Frost
import FrostCLI
import FrostPipeline

/// A contrast that `frost check` asserts: that of a picture, or of the result of a backend.
struct CheckContrast {
    /// The name of the backend; nil for the picture itself.
    let backend: String?
    let report: ContrastReport

    /// Whether the contrast was reached. Without a pixel that counts nothing is shown, so the check fails.
    var holds: Bool { (report.smallest ?? 0) >= report.minimum }

    /// What was measured, for example "contrast of cpu".
    var name: String { "contrast" + (backend.map { " of \($0)" } ?? "") }

    /// The place of the smallest contrast, for example "12,40"; nil if no pixel counts.
    var place: String? { report.place.map { "\($0.x),\($0.y)" } }

    /// The smallest contrast with its place, and the minimum if it was missed.
    var words: String {
        report.words + (place.map { " at \($0)" } ?? "")
            + (holds ? "" : "; the minimum is \(numberText(report.minimum))")
    }

    var json: JSONValue { .joined(["a": .optional(backend)], report.json) }
}

/// The options `--min-contrast` and `--content-color`, for pictures without an effect.
struct ContrastDemand {
    private let minimum: Double
    private let content: Color?

    /// Reads the options; nil without a minimum.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if no colour has this contrast.
    init?(_ arguments: Arguments) throws(CommandError) {
        guard let minimum = arguments.value(.minContrast, as: Double.self), minimum > 1 else { return nil }
        // The effect only checks the values.
        let effect = try arguments.withContrast(
            rethrow(Effect(GaussianBlur(sigma: 0)), as: { (error: ParameterError) in CommandError.usage("\(error)") }))
        self.minimum = minimum
        content = effect.contrast?.content
    }

    /// Measures the contrast of a picture. If no colour was given, it is that of black or white content, whichever is larger.
    func measured(_ image: PixelBuffer, in regions: EffectRegions) -> CheckContrast {
        let colors = content.map { [$0] } ?? AutomaticContrast.colors
        let reports = colors.map { regions.contrast(of: image, to: $0, minimum: minimum) }
        let best = reports.max { ($0.smallest ?? 0) < ($1.smallest ?? 0) }
        return CheckContrast(backend: nil, report: best ?? ContrastReport(content: colors[0], minimum: minimum))
    }
}
