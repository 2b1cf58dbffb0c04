import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

/// Tests invalid command lines. Each must give exit code 2 and a one-line message with the cause, and change no file.
@Suite struct UsageTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png")
        try scratch.write([1, 2, 3], "old.png")
    }

    /// Runs frost in a folder that contains an output file. Expects an error, an unchanged output file, and no new files.
    private func refused(_ arguments: [String], _ code: Int32 = 2, _ evidence: String) throws {
        let outcome = try scratch.run(Program.path, arguments)
        outcome.expectError(code, evidence)
        #expect(try scratch.bytes("old.png") == [1, 2, 3])
        #expect(try scratch.entries() == ["in.png", "old.png"], "\(arguments)")
    }

    @Test func noCommand() throws {
        let first = try scratch.run(Program.path, [])
        #expect(first.code == 2 && first.text.isEmpty && first.errors.contains("a command is required"))
        #expect(first.errors.split(separator: "\n").filter { $0.hasPrefix("  frost ") }.count == 6)
        let outcome = try scratch.run(Program.path, ["--json"])
        #expect(outcome.code == 2 && outcome.errors.contains("a command is required"))
        #expect(try outcome.objects.first?["schema"] as? String == "frost.error/1")
    }

    @Test(arguments: ["blurr", "BLUR", "", "-x", "--nonsense"]) func unknownCommand(name: String) throws {
        try refused([name, "in.png", "-o", "old.png", "--sigma", "2"], 2, "unknown command \(name)")
    }

    @Test(arguments: [
        (["--nonsense"], "unknown option --nonsense"), (["-z"], "unknown option -z"), (["--sigm", "2"], "--sigm"),
        (["--quiet=yes"], "--quiet takes no value"), (["--force=1"], "--force takes no value"),
        (["-q1"], "unknown option -1 in -q1"),
    ]) func unknownOption(words: [String], evidence: String) throws {
        try refused(["blur", "in.png", "-o", "old.png", "--sigma", "2"] + words, 2, evidence)
    }

    @Test(arguments: [
        "--sigma", "-o", "--output", "--edge", "--rect", "--backend", "--device", "--threads", "--max-side",
    ])
    func missingValue(option: String) throws {
        try refused(["blur", "in.png", option], 2, "\(option) needs a value")
    }

    @Test(arguments: [
        "-1", "-0.001", "1000.5", "1e9", "nan", "-nan", "inf", "-inf", "infinity", "", " ", "two", "2px", "1,2,3", "1,",
        ",1", "1;2", "2,-1", "0x", "1 2",
    ]) func badSigma(text: String) throws {
        try refused(["blur", "in.png", "-o", "old.png", "--sigma", text], 2, "--sigma")
        try refused(["blur", "in.png", "-o", "old.png", "--sigma=\(text)"], 2, "--sigma")
    }

    /// The error message for an invalid sigma contains the value and the allowed range.
    @Test func badSigmaIsExplained() throws {
        try refused(
            ["blur", "in.png", "-o", "old.png", "--sigma", "1000.5"], 2, "1000.5 is out of range (allowed: 0 to 1000)"
        )
    }

    @Test func missingParts() throws {
        try refused(["blur", "in.png", "-o", "old.png"], 2, "--sigma")
        try refused(["blur", "in.png", "--sigma", "2"], 2, "--output")
        try refused(["blur", "-o", "old.png", "--sigma", "2"], 2, "input")
        try refused(["compare", "in.png"], 2, "two pictures")
        try refused(["compare", "in.png", "in.png", "in.png"], 2, "two pictures")
        try refused(["check"], 2, "input")
        try refused(["plan", "--sigma", "2"], 2, "--size")
        try refused(["plan", "--size", "3x3"], 2, "--sigma")
    }

    @Test(arguments: [
        ("--edge", "around"), ("--edge", "Clamp"), ("--edge", ""), ("--rect", "1,2,3"), ("--rect", "1,2,3,4,5"),
        ("--rect", "1,2,3,x"), ("--rect", "1,2,3,0"), ("--rect", "1,2,-3,4"), ("--rect", "1.5,2,3,4"), ("--rect", ""),
        ("--rect", "9223372036854775807,0,1,1"), ("--rect", "-9223372036854775808,0,1,1"),
        ("--rect", "0,0,99999999999999999999,1"), ("--backend", "vulkan"), ("--threads", "0"), ("--threads", "257"),
        ("--threads", "two"), ("--threads", "1,2"), ("--max-side", "0"), ("--max-pixels", "-1"), ("--format", "jpeg"),
    ]) func badValue(option: String, value: String) throws {
        try refused(["blur", "in.png", "-o", "old.png", "--sigma", "2", option, value], 2, option)
    }

    /// A rectangle that does not overlap the image is an error.
    @Test(arguments: ["24,0,5,5", "0,18,5,5", "-5,-5,5,5", "1000,1000,1,1"]) func rectOutside(text: String) throws {
        try refused(["blur", "in.png", "-o", "old.png", "--sigma", "2", "--rect", text], 2, text)
    }

    @Test(arguments: ["0x5", "5x0", "5", "5x", "x5", "5x5x5", "-5x5", "5X5", "5.5x5", "99999999999999999999x1"])
    func badSize(text: String) throws {
        try refused(["plan", "--sigma", "2", "--size", text], 2, text)
    }

    @Test func unexpectedOperands() throws {
        try refused(["devices", "extra"], 2, "extra")
        try refused(["plan", "extra", "--sigma", "2", "--size", "3x3"], 2, "extra")
    }

    @Test func outputsThatCannotBeMeant() throws {
        try refused(["blur", "in.png", "-o", "out.psd", "--sigma", "2"], 2, "out.psd")
        try refused(["blur", "in.png", "-o", "out", "--sigma", "2"], 2, "--format NAME")
        try refused(["blur", "in.png", "-o", "{name}.png", "--sigma", "2"], 2, "{name}")
        try refused(["blur", "in.png", "in.png", "-o", "old.png", "--sigma", "2"], 2, "several inputs")
        try refused(["blur", "-", "-", "-o", "{stem}.png", "--sigma", "2"], 2, "standard input")
    }

    /// If a word is misspelled, the error message suggests the most similar valid word.
    @Test(arguments: [
        (["blur", "-sigma", "3"], "unknown option -s (did you mean --sigma?)"),
        (
            ["blur", "--edge", "mirrow"],
            "mirrow: invalid value (allowed: clamp, mirror, repeat, clear, reflect-101) (did you mean mirror?)"
        ),
        (["light", "in.png"], "unknown command light (did you mean effect light?)"),
        (["help", "blurr"], "unknown command blurr (did you mean blur?)"), (["--hlep"], "(did you mean --help?)"),
        (["completions", "bahs"], "(did you mean bash?)"), (["reference", "mn"], "(did you mean man?)"),
    ]) func nearest(words: [String], evidence: String) throws { try refused(words, 2, evidence) }

    @Test(arguments: ["--sigma=", "--edge=", "--output=", "--device=", "--rect="]) func emptyValue(word: String) throws
    {
        try refused(["blur", "in.png", word], 2, "\(word.dropLast()) needs a value that is not empty")
    }

    /// If the command line does not set an option, an environment variable can set it. Error messages then name the
    /// variable.
    @Test func variables() throws {
        func blur(_ words: String..., variables: [String: String]) throws -> Outcome {
            let line = ["blur", "in.png", "-o", "/dev/null", "--sigma", "2", "--json", "--format", "png"] + words
            return try scratch.run(Program.path, line, environment: variables)
        }
        func backend(_ outcome: Outcome) throws -> String? { try outcome.objects.first?["backend"] as? String }
        #expect(try backend(blur(variables: ["FROST_BACKEND": "exact"])) == "exact")
        #expect(try backend(blur("--backend", "cpu", variables: ["FROST_BACKEND": "exact"])) == "cpu")
        #expect(try backend(blur(variables: ["FROST_BACKEND": ""])) == "cpu")
        // `--backend cpu` needs no device, so frost does not try to open the invalid FROST_DEVICE.
        #expect(try backend(blur("--backend", "cpu", variables: ["FROST_DEVICE": "none such"])) == "cpu")
        #expect(try blur(variables: ["FROST_DEVICE": "none such"]).code == 5)
        #expect(try blur("--device", "none such", variables: ["FROST_BACKEND": "cpu"]).code == 5)
        let both = try blur(variables: ["FROST_BACKEND": "cpu", "FROST_DEVICE": "0"])
        #expect(both.code == 2 && both.errors.contains("FROST_DEVICE=0 in the environment selects a GPU"))
        #expect(try blur(variables: ["FROST_MAX_SIDE": "10"]).code == 4)
        #expect(try blur("--max-side", "100", variables: ["FROST_MAX_SIDE": "10"]).code == 0)
        #expect(try blur(variables: ["FROST_MAX_PIXELS": "10"]).code == 4)
        for name in ["FROST_BACKEND", "FROST_THREADS", "FROST_MAX_SIDE", "FROST_MAX_PIXELS"] {
            let outcome = try blur(variables: [name: "nonsense"])
            #expect(outcome.code == 2 && outcome.errors.contains("\(name)=nonsense in the environment"))
        }
        for name in ["FROST_PROGRAM_CACHE", "FROST_GPU_TIMEOUT"] {
            let outcome = try blur(variables: [name: "nonsense"])
            #expect(outcome.code == 2 && outcome.errors.contains("\(name)=nonsense in the environment"))
            #expect(try blur(variables: [name: ""]).code == 0)
        }
    }

    @Test func theCPUIsNoDevice() throws {
        try refused(
            ["blur", "in.png", "-o", "old.png", "--sigma", "2", "--backend", "cpu", "--device", "0"], 2, "--device")
    }

    /// With --json, an error is also written to standard output, as a JSON object. Standard error still has one line of
    /// text.
    @Test func errorsAsObjects() throws {
        let outcome = try scratch.frost("blur", "in.png", "-o", "old.png", "--sigma", "nan", "--json")
        #expect(outcome.code == 2)
        #expect(outcome.errorLines.count == 1)
        let object = try #require(try outcome.objects.first)
        #expect(object["schema"] as? String == "frost.error/1")
        #expect(object["code"] as? Int == 2)
        #expect((object["error"] as? String)?.contains("--sigma nan") == true)
    }

    @Test(arguments: [["--version"], ["blur", "--version"], ["plan", "--size", "bad", "--version"]])
    func version(words: [String]) throws {
        let outcome = try scratch.run(Program.path, words)
        #expect(outcome.code == 0)
        #expect(outcome.lines.count == 1)
        #expect(outcome.text.wholeMatch(of: /frost \d+\.\d+\.\d+\n/) != nil)
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [["--help"], ["help"]]) func overview(words: [String]) throws {
        let outcome = try scratch.run(Program.path, words)
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        for command in ["blur", "plan", "compare", "check", "devices"] {
            #expect(outcome.text.contains("\n  \(command) "))
        }
        #expect(outcome.text.contains("exit codes"))
    }

    /// The help of each command names all of its documented options.
    @Test(arguments: [
        (
            "blur",
            ["--output", "--sigma", "--edge", "--rect", "--backend", "--device", "--threads", "--force", "--max-side"]
        ),
        ("plan", ["--size", "--sigma", "--edge"]), ("compare", ["--max", "--diff"]),
        ("check", ["--sigma", "--max", "--device", "--threads"]), ("devices", []),
    ]) func helpOfACommand(name: String, options: [String]) throws {
        for words in [[name, "--help"], ["help", name]] {
            let outcome = try scratch.run(Program.path, words)
            #expect(outcome.code == 0)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.text.hasPrefix("usage: frost \(name)"))
            for option in options + ["--json", "--quiet", "--verbose", "--help"] {
                #expect(outcome.text.contains(option))
            }
        }
    }

    /// Options may stand anywhere in the command line. An option's value follows "=" or a space. The word "--" ends the
    /// options.
    @Test func waysToWriteOptions() throws {
        try scratch.picture("-odd.png")
        let lines = [
            ["blur", "in.png", "-o", "a.png", "--sigma", "2"], ["blur", "--sigma=2", "--output=b.png", "in.png"],
            ["blur", "-oc.png", "--sigma", "2,2", "--", "in.png"],
            ["blur", "-q", "-o", "d.png", "--sigma", "2e0", "-v", "in.png"],
            ["blur", "--sigma", "2", "-o", "e.png", "--", "-odd.png"],
        ]
        for line in lines { #expect(try scratch.run(Program.path, line).code == 0, "\(line)") }
        let a = try scratch.bytes("a.png")
        for name in ["b.png", "c.png", "d.png", "e.png"] { #expect(try scratch.bytes(name) == a) }
    }
}
