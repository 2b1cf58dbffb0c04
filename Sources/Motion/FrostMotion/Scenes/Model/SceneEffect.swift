public import FrostCore

/// An effect of a scene, whose numbers may change over time.
public struct SceneEffect: Sendable, Hashable {
    /// The effect's name, as `frost effects` lists it, or "gaussian".
    public let name: String
    /// The parameters that differ from their defaults.
    public let parameters: SceneParameters
    /// Whether the result is dithered.
    public let isDithered: Bool
    /// The effect, if it never changes.
    private var constant: Effect?
    private let path: ScenePath

    /// Returns the effect at a time.
    ///
    /// - Parameter scale: the factor by which lengths are multiplied.
    /// - Throws: ``SceneError/parameter(_:_:at:)`` if the effect refuses the parameters' values.
    public func effect(at time: Double, scale: Double = 1) throws(SceneError) -> Effect {
        if scale == 1, let constant { return constant }
        return try make(at: time, scale: scale)
    }

    private func make(at time: Double, scale: Double) throws(SceneError) -> Effect {
        do throws(ParameterError) {
            let description = try EffectCatalog.effect(name, among: EffectCatalog.withGaussian)
            var effect = try description.make(parameters.values(at: time, scale: scale))
            if scale != 1, !parameters.haveLengths { effect.blur = try effect.blur.forPicture(enlargedBy: scale) }
            return effect.dithered(by: isDithered ? Dither() : nil)
        } catch {
            throw .parameter(path, error, at: parameters.isConstant ? nil : time)
        }
    }

    // The members of an object that has an effect: a panel or the reveal.

    private static let nameField = Field<String>(
        "effect", .word("effect", of: EffectCatalog.withGaussian.map(\.name)),
        "name of an effect, as frost effects lists it, or gaussian")
    private static let ditherField = Field<Bool?>.optional(
        "dither", .flag, "whether to dither; by default all effects except gaussian do")

    private static let jsonForms: [String: JSONForm<SceneParameters>] = EffectCatalog.withGaussian.reduce(into: [:]) {
        $0[$1.name] = SceneParameters.jsonForm(of: $1.parameters, isAnimated: true).named("effect-\($1.name)")
    }

    /// The form of the parameters before the effect is known. ``read(_:)`` reads them by the effect's own form.
    private static let parametersField = Field<JSONNode?>.optional(
        "parameters",
        JSONForm("the parameters, as an object", schema: ["type": "object"]) { (node) throws(SceneError) in node },
        "parameters of the effect; numbers may be keyframes")

    static let fields: [FieldDeclaration] = {
        var parameters = parametersField.declaration
        parameters.definitions = jsonForms.values.reduce(into: [:]) { all, jsonForm in
            all.merge(jsonForm.definitions) { a, _ in a }
        }
        return [nameField.declaration, parameters, ditherField.declaration]
    }()

    /// The part of a schema that connects the parameters' names to the effect.
    static let schema = conditions(on: nameField.name, EffectCatalog.withGaussian.map(\.name)) { "effect-\($0)" }

    /// Returns the rules that choose the schema of `parameters` by the name of an effect or a transition.
    static func conditions(on member: String, _ names: [String], _ definition: (String) -> String) -> JSONValue {
        let rules = names.map { name -> JSONValue in
            [
                "if": ["properties": .object([.init(member, ["const": .string(name)])])],
                "then": ["properties": ["parameters": ["$ref": .string("#/$defs/\(definition(name))")]]],
            ]
        }
        return ["allOf": .array(rules)]
    }

    static func read(_ object: ObjectReader) throws(SceneError) -> SceneEffect {
        let name = try object(nameField)
        let path = object.path(parametersField.name)
        var parameters = SceneParameters(tracks: [:], of: [])
        if let jsonForm = jsonForms[name] {
            parameters = try jsonForm.read(try object(parametersField) ?? JSONNode(value: .object([]), path: path))
        }
        var effect = SceneEffect(
            name: name, parameters: parameters,
            isDithered: try object(ditherField) ?? (name != EffectDescription.gaussian.name), path: path)
        // Checks what involves several parameters, and numbers that must be whole: between keyframes they are not.
        let first = try effect.make(at: 0, scale: 1)
        for time in parameters.checkTimes { _ = try effect.make(at: time, scale: 1) }
        var all = [first]
        for time in parameters.seedTimes { all.append(try effect.make(at: time, scale: 1)) }
        guard all.allSatisfy({ $0.keyed(for: .frames) == $0 }) else {
            throw .invalid(
                path.member("seed"), value: "0, a secret key",
                expected: "a seed from 1 to \(UInt32.max), so that a scene always gives the same frames")
        }
        effect.constant = parameters.isConstant ? first : nil
        return effect
    }
}

extension SceneParameters {
    /// The times of the keyframes of a seed. It may become 0 at any of them.
    var seedTimes: [Double] {
        guard case .number(let keyframes, _, _)? = tracks["seed"] else { return [] }
        return keyframes.times
    }

    /// The times at which the parameters are checked when a scene is read: the keyframes of each parameter, and a time after
    /// each, at which a number that changes is not whole.
    var checkTimes: [Double] {
        tracks.values.flatMap { track -> [Double] in
            switch track {
            case .number(let keyframes, _, _):
                guard keyframes.times.count > 1 else { return [] }
                let between = zip(keyframes.times, keyframes.times.dropFirst()).map { $0 + ($1 - $0) * 0.377 }
                return keyframes.times + between
            case .fixed: return []
            }
        }.sorted()
    }
}
