public import FrostCore

/// The parameters of an effect in a scene. Numbers may change over time.
public struct SceneParameters: Sendable, Hashable {
    /// A parameter's value over time.
    public enum Track: Sendable, Hashable {
        /// A number over time.
        ///
        /// - Parameters:
        ///   - range: the allowed range. A curve that overshoots is limited to it.
        ///   - isLength: whether the number is a length, which grows with the scale of the frame.
        case number(Keyframes<Double>, range: ClosedRange<Double>, isLength: Bool)
        /// A colour, a word or stops.
        case fixed(EffectValue)
    }

    /// The parameters that differ from their defaults.
    public let tracks: [String: Track]
    /// The default lengths, which grow with the scale of the frame.
    private let lengths: [String: Length]

    private struct Length: Hashable {
        var value: Double
        var range: ClosedRange<Double>
    }

    init(tracks: [String: Track], of parameters: [EffectParameter]) {
        self.tracks = tracks
        lengths = parameters.reduce(into: [:]) { lengths, parameter in
            if case .number(let unit, let range, let value) = parameter.kind, Self.lengthUnits.contains(unit) {
                lengths[parameter.name] = Length(value: value, range: range)
            }
        }
    }

    /// Whether some parameter is a length, so that all lengths of the effect grow with the scale.
    var haveLengths: Bool { !lengths.isEmpty }

    private static let lengthUnits: Set<String> = ["pixels", "points"]

    /// Whether no parameter changes over time.
    public var isConstant: Bool {
        tracks.values.allSatisfy { track in
            switch track {
            case .number(let keyframes, _, _): keyframes.isConstant
            case .fixed: true
            }
        }
    }

    /// Returns the values at a time.
    ///
    /// - Parameter scale: the factor by which lengths are multiplied. Those that become too short get the nearest allowed
    ///   length.
    /// - Throws: ``ParameterError`` for lengths that become too long.
    public func values(at time: Double, scale: Double = 1) throws(ParameterError) -> [String: EffectValue] {
        var values: [String: EffectValue] = [:]
        if scale != 1 {
            for (name, length) in lengths where tracks[name] == nil {
                values[name] = .number(try Self.scaled(length.value, by: scale, within: length.range, name))
            }
        }
        for (name, track) in tracks {
            switch track {
            case .number(let keyframes, let range, let isLength):
                let value = keyframes.value(at: time)
                let limited = min(max(value, range.lowerBound), range.upperBound)
                values[name] = .number(
                    isLength ? try Self.scaled(limited, by: scale, within: range, name) : limited)
            case .fixed(let value): values[name] = value
            }
        }
        return values
    }

    private static func scaled(
        _ length: Double, by scale: Double, within range: ClosedRange<Double>, _ name: String
    ) throws(ParameterError) -> Double {
        let scaled = length * scale
        guard scale > 1, !range.contains(scaled) else { return min(max(scaled, range.lowerBound), range.upperBound) }
        throw .malformed(
            parameter: name, value: "\(numberText(length)) at \(numberText(scale)) times the size of the scene",
            expected: "at most \(numberText(range.upperBound)) pixels at that size")
    }

    /// The form of the parameters of one effect or transition.
    ///
    /// - Parameter isAnimated: whether numbers may be keyframes.
    static func jsonForm(of parameters: [EffectParameter], isAnimated: Bool) -> JSONForm<SceneParameters> {
        let fields = parameters.map { parameter in
            let form = jsonForm(of: parameter, isAnimated: isAnimated)
            let stated = JSONForm(
                form.expectation, schema: .joined(form.schema, ["default": parameter.schemaDefault]),
                definitions: form.definitions, read: form.read)
            return Field<Track?>.optional(parameter.name, stated, parameter.help)
        }
        return .object("the parameters, as an object", fields.map(\.declaration)) { (object) throws(SceneError) in
            var tracks: [String: Track] = [:]
            for field in fields { tracks[field.name] = try object(field) }
            return SceneParameters(tracks: tracks, of: parameters)
        }
    }

    private static let color = JSONForm<Color>.color.map { (color, _) throws(SceneError) in Track.fixed(.color(color)) }

    private static func jsonForm(of parameter: EffectParameter, isAnimated: Bool) -> JSONForm<Track> {
        switch parameter.kind {
        case .number(let unit, let range, _):
            let isLength = lengthUnits.contains(unit)
            let number = JSONForm<Double>.number(range)
            guard isAnimated else {
                return number.map { (value, _) throws(SceneError) in
                    .number(Keyframes(value), range: range, isLength: isLength)
                }
            }
            return JSONForm<Keyframes<Double>>.keyframes(of: number).map { (keyframes, _) throws(SceneError) in
                .number(keyframes, range: range, isLength: isLength)
            }
        case .color: return color
        case .colorOrAuto:
            let automatic = JSONForm<String>.word(parameter.name, of: ["auto"]).map { (word, _) throws(SceneError) in
                Track.fixed(.choice(word))
            }
            return .either(automatic, color) { $0 == .string("auto") }
        case .choice(let words, _):
            return JSONForm<String>.word(parameter.name, of: words).map { (word, _) throws(SceneError) in
                .fixed(.choice(word))
            }
        case .stops:
            return JSONForm<EffectValue>.stops(of: parameter).map { (value, _) throws(SceneError) in .fixed(value) }
        }
    }
}

extension EffectParameter {
    fileprivate var schemaDefault: JSONValue {
        switch kind {
        case .number(_, _, let value): .number(value)
        case .color(let color): .string(color.description)
        case .colorOrAuto: "auto"
        case .choice(_, let word): .string(word)
        case .stops: ""
        }
    }
}
