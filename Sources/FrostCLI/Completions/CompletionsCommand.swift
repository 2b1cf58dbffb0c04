import Frost

extension Command {
    /// - Parameter commands: the commands to complete, this one among them.
    package static func completions(of commands: @escaping @Sendable () -> [Command]) -> Command {
        Command(
            name: "completions", operands: "bash|zsh|fish",
            summary: "Print a script for shell completion of commands, options, effects and their parameters.",
            options: [],
            examples: [
                "source <(frost completions bash)      # in ~/.bashrc",
                "frost completions zsh > ~/.zfunc/_frost     # a folder of $fpath",
                "frost completions fish > ~/.config/fish/completions/frost.fish",
            ],
            run: { (arguments, console) throws(CommandError) in
                let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
                guard let name = arguments.operands.first else {
                    throw .usage("a shell is required: \(names)")
                }
                guard let shell = Shell(rawValue: name) else {
                    let near = Suggestion.phrase(for: name, among: Shell.allCases.map(\.rawValue))
                    throw .usage("unknown shell \(name)\(near); supported are \(names)")
                }
                guard arguments.operands.count == 1 else { throw .usage("unexpected operand \(arguments.operands[1])") }
                guard !console.json else { throw .usage("--json does not apply to completions") }
                console.result(shell.script(CompletionTable(commands())))
                return .done
            },
            firstOperand: .word(Shell.self))
    }
}

/// The shells with completions.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Without a trailing newline.
    func script(_ table: CompletionTable) -> String {
        switch self {
        case .bash: BashCompletion(table).script
        case .zsh: ZshCompletion(table).script
        case .fish: FishCompletion(table).script
        }
    }
}

/// What a shell can offer for a value.
enum Completion: Hashable {
    case nothing
    case file
    /// One of these.
    case word([String])
    /// Some of these, separated by commas.
    case list([String])
}

extension ValueKind {
    var completion: Completion {
        switch self {
        case .file: .file
        case .word(let words): .word(words)
        case .effect: .word(EffectCatalog.all.map(\.name))
        case .list(let kind, _): if case .word(let words) = kind.completion { .list(words) } else { .nothing }
        case .anything, .integer, .number, .color, .size, .rect, .shard: .nothing
        }
    }
}

/// Everything that commands and effects declare, as the completion scripts need it.
struct CompletionTable {
    struct Entry {
        let command: Command
        /// All options while no effect is named, those of every command included.
        let options: [Option]
        /// The options beside an effect's own once one is named; nil for commands that take no effect's parameters.
        let besideEffect: [Option]?

        /// Whether the effect is the first operand, as for `effect`, and not an option, as for `plan`.
        var effectIsOperand: Bool { besideEffect != nil && command.firstOperand != nil }
    }

    let entries: [Entry]
    let effects: [(name: String, summary: String, options: [Option])]
    /// Without a command.
    let global = [Option.help, Option.version]

    init(_ commands: [Command]) {
        effects = EffectCatalog.all.map { ($0.name, $0.summary, $0.options) }
        let parameters = Set(EffectCatalog.options.map(\.name))
        entries = commands.map { command in
            let common = Command.common
            let isOpen = command.specialized != nil
            return Entry(
                command: command, options: command.options + common,
                besideEffect: !isOpen
                    ? nil
                    : command.options.filter {
                        !parameters.contains($0.name) && !command.withoutEffect.contains($0.name)
                    }
                        + common)
        }
    }

    var effectNames: [String] { effects.map(\.name) }

    /// How people write an option: "--output", "-o".
    static func spellings(_ option: Option) -> [String] {
        ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
    }

    /// The first part of a help.
    static func summary(_ help: String) -> String {
        let part = help.prefix { !";:(".contains($0) }
        return String(part.hasSuffix(" ") ? part.dropLast() : part)
    }
}
