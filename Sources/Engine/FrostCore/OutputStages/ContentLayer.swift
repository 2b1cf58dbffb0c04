/// Content that is drawn over an effect, like a view in a UIVisualEffectView.
///
/// If ``vibrancy`` is nil, the image is drawn over the backdrop by source-over composition. Otherwise only the image's
/// alpha is used, and the result is `mix(backdrop, vibrancy(backdrop), alpha)`, computed on premultiplied colour.
public struct ContentLayer: Sendable, Hashable {
    /// The image to draw.
    public var image: ContentImage
    /// The map that derives the content's colour from the backdrop; nil if the image is drawn in its own colours.
    public var vibrancy: Vibrancy?
    /// How the image is placed in ``bounds``.
    public var mode: ContentMode
    /// The rectangle in which ``mode`` places the image, in pixels of the blurred picture; nil for the whole blurred
    /// picture. The image may extend outside the blurred picture.
    public var bounds: Rect?

    /// Creates a layer of content.
    public init(
        _ image: ContentImage, vibrancy: Vibrancy? = nil, mode: ContentMode = .scaleToFill, bounds: Rect? = nil
    ) {
        self.image = image
        self.vibrancy = vibrancy
        self.mode = mode
        self.bounds = bounds
    }

    /// Draws content over a pixel of the backdrop in double precision. This function defines the result.
    ///
    /// - Parameter content: the content's premultiplied pixel, from ``PlacedContent/exactRow(_:)``.
    public func draw(_ content: SIMD4<Double>, over color: SIMD4<Double>) -> SIMD4<Double> {
        guard let vibrancy else { return content + color * (1 - content[3]) }
        let vibrant = ColorStage.matrix(vibrancy.matrix).apply(to: color, x: 0, y: 0)
        return color + (vibrant - color) * content[3]
    }

    /// Linear maps that bound how much the layer increases an error of the backdrop: every derivative of the layer is a
    /// weighted average of these maps. The value is nil if the layer never increases an error.
    var derivatives: [ColorMatrix]? { vibrancy.map { [ColorMatrix(), $0.matrix] } }

    var keepsGrey: Bool { vibrancy?.matrix.keepsGrey ?? image.isGrey }
}
