package import Frost

// This file converts the parameters of the effects in the catalogue to options of the command line.

extension EffectParameter {
    /// The parameter as an option of the command line.
    package var option: Option {
        Option(name, value: placeholder, kind: valueKind, default: .value(defaultText), help)
    }

    private var valueKind: ValueKind {
        switch kind {
        case .number(let unit, let range, _): .number(range, unit: unit)
        case .color: .color
        case .colorOrAuto: .colorOr(["auto"])
        case .choice(let names, _): .word(names)
        case .stops: .stops
        }
    }

    private var placeholder: String {
        switch kind {
        case .number: "N"
        case .color, .colorOrAuto: "COLOR"
        case .choice: "NAME"
        case .stops: "STOPS"
        }
    }
}

/// An entry of a catalogue that the command line names: an effect or a transition.
package protocol CatalogEntry {
    var name: String { get }
    var summary: String { get }
    var parameters: [EffectParameter] { get }
}

extension EffectDescription: CatalogEntry {}
extension TransitionDescription: CatalogEntry {}

extension CatalogEntry {
    /// The parameters as options of the command line.
    package var options: [Option] { parameters.map(\.option) }

    /// A phrase for errors that lists the parameters, for example "light takes --convention, --scale, --edge".
    package var takes: String {
        let names = parameters.map { "--\($0.name)" }.joined(separator: ", ")
        return "\(name) takes \(names.isEmpty ? "no parameters" : names)"
    }

    /// Returns the line of the entry in a list, for example "tilt-shift  a sharp band between blurred ones".
    package func line(among all: [Self]) -> String {
        let width = all.map(\.name.count).max() ?? 0
        return "\(name)\(String(repeating: " ", count: width - name.count + 2))\(summary)"
    }

    /// Returns the full description of the entry: facts with titles, and the parameters.
    package func details(_ facts: [(String, String)]) -> String {
        TextColumns.wrapped("\(name): \(summary)", indent: "  ") + "\n" + TextColumns.table(facts, left: 10)
            + (parameters.isEmpty
                ? "  no parameters\n"
                : "  parameters\n"
                    + TextColumns.table(options.map { ("  --\($0.name) \($0.value ?? "")", $0.explanation) }))
    }

    /// The options of all entries, without duplicates. They are used in the first parsing of a command line, when the
    /// entry is not known yet.
    static func options(of all: [Self]) -> [Option] {
        var seen: Set<String> = []
        return all.flatMap(\.options).filter { seen.insert($0.name).inserted }
    }
}

extension EffectCatalog {
    /// Returns the effect with the name from a command line. The error suggests the closest names.
    package static func named(_ name: String) throws(CommandError) -> EffectDescription {
        do throws(ParameterError) { return try effect(name) } catch {
            if name == "gaussian" || name == "blur" {
                throw .usage("unknown effect \(name); use 'frost blur --sigma S'")
            }
            let near = Suggestion.phrase(for: name, among: all.map(\.name))
            throw .usage("unknown effect \(name)\(near); 'frost effects' lists them")
        }
    }

    /// The names of families, and that of all effects, where several effects may be chosen.
    static let groups = EffectDescription.Family.allCases.map(\.word) + ["all"]

    /// Returns the effects that a name from a command line stands for: one, or those of a group.
    static func group(_ name: String) throws(CommandError) -> [EffectDescription] {
        if name == "all" { return all }
        guard let family = EffectDescription.Family.allCases.first(where: { $0.word == name }) else {
            return [try named(name)]
        }
        return all.filter { $0.family == family }
    }

    /// The options of all effects; see ``CatalogEntry/options(of:)``.
    package static var options: [Option] { EffectDescription.options(of: all) }
}

extension Arguments {
    /// Returns the effect with the parameters from the command line.
    package func effect(_ description: EffectDescription) throws(CommandError) -> Effect {
        let given = try values(of: description.parameters)
        do throws(ParameterError) { return try description.make(given) } catch {
            switch error {
            // This error comes from a check that involves two parameters.
            case .exceeds(let name, let value, let limit, let limitValue):
                throw .usage("--\(name) \(numberText(value)) must not exceed --\(limit) \(numberText(limitValue))")
            case .contrastTooHigh: throw .usage("--\(error)")
            case .outOfRange(let name, _, _), .malformed(let name, _, _):
                throw .usage(given[name] == nil ? "\(description.name): \(error)" : "--\(error)")
            default: throw .usage("\(description.name): \(error)")
            }
        }
    }

    /// Returns the effects that `--effect` names, in the same order; nil without this option.
    package func chosenEffects(_ option: Option = .chosenEffects) throws(CommandError) -> [EffectDescription]? {
        try list(option, of: String.self)?.map { (name) throws(CommandError) in try EffectCatalog.named(name) }
    }

    /// Returns the effects that an option names, also by their families, in the same order; nil without this option.
    package func effects(in option: Option) throws(CommandError) -> [EffectDescription]? {
        guard let names = list(option, of: String.self) else { return nil }
        return Array(try names.map { (name) throws(CommandError) in try EffectCatalog.group(name) }.joined())
    }

    /// Returns the dither that `--dither` and `--no-dither` select; nil for no dither.
    func dither(byDefault: Bool) throws(CommandError) -> Dither? {
        guard !has(.dither) || !has(.noDither) else { throw .usage("--dither and --no-dither cannot be combined") }
        return has(.dither) || byDefault && !has(.noDither) ? Dither() : nil
    }
}

extension EffectDescription.Family {
    /// The name of the family on the command line.
    fileprivate var word: String {
        switch self {
        case .imageEffects: "uiimage"
        case .sevenBlur: "7blur"
        case .blurEffect: "uikit"
        case .gpuImage: "gpuimage"
        case .coreImage: "core-image"
        case .frost: "frost"
        }
    }
}

extension Effect {
    /// The effect's blur if it is a Gaussian with a sigma in pixels; otherwise nil.
    package var gaussian: GaussianBlur? { blur as? GaussianBlur }
}
