import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostMeasure
import Testing

@testable import FrostCLI

/// Tests `frost completions` and `frost __complete`: which words a shell offers to complete a command line.
@Suite struct CompletionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for shell in Shell.allCases { try scratch.write(Array(shell.script.utf8), shell.rawValue) }
        try scratch.folder("folder")
        try scratch.write([], "a picture.png")
    }

    /// Returns the words that can complete the last word, which may be empty. The program may offer fewer formats than these
    /// tests, because it may be built with fewer formats.
    private func offers(_ words: String...) -> [String] {
        let completion = completion(words)
        return completion.form == .files ? [] : completion.words.map(\.text)
    }

    private func completion(_ words: [String]) -> Completion { Completion(of: words[...], among: Command.all) }

    /// Returns the words that bash offers (COMPREPLY) if the cursor is at the end of the last word. The last word may be
    /// empty.
    private func bash(_ words: String...) throws -> [String] {
        let line = """
            set -u; source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _frost frost "${COMP_WORDS[COMP_CWORD]}" ''
            for word in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf '%s\\n' "$word"; done
            """
        let outcome = try scratch.run("/bin/bash", ["-c", line, "bash", Program.path] + words)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
        return outcome.lines
    }

    @Test func commands() {
        let all = Command.all.map(\.name)
        #expect(offers("") == all + ["help", "--help", "--version"])
        #expect(offers("c") == ["compare", "check", "completions"])
        #expect(offers("help", "") == all)
        #expect(offers("completions", "") == ["bash", "zsh", "fish"])
        #expect(offers("completions", "bash", "").isEmpty)
        #expect(offers("nonsense", "").isEmpty && offers("nonsense", "-").isEmpty)
    }

    /// If the word to complete is "-", the completions are exactly the options of the command.
    @Test(arguments: Command.all.map(\.name)) func options(name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        let options = command.options + Command.common
        #expect(offers(name, "-") == options.flatMap(\.spellings))
        #expect(offers(name, "--", "-").isEmpty)
        for option in options {
            guard option.value != nil else { continue }
            let expected: [String] =
                switch option.kind {
                case .file: ["files", ""]
                case .word(let words): ["words"] + words
                case .list(.word(let words), _): ["list"] + words
                case .effect: ["words"] + EffectCatalog.all.map(\.name)
                case .list(.effect, _): ["list"] + EffectCatalog.all.map(\.name)
                case .effectGroup: ["words"] + Self.groups + EffectCatalog.all.map(\.name)
                case .list(.effectGroup, _): ["list"] + Self.groups + EffectCatalog.all.map(\.name)
                case .list: ["list"]
                case .preset: ["words", "lock-screen", "hero", "placeholder", "redact"]
                case .colorOr(let words): ["words"] + words
                case .anything, .integer, .number, .bytes, .color, .stops, .size, .rect, .resize, .cornerRadius, .shard:
                    ["words"]
                }
            let found = completion([name, "--\(option.name)", ""])
            #expect([found.form.rawValue] + found.words.map(\.text) == expected, "\(option.name)")
        }
    }

    private static let groups = ["uiimage", "7blur", "uikit", "gpuimage", "core-image", "frost", "all"]

    @Test func choices() {
        #expect(offers("blur", "--edge", "") == ["clamp", "mirror", "repeat", "clear", "reflect-101"])
        #expect(offers("blur", "in.png", "--edge", "m") == ["mirror"])
        // By default, bash breaks words at "=". If COMP_WORDBREAKS does not contain "=", bash passes "--edge=m" as one
        // word.
        #expect(offers("blur", "--edge", "=", "m") == ["mirror"])
        #expect(offers("blur", "--edge", "=") == ["clamp", "mirror", "repeat", "clear", "reflect-101"])
        #expect(offers("blur", "--edge=m") == ["--edge=mirror"])
        #expect(offers("blur", "--backend", "") == ["auto", "cpu", "gpu", "exact"])
        #expect(offers("bench", "--backend", "cpu,g") == ["cpu,gpu"])
        #expect(offers("bench", "--format", "rgba8") == ["rgba8", "rgba8-straight"])
        #expect(offers("check", "--effect", "light,7blur-n") == ["light,7blur-neon"])
        #expect(offers("blur", "--edge=mirror", "--sigma", "").isEmpty)
        #expect(offers("devices", "").isEmpty)
        #expect(completion(["blur", "--output=pic"]).lines == ["files", "--output="])
        #expect(completion(["blur", "-opic"]).lines == ["files", "-o"])
        #expect(completion(["plan", "--sig"]).lines == ["words", "--sigma\tstandard deviation of the blur in pixels"])
    }

    @Test func bash() throws {
        #expect(try bash("c") == ["compare", "check", "completions"])
        #expect(try bash("blur", "--edge", "=", "m") == ["mirror"])
        #expect(try bash("bench", "--backend", "cpu,g") == ["cpu,gpu"])
        #expect(try bash("blur", "a") == ["a picture.png"])
        #expect(try bash("blur", "x", "--output=a") == ["--output=a picture.png"])
        #expect(try bash("blur", "-o", "").sorted() == ["a picture.png", "bash", "fish", "folder", "zsh"])
        #expect(try bash("effect", "light", "fo") == ["folder"])
        #expect(try bash("devices", "").isEmpty)
    }

    @Test func effectNames() {
        let all = EffectCatalog.all.map(\.name)
        #expect(offers("effect", "") == all)
        #expect(offers("effect", "--backend", "cpu", "") == all)
        #expect(offers("effect", "material-thick-") == ["material-thick-light", "material-thick-dark"])
        #expect(completion(["effect", "light", "fo"]).lines == ["files", ""])
        #expect(offers("plan", "--effect", "") == all)
    }

    /// After an effect's name, the shell offers the effect's own options, and after an option it offers the option's values.
    @Test(arguments: EffectCatalog.all.map(\.name)) func parameters(name: String) throws {
        let effect = try EffectCatalog.effect(name)
        let own = effect.parameters.map { "--\($0.name)" }
        let general = (Command.effect.options + Command.common).map { "--\($0.name)" }
        let short = (Command.effect.options + Command.common).compactMap(\.short).map { "-\($0)" }
        #expect(Set(offers("effect", name, "-")) == Set(own + general + short))
        #expect(Set(offers("effect", "--scale", "2", name, "in.png", "-")) == Set(own + general + short))
        let planned = offers("plan", "--size", "9x9", "--effect", name, "-")
        #expect(Set(own).isSubset(of: planned) && Set(planned).count == planned.count)
        #expect(!planned.contains("--sigma") || own.contains("--sigma"))
        #expect(Set(offers("plan", "--effect=\(name)", "-")) == Set(planned))
        for parameter in effect.parameters {
            var expected: [String] = []
            if case .choice(let names, _) = parameter.kind { expected = names }
            if case .colorOrAuto = parameter.kind { expected = ["auto"] }
            #expect(offers("effect", name, "--\(parameter.name)", "") == expected)
        }
    }

    @Test(arguments: Shell.allCases) func script(shell: Shell) throws {
        let outcome = try scratch.frost("completions", shell.rawValue)
        #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.text.contains("__complete"))
    }

    @Test func usage() throws {
        try scratch.frost("completions").expectError(2, "a shell is required: bash, zsh, fish")
        try scratch.frost("completions", "tcsh").expectError(2, "unknown shell tcsh")
        try scratch.frost("completions", "bash", "zsh").expectError(2, "unexpected operand zsh")
        #expect(try scratch.frost("completions", "bash", "--json").code == 2)
    }

    /// Every option whose placeholder begins with FILE, OUT or DIR completes file names. This check covers new options as well.
    @Test func everyFile() {
        for command in Command.all {
            for option in command.options {
                let value = option.value ?? ""
                let isFile = ["FILE", "OUT", "DIR"].contains { value.hasPrefix($0) }
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
            ("plan --effect light --sig", []), ("plan --sig", ["--sigma"]), ("blur fol", ["folder/"]),
            ("blur --output=fol", ["--output=folder/"]), ("blur -ofol", ["-ofolder/"]),
        ] {
            let outcome = try scratch.run(
                "/usr/bin/env",
                ["fish", "-c", "source ./fish; complete -C '\(Program.path) \(line)' | string replace -r '\\t.*' ''"])
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
