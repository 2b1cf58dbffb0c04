import Frost
import FrostCLI

/// What the response with a result says about the work.
struct FinishedWork {
    /// The name of the effect or the transition.
    let name: String
    let width, height: Int
    let report: RenderReport
    let decode, encode: Duration
    /// Remarks of the command.
    let warnings: [String]

    /// The header fields for a result that caches must not keep.
    static let noCaching = [Header("Cache-Control", "no-store")]
    /// The largest number of remarks in a response.
    private static let maximumWarnings = 8

    /// Returns the response with the result.
    ///
    /// - Parameters:
    ///   - encoded: the bytes of the result.
    ///   - isChosen: whether the header Accept has decided about the format.
    ///   - caching: the header fields for caches.
    func response(
        _ encoded: [UInt8], as mediaType: String, isChosen: Bool, _ caching: [Header] = noCaching
    ) -> Response {
        let times = [
            ("decode", decode.milliseconds), ("blur", report.blurMilliseconds), ("encode", encode.milliseconds),
        ].map { name, milliseconds in "\(name);dur=\(fixed(milliseconds, 2))" }
        let headers =
            [
                Header("Content-Type", mediaType), Header("Server-Timing", times.joined(separator: ", ")),
                Header("Frost-Backend", report.place), Header("Frost-Error-Bound", numberText(report.errorBound)),
            ] + (isChosen ? [Header("Vary", "Accept")] : []) + caching
            + warnings.prefix(Self.maximumWarnings).map { Header("Frost-Warning", $0) }
        var response = Response(200, headers, encoded)
        response.facts.effect = name
        (response.facts.width, response.facts.height) = (width, height)
        (response.facts.decode, response.facts.encode) = (decode, encode)
        response.facts.blur = .seconds(report.blurMilliseconds / 1000)
        return response
    }
}
