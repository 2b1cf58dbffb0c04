import Frost
import FrostImages

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

    /// Returns the command with a name.
    ///
    /// - Parameter operands: the words after the name, for the error about a name that is a picture.
    package static func named(
        _ name: String, among commands: [Command], operands: ArraySlice<String> = []
    ) throws(CommandError) -> Command {
        guard let command = commands.first(where: { $0.name == name }) else {
            let names = commands.map(\.name) + ["help", "--help", "--version"]
            let isEffect = (try? EffectCatalog.effect(name)) != nil
            if isPicture(name) {
                let output = operands.first.flatMap { isPicture($0) ? $0 : nil } ?? "out.png"
                throw .usage(
                    "\(FilePath(name).shownName) is a picture, not a command; to blur it: "
                        + "frost blur \(FilePath(name).shownName) -o \(FilePath(output).shownName) --sigma 8")
            }
            let near = isEffect ? " (did you mean effect \(name)?)" : Suggestion.phrase(for: name, among: names)
            throw .usage("unknown command \(name)\(near)")
        }
        return command
    }

    /// Returns whether a word of the command line is a picture: it has the suffix of a format.
    static func isPicture(_ word: String) -> Bool { ImageFormat.reads(suffixOf: FilePath(word)) }

    /// The options that every command has.
    package static let common: [Option] = [.json, .quiet, .verbose, .help]

    /// The help with all options. If there are many, they are grouped by topic.
    var help: String {
        var text = heading(([summary] + details).joined(separator: "\n\n"))
        text += Self.section("parameters", parameters)
        let all = options + Self.common
        for group in all.count > 15 ? HelpTopic.groups(all) : [("options", all)] {
            text += Self.section(group.title, group.options)
        }
        return text + Self.section(examples: examples)
    }

    /// The help with the usual options.
    var shortHelp: String {
        let usual = HelpTopic.usual.compactMap { usual in options.first { $0.name == usual.name } }
        let count = (options + Self.common).count
        guard !usual.isEmpty, count > 15 else { return help }
        return heading(summary) + Self.section("parameters", parameters) + Self.section("the usual options", usual)
            + Self.section(examples: Array(examples.prefix(3)))
            + "\n'frost \(name)\(parameters.isEmpty ? "" : " NAME") --help' lists all \(count) options.\n"
    }

    private func heading(_ text: String) -> String {
        TextColumns.wrapped("usage: frost \(name) \(operands)", indent: "  ") + "\n\n" + TextColumns.wrapped(text)
            + "\n"
    }

    private static func section(_ title: String, _ options: [Option]) -> String {
        options.isEmpty ? "" : "\n\(title):\n" + TextColumns.table(options.map { ($0.signature, $0.explanation) })
    }

    private static func section(examples: [String]) -> String {
        examples.isEmpty ? "" : "\nexamples:\n" + examples.map { "  \($0)\n" }.joined()
    }

    /// A few command lines for a start.
    private static let firstExamples = [
        "frost blur photo.jpg -o soft.jpg --sigma 8",
        "frost effect redact letter.png -o safe.png --rect 120,80,400,60",
        "frost effect blur-dark shot.png -o card.png --rect center,420x180 --corner-radius 24",
        "frost blur -r holiday/ -o calm/ --sigma 4",
        "frost video in.mp4 -o out.mp4 --effect redact --rect 400,200,160,200",
        "frost transition a.png b.png -o fade.webp --duration 1",
    ]

    /// Returns the short help of the whole program.
    static func introduction(of commands: [Command]) -> String {
        "usage: frost COMMAND ...\n" + section(examples: firstExamples) + "\n"
            + TextColumns.wrapped(
                "commands: \(commands.map(\.name).joined(separator: ", ")). 'frost COMMAND -h' describes one, "
                    + "'frost --help' all.") + "\n"
    }

    /// Returns the help text of the whole program.
    static func overview(of commands: [Command]) -> String {
        "frost \(frostVersion): blurs pictures on a GPU or the CPU\n\nusage: frost COMMAND ...\n\ncommands:\n"
            + TextColumns.table(commands.map { ($0.name, $0.summary) }, left: 12) + section(examples: firstExamples)
            + "\n'frost COMMAND --help' describes a command, and 'frost COMMAND -h' its usual options. As a\n"
            + "file name, - is standard input or output.\n\nenvironment:\n"
            + TextColumns.table(EnvironmentVariable.all(of: commands).map { ($0.name, $0.help) }) + "\nexit codes:\n"
            + TextColumns.table(ExitCode.meanings.map { ("\($0.code)", $0.meaning) }, left: 3)
    }
}
