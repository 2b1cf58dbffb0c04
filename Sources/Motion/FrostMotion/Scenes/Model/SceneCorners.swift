import FrostCore

/// The members that describe the rounded corners of a panel or of a reveal.
enum SceneCorners {
    private static let radiusField = Field<Keyframes<Double>>(
        "corner-radius", .keyframes(of: .number(0...sceneCoordinates.upperBound)), default: Keyframes(0),
        "radius of the corners in pixels, at most what the shorter side has room for: half of it, divided by 1 + smoothing"
    )
    private static let smoothingField = Field<Double?>.optional(
        "corner-smoothing", .number(CornerCurve.smoothingRange),
        "smoothing of the transition from the sides to the corners; 0.6 is close to iOS")
    private static let exponentField = Field<Double?>.optional(
        "corner-exponent", .number(CornerCurve.exponentRange),
        "exponent of the superellipse that the corners follow; 2 is round, 4 a squircle")

    /// The name of the member with the radius.
    static var radiusName: String { radiusField.name }

    static var fields: [FieldDeclaration] {
        [radiusField.declaration, smoothingField.declaration, exponentField.declaration]
    }

    /// The rules of the members, for a schema.
    static var rules: JSONValue {
        let needed: JSONValue = [.string(radiusField.name)]
        return [
            "dependentRequired": .object([.init(smoothingField.name, needed), .init(exponentField.name, needed)])
        ]
    }

    /// Reads the radius and the curve.
    static func read(
        _ object: ObjectReader
    ) throws(SceneError) -> (radius: Keyframes<Double>, corners: CornerCurve) {
        let radius = try object(radiusField)
        if !object.has(radiusField.name) {
            try object.refuse([smoothingField.name, exponentField.name], "only with \(radiusField.name)")
        }
        switch (try object(smoothingField), try object(exponentField)) {
        case (nil, nil): return (radius, .circular)
        case (let smoothing?, nil): return (radius, .continuous(smoothing: smoothing))
        case (nil, let exponent?): return (radius, .superellipse(exponent: exponent))
        case (_?, _?):
            throw .invalid(
                object.path(exponentField.name), value: "given", expected: "either corner-smoothing or corner-exponent")
        }
    }
}
