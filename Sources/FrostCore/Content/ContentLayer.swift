/// Content over an effect, like a view in a UIVisualEffectView.
///
/// If ``vibrancy`` is nil, the image is drawn over the backdrop, source-over. Otherwise only its alpha is used: `out =
/// mix(backdrop, vibrancy(backdrop), alpha)` on premultiplied colour.
public struct ContentLayer: Sendable, Hashable {
    public var image: ContentImage
    public var vibrancy: Vibrancy?
    public var mode: ContentMode
    /// The rectangle, in the picture's pixels, that the mode places the image in; nil for the whole picture. The image
    /// may extend outside the picture.
    public var bounds: Rect?

    public init(
        _ image: ContentImage, vibrancy: Vibrancy? = nil, mode: ContentMode = .scaleToFill, bounds: Rect? = nil
    ) {
        self.image = image
        self.vibrancy = vibrancy
        self.mode = mode
        self.bounds = bounds
    }

    /// Draws content over a pixel of the backdrop: the definition, in double precision.
    ///
    /// - Parameter content: premultiplied, as ``PlacedContent/exactRow(_:)`` returns it.
    public func draw(_ content: SIMD4<Double>, over color: SIMD4<Double>) -> SIMD4<Double> {
        guard let vibrancy else { return content + color * (1 - content[3]) }
        let vibrant = ColorStage.matrix(vibrancy.matrix).apply(to: color, x: 0, y: 0)
        return color + (vibrant - color) * content[3]
    }

    /// The factors by which an error of the backdrop may grow; nil if it never grows.
    var derivatives: [ColorMatrix]? { vibrancy.map { [ColorMatrix(), $0.matrix] } }

    /// Whether grey stays grey.
    var keepsGrey: Bool { vibrancy?.matrix.keepsGrey ?? image.isGrey }
}
