public import CFrost
import Frost
import FrostCSupport

/// The description of a parameter as C strings, which live as long as the process.
///
/// SAFETY: created once and never changed.
struct ListedParameter {
    private let name, help, value, unit, choices: LastingText
    private let range: ClosedRange<Double>
    private let kind: Int

    init(_ parameter: EffectParameter) {
        name = LastingText(parameter.name)
        help = LastingText(parameter.help)
        value = LastingText(parameter.defaultText)
        switch parameter.kind {
        case .number(let unit, let range, _):
            (kind, self.range) = (FROST_PARAMETER_NUMBER, range)
            (self.unit, choices) = (LastingText(unit), LastingText(""))
        // For a colour that Frost may choose, the default value is "auto".
        case .color, .colorOrAuto:
            (kind, range) = (FROST_PARAMETER_COLOR, 0...0)
            (unit, choices) = (LastingText(""), LastingText(""))
        case .choice(let words, _):
            (kind, range) = (FROST_PARAMETER_CHOICE, 0...0)
            (unit, choices) = (LastingText(""), LastingText(words.joined(separator: " ")))
        case .stops:
            (kind, range) = (FROST_PARAMETER_STOPS, 0...0)
            (unit, choices) = (LastingText(""), LastingText(""))
        }
    }

    /// Writes the description of a list's parameter to a caller's struct.
    static func describe(
        _ index: Int, of parameters: [ListedParameter], to info: UnsafeMutablePointer<frost_parameter_info>?
    ) throws(Failure) {
        guard parameters.indices.contains(index) else {
            throw .argument("invalid parameter index \(index) (number of parameters: \(parameters.count))")
        }
        let parameter = parameters[index]
        var value = unsafe frost_parameter_info()
        unsafe value.name = parameter.name.pointer
        unsafe value.help = parameter.help.pointer
        unsafe value.default_value = parameter.value.pointer
        unsafe value.unit = parameter.unit.pointer
        unsafe value.choices = parameter.choices.pointer
        unsafe value.minimum = parameter.range.lowerBound
        unsafe value.maximum = parameter.range.upperBound
        unsafe value.kind = Int32(parameter.kind)
        try unsafe value.write(to: info, "info")
    }
}

/// The description of an effect as C strings, which live as long as the process.
///
/// SAFETY: created once and never changed.
private struct Listed {
    let name, family, summary: LastingText
    let parameters: [ListedParameter]

    init(_ effect: EffectDescription) {
        name = LastingText(effect.name)
        family = LastingText(effect.family.rawValue)
        summary = LastingText(effect.summary)
        parameters = effect.parameters.map(ListedParameter.init)
    }

    static let all = EffectCatalog.withGaussian.map(Listed.init)

    static func effect(_ index: Int) throws(Failure) -> Listed {
        guard all.indices.contains(index) else {
            throw .argument("invalid effect index \(index) (number of effects: \(all.count))")
        }
        return all[index]
    }
}

@c @implementation
public func frost_effect_count() -> Int {
    answer { Listed.all.count }
}

@c @implementation
public func frost_effect_describe(_ effect: Int, _ info: UnsafeMutablePointer<frost_effect_info>?) -> frost_status {
    status { () throws(Failure) in
        let effect = try Listed.effect(effect)
        var value = unsafe frost_effect_info()
        unsafe value.name = effect.name.pointer
        unsafe value.family = effect.family.pointer
        unsafe value.summary = effect.summary.pointer
        unsafe value.parameter_count = effect.parameters.count
        try unsafe value.write(to: info, "info")
    }
}

@c @implementation
public func frost_effect_describe_parameter(
    _ effect: Int, _ parameter: Int, _ info: UnsafeMutablePointer<frost_parameter_info>?
) -> frost_status {
    status { () throws(Failure) in
        try unsafe ListedParameter.describe(parameter, of: try Listed.effect(effect).parameters, to: info)
    }
}
