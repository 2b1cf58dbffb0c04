import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostMeasure
import Testing

@testable import FrostCLI

/// Tests `frost completions`: which words each shell offers to complete a command line.
@Suite struct CompletionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for shell in Shell.allCases {
            // The test generates the scripts with its own code. The program's own scripts may offer fewer formats, because
            // the program may be built with fewer formats than the tests.
            try scratch.write(Array(shell.script(CompletionTable(Command.all)).utf8), shell.rawValue)
        }
        try scratch.folder("folder")
        try scratch.write([], "a picture.png")
    }

    /// Returns the words that bash offers (COMPREPLY) if the cursor is at the end of the last word. The last word may be
    /// empty.
    private func bash(_ words: String...) throws -> [String] {
        let line = """
            set -u; source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _frost frost "${COMP_WORDS[COMP_CWORD]}" ''
            for word in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf '%s\\n' "$word"; done
            """
        let outcome = try scratch.run("/bin/bash", ["-c", line, "bash", "frost"] + words)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
        return outcome.lines
    }

    @Test func commands() throws {
        let all = Command.all.map(\.name)
        #expect(try bash("") == all + ["help", "--help", "--version"])
        #expect(try bash("c") == ["compare", "check", "completions"])
        #expect(try bash("help", "") == all)
        #expect(try bash("completions", "") == ["bash", "zsh", "fish"])
        #expect(try bash("completions", "bash", "").isEmpty)
        #expect(try bash("nonsense", "").isEmpty && bash("nonsense", "-").isEmpty)
    }

    /// If the word to complete is "-", the completions are exactly the options of the command.
    @Test(arguments: Command.all.map(\.name)) func options(name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        let options = command.options + Command.common
        let spellings = options.flatMap { ["--\($0.name)"] + ($0.short.map { ["-\($0)"] } ?? []) }
        #expect(try bash(name, "-") == spellings)
        #expect(try bash(name, "--", "-").isEmpty)
        for option in options {
            guard option.value != nil else { continue }
            let expected: [String]
            switch option.kind.completion {
            case .nothing: expected = []
            case .file: expected = ["a picture.png", "bash", "fish", "folder", "zsh"]
            case .word(let words), .list(let words): expected = words
            }
            #expect(try bash(name, "--\(option.name)", "").sorted() == expected.sorted(), "\(option.name)")
        }
    }

    @Test func choices() throws {
        #expect(try bash("blur", "--edge", "") == ["clamp", "mirror", "repeat", "clear"])
        #expect(try bash("blur", "in.png", "--edge", "m") == ["mirror"])
        // By default, bash breaks words at "=". If COMP_WORDBREAKS does not contain "=", bash passes "--edge=m" as one
        // word.
        #expect(try bash("blur", "--edge", "=", "m") == ["mirror"])
        #expect(try bash("blur", "--edge", "=") == ["clamp", "mirror", "repeat", "clear"])
        #expect(try bash("blur", "--edge=m") == ["--edge=mirror"])
        #expect(try bash("blur", "--backend", "") == ["auto", "cpu", "gpu", "exact"])
        #expect(try bash("bench", "--backend", "cpu,g") == ["cpu,gpu"])
        #expect(try bash("bench", "--format", "rgba8") == ["rgba8", "rgba8-straight"])
        #expect(try bash("check", "--effect", "light,7blur-n") == ["light,7blur-neon"])
        #expect(try bash("blur", "--edge=mirror", "--sigma", "").isEmpty)
        #expect(try bash("blur", "a") == ["a picture.png"])
        #expect(try bash("devices", "").isEmpty)
    }

    @Test func effectNames() throws {
        let all = EffectCatalog.all.map(\.name)
        #expect(try bash("effect", "") == all)
        #expect(try bash("effect", "--backend", "cpu", "") == all)
        #expect(try bash("effect", "material-thick-") == ["material-thick-light", "material-thick-dark"])
        #expect(try bash("effect", "light", "fo") == ["folder"])
        #expect(try bash("plan", "--effect", "") == all)
    }

    /// After an effect's name, the shell offers the effect's own options, and after an option it offers the option's values.
    @Test(arguments: EffectCatalog.all.map(\.name)) func parameters(name: String) throws {
        let effect = try EffectCatalog.effect(name)
        let own = effect.parameters.map { "--\($0.name)" }
        let general = (Command.effect.options + Command.common).map { "--\($0.name)" }
        let short = (Command.effect.options + Command.common).compactMap(\.short).map { "-\($0)" }
        #expect(try Set(bash("effect", name, "-")) == Set(own + general + short))
        #expect(try Set(bash("effect", "--scale", "2", name, "in.png", "-")) == Set(own + general + short))
        let planned = try bash("plan", "--size", "9x9", "--effect", name, "-")
        #expect(Set(own).isSubset(of: planned) && Set(planned).count == planned.count)
        #expect(!planned.contains("--sigma") || own.contains("--sigma"))
        #expect(try Set(bash("plan", "--effect=\(name)", "-")) == Set(planned))
        for parameter in effect.parameters {
            var expected: [String] = []
            if case .choice(let names, _) = parameter.kind { expected = names }
            #expect(try bash("effect", name, "--\(parameter.name)", "") == expected)
        }
    }

    @Test(arguments: Shell.allCases) func script(shell: Shell) throws {
        let outcome = try scratch.frost("completions", shell.rawValue)
        #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.text.contains("material-thick-light"))
    }

    @Test func usage() throws {
        try scratch.frost("completions").expectError(2, "a shell is required: bash, zsh, fish")
        try scratch.frost("completions", "tcsh").expectError(2, "unknown shell tcsh")
        try scratch.frost("completions", "bash", "zsh").expectError(2, "unexpected operand zsh")
        #expect(try scratch.frost("completions", "bash", "--json").code == 2)
    }

    /// Every option whose placeholder begins with FILE or OUT completes file names. This check covers new options as well.
    @Test func everyFile() {
        for command in Command.all {
            for option in command.options {
                let isFile = option.value.map { $0.hasPrefix("FILE") || $0.hasPrefix("OUT") } ?? false
                #expect(isFile == (option.kind == .file), "\(command.name) --\(option.name)")
            }
        }
    }

    @Test(.enabled(if: Installed.path("shellcheck") != nil, "shellcheck is not installed")) func shellcheck() throws {
        let outcome = try scratch.run("/usr/bin/env", ["shellcheck", "bash"])
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    @Test(.enabled(if: Installed.path("zsh") != nil, "zsh is not installed")) func zsh() throws {
        let outcome = try scratch.run("/usr/bin/env", ["zsh", "-n", "zsh"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test(.enabled(if: Installed.path("fish") != nil, "fish is not installed")) func fish() throws {
        let outcome = try scratch.run("/usr/bin/env", ["fish", "-n", "fish"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        for (line, expected) in [
            ("plan --size 9x9 --edge m", ["mirror"]),
            ("effect material-thick-", ["material-thick-dark", "material-thick-light"]),
            ("effect light --conv", ["--convention"]), ("check --effect light,7blur-ne", ["light,7blur-neon"]),
            ("plan --effect light --sig", []), ("plan --sig", ["--sigma"]),
        ] {
            let outcome = try scratch.run(
                "/usr/bin/env",
                ["fish", "-c", "source ./fish; complete -C 'frost \(line)' | string replace -r '\\t.*' ''"])
            #expect(outcome.lines.sorted() == expected, "\(line): \(outcome.errors)")
        }
    }
}

/// Finds the programs that single tests need. If a program is not installed, its test is skipped.
private enum Installed {
    static func path(_ program: String) -> String? {
        guard let outcome = try? Scratch().shell("command -v \(program)"), outcome.code == 0 else { return nil }
        return outcome.lines.first
    }
}
