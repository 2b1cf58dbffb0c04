import Frost
import FrostCLI

extension Command {
    static let effects = Command(
        name: "effects", operands: "[--effect NAME,...] [--json] | --sheet OUT.png INPUT",
        summary: "List every effect with its parameters, or draw them all on a picture.",
        options: [.chosenEffects, .sheet] + ofSheets,
        examples: ["frost effects", "frost effects --json | jq -r .name", "frost effects --sheet sheet.png photo.png"],
        run: { (arguments, console) throws(CommandError) in
            if let path = arguments.value(.sheet) { return try EffectSheet(arguments, path, console).run(console) }
            guard arguments.operands.isEmpty else {
                throw .usage("unexpected operand \(arguments.operands[0]); pictures go with --sheet OUT.png")
            }
            if let option = ofSheets.first(where: arguments.has) {
                throw .usage("--\(option.name) goes with --sheet OUT.png")
            }
            let chosen = try arguments.chosenEffects() ?? EffectCatalog.all
            for family in EffectDescription.Family.allCases {
                let effects = chosen.filter { $0.family == family }
                guard !console.json, !effects.isEmpty else {
                    effects.forEach { console.result($0.json) }
                    continue
                }
                console.result(family.rawValue)
                for effect in effects {
                    console.result("  \(effect.name): \(effect.summary)")
                    console.result("    \(effect.stages.joined(separator: ", "))")
                    for parameter in effect.parameters {
                        console.result(
                            "    --\(parameter.name)  \(parameter.option.bounds ?? "")")
                    }
                }
            }
            return .done
        },
        otherOperands: .file)

    private static let ofSheets: [Option] = [
        .content, .vibrancy, .contentMode, .noDither, .backend, .device, .threads, .maxSide, .maxPixels,
    ]
}

extension EffectDescription {
    /// Its stages with default parameters.
    fileprivate var stages: [String] {
        do throws(ParameterError) { return try make().stages } catch { return [] }
    }

    /// For programs: what `frost effects --json` prints, a line an effect.
    var json: JSON {
        .object([
            ("schema", .string("frost.effect/1")), ("name", .string(name)), ("family", .string(family.rawValue)),
            ("summary", .string(summary)), ("source", .string(source)),
            ("stages", .array(stages.map { .string($0) })),
            ("parameters", .array(parameters.map(\.json))),
        ])
    }
}

extension EffectParameter {
    fileprivate var json: JSON {
        let details: [(String, JSON)] =
            switch kind {
            case .number(let unit, let range, let value):
                [
                    ("type", .string("number")), ("unit", .string(unit)),
                    ("minimum", .number(range.lowerBound, decimals: 6)),
                    ("maximum", .number(range.upperBound, decimals: 6)), ("default", .number(value, decimals: 6)),
                ]
            case .color(let color): [("type", .string("color")), ("default", .string(color.description))]
            case .choice(let names, let name):
                [
                    ("type", .string("choice")), ("choices", .array(names.map { .string($0) })),
                    ("default", .string(name)),
                ]
            }
        return .object([("name", .string(name)), ("help", .string(help))] + details)
    }
}
