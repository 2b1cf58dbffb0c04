package import Frost

extension Option {
    /// The names of all transitions.
    package static let transitionName = Option(
        "effect", value: "NAME", kind: .word(TransitionCatalog.all.map(\.name)), default: "dissolve",
        "the transition; its parameters can be given as options")
    static let time = Option(
        "time", value: "T", kind: .number(0...1),
        "make one picture, at this time: 0 shows the first picture, 1 the second")
    static let transitionMask = Option(
        "mask", value: "FILE", kind: .file,
        "an image that is stretched over the extent; where its alpha (or its luma, if it has no alpha or is opaque) is "
            + "low, the first picture disappears first")
    static let shading = Option(
        "shading", value: "FILE", kind: .file,
        "a picture of a shaded sphere, from edge to edge; it gives waves and rolled pages their highlights")
    static let backside = Option(
        "backside", value: "FILE", kind: .file,
        "the picture on the back of a page, stretched over the first picture's size")
    static let extent = Option(
        "extent", value: "X,Y,W,H", kind: .rect,
        "where the transition takes place, in pixels or percent of the first picture; the whole first picture by default"
    )
    static let shadowExtent = Option(
        "shadow-extent", value: "X,Y,W,H", kind: .rect,
        "where the page's shadow is drawn, in the form of --extent; the extent by default")
    static let transitionBackend = backend.described(as: "where to compute; auto uses the CPU")
    static let linearLight = Option(
        "linear",
        "mix in linear light. The pictures are decoded by the first picture's ICC profile or gamma, or as sRGB if it has "
            + "neither")
}

extension TransitionCatalog {
    /// Returns the transition with the name from a command line. The error suggests the closest names.
    package static func named(_ name: String) throws(CommandError) -> TransitionDescription {
        return try rethrow(
            transition(name),
            as: { (error: ParameterError) in CommandError.usage("\(error)") }
        )
    }
}

extension Arguments {
    /// Returns the transition with the parameters from the command line.
    func transition(_ description: TransitionDescription) throws(CommandError) -> Transition {
        let given = try values(of: description.parameters)
        return try rethrow(description.make(given), as: { (error: ParameterError) in CommandError.usage("--\(error)") })
    }

    /// Returns the given values of parameters.
    func values(of parameters: [EffectParameter]) throws(CommandError) -> [String: EffectValue] {
        var given: [String: EffectValue] = [:]
        for parameter in parameters {
            guard has(parameter.option), let text = value(parameter.option) else { continue }
            given[parameter.name] = try rethrow(
                parameter.parse(text),
                as: { (error: ParameterError) in CommandError.usage("--\(parameter.name) \(text): \(error)") })
        }
        return given
    }
}
