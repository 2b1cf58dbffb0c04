import Frost

/// Where an effect shows: `--rect`, `--corner-radius` and `--bounded`. All other pixels keep their bytes. Each
/// rectangle is a panel that has the effect's content.
struct EffectRegions {
    private let rects: [RoundedRect]
    private let isBounded: Bool

    init(_ arguments: Arguments) throws(CommandError) {
        let rects = arguments.values(.rect, as: Rect.self)
        let radius = arguments.value(.cornerRadius, as: Double.self)
        isBounded = arguments.has(.bounded)
        if rects.isEmpty, radius != nil {
            throw .usage("--corner-radius rounds the corners of --rect, which is not given")
        }
        guard !rects.isEmpty || !isBounded else {
            throw .usage("--bounded keeps colour from coming into --rect, which is not given")
        }
        do throws(ParameterError) {
            self.rects = try rects.map { (rect) throws(ParameterError) in
                try RoundedRect(rect, radius: radius ?? 0)
            }
        } catch {
            throw .usage("\(radius == nil ? "--rect" : "--corner-radius"): \(error)")
        }
    }

    /// The whole picture.
    var isEmpty: Bool { rects.isEmpty }

    /// The whole picture, or the rectangles put into it.
    func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> Rendered {
        rects.isEmpty
            ? try renderer.render(image, effect, mask: mask)
            : try renderer.render(image, effect, within: rects, isBounded: isBounded, mask: mask)
    }
}
