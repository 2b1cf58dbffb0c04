import Frost
import FrostCLI

extension Command {
    static let effects = Command(
        name: "effects", operands: "[NAME...] [--json] | --sheet OUT.html INPUT",
        summary: "List the effects, describe those named with their parameters, or show all on a picture.",
        options: [.chosenEffects, .sheet] + ofSheets,
        examples: [
            "frost effects", "frost effects tilt-shift", "frost effects --json | jq -r .name",
            "frost effects --sheet sheet.html photo.png",
        ],
        run: { (arguments, console) throws(CommandError) in
            if let path = arguments.path(.sheet) { return try EffectSheet(arguments, path, console).run(console) }
            if let option = ofSheets.first(where: arguments.has) {
                throw .usage("--\(option.name) needs --sheet OUT.html")
            }
            var chosen = try arguments.chosenEffects() ?? []
            for name in arguments.operands {
                if InputList.exists(FilePath(name)) {
                    throw .usage(
                        "\(name.shownName) is a file, not an effect; use --sheet OUT.html to see effects on it")
                }
                chosen.append(try EffectCatalog.named(name))
            }
            let listed = chosen.isEmpty ? EffectCatalog.all : chosen
            for family in EffectDescription.Family.allCases {
                let effects = listed.filter { $0.family == family }
                if console.json {
                    effects.forEach { console.result($0.json) }
                } else if chosen.isEmpty, !effects.isEmpty {
                    console.result(
                        ([family.rawValue] + effects.map { "  " + $0.line(among: EffectCatalog.all) }).joined(
                            separator: "\n"))
                }
            }
            if !console.json { chosen.forEach { console.result($0.details) } }
            return .done
        },
        firstOperand: .effect, otherOperands: .file)

    private static let ofSheets: [Option] =
        [
            .content.described(as: "draw this image over the result of each effect"),
            .vibrancy, .contentMode.described(as: "how to fit the content into the picture"), .noDither, .backend,
            .device,
            .threads,
        ] + Option.limits
}

extension EffectDescription {
    /// The full description of an effect: its family, its source, its stages and its parameters.
    fileprivate var details: String {
        details([("family", family.rawValue), ("re-creates", source), ("stages", stages.joined(separator: ", "))])
    }

    /// The stages of the effect with default parameters.
    fileprivate var stages: [String] {
        do throws(ParameterError) { return try make().stages } catch { return [] }
    }

    /// The effect as a JSON object. `frost effects --json` prints one such object per line.
    var json: JSONValue {
        [
            "schema": "frost.effect/1", "name": .string(name), "family": .string(family.rawValue),
            "summary": .string(summary), "source": .string(source), "stages": .strings(stages),
            "parameters": .array(parameters.map(\.json)),
        ]
    }
}

extension EffectParameter {
    /// The parameter as a member of the JSON object of an effect or a transition.
    var json: JSONValue {
        let details: JSONValue =
            switch kind {
            case .number(let unit, let range, let value):
                [
                    "type": "number", "unit": .string(unit), "minimum": .number(range.lowerBound, decimals: 6),
                    "maximum": .number(range.upperBound, decimals: 6), "default": .number(value, decimals: 6),
                ]
            case .color(let color): ["type": "color", "default": .string(color.description)]
            case .colorOrAuto: ["type": "color", "default": .string(defaultText)]
            case .choice(let names, let name): ["type": "choice", "choices": .strings(names), "default": .string(name)]
            case .stops: ["type": "stops", "default": .string(defaultText)]
            }
        return .joined(["name": .string(name), "help": .string(help)], details)
    }
}
