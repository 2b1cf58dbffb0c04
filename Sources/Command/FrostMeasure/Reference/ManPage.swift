import Frost
import FrostCLI

/// The manual pages, in the macros of mdoc(7): frost(1), and one for each command, such as frost-blur(1).
enum ManPage {
    /// The date of the manual pages. `man` requires a date.
    private static let date = "November 23, 2026"

    /// The page frost(1), which describes what all commands have in common.
    static var lines: [String] {
        head("frost", "blur pictures on a GPU or the CPU")
            + [".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options", ".Sh DESCRIPTION"]
            + paragraphs(Reference.introduction)
            + [".Pp", "The commands, each with a page of its own:", ".Bl -tag -width frost-completions"]
            + Command.all.flatMap { [".It Xr \(title($0)) 1"] + text($0.summary) } + [".El"]
            + [".Pp", "The options of every command:"] + list(Command.common + [.version])
            + environment + files + exitStatus
            + [".Sh EXAMPLES"] + Reference.examples.flatMap { text($0.purpose + ":") + literal([$0.line]) }
            + seeAlso(Command.all.map(title))
    }

    /// Returns the page of a command.
    static func lines(_ command: Command) -> [String] {
        var lines = head(title(command), lowercased(command.summary))
        lines += [".Sh SYNOPSIS", ".Nm frost", ".Cm \(command.name)"]
        lines += command.operands.isEmpty ? [] : text(command.operands)
        lines += [".Sh DESCRIPTION"] + text(command.summary)
        if !command.options.isEmpty { lines += [".Pp", "The options:"] + list(command.options) }
        lines += [".Pp"] + text("Each command also has \(names(Command.common)).") + [".Xr frost 1"]
        lines += text("describes these options, the environment variables and the exit status.")
        if command.name == Command.effect.name { lines += effects }
        if !command.examples.isEmpty { lines += [".Sh EXAMPLES"] + literal(command.examples) }
        return lines + seeAlso(["frost"] + related(command).map(title))
    }

    /// Returns the name of a command's page, for example "frost-blur".
    static func title(_ command: Command) -> String { "frost-\(command.name)" }

    private static func head(_ name: String, _ purpose: String) -> [String] {
        let purpose = purpose.hasSuffix(".") ? String(purpose.dropLast()) : purpose
        return [
            ".\\\" Written by 'frost reference man'.", ".Dd \(date)",
            // Groff's header and footer name BSD otherwise.
            ".ds doc-volume-operating-system Frost", ".ds doc-default-operating-system Frost \(frostVersion)",
            ".Dt \(name.uppercased()) 1", ".Os",
            ".Sh NAME", ".Nm \(name)", ".Nd \(escaped(purpose))",
        ]
    }

    /// Returns the text with a small first letter. If the text begins with an abbreviation, it stays unchanged.
    private static func lowercased(_ text: String) -> String {
        let second = text.dropFirst().first
        return second?.isLowercase == true ? text.prefix(1).lowercased() + text.dropFirst() : text
    }

    private static func names(_ options: [Option]) -> String {
        let names = options.map { "--\($0.name)" }
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// Returns the other commands that have a topic in common with the given command.
    private static func related(_ command: Command) -> [Command] {
        let topics = [["blur", "effect", "effects", "plan"], ["compare", "check", "bench"], ["devices", "doctor"]]
        let names = Set(topics.filter { $0.contains(command.name) }.joined()).subtracting([command.name])
        return Command.all.filter { names.contains($0.name) }
    }

    private static func seeAlso(_ pages: [String]) -> [String] {
        let sorted = pages.sorted()
        return [".Sh SEE ALSO"] + sorted.map { ".Xr \($0) 1" + ($0 == sorted.last ? "" : " ,") }
    }

    private static func literal(_ lines: [String]) -> [String] {
        [".Bd -literal -offset indent"] + lines.map { protected(escaped($0)) } + [".Ed"]
    }

    private static func list(_ options: [Option]) -> [String] {
        guard !options.isEmpty else { return [] }
        return [".Bl -tag -width Ds"] + options.flatMap { [item($0)] + text($0.explanation) } + [
            ".El"
        ]
    }

    private static func item(_ option: Option) -> String {
        let short = option.short.map { "Fl \($0) , " } ?? ""
        return ".It \(short)Fl \\-\(escaped(option.name))" + (option.value.map { " Ar \(escaped($0))" } ?? "")
    }

    private static var effects: [String] {
        var lines = [".Sh EFFECTS", "The effects, each with its parameters as options."]
        for family in EffectDescription.Family.allCases {
            lines += [".Ss \(escaped(family.rawValue))", ".Bl -tag -width Ds"]
            for effect in EffectCatalog.all where effect.family == family {
                lines += [".It Cm \(escaped(effect.name))"] + text(effect.summary + ".") + list(effect.options)
            }
            lines.append(".El")
        }
        return lines
    }

    private static var environment: [String] {
        [".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
            + EnvironmentVariable.all(of: Command.all).flatMap { [".It Ev \($0.name)"] + text($0.help) } + [".El"]
    }

    private static var files: [String] {
        [".Sh FILES", ".Bl -tag -width Ds", ".It Pa ~/.cache/frost"]
            + text("compiled GPU programs and the measured speed of the backends; may be deleted at any time")
            + [".El"]
    }

    private static var exitStatus: [String] {
        [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
            + ExitCode.meanings.flatMap { [".It \($0.code)"] + text($0.meaning) } + [".El"]
    }

    private static func paragraphs(_ texts: [String]) -> [String] {
        texts.enumerated().flatMap { ($0 > 0 ? [".Pp"] : []) + text($1) }
    }

    /// Returns lines of text for mdoc. Words fill the lines, and characters with a special meaning in mdoc are escaped.
    /// Each sentence begins on a new line, because mdoc needs this for the correct spacing.
    private static func text(_ text: String) -> [String] {
        var lines: [String] = []
        var isNewSentence = true
        for word in text.split(separator: " ").map({ escaped(String($0)) + ($0.hasSuffix("...") ? "\\&" : "") }) {
            if let last = lines.last, !isNewSentence, last.count + word.count < 78 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(protected(word))
            }
            isNewSentence = word.hasSuffix(".") || word.hasSuffix(".)")
        }
        return lines
    }

    /// Puts "\&" before a line that begins with a dot. Otherwise the formatter would read the line as an instruction.
    private static func protected(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "~": "\\(ti"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            default: String(character)
            }
        }.joined()
    }
}
