import Frost

extension Command {
    package static let completions = Command(
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
            console.result(shell.script)
            return .done
        },
        firstOperand: .word(Shell.self))
}

/// The shells whose scripts ask `frost __complete` for the words that can complete a command line.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The completion script of this shell, without a trailing newline.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// The script for bash 3.2 and later. It does not need the package bash-completion.
    private static let bashScript = #"""
        # shellcheck shell=bash
        # Completion of frost in bash, from 'frost completions bash' of \#(frostVersion).
        # In ~/.bashrc:  source <(frost completions bash)

        _frost() {
            local word kind='' cur=${COMP_WORDS[COMP_CWORD]}
            COMPREPLY=()
            while IFS= read -r word; do
                if [[ -z $kind ]]; then kind=$word; else COMPREPLY+=("${word%%$'\t'*}"); fi
            done < <(command "${COMP_WORDS[0]/#\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            if [[ $kind == list ]]; then
                compopt -o nospace 2>/dev/null
            elif [[ $kind == files ]]; then
                local prefix=${COMPREPLY[0]-}
                COMPREPLY=()
                # Readline quotes names best. If it cannot complete, the names are listed without quoting.
                [[ -z $prefix ]] && compopt -o default 2>/dev/null && return
                while IFS= read -r word; do
                    COMPREPLY+=("$word")
                done < <(compgen -f -P "$prefix" -- "${cur#"$prefix"}")
            fi
        }

        complete -F _frost frost
        """#

    private static let zshScript = #"""
        #compdef frost
        # Completion of frost in zsh, from 'frost completions zsh' of \#(frostVersion).
        # Save it as _frost in a folder of $fpath, or in ~/.zshrc behind compinit:  source <(frost completions zsh)

        _frost() {
            local program=${(Q)words[1]}
            local -a answer offers
            answer=("${(@f)$(command ${~program} __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            offers=("${(@)${(@)answer[2,-1]//:/\\:}/$'\t'/:}")
            case $answer[1] in
                words) _describe -t words frost offers ;;
                list) _describe -t words frost offers -S '' ;;
                files)
                    compset -p ${#answer[2]}
                    _files
                    ;;
            esac
        }

        if [[ $funcstack[1] == _frost ]]; then _frost "$@"; else compdef _frost frost; fi
        """#

    /// The script for fish 3.0 and later.
    private static let fishScript = #"""
        # Completion of frost in fish, from 'frost completions fish' of \#(frostVersion).
        # Save it as ~/.config/fish/completions/frost.fish

        # Asks frost for the words that can complete the command line. Fails if these are files, which fish completes best.
        function __frost_answer
            set -l words (commandline -opc)
            set -g __frost_answer (command $words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
            test "$__frost_answer[1]" = files; or return 0
            set -l prefix $__frost_answer[2]
            test -n "$prefix"; or return 1
            set __frost_answer files $prefix(__fish_complete_path (string replace -- $prefix '' (commandline -ct)))
        end

        complete -c frost -e
        complete -c frost -n __frost_answer -f -a '$__frost_answer[2..-1]'
        """#
}
