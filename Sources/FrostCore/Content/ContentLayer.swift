/// Content over an effect, where a view of UIVisualEffectView would have it.
///
/// Where ``vibrancy`` is nil the image is drawn over what lies beneath, source-over. Else only its alpha counts:
/// `out = mix(backdrop, vibrancy(backdrop), alpha)` on premultiplied colour.
public struct ContentLayer: Sendable, Hashable {
    public var image: ContentImage
    public var vibrancy: Vibrancy?
    public var mode: ContentMode
    /// What the mode places the image in, in the picture's pixels; nil for the whole picture. The image may reach beyond.
    public var bounds: Rect?

    public init(
        _ image: ContentImage, vibrancy: Vibrancy? = nil, mode: ContentMode = .scaleToFill, bounds: Rect? = nil
    ) {
        self.image = image
        self.vibrancy = vibrancy
        self.mode = mode
        self.bounds = bounds
    }

    /// What becomes of a pixel of the backdrop: the definition, in Double.
    ///
    /// - Parameter content: premultiplied, as ``PlacedContent/exactRow(_:)`` has it.
    public func draw(_ content: SIMD4<Double>, over color: SIMD4<Double>) -> SIMD4<Double> {
        guard let vibrancy else { return content + color * (1 - content[3]) }
        let vibrant = ColorStage.matrix(vibrancy.matrix).apply(to: color, x: 0, y: 0)
        return color + (vibrant - color) * content[3]
    }

    /// By what an error of the backdrop may be multiplied; nil where it only becomes smaller.
    var derivatives: [ColorMatrix]? { vibrancy.map { [ColorMatrix(), $0.matrix] } }

    /// Whether grey stays grey.
    var keepsGrey: Bool { vibrancy?.matrix.keepsGrey ?? image.isGrey }
}
