/// Black over the backdrop and under the panels, while a panel is shown.
///
/// It fades in when the panel slides down or appears, and fades out when the panel slides up or goes. 7blur's vignette has
/// an alpha of 0.2, fades in during 0.2 s and out during 0.5 s. The fades ease in and out, as UIKit's animations do.
public struct SceneVignette: Sendable, Hashable {
    /// The alpha of the black.
    public let alpha: Double
    /// The lengths of the fades in seconds.
    public let fadeIn, fadeOut: Double

    private static let alphaField = Field<Double>("alpha", .number(0...1), default: 0.2, "alpha of the black")
    private static let inField = Field<Double>("fade-in", .number(0...3600), default: 0.2, "seconds to fade in")
    private static let outField = Field<Double>("fade-out", .number(0...3600), default: 0.5, "seconds to fade out")

    static let jsonForm = JSONForm.object(
        "a vignette: an object, {} for 7blur's", [alphaField.declaration, inField.declaration, outField.declaration]
    ) { (object) throws(SceneError) in
        SceneVignette(
            alpha: try object(alphaField), fadeIn: try object(inField), fadeOut: try object(outField))
    }.named("vignette")

    /// Returns the vignette's alpha over time.
    ///
    /// - Parameters:
    ///   - motions: the panel's motions.
    ///   - from, to: the time during which the panel is shown.
    func ramps(_ motions: [SceneMotion], from: Double, to: Double?) -> Ramps {
        // Each time at which the panel comes or goes.
        var events = motions.map { (at: $0.at, isShown: $0.kind == .slideDown) }
        let isShownFirst = motions.first.map { $0.kind == .slideUp } ?? true
        events = events.filter { $0.at > from && $0.at < to ?? .infinity }
        let before = motions.last { $0.at <= from }
        if before.map({ $0.kind == .slideDown }) ?? isShownFirst { events.insert((from, true), at: 0) }
        if let to { events.append((to, false)) }
        // A panel that is there from the beginning has its vignette from the beginning.
        var ramps = Ramps(0)
        for (at, isShown) in events {
            let duration = isShown ? (at == 0 ? 0 : fadeIn) : fadeOut
            ramps.add(at: at, to: isShown ? alpha : 0, duration: duration, .easeInOut)
        }
        return ramps
    }
}
