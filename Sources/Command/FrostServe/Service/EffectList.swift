import Frost
import FrostCLI

/// The list of all effects and their options at "/effects", from the tables that the command has. The page makes its controls of it.
enum EffectList {
    /// - Parameter page: the page of `frost open`; nil for another server.
    static func response(_ page: OpenPage?) -> Response {
        let own: JSONValue = ["isOpened": .bool(page != nil), "picture": .optional(page?.picture?.name)]
        return Response(200, "application/json", JSONValue.joined(json, own).line + "\n")
    }

    private static let json: JSONValue = [
        "schema": "frost.effects/1", "version": .string(frostVersion),
        "effects": .array([entry(.blur, "/blur", Command.blur.summary, "Gaussian")] + EffectCatalog.all.map(entry)),
        "options": .array(RequestOperation.sharedOptions.map(\.json)),
        "transitions": .array(TransitionCatalog.all.map(entry)),
        "transitionOptions": .array(TransitionRequest.sharedOptions.map(\.json)),
    ]

    private static func entry(_ description: TransitionDescription) -> JSONValue {
        // A transition uses the same pictures with all values of its parameters.
        let used = (try? description.make())?.extraImages ?? []
        let files = TransitionRole.allCases.filter { $0.extraImage.map(used.contains) ?? true }
        return [
            "name": .string(description.name), "path": .string("/transition/\(description.name)"),
            "summary": .string(description.summary), "files": .strings(files.map(\.rawValue)),
            "options": .array(description.options.map(\.json)),
        ]
    }

    private static func entry(_ description: EffectDescription) -> JSONValue {
        entry(.effect(description), "/effect/\(description.name)", description.summary, description.family.rawValue)
    }

    private static func entry(
        _ operation: RequestOperation, _ path: String, _ summary: String, _ family: String
    ) -> JSONValue {
        [
            "name": .string(operation.name), "path": .string(path), "family": .string(family),
            "summary": .string(summary), "needsMask": .bool(operation.needsMask),
            "options": .array(
                operation.ownOptions.map { .joined($0.json, ["isWhole": .bool(operation.takesWhole($0.name))]) }),
        ]
    }
}

extension RequestOperation {
    /// Whether a request for this needs a mask.
    fileprivate var needsMask: Bool {
        switch self {
        case .blur: false
        case .effect(let description): (try? description.make())?.mask == .image
        }
    }
}

extension RequestOperation {
    /// Whether a parameter takes whole numbers only. The effect itself checks that, so a fraction is tried.
    fileprivate func takesWhole(_ name: String) -> Bool {
        guard case .effect(let description) = self,
            case .number(_, let range, let value)? = description.parameters.first(where: { $0.name == name })?.kind,
            value == value.rounded()
        else { return false }
        let fraction = range.contains(value + 0.5) ? value + 0.5 : value - 0.5
        do throws(ParameterError) { _ = try description.make([name: .number(fraction)]) } catch {
            if case .malformed = error { return true }
        }
        return false
    }
}

extension Option {
    /// The option with the values that it allows.
    fileprivate var json: JSONValue {
        let initial: String? =
            switch `default` {
            case .value(let text)?: text
            case .words?, nil: nil
            }
        let facts: JSONValue = ["name": .string(name), "help": .string(help), "default": .optional(initial)]
        return .joined(facts, value == nil ? ["type": "switch"] : kind.json)
    }
}

extension ValueKind {
    fileprivate var json: JSONValue {
        switch self {
        case .number(let range, let unit):
            [
                "type": "number", "minimum": .number(range.lowerBound, decimals: 6),
                "maximum": .number(range.upperBound, decimals: 6), "unit": .string(unit),
            ]
        case .integer(let range):
            [
                "type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound), "unit": "",
            ]
        case .word(let words): ["type": "choice", "choices": .strings(words)]
        case .color: ["type": "color", "choices": []]
        case .colorOr(let words): ["type": "color", "choices": .strings(words)]
        case .list(let kind, _): kind.json
        case .anything, .file, .effect, .effectGroup, .bytes, .stops, .size, .rect, .cornerRadius, .resize, .preset,
            .shard:
            ["type": "text"]
        }
    }
}
