import Frost

/// Creates the completion script for bash 3.2 and later. It does not need the package bash-completion.
struct BashCompletion {
    private let table: CompletionTable

    init(_ table: CompletionTable) { self.table = table }

    var script: String {
        """
        # shellcheck shell=bash
        # Completion of frost in bash, from 'frost completions bash' of \(frostVersion).
        # In ~/.bashrc:  source <(frost completions bash)

        # The kind of value of option $3 of command $1 with effect $2: sets kind (switch, anything, file, word or list)
        # and words.
        _frost_value() {
            kind=switch words=
            case "$1 $3" in
        \(cases(ofCommands))
            esac
            case "$2 $3" in
        \(cases(ofEffects))
            esac
        }

        # The options of command $1 with effect $2: sets words.
        _frost_options() {
            words=
            case "$1 ${2:+effect}" in
        \(options)
            esac
            case "$2" in
        \(parameters)
            esac
        }

        # The kind of operand number $3 of command $1 with effect $2: sets kind and words.
        _frost_operand() {
            kind=anything words=
            case "$1" in
        \(operands)
            esac
        }

        \(Self.engine(commands: table.entries.map(\.command.name), effects: table.effectNames))

        complete -F _frost frost
        """
    }

    /// Returns the cases of a shell `case` statement, with the options grouped by the kind of their values.
    private func cases(_ values: [(pattern: String, kind: Completion)]) -> String {
        var order: [Completion] = []
        var patterns: [Completion: [String]] = [:]
        for value in values {
            if patterns[value.kind] == nil { order.append(value.kind) }
            if patterns[value.kind]?.contains(value.pattern) != true {
                patterns[value.kind, default: []].append(value.pattern)
            }
        }
        return order.map { kind in
            let lines = (patterns[kind] ?? []).map { "        '\($0)'" }.joined(separator: " | \\\n")
            return "\(lines)) \(Self.assignment(kind)) ;;"
        }.joined(separator: "\n")
    }

    private var ofCommands: [(pattern: String, kind: Completion)] {
        table.entries.flatMap { entry in
            entry.options.filter { $0.value != nil }.flatMap { option in
                CompletionTable.spellings(option).map { ("\(entry.command.name) \($0)", option.kind.completion) }
            }
        }
    }

    private var ofEffects: [(pattern: String, kind: Completion)] {
        table.effects.flatMap { effect in effect.options.map { ("\(effect.name) --\($0.name)", $0.kind.completion) } }
    }

    private var options: String {
        table.entries.flatMap { entry in
            let name = entry.command.name
            let beside = entry.besideEffect.map { ["        '\(name) effect') words='\(Self.words($0))' ;;"] } ?? []
            return ["        '\(name) ') words='\(Self.words(entry.options))' ;;"] + beside
        }.joined(separator: "\n")
    }

    private var parameters: String {
        table.effects.map { "        \($0.name)) words+=' \(Self.words($0.options))' ;;" }.joined(separator: "\n")
    }

    private var operands: String {
        table.entries.compactMap { entry in
            let command = entry.command
            let others = Self.assignment(command.otherOperands.completion)
            guard let first = command.firstOperand else {
                return command.otherOperands == .anything ? nil : "        \(command.name)) \(others) ;;"
            }
            // A word before the effect's name may be a value of one of that effect's options, so it does not count as
            // the first operand.
            let isFirst = entry.effectIsOperand ? "[[ -z $2 ]]" : "[[ $3 == 0 ]]"
            return
                "        \(command.name)) if \(isFirst); then \(Self.assignment(first.completion)); else \(others); fi ;;"
        }.joined(separator: "\n")
    }

    private static func words(_ options: [Option]) -> String {
        options.flatMap(CompletionTable.spellings).joined(separator: " ")
    }

    private static func assignment(_ kind: Completion) -> String {
        switch kind {
        case .nothing: "kind=anything"
        // The quotes are necessary because shellcheck otherwise takes `file` for the command of this name.
        case .file: "kind='file'"
        case .word(let words): "kind=word words='\(words.joined(separator: " "))'"
        case .list(let words): "kind=list words='\(words.joined(separator: " "))'"
        }
    }

    /// Returns the shell code that reads the command line. All other parts of the script are tables.
    private static func engine(commands: [String], effects: [String]) -> String {
        #"""
        # Adds the words of $2 that begin with $3 to COMPREPLY, each with the prefix $1.
        _frost_offer() {
            local match
            while IFS= read -r match; do COMPREPLY+=("$match"); done < <(compgen -P "$1" -W "$2" -- "$3")
        }

        _frost() {
            local commands='\#(commands.joined(separator: " "))'
            local effects='\#(effects.joined(separator: " "))'
            local cur=${COMP_WORDS[COMP_CWORD]} prefix='' option='' effect='' plain='' operands=0
            local command kind words word i
            local -a seen=()
            COMPREPLY=()
            # Bash treats = as a separate word.
            [[ $cur == = ]] && cur=
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                case $word in
                    =) ;;
                    --?*=*) seen+=("${word%%=*}" "${word#*=}") ;;
                    *) seen+=("$word") ;;
                esac
            done
            if ((${#seen[@]} == 0)); then
                _frost_offer '' "$commands help --help --version" "$cur"
                return
            fi
            command=${seen[0]}
            if [[ $command == help ]]; then
                ((${#seen[@]} == 1)) && _frost_offer '' "$commands" "$cur"
                return
            fi

            # Finds the effect, and whether the next word is an option's value.
            for word in "${seen[@]:1}"; do
                if [[ -n $option ]]; then
                    if [[ "$command $option" == 'plan --effect' && " $effects " == *" $word "* ]]; then
                        effect=$word
                    fi
                    option=
                elif [[ -z $plain && $word == -- ]]; then
                    plain=1
                elif [[ -z $plain && $word == -?* ]]; then
                    _frost_value "$command" "$effect" "$word"
                    [[ $kind == switch ]] || option=$word
                else
                    operands=$((operands + 1))
                    if [[ $command == effect && -z $effect && " $effects " == *" $word "* ]]; then effect=$word; fi
                fi
            done

            if [[ -z $option && -z $plain && $cur == --*=* ]]; then
                option=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=}
            fi
            if [[ -n $option ]]; then
                _frost_value "$command" "$effect" "$option"
            elif [[ -z $plain && $cur == -* ]]; then
                _frost_options "$command" "$effect"
                _frost_offer '' "$words" "$cur"
                return
            else
                _frost_operand "$command" "$effect" "$operands"
            fi
            case $kind in
                word) _frost_offer "$prefix" "$words" "$cur" ;;
                list)
                    [[ $cur == *,* ]] && prefix+=${cur%,*},
                    compopt -o nospace 2>/dev/null
                    _frost_offer "$prefix" "$words" "${cur##*,}"
                    ;;
                file)
                    # Readline quotes names best. If it cannot complete, the names are listed without quoting.
                    [[ -z $prefix ]] && compopt -o default 2>/dev/null && return
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -P "$prefix" -- "$cur")
                    ;;
            esac
        }
        """#
    }
}
