/// Content that is drawn over an effect, like a view in a UIVisualEffectView.
///
/// If ``vibrancy`` is nil, the image is drawn over the backdrop with source-over. Otherwise only the image's alpha is
/// used: `out = mix(backdrop, vibrancy(backdrop), alpha)` on premultiplied colour.
public struct ContentLayer: Sendable, Hashable {
    /// The picture to draw.
    public var image: ContentImage
    /// The map that derives the content's colour from the backdrop; nil for the picture's own colours.
    public var vibrancy: Vibrancy?
    /// How the picture is placed in ``bounds``.
    public var mode: ContentMode
    /// The rectangle in which the mode places the image, in the picture's pixels; nil for the whole picture. The image
    /// may extend outside the picture.
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

    /// Linear maps. Every derivative of the layer is a weighted average of these maps. The value is nil if the layer
    /// never increases an error of the backdrop.
    var derivatives: [ColorMatrix]? { vibrancy.map { [ColorMatrix(), $0.matrix] } }

    /// Whether the layer keeps grey pixels grey.
    var keepsGrey: Bool { vibrancy?.matrix.keepsGrey ?? image.isGrey }
}
