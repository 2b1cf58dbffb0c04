import Frost

/// Creates the completion script for zsh, which uses zsh's function `_arguments`.
struct ZshCompletion {
    private let table: CompletionTable

    init(_ table: CompletionTable) { self.table = table }

    var script: String {
        """
        #compdef frost
        # Completion of frost in zsh, from 'frost completions zsh' of \(frostVersion).
        # Save it as _frost in a folder of $fpath, or in ~/.zshrc behind compinit:  source <(frost completions zsh)

        _frost() {
            local curcontext=$curcontext command effect= previous= word
            local -a commands effects specs own
            commands=(
        \(commands)
            )
            effects=(\(table.effectNames.joined(separator: " ")))
            if (( CURRENT == 2 )); then
                _describe -t commands command commands
                _arguments -S \(table.global.map(Self.spec).joined(separator: " "))
                return
            fi
            command=$words[2]
            if [[ $command == help ]]; then
                (( CURRENT == 3 )) && _describe -t commands command commands
                return
            fi
            for word in ${words[3,CURRENT-1]}; do
                if [[ $command == effect || ($command == plan && $previous == --effect) ]]; then
                    if [[ -z $effect ]] && (( ${effects[(Ie)$word]} )); then effect=$word; fi
                elif [[ $command == plan && $word == --effect=* ]] && (( ${effects[(Ie)${word#*=}]} )); then
                    effect=${word#*=}
                fi
                previous=$word
            done
            case "$command${effect:+ effect}" in
        \(options)
                *) return 1 ;;
            esac
            case $effect in
        \(parameters)
            esac
            shift words
            (( CURRENT-- ))
            _arguments -s -S : $specs $own
        }

        if [[ $funcstack[1] == _frost ]]; then _frost "$@"; else compdef _frost frost; fi
        """
    }

    private var commands: String {
        table.entries.map { entry in
            "        " + Self.quoted("\(entry.command.name):\(Self.plain(entry.command.summary))")
        }.joined(separator: "\n")
    }

    private var options: String {
        table.entries.map { entry in
            let command = entry.command
            let operands =
                (command.firstOperand.map { ["1:\(Self.label($0)):\(Self.action($0.completion))"] } ?? [])
                + (command.otherOperands == .anything
                    ? [] : ["*:input:\(Self.action(command.otherOperands.completion))"])
            func lines(_ pattern: String, _ options: [Option]) -> String {
                let specs = options.map(Self.spec) + operands.map(Self.quoted)
                return "        \(pattern)) specs=(\n"
                    + specs.map { "            \($0)\n" }.joined() + "        ) ;;"
            }
            return lines("'\(command.name)'", entry.options)
                + (entry.besideEffect.map { "\n" + lines("'\(command.name) effect'", $0) } ?? "")
        }.joined(separator: "\n")
    }

    private var parameters: String {
        table.effects.map { effect in
            "        \(effect.name)) own=(\n"
                + effect.options.map { "            \(Self.spec($0))\n" }.joined() + "        ) ;;"
        }.joined(separator: "\n")
    }

    /// Returns the specification of an option for `_arguments`.
    private static func spec(_ option: Option) -> String {
        let value = option.value.map { ":\(plain($0)):\(action(option.kind.completion))" } ?? ""
        let text = "[\(plain(CompletionTable.summary(option.help)))]" + value
        let equals = option.value == nil ? "" : "="
        guard let short = option.short else {
            return quoted("\(option.repeats ? "*" : "")--\(option.name)\(equals)\(text)")
        }
        let plus = option.value == nil ? "" : "+"
        return "'(-\(short) --\(option.name))'{-\(short)\(plus),--\(option.name)\(equals)}" + quoted(text)
    }

    private static func label(_ kind: ValueKind) -> String { kind == .effect ? "effect" : "name" }

    private static func action(_ kind: Completion) -> String {
        switch kind {
        case .nothing: " "
        case .file: "_files"
        case .word(let words): "(\(words.joined(separator: " ")))"
        case .list(let words): "_sequence compadd - \(words.joined(separator: " "))"
        }
    }

    /// Escapes the characters with a special meaning in `_arguments` and `_describe`.
    private static func plain(_ text: String) -> String {
        CompletionTable.summary(text).map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
