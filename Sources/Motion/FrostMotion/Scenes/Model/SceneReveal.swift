public import FrostCore

/// A rounded rectangle that moves along a path and shows an effect of the backdrop, which is computed only once for a still
/// backdrop.
public struct SceneReveal: Sendable, Hashable {
    /// The effect that is visible inside the rectangle.
    public let effect: SceneEffect
    /// The rectangle's size in pixels over time.
    public let size: Keyframes<SIMD2<Double>>
    /// The radius of its corners in pixels over time. It is limited to the largest radius for which the rectangle has room.
    public let cornerRadius: Keyframes<Double>
    /// The curve of its corners.
    public let corners: CornerCurve
    /// The path of the rectangle's centre, in pixels.
    public let path: MotionPath
    /// The fraction of the path that is behind the rectangle, over time.
    public let progress: Keyframes<Double>
    /// The time in seconds during which the rectangle is shown. The end is nil if it stays.
    public let from: Double, to: Double?

    /// Returns the rectangle at a time; nil if it is not shown or is empty.
    ///
    /// - Parameter scale: the factor by which lengths are multiplied.
    func rect(at time: Double, scale: Double) -> RoundedRect? {
        guard time >= from, time < to ?? .infinity else { return nil }
        let size = size.value(at: time) * scale
        let center = path.point(at: progress.value(at: time)) * scale
        guard size.x > 0, size.y > 0 else { return nil }
        let radius = min(
            max(cornerRadius.value(at: time) * scale, 0), corners.maximumRadius(width: size.x, height: size.y))
        return try? RoundedRect(
            x: center.x - size.x / 2, y: center.y - size.y / 2, width: size.x, height: size.y, radius: radius,
            corners: corners)
    }

    private static let sizeField = Field<Keyframes<SIMD2<Double>>>(
        "size", .keyframes(of: .pair(0...sceneCoordinates.upperBound, "two numbers: width, height")),
        "width and height of the rectangle in pixels")
    private static let pathField = Field<MotionPath>(
        "path", .path,
        "points [x, y] of the rectangle's centre in pixels; [x1, y1, x2, y2, x, y] is a cubic Bezier to x, y")
    private static let progressField = Field<Keyframes<Double>>(
        "progress", .keyframes(of: .number(0...1)), default: Keyframes(0),
        "fraction of the path's length that is behind the rectangle")
    private static let fromField = Field<Double>(
        "from", .number(sceneTimes), default: 0, "time from which it is shown, in seconds")
    private static let toField = Field<Double?>.optional(
        "to", .number(sceneTimes), "time until which it is shown, in seconds")

    static let jsonForm = JSONForm.object(
        "a reveal: an object with effect, size and path",
        SceneEffect.fields + [sizeField.declaration] + SceneCorners.fields + [
            pathField.declaration, progressField.declaration, fromField.declaration, toField.declaration,
        ],
        extra: .joined(SceneEffect.schema, SceneCorners.rules)
    ) { (object) throws(SceneError) in
        let animated = try SceneEffect.read(object)
        let effect = try animated.effect(at: 0)
        guard effect.growth == 0, effect.mask != .image else {
            throw .invalid(
                object.path("effect"), value: "\"\(animated.name)\"",
                expected: "an effect that needs no mask and whose result is not larger than the picture")
        }
        guard !effect.isRedaction else {
            throw .invalid(
                object.path("effect"), value: "\"\(animated.name)\"",
                expected: "another effect, because the edges would show the original picture; use a panel")
        }
        let (radius, corners) = try SceneCorners.read(object)
        return SceneReveal(
            effect: animated, size: try object(sizeField), cornerRadius: radius, corners: corners,
            path: try object(pathField), progress: try object(progressField), from: try object(fromField),
            to: try object(toField))
    }.named("reveal")
}

extension JSONForm<MotionPath> {
    fileprivate static let path: JSONForm<MotionPath> = {
        let expectation = "[x, y] for a line, or [x1, y1, x2, y2, x, y] for a cubic Bezier"
        let numbers = JSONForm<[Double]>.list(of: .number(sceneCoordinates), expectation)
        let element = JSONForm<[Double]>(
            expectation,
            schema: [
                "type": "array", "items": JSONForm<Double>.number(sceneCoordinates).schema,
                "anyOf": [["minItems": 2, "maxItems": 2], ["minItems": 6, "maxItems": 6]],
            ]
        ) { (node) throws(SceneError) in
            let values = try numbers.read(node)
            guard values.count == 2 || values.count == 6 else { throw node.invalid(expectation) }
            return values
        }
        return JSONForm<[[Double]]>.list(of: element, "an array of points", minimum: 1).map {
            (elements, node) throws(SceneError) -> MotionPath in
            guard elements[0].count == 2 else {
                throw .invalid(
                    node.path.element(0), value: "a curve", expected: "[x, y], because the path begins at a point")
            }
            return MotionPath(
                start: SIMD2(elements[0][0], elements[0][1]),
                segments: elements.dropFirst().map { values in
                    let end = SIMD2(values[values.count - 2], values[values.count - 1])
                    return values.count == 2
                        ? .line(to: end)
                        : .curve(SIMD2(values[0], values[1]), SIMD2(values[2], values[3]), to: end)
                })
        }
    }()
}
