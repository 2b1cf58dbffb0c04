public import FrostCore

/// A picture that is drawn over a panel's effect.
public struct SceneContent: Sendable, Hashable {
    /// The name of the picture.
    public let picture: String
    /// The kind of vibrancy; nil to draw the picture in its own colours.
    public let vibrancy: Vibrancy.Kind?
    /// How the picture is placed in its bounds.
    public let mode: ContentMode
    /// The rectangle in which the picture is placed, in pixels from the panel's top left corner; nil for the whole panel.
    public let bounds: Placement?
    let path: ScenePath

    private static let pictureField = Field<String>(
        "picture", .text("the name of a picture file"), "file name of the picture, relative to the scene's file")
    private static let vibrancyField = Field<Vibrancy.Kind?>.optional(
        "vibrancy", .word("vibrancy"),
        "derives the content's colour from the blurred backdrop; only for the styles of UIBlurEffect")
    private static let modeField = Field<ContentMode>(
        "mode", .word("mode"), default: .scaleToFill, "how the picture is placed in its bounds")
    private static let side = 1...sceneCoordinates.upperBound
    private static let boundsField = Field<[Double]?>.optional(
        "bounds",
        .tuple(
            of: [.number(sceneCoordinates), .number(sceneCoordinates), .number(side), .number(side)],
            "four numbers: x, y, width, height"),
        "x, y, width and height in pixels from the panel's top left corner; the whole panel by default")

    static let jsonForm = JSONForm.object(
        "content: {\"picture\": …}",
        [pictureField.declaration, vibrancyField.declaration, modeField.declaration, boundsField.declaration]
    ) { (object) throws(SceneError) in
        SceneContent(
            picture: try object(pictureField), vibrancy: try object(vibrancyField), mode: try object(modeField),
            bounds: try object(boundsField).map { Placement(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) },
            path: object.node.path)
    }.named("content")

    /// - Throws: ``SceneError/invalid(_:value:expected:)`` if the effect has no vibrancy.
    func check(over effect: Effect) throws(SceneError) {
        guard let vibrancy, effect.vibrancy(vibrancy) == nil else { return }
        throw .invalid(
            path.member(Self.vibrancyField.name), value: "\"\(vibrancy.rawValue)\"",
            expected: "no vibrancy, because the effect \(effect.name) has none; the styles of UIBlurEffect have")
    }
}

/// The allowed coordinates of a scene, in pixels.
let sceneCoordinates = -1_000_000.0...1_000_000.0

extension Rect {
    /// Creates the rectangle of whole pixels that is nearest to a rectangle.
    init(nearest place: Placement) {
        func whole(_ value: Double) -> Int { Int(value.rounded()) }
        self.init(x: whole(place.x), y: whole(place.y), width: whole(place.width), height: whole(place.height))
    }
}

extension Placement {
    func scaled(by scale: Double) -> Placement {
        Placement(x: x * scale, y: y * scale, width: width * scale, height: height * scale)
    }

    /// Whether all edges lie between pixels of the picture, and not within them.
    var isWhole: Bool { [x, y, width, height].allSatisfy { $0 == $0.rounded() } }
}
