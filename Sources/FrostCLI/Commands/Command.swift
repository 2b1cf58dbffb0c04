import Frost
import FrostImages

/// A command, declared once. Its parsing, help, completions and reference are made from this.
package struct Command: Sendable {
    package let name: String
    /// What follows the command's name in its usage line.
    package let operands: String
    package let summary: String
    package let options: [Option]
    package let examples: [String]
    package let run: @Sendable (Arguments, Console) throws(CommandError) -> ExitCode
    /// Options of the effect that is named on the command line.
    package var parameters: [Option]
    /// More lines of help after the summary.
    let details: String
    /// Added to the error about an unknown option.
    package var remark: String
    /// The kinds of operands, for completions: of the first, if it differs, and of all others.
    let firstOperand: ValueKind?
    let otherOperands: ValueKind
    /// For commands whose options depend on the effect that is named: makes the command for a line.
    let specialized: (@Sendable (ArraySlice<String>) throws(CommandError) -> Command)?
    /// Options that exclude an effect.
    let withoutEffect: Set<String>

    package init(
        name: String, operands: String, summary: String, options: [Option], examples: [String],
        run: @escaping @Sendable (Arguments, Console) throws(CommandError) -> ExitCode, parameters: [Option] = [],
        details: String = "", remark: String = "", firstOperand: ValueKind? = nil, otherOperands: ValueKind = .anything,
        specialized: (@Sendable (ArraySlice<String>) throws(CommandError) -> Command)? = nil,
        withoutEffect: Set<String> = []
    ) {
        (self.name, self.operands, self.summary, self.options) = (name, operands, summary, options)
        (self.examples, self.run, self.parameters, self.details) = (examples, run, parameters, details)
        (self.remark, self.firstOperand, self.otherOperands) = (remark, firstOperand, otherOperands)
        (self.specialized, self.withoutEffect) = (specialized, withoutEffect)
    }

    /// The options before the command, with their values. They mean the same as after it.
    fileprivate static func leadingOptions(_ words: [String], of commands: [Command]) -> ArraySlice<String> {
        let options = common + commands.flatMap(\.options)
        var count = 0
        while count < words.count, words[count].hasPrefix("-"), words[count] != "--" {
            let name = words[count].prefix { $0 != "=" }
            guard let option = options.first(where: { "--\($0.name)" == name || $0.short.map { "-\($0)" } == name }),
                option.name != Option.help.name
            else { break }
            count += option.value == nil || name.count < words[count].count ? 1 : 2
        }
        return words.prefix(count)
    }

    static func named(_ name: String, among commands: [Command]) throws(CommandError) -> Command {
        guard let command = commands.first(where: { $0.name == name }) else {
            let names = commands.map(\.name) + ["help", "--help", "--version"]
            let isEffect = EffectCatalog.all.contains { $0.name == name }
            let near = isEffect ? " (did you mean effect \(name)?)" : Suggestion.phrase(for: name, among: names)
            throw .usage("unknown command \(name)\(near)")
        }
        return command
    }

    /// Options of every command.
    package static let common: [Option] = [.json, .quiet, .verbose, .help]

    var help: String {
        var text = "usage: frost \(name) \(operands)\n\n\(summary)\n"
        if !details.isEmpty { text += details + "\n" }
        if !parameters.isEmpty {
            text += "\nparameters:\n" + Self.table(parameters.map { ($0.signature, $0.explanation) })
        }
        text += "\noptions:\n"
        text += Self.table((options + Self.common).map { ($0.signature, $0.explanation) })
        if !examples.isEmpty { text += "\nexamples:\n" + examples.map { "  \($0)\n" }.joined() }
        return text
    }

    /// The help of the program.
    static func overview(of commands: [Command]) -> String {
        "frost \(frostVersion): blurs pictures on any GPU, or none\n\nusage: frost COMMAND ...\n\ncommands:\n"
            + table(commands.map { ("\($0.name) \($0.operands)", $0.summary) })
            + "\n'frost COMMAND --help' says more. A file named - is standard input or output.\n\nenvironment:\n"
            + table(EnvironmentVariable.all(of: commands).map { ($0.name, $0.help) }) + "\nexit codes:\n"
            + table(ExitCode.meanings.map { ("\($0.code)", $0.meaning) }, width: 3)
    }

    /// Two columns. A left entry that is too long gets its own line.
    private static func table(_ rows: [(String, String)], width: Int = 26) -> String {
        return rows.map { left, right in
            let lines = right.split(separator: "\n", omittingEmptySubsequences: false)
            let indent = String(repeating: " ", count: width + 4)
            let padding =
                left.count <= width ? String(repeating: " ", count: width - left.count + 2) : "\n" + indent
            return "  " + left + padding + lines.joined(separator: "\n" + indent) + "\n"
        }.joined()
    }
}

/// Reports what is wrong with a command line and returns the exit code.
package func refuseFrost(_ reason: String) -> Int32 {
    Console().report(.usage(reason))
    return ExitCode.usage.rawValue
}

/// Runs a command line and returns the program's exit code.
///
/// - Parameters:
///   - words: without the program's name.
///   - commands: those that the program has, in the order of its help.
package func runFrost(_ words: [String], commands: [Command]) -> Int32 {
    Interruption.install()
    CodecMessages.discard()
    var console = Console()
    do throws(CommandError) {
        let leading = Command.leadingOptions(words, of: commands)
        let words = words.dropFirst(leading.count)
        // Set before anything can fail, so that errors have the right form.
        console.json = leading.contains("--json")
        guard let name = words.first else {
            throw .usage("a command is needed: \(commands.map(\.name).joined(separator: ", "))")
        }
        if name == "--version" || name == "-V" {
            console.result("frost \(frostVersion)")
            return 0
        }
        if name == "--help" || name == "-h" || name == "help" {
            guard let topic = words.dropFirst().first else {
                console.result(Command.overview(of: commands).trimmingNewline)
                return 0
            }
            let command = try Command.named(topic, among: commands)
            console.result(try (command.specialized?(words.dropFirst(2)) ?? command).help.trimmingNewline)
            return 0
        }
        let rest = leading + words.dropFirst()
        console.json = rest.contains("--json")
        var command = try Command.named(name, among: commands)
        console.command = name
        if let specialized = command.specialized { command = try specialized(rest) }
        let options = command.parameters + command.options + Command.common + [.version]
        let arguments = try Arguments(rest, options: options, remark: command.remark)
        if arguments.has(.help) {
            console.json = false
            console.result(command.help.trimmingNewline)
            return 0
        }
        if arguments.has(.version) {
            console.result("frost \(frostVersion)")
            return 0
        }
        console.quiet = arguments.has(.quiet)
        console.verbose = arguments.has(.verbose)
        return try command.run(arguments, console).rawValue
    } catch {
        console.report(error)
        return ExitCode(error).rawValue
    }
}

extension String {
    fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
