/// The part of the formulas that differs between the kinds of transitions.
protocol ExactDrawing: Sendable {
    /// Returns what is drawn at pixel (x, y) of the canvas.
    func mixture(x: Int, y: Int) -> ExactMixture
}

/// What a transition draws at one pixel.
struct ExactMixture {
    /// The place at which the target is read.
    var target = ExactPlace.here
    /// The factor of the target's colour; 1 for no shadow.
    var targetShade = 1.0
    /// The visible parts of the source. Their shares, multiplied by the canvas's coverage, add up to at most 1, and the
    /// target has the rest.
    var source: [SourceLayer]
    /// Premultiplied colours that are drawn over the mixture, from bottom to top, each with a weight.
    var over: [(color: SIMD4<Double>, weight: Double)] = []

    /// A premultiplied colour whose light is added to all of these, clipped at opaque white, and the gain of this light.
    var light: (color: SIMD4<Double>, gain: Double)?

    /// A part of the source.
    struct SourceLayer {
        var share: Double
        /// The factor of the colour; 1 for no shade.
        var shade = 1.0
        var place = ExactPlace.here
    }

    /// A mixture that shows the source with a share, and the target with the rest, both unmoved.
    init(share: Double) { source = [SourceLayer(share: share)] }

    init(source: [SourceLayer]) { self.source = source }
}

/// A place at which an image is read.
enum ExactPlace {
    /// The pixel itself. The canvas covers it.
    case here
    /// A position in pixels. The canvas covers it as a bilinear sample of an opaque image would.
    case at(SIMD2<Double>)
    /// A position in pixels, which is clamped to the canvas's outermost pixel centres. The canvas covers it.
    case within(SIMD2<Double>)
}
