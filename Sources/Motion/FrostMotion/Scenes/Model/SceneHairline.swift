public import FrostCore

/// A thin line along the inside of a panel's outline, over the panel's content.
public struct SceneHairline: Sendable, Hashable {
    /// The width in pixels.
    public let width: Double
    /// The colour.
    public let color: Color

    private static let widthField = Field<Double>("width", .number(0...1000), default: 1, "width in pixels")
    private static let colorField = Field<Color>(
        "color", .color, default: Color.written("#ffffff40"), "colour; white with an alpha of 25 % by default")

    static let jsonForm = JSONForm.object(
        "a hairline: an object, {} for a white one of 1 pixel", [widthField.declaration, colorField.declaration]
    ) { (object) throws(SceneError) in
        SceneHairline(width: try object(widthField), color: try object(colorField))
    }.named("hairline")
}

/// The shadow of a panel: the panel's outline, moved and blurred by a Gaussian. It is drawn outside the outline only, so it
/// does not darken what the panel blurs.
public struct SceneShadow: Sendable, Hashable {
    /// The standard deviation of the Gaussian in pixels.
    public let sigma: Double
    /// The distance of the shadow from the panel, in pixels.
    public let offset: SIMD2<Double>
    /// The colour.
    public let color: Color

    private static let sigmaField = Field<Double>(
        "sigma", .number(0...250), default: 12, "standard deviation of the shadow's blur in pixels")
    private static let offsetField = Field<SIMD2<Double>>(
        "offset", .pair(sceneCoordinates, "two numbers: x, y"), default: SIMD2(0, 4),
        "distance of the shadow from the panel in pixels")
    private static let colorField = Field<Color>(
        "color", .color, default: Color.written("#00000059"), "colour; black with an alpha of 35 % by default")

    static let jsonForm = JSONForm.object(
        "a shadow: an object, {} for a black one",
        [sigmaField.declaration, offsetField.declaration, colorField.declaration]
    ) { (object) throws(SceneError) in
        SceneShadow(sigma: try object(sigmaField), offset: try object(offsetField), color: try object(colorField))
    }.named("shadow")
}

extension Color {
    /// Returns the colour of a text in this file.
    fileprivate static func written(_ text: String) -> Color {
        do throws(ParameterError) { return try Color(parsing: text) } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Red, green, blue and alpha, premultiplied.
    var premultiplied: SIMD4<Double> { SIMD4(red * alpha, green * alpha, blue * alpha, alpha) }
}

extension SceneShadow {
    /// The shadow in a frame that is larger than the scene by a factor.
    func scaled(by scale: Double) -> SceneShadow {
        SceneShadow(sigma: sigma * scale, offset: offset * scale, color: color)
    }

    /// The distance beyond which the shadow of an outline has no visible part: a 4 sigma tail of a Gaussian is below 1/15,000.
    var margin: Int { Int((4 * sigma).rounded(.up)) + 1 }

    /// The pixels that the shadow of an outline with these bounds can darken, and the bounds themselves.
    func reach(around bounds: Rect) -> Rect {
        let (x, y) = (Int(offset.x.rounded(.down)), Int(offset.y.rounded(.down)))
        return bounds.hull(
            Rect(
                x: bounds.x + x - margin, y: bounds.y + y - margin, width: bounds.width + 2 * margin + 1,
                height: bounds.height + 2 * margin + 1))
    }
}
