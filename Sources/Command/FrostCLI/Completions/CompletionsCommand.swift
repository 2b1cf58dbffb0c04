import Frost

extension Command {
    /// Returns the command `completions`, which prints a completion script.
    ///
    /// - Parameter commands: the commands to complete, including `completions` itself.
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
                    throw .usage("unknown shell \(name)\(near); supported: \(names)")
                }
                guard arguments.operands.count == 1 else { throw .usage("unexpected operand \(arguments.operands[1])") }
                guard !console.json else { throw .usage("--json does not apply to completions") }
                console.result(shell.script(CompletionTable(commands())))
                return .done
            },
            firstOperand: .word(Shell.self))
    }
}

/// The shells that Frost can create completion scripts for.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Returns the completion script of this shell, without a trailing newline.
    func script(_ table: CompletionTable) -> String {
        switch self {
        case .bash: BashCompletion(table).script
        case .zsh: ZshCompletion(table).script
        case .fish: FishCompletion(table).script
        }
    }
}

/// The completions that a shell can offer for a value.
enum Completion: Hashable {
    case nothing
    case file
    /// The value is one of these words.
    case word([String])
    /// The value consists of one or more of these words, separated by commas.
    case list([String])
}

extension ValueKind {
    var completion: Completion {
        switch self {
        case .file: .file
        case .word(let words): .word(words)
        case .effect: .word(EffectCatalog.all.map(\.name))
        case .list(let kind, _): if case .word(let words) = kind.completion { .list(words) } else { .nothing }
        case .anything, .integer, .number, .bytes, .color, .size, .rect, .shard: .nothing
        }
    }
}

/// The declarations of all commands and effects, in the form that the completion scripts need.
struct CompletionTable {
    struct Entry {
        let command: Command
        /// The command's options if the command line names no effect. They include the options that every command has.
        let options: [Option]
        /// The command's options if the command line names an effect. The effect's own parameters are not included. Nil
        /// for commands that accept no effect parameters.
        let besideEffect: [Option]?

        /// Whether the effect is named by the first operand, as for the command `effect`. If false, the effect is named
        /// by an option, as for the command `plan`.
        var effectIsOperand: Bool { besideEffect != nil && command.firstOperand != nil }
    }

    let entries: [Entry]
    let effects: [(name: String, summary: String, options: [Option])]
    /// The options that are available without a command.
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

    /// Returns the spellings of an option, for example "--output" and "-o".
    static func spellings(_ option: Option) -> [String] {
        ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
    }

    /// Returns the first part of a help text, up to the first semicolon, colon or parenthesis.
    static func summary(_ help: String) -> String {
        let part = help.prefix { !";:(".contains($0) }
        return String(part.hasSuffix(" ") ? part.dropLast() : part)
    }
}
