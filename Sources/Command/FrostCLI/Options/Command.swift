import Frost

/// A command of the program, declared once. Frost derives its parsing, help, completions and reference from this
/// declaration.
package struct Command: Sendable {
    package let name: String
    /// The text after the command's name in its usage line.
    package let operands: String
    package let summary: String
    package let options: [Option]
    package let examples: [String]
    package let run: @Sendable (Arguments, Console) throws(CommandError) -> ExitCode
    /// The options of the effect that the command line names.
    package var parameters: [Option]
    /// Paragraphs of help that follow the summary.
    let details: [String]
    /// Text that is appended to the error about an unknown option.
    package var remark: String
    /// The kinds of the operands, for shell completion. `firstOperand` is set if the first operand has another kind
    /// than the others.
    let firstOperand: ValueKind?
    let otherOperands: ValueKind
    /// Creates the command for a given command line. This function is needed if the command's options depend on the effect
    /// in the command line. It is nil for all other commands.
    let specialized: (@Sendable (ArraySlice<String>) throws(CommandError) -> Command)?

    package init(
        name: String, operands: String, summary: String, options: [Option], examples: [String],
        run: @escaping @Sendable (Arguments, Console) throws(CommandError) -> ExitCode, parameters: [Option] = [],
        details: [String] = [], remark: String = "", firstOperand: ValueKind? = nil,
        otherOperands: ValueKind = .anything,
        specialized: (@Sendable (ArraySlice<String>) throws(CommandError) -> Command)? = nil
    ) {
        (self.name, self.operands, self.summary, self.options) = (name, operands, summary, options)
        (self.examples, self.run, self.parameters, self.details) = (examples, run, parameters, details)
        (self.remark, self.firstOperand, self.otherOperands) = (remark, firstOperand, otherOperands)
        self.specialized = specialized
    }

    /// Returns the options that stand before the command's name, with their values. An option before the name has the
    /// same meaning as after the name.
    static func leadingOptions(_ words: [String], of commands: [Command]) -> ArraySlice<String> {
        let options = common + commands.flatMap(\.options)
        var count = 0
        while count < words.count, words[count].hasPrefix("-"), words[count] != "--" {
            let name = words[count].prefix { $0 != "=" }
            guard let option = options.first(where: { $0.spellings.contains(String(name)) }),
                option.name != Option.help.name
            else { break }
            count += option.value == nil || name.count < words[count].count ? 1 : 2
        }
        return words.prefix(count)
    }

    package static func named(_ name: String, among commands: [Command]) throws(CommandError) -> Command {
        guard let command = commands.first(where: { $0.name == name }) else {
            let names = commands.map(\.name) + ["help", "--help", "--version"]
            let isEffect = EffectCatalog.all.contains { $0.name == name }
            let near = isEffect ? " (did you mean effect \(name)?)" : Suggestion.phrase(for: name, among: names)
            throw .usage("unknown command \(name)\(near)")
        }
        return command
    }

    /// The options that every command has.
    package static let common: [Option] = [.json, .quiet, .verbose, .help]

    var help: String {
        var text = TextColumns.wrapped("usage: frost \(name) \(operands)", indent: "  ") + "\n\n"
        text += TextColumns.wrapped(([summary] + details).joined(separator: "\n\n")) + "\n"
        if !parameters.isEmpty {
            text += "\nparameters:\n" + TextColumns.table(parameters.map { ($0.signature, $0.explanation) })
        }
        text += "\noptions:\n"
        text += TextColumns.table((options + Self.common).map { ($0.signature, $0.explanation) })
        if !examples.isEmpty { text += "\nexamples:\n" + examples.map { "  \($0)\n" }.joined() }
        return text
    }

    /// Returns the help text of the whole program.
    static func overview(of commands: [Command]) -> String {
        "frost \(frostVersion): blurs pictures on a GPU or the CPU\n\nusage: frost COMMAND ...\n\ncommands:\n"
            + TextColumns.table(commands.map { ($0.name, $0.summary) }, left: 12)
            + "\n'frost COMMAND --help' describes a command. As a file name, - is standard input\nor output.\n\nenvironment:\n"
            + TextColumns.table(EnvironmentVariable.all(of: commands).map { ($0.name, $0.help) }) + "\nexit codes:\n"
            + TextColumns.table(ExitCode.meanings.map { ("\($0.code)", $0.meaning) }, left: 3)
    }
}
