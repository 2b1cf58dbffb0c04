import Frost
import FrostCLI

/// Creates the reference as Markdown: docs/Reference.md.
enum MarkdownReference {
    static var lines: [String] {
        head + Command.all.flatMap(command) + ["", "## Options of every command", ""]
            + table(Command.common + [.version])
            + environment + exitCodes + effects
    }

    private static var head: [String] {
        ["# Reference", "", "<!-- Written by 'frost reference markdown', which Tools/reference runs. -->"]
            + Reference.introduction.flatMap { ["", escaped($0)] }
    }

    private static func command(_ command: Command) -> [String] {
        let line = "frost \(command.name)" + (command.operands.isEmpty ? "" : " \(command.operands)")
        return ["", "## frost \(command.name)", "", "`\(line)`", "", escaped(command.summary)]
            + (command.options.isEmpty ? [] : [""] + table(command.options))
            + (command.examples.isEmpty ? [] : ["", "```sh"] + command.examples + ["```"])
    }

    private static func table(_ options: [Option]) -> [String] {
        rows(
            ["option", "what it is for", "allowed", "default"],
            options.map { option in
                let names = [option.short.map { "-\($0)" }, "--\(option.name)"].compactMap { $0 }
                let signature = names.joined(separator: ", ") + (option.value.map { " \($0)" } ?? "")
                let fallback = [option.environment.map { "`$\($0)`" }, option.default.map { escaped($0.text) }]
                return [
                    "`\(signature)`", escaped(option.help), escaped(option.kind.allowed ?? ""),
                    fallback.compactMap { $0 }.joined(separator: ", else "),
                ]
            })
    }

    private static var environment: [String] {
        ["", "## Environment", ""]
            + rows(
                ["variable", "what it is for"],
                EnvironmentVariable.all(of: Command.all).map { ["`\($0.name)`", escaped($0.help)] })
    }

    private static var exitCodes: [String] {
        ["", "## Exit codes", ""]
            + rows(["code", "meaning"], ExitCode.meanings.map { ["\($0.code)", escaped($0.meaning)] })
    }

    private static var effects: [String] {
        var lines = [
            "", "## Effects", "", "What each does, and where its numbers come from: [Catalogue.md](Catalogue.md).",
        ]
        for family in EffectDescription.Family.allCases {
            let effects = EffectCatalog.all.filter { $0.family == family }
            lines += ["", "### \(family.rawValue)", ""]
            lines += rows(["effect", "what it is", "options"], effects.map(row))
        }
        return lines
    }

    private static func row(_ effect: EffectDescription) -> [String] {
        let options = effect.options.map { option in
            "`--\(option.name) \(option.value ?? "")`" + (option.bounds.map { " (\(escaped($0)))" } ?? "")
        }
        return ["`\(effect.name)`", escaped(effect.summary), options.joined(separator: "<br>")]
    }

    private static func rows(_ head: [String], _ rows: [[String]]) -> [String] {
        ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    /// Returns the text with all markup characters escaped.
    private static func escaped(_ text: String) -> String {
        text.map { "\\`*_|<>".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
