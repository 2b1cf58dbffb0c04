import Frost
import FrostCLI

extension Command {
    static let reference = Command(
        name: "reference", operands: "man [COMMAND]|markdown|json",
        summary: "Print the whole reference: commands, options, effects, environment variables and exit codes.",
        options: [],
        examples: [
            "frost reference man > frost.1", "frost reference man blur > frost-blur.1",
            "frost reference markdown > Reference.md", "frost reference json",
        ],
        run: { (arguments, console) throws(CommandError) in
            let names = Reference.allCases.map(\.rawValue)
            guard let name = arguments.operands.first else {
                throw .usage("a format is required: \(names.joined(separator: ", "))")
            }
            guard let reference = Reference(rawValue: name) else {
                let near = Suggestion.phrase(for: name, among: names)
                throw .usage("unknown format \(name)\(near); supported: \(names.joined(separator: ", "))")
            }
            let rest = arguments.operands.dropFirst()
            guard rest.count <= (reference == .man ? 1 : 0) else {
                throw .usage("unexpected operand \(rest.last ?? "")")
            }
            guard !console.json || reference == .json else {
                throw .usage("--json does not apply to 'reference \(name)'; use 'frost reference json'")
            }
            let page = try rest.first.map { (name) throws(CommandError) in
                ManPage.lines(try Command.named(name, among: Command.all))
            }
            (page ?? reference.lines).forEach { console.result($0) }
            return .done
        },
        firstOperand: .word(Reference.self))
}

/// The output formats of the reference, which describes all commands, options and effects.
enum Reference: String, CaseIterable {
    case man, markdown, json

    var lines: [String] {
        switch self {
        case .man: ManPage.lines
        case .markdown: MarkdownReference.lines
        case .json: [document.line]
        }
    }

    /// The reference as a JSON object, for programs.
    private var document: JSONValue {
        ["schema": "frost.reference/1", "commands": .array(Command.all.map(\.json))]
    }

    /// The introductory paragraphs of the reference.
    static let introduction = [
        "Frost blurs pictures on a GPU through headless EGL and OpenGL ES, or on the CPU. Every 8-bit result is within one "
            + "step of the exact result.",
        "A file named - is standard input or output. Options are written as --name VALUE or --name=VALUE, before or after "
            + "the operands; -- ends the options. Results go to standard output, everything else to standard error. A value "
            + "out of range is an error; Frost never changes a value silently. Options override environment variables.",
    ]

    /// The examples of frost(1).
    static let examples: [(purpose: String, line: String)] = [
        ("Blur a picture with a Gaussian of 8 pixels", "frost blur photo.png -o soft.png --sigma 8"),
        ("Blur all pictures of a folder into another", "frost blur -r holiday/ -o calm/ --sigma 4"),
        (
            "Put a frosted panel on a screenshot",
            "frost effect material-thin-light shot.png -o panel.png --rect 40,40,300,200 --corner-radius 20"
        ),
        ("Hide a name beyond recovery", "frost effect redact form.png -o safe.png --rect 120,80,400,40 --fill black"),
        ("Show what every effect does to a picture", "frost effects --sheet sheet.png photo.png"),
        ("Check that GPU and CPU agree, in CI", "frost check photo.png --allow-missing-gpu --junit frost.xml"),
    ]
}

extension Command {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "operands": .string(operands), "summary": .string(summary),
            "options": .array((options + Command.common).map(\.json)), "examples": .strings(examples),
        ]
    }
}

extension Option {
    fileprivate var json: JSONValue {
        let fallback: JSONValue = if case .value(let text)? = `default` { .string(text) } else { .null }
        return [
            "name": .string(name), "short": .optional(short.map { String($0) }), "value": .optional(value),
            "repeats": .bool(repeats), "type": .string(value == nil ? "switch" : kind.name),
            "allowed": .optional(kind.allowed), "default": fallback, "defaultText": .optional(`default`?.text),
            "environment": .optional(environment), "help": .string(help),
        ]
    }
}

extension ValueKind {
    fileprivate var name: String {
        switch self {
        case .anything: "text"
        case .file: "file"
        case .word: "choice"
        case .effect, .effectGroup: "effect"
        case .integer: "integer"
        case .number: "number"
        case .bytes: "bytes"
        case .color, .colorOr: "color"
        case .stops: "stops"
        case .size: "size"
        case .rect: "rectangle"
        case .resize: "size"
        case .preset: "preset"
        case .cornerRadius: "radius"
        case .shard: "shard"
        case .list(let kind, _): "list of \(kind.name)"
        }
    }
}
