import Frost
import FrostCLI

/// Creates the manual page with the macros of mdoc(7).
enum ManPage {
    /// The date of the text, which `man` requires.
    private static let date = "November 21, 2026"

    static var lines: [String] {
        head + [".Sh COMMANDS"] + Command.all.flatMap(command) + common + effects + environment + files
            + exitStatus
    }

    private static var head: [String] {
        [
            ".\\\" Written by 'frost reference man'.", ".Dd \(date)", ".Dt FROST 1", ".Os", ".Sh NAME", ".Nm frost",
            ".Nd blur pictures on any GPU, or none", ".Sh SYNOPSIS",
        ]
            + Command.all.flatMap {
                [".Nm frost", ".Cm \($0.name)"] + ($0.operands.isEmpty ? [] : text($0.operands))
            }
            + [".Sh DESCRIPTION"] + paragraphs(Reference.introduction)
    }

    private static func command(_ command: Command) -> [String] {
        [".Ss frost \(command.name)"] + text(command.summary) + list(command.options)
            + (command.examples.isEmpty
                ? []
                : [".Pp", "Examples:", ".Bd -literal -offset indent"] + command.examples.map { protected(escaped($0)) }
                    + [".Ed"])
    }

    private static var common: [String] {
        [".Ss Options of every command", "Beside its own, each command has:"] + list(Command.common + [.version])
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
        var lines = [".Sh EFFECTS", "What", ".Cm effect", "knows by name, with the options that each brings."]
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
            + text("compiled programs of GPUs, and what backends were measured to cost; may be deleted at any time")
            + [".El"]
    }

    private static var exitStatus: [String] {
        [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
            + ExitCode.meanings.flatMap { [".It \($0.code)"] + text($0.meaning) } + [".El"]
    }

    private static func paragraphs(_ texts: [String]) -> [String] {
        texts.enumerated().flatMap { ($0 > 0 ? [".Pp"] : []) + text($1) }
    }

    /// Returns filled lines of text in which all instructions are escaped. Each sentence begins on a new line, because
    /// mdoc needs this for the correct spacing.
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

    /// Protects a line that begins like an instruction, with a leading "\&".
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
