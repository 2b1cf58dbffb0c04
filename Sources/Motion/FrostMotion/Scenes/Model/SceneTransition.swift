public import FrostCore

/// A transition from one backdrop of a scene to the next.
public struct SceneTransition: Sendable, Hashable {
    /// The length in seconds.
    public let duration: Double
    /// How the transition's time goes from 0 to 1.
    public let curve: TimingCurve
    /// The names of the images that the transition uses besides its source and target.
    public let extraImages: [Transition.ExtraImage: String]
    /// The name and parameters.
    private let description: String
    private let parameters: SceneParameters
    private let path: ScenePath

    /// Returns the transition.
    ///
    /// - Parameter scale: the factor by which lengths are multiplied.
    /// - Throws: ``SceneError/parameter(_:_:at:)`` if the scaled parameters are out of range.
    public func transition(scale: Double = 1) throws(SceneError) -> Transition {
        return try rethrow(
            TransitionCatalog.transition(description).make(parameters.values(at: 0, scale: scale)),
            as: { SceneError.parameter(path, $0) })
    }

    /// Returns the transition's own time, from 0 to 1, at a number of seconds after its start.
    ///
    /// - Parameter length: the number of seconds after which it ends.
    func progress(after seconds: Double, of length: Double) -> Double {
        let track = Keyframes(times: [0, length], values: [0, 1], curves: [curve, curve])
        return min(max(track.value(at: seconds), 0), 1)
    }

    private static let names = TransitionCatalog.all.map(\.name)
    private static let nameField = Field<String>(
        "name", .word("transition", of: names), "name of a transition, as frost transitions lists it")
    private static let durationField = Field<Double>(
        "duration", .number(0.001...3600), default: 1, "length in seconds")
    private static let curveField = Field<TimingCurve>(
        "curve", .curve, default: .linear, "how the transition's time goes from 0 to 1")
    private static let extraFields = Transition.ExtraImage.allCases.map { image in
        (
            image: image,
            field: Field<String?>.optional(
                image.rawValue, .text("the name of a picture file"), "file name of the \(image.rawValue) picture")
        )
    }
    private static let parametersField = Field<JSONNode?>.optional(
        "parameters",
        JSONForm("the parameters, as an object", schema: ["type": "object"]) { (node) throws(SceneError) in node },
        "parameters of the transition")
    private static let jsonForms: [String: JSONForm<SceneParameters>] = TransitionCatalog.all.reduce(into: [:]) {
        $0[$1.name] = SceneParameters.jsonForm(of: $1.parameters, isAnimated: false).named("transition-\($1.name)")
    }
    private static let fields: [FieldDeclaration] = {
        var parameters = parametersField.declaration
        parameters.definitions = jsonForms.values.reduce(into: [:]) { all, jsonForm in
            all.merge(jsonForm.definitions) { a, _ in a }
        }
        return [nameField.declaration, durationField.declaration, curveField.declaration, parameters]
            + extraFields.map(\.field.declaration)
    }()

    static let jsonForm = JSONForm.object(
        "a transition: {\"name\": …}", fields,
        extra: SceneEffect.conditions(on: nameField.name, names) { "transition-\($0)" }
    ) { (object) throws(SceneError) in
        let name = try object(nameField)
        let path = object.path(parametersField.name)
        var parameters = SceneParameters(tracks: [:], of: [])
        if let jsonForm = jsonForms[name] {
            parameters = try jsonForm.read(try object(parametersField) ?? JSONNode(value: .object([]), path: path))
        }
        var extraImages: [Transition.ExtraImage: String] = [:]
        for (image, field) in extraFields { extraImages[image] = try object(field) }
        let transition = SceneTransition(
            duration: try object(durationField), curve: try object(curveField), extraImages: extraImages,
            description: name,
            parameters: parameters, path: path)
        let allowed = try transition.transition().extraImages
        for (image, field) in extraFields where extraImages[image] != nil && !allowed.contains(image) {
            let words = Transition.ExtraImage.allCases.filter(allowed.contains).map(\.rawValue)
            throw .invalid(
                object.path(field.name), value: "given",
                expected: words.isEmpty
                    ? "no extra picture for \(name)" : "only \(words.joined(separator: " and ")) for \(name)")
        }
        if allowed.contains(.mask), extraImages[.mask] == nil {
            throw .missing(
                object.path(Transition.ExtraImage.mask.rawValue), expected: "the name of a picture file for \(name)")
        }
        return transition
    }.named("transition")
}
