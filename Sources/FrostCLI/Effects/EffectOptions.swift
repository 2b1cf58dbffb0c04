import Frost

// What the catalogue declares of an effect, as options of the command line.

extension EffectParameter {
    /// The parameter as an option; its help has what is allowed and what it is unless given.
    var option: Option {
        Option(name, value: placeholder, kind: valueKind, "\(help)\n(\(allowed); default \(defaultText))")
    }

    private var valueKind: ValueKind {
        switch kind {
        case .number, .color: .anything
        case .choice(let names, _): .word(names)
        }
    }

    private var placeholder: String {
        switch kind {
        case .number: "N"
        case .color: "COLOR"
        case .choice: "NAME"
        }
    }

    /// "0 to 300 points", "#rgb, ...", "clamp, mirror".
    var allowed: String {
        switch kind {
        case .number(let unit, let range, _):
            "\(decimal(range.lowerBound)) to \(decimal(range.upperBound))" + (unit.isEmpty ? "" : " \(unit)")
        case .color: "#rgb, #rrggbb, #rrggbbaa, white,alpha or red,green,blue,alpha"
        case .choice(let names, _): names.joined(separator: ", ")
        }
    }

    /// The default as the option takes it.
    var defaultText: String {
        switch kind {
        case .number(_, _, let value): decimal(value)
        case .color(let color): color.description
        case .choice(_, let name): name
        }
    }

    /// Reads the option's value.
    ///
    /// - Throws: ``CommandError/usage(_:)`` with the option, the value and what is allowed.
    func read(_ text: String) throws(CommandError) -> EffectValue {
        let value: EffectValue
        do throws(ParameterError) { value = try parse(text) } catch {
            switch error {
            // Of a colour's component, which has no option of its own.
            case .outOfRange: throw .usage("--\(name) \(text): \(error)")
            default: throw .usage("--\(name) \(text): not \(expectation); allowed are \(allowed)")
            }
        }
        switch (value, kind) {
        case (.number(let number), .number(_, let range, _)) where !range.contains(number):
            throw .usage("--\(name) \(text) is out of range: allowed are \(allowed)")
        case (.choice(let choice), .choice(let names, _)) where !names.contains(choice):
            throw .usage("--\(name) \(text): allowed are \(allowed)")
        default: return value
        }
    }
}

extension EffectDescription {
    var options: [Option] { parameters.map(\.option) }

    /// For errors: "light takes --convention, --scale, --edge".
    var takes: String {
        let names = parameters.map { "--\($0.name)" }.joined(separator: ", ")
        return "\(name) takes \(names.isEmpty ? "no parameters" : names)"
    }
}

extension EffectCatalog {
    /// An effect as the command line names it.
    static func named(_ name: String) throws(CommandError) -> EffectDescription {
        do throws(ParameterError) { return try effect(name) } catch {
            let near = Suggestion.phrase(for: name, among: all.map(\.name))
            throw .usage("no effect \(name)\(near); 'frost effects' lists them all")
        }
    }

    /// The options of all effects, for a first look at a line.
    static var options: [Option] {
        var seen: Set<String> = []
        return all.flatMap(\.parameters).filter { seen.insert($0.name).inserted }.map(\.option)
    }
}

extension Arguments {
    /// The effect with the parameters that the line gives.
    func effect(_ description: EffectDescription) throws(CommandError) -> Effect {
        var given: [String: EffectValue] = [:]
        for parameter in description.parameters {
            guard let text = value(parameter.option) else { continue }
            given[parameter.name] = try parameter.read(text)
        }
        do throws(ParameterError) { return try description.make(given) } catch {
            switch error {
            // What depends on several parameters.
            case .outOfRange(let name, _, _), .malformed(let name, _, _):
                throw .usage(given[name] == nil ? "\(description.name): \(error)" : "--\(error)")
            default: throw .usage("\(description.name): \(error)")
            }
        }
    }

    /// The effects that `--effect` names, in their order.
    func chosenEffects(_ option: Option = .chosenEffects) throws(CommandError) -> [EffectDescription]? {
        try value(option)?.split(separator: ",", omittingEmptySubsequences: false).map {
            (name) throws(CommandError) in try EffectCatalog.named(String(name))
        }
    }

    /// `--dither` and `--no-dither`.
    func dither(byDefault: Bool) throws(CommandError) -> Dither? {
        guard !has(.dither) || !has(.noDither) else { throw .usage("--dither and --no-dither exclude each other") }
        return has(.dither) || byDefault && !has(.noDither) ? Dither() : nil
    }
}
