import Frost

/// Creates the completion script for fish 3.0 and later.
struct FishCompletion {
    private let table: CompletionTable

    init(_ table: CompletionTable) { self.table = table }

    var script: String {
        ([Self.head(effects: table.effectNames)] + global + table.entries.flatMap(lines)
            + table.effects.flatMap { effect in
                effect.options.map { Self.line($0, "test (__frost_effect) = \(effect.name)") }
            }).joined(separator: "\n")
    }

    private static func head(effects: [String]) -> String {
        """
        # Completion of frost in fish, from 'frost completions fish' of \(frostVersion).
        # Save it as ~/.config/fish/completions/frost.fish

        # Whether no command is named yet.
        function __frost_first
            test (count (commandline -opc)) -eq 1
        end

        # Whether the command is this one.
        function __frost_in --argument-names command
            set -l words (commandline -opc)
            test "$words[2]" = $command
        end

        # How many words follow the command.
        function __frost_operands
            math (count (commandline -opc)) - 2
        end

        # The effect that 'effect' or 'plan' names, or an empty line; succeeds if there is one.
        function __frost_effect
            set -l effects \(effects.joined(separator: " "))
            set -l words (commandline -opc)
            set -l previous
            for word in $words
                set -l name
                switch "$words[2]"
                    case effect
                        set name $word
                    case plan
                        test "$previous" = --effect; and set name $word
                        string match -q -- '--effect=*' $word; and set name (string replace -- --effect= '' $word)
                end
                if contains -- "$name" $effects
                    echo $name
                    return 0
                end
                set previous $word
            end
            echo
            return 1
        end

        complete -c frost -e
        complete -c frost -f
        """
    }

    private var global: [String] {
        table.global.map { Self.line($0, "__frost_first") }
            + table.entries.map {
                "complete -c frost -n __frost_first -a \($0.command.name) -d \(Self.quoted($0.command.summary))"
            } + [
                "complete -c frost -n '__frost_first' -a help -d 'Explain a command'",
                "complete -c frost -n '__frost_in help; and test (__frost_operands) -eq 0' -a '"
                    + table.entries.map(\.command.name).joined(separator: " ") + "'",
            ]
    }

    private func lines(_ entry: CompletionTable.Entry) -> [String] {
        let command = entry.command
        let inside = "__frost_in \(command.name)"
        let beside = Set((entry.besideEffect ?? entry.options).map(\.name))
        let options = entry.options.map {
            Self.line($0, beside.contains($0.name) ? inside : "\(inside); and not __frost_effect >/dev/null")
        }
        func operand(_ kind: Completion, _ condition: String) -> [String] {
            kind == .nothing
                ? []
                : ["complete -c frost -n \(Self.quoted("\(inside)\(condition)"))\(Self.value(kind, operand: true))"]
        }
        let others = command.otherOperands
        guard let first = command.firstOperand else { return options + operand(others.completion, "") }
        let isLater = entry.effectIsOperand ? "__frost_effect >/dev/null" : "test (__frost_operands) -gt 0"
        return options + operand(first.completion, "; and not \(isLater)")
            + operand(others.completion, "; and \(isLater)")
    }

    private static func line(_ option: Option, _ condition: String) -> String {
        "complete -c frost -n \(quoted(condition))" + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name)"
            + (option.value == nil ? "" : value(option.kind.completion, operand: false))
            + " -d \(quoted(CompletionTable.summary(option.help)))"
    }

    private static func value(_ kind: Completion, operand: Bool) -> String {
        let (alone, required) = operand ? ("", "") : (" -x", " -r")
        return switch kind {
        case .nothing: alone
        case .file: "\(required) -F"
        case .word(let words): "\(alone) -a '\(words.joined(separator: " "))'"
        case .list(let words): "\(alone) -a '(__fish_append , \(words.joined(separator: " ")))'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { "\\'".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
    }
}
