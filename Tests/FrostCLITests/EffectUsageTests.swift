import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

@testable import FrostCLI

/// Tests invalid command lines that name an effect. Each must give exit code 2 and a one-line message with the cause, and
/// change no file.
@Suite struct EffectUsageTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png")
    }

    private func refused(_ words: [String], _ code: Int32 = 2, _ evidence: String) throws {
        try scratch.run(Program.path, words).expectError(code, evidence)
        #expect(try scratch.entries() == ["in.png"], "\(words)")
    }

    @Test func missingParts() throws {
        try refused(["effect"], 2, "an effect name is required")
        try refused(["effect", "--no-dither"], 2, "an effect name is required")
        try refused(["effect", "light"], 2, "an input is required")
        try refused(["effect", "light", "in.png"], 2, "--output")
        try refused(["effect", "in.png", "light", "-o", "out.png"], 2, "unknown effect in.png")
        try refused(["effect", "light", "none.png", "-o", "out.png"], 3, "none.png")
    }

    @Test(arguments: [
        ("lihgt", "(did you mean light?)"), ("material-thick-lihgt", "(did you mean material-thick-light?)"),
        ("7blur-nein", "(did you mean 7blur-neon?)"), ("LIGHT", "(did you mean light?)"),
        ("material-thick", "(did you mean material-thick-light or material-thick-dark?)"),
        ("materal-thin", "(did you mean material-thin-light or material-thin-dark?)"),
        ("nonsense", "unknown effect nonsense; 'frost effects' lists them"), ("lite", "unknown effect lite;"),
    ]) func unknownEffect(name: String, evidence: String) throws {
        try refused(["effect", name, "in.png", "-o", "out.png"], 2, evidence)
        try refused(["plan", "--size", "30x20", "--effect", name], 2, evidence)
        try refused(["check", "in.png", "--effect", "dark,\(name)"], 2, evidence)
    }

    /// If the effect does not have an option, the message lists the options that the effect has, and suggests the most
    /// similar one.
    @Test func unknownParameter() throws {
        let takes = "light takes --convention, --kernel, --scale, --edge"
        try refused(["effect", "light", "in.png", "-o", "out.png", "--radius", "3"], 2, "option --radius; \(takes)")
        try refused(["plan", "--size", "9x9", "--effect", "light", "--radius", "3"], 2, "option --radius; \(takes)")
        try refused(
            ["effect", "--scal", "2", "light", "in.png", "-o", "out.png"], 2, "--scal (did you mean --scale?); \(takes)"
        )
        try refused(["blur", "in.png", "-o", "o.png", "--sigm", "3"], 2, "--sigm (did you mean --sigma?)")
        try refused(["blurr", "in.png"], 2, "unknown command blurr (did you mean blur?)")
    }

    /// --effect and --sigma exclude each other, in whatever order they are given.
    @Test func effectAndSigma() throws {
        let words = [["--effect", "light"], ["--sigma=3"]]
        for pair in [words, words.reversed()] {
            let line = ["plan", "--size", "9x9"] + pair.flatMap { $0 }
            try refused(line, 2, "--effect and --sigma cannot be combined")
        }
    }

    @Test(arguments: [
        ("light", "--scale", "4", "--scale 4 is out of range (allowed: 1 to 3 pixels per point)"),
        ("light", "--scale", "nan", "--scale nan: not a number"), ("light", "--scale", "", "--scale needs a value"),
        ("light", "--convention", "1.2", "--convention 1.2: invalid value (allowed: 1.0, 1.1)"),
        (
            "light", "--edge", "around",
            "--edge around: invalid value (allowed: clamp, mirror, repeat, clear, reflect-101)"
        ),
        ("image-effects", "--radius", "-1", "--radius -1 is out of range (allowed: 0 to 300 points)"),
        ("tint", "--color", "puce", "--color puce: not a colour (allowed: a CSS colour name, NAME,ALPHA, #rgb"),
        ("tint", "--color", "0,2,0", "--color 0,2,0: green 2 is out of range"),
        ("gpuimage-gaussian", "--passes", "1.5", "--passes"),
        ("tilt-shift", "--top", "0.8", "--top 0.8 must not exceed --bottom 0.6"),
    ]) func badValue(name: String, option: String, value: String, evidence: String) throws {
        try refused(["effect", name, "in.png", "-o", "out.png", option, value], 2, evidence)
        try refused(["plan", "--size", "9x9", "--effect", name, option, value], 2, evidence)
    }

    @Test func masksAndCorners() throws {
        let line = ["effect", "light", "in.png", "-o", "out.png"]
        try refused(line + ["--corner-radius", "4"], 2, "needs --rect")
        for radius in ["-1", "-1%", "1e9", "nan", "%", "5 %"] {
            try refused(
                line + ["--corner-radius", radius, "--rect", "0,0,7,20"], 2, "--corner-radius \(radius): not a radius")
        }
        let rounded = line + ["--rect", "0,0,16,20", "--corner-radius", "8"]
        try refused(
            rounded + ["--corner-smoothing", "1.1"], 2, "--corner-smoothing 1.1 is out of range (allowed: 0 to 1)")
        try refused(
            rounded + ["--corner-exponent", "0.9"], 2, "--corner-exponent 0.9 is out of range (allowed: 1 to 16)")
        try refused(
            rounded + ["--corner-exponent", "4", "--corner-smoothing", "0.2"], 2,
            "--corner-smoothing cannot be combined with --corner-exponent")
        try refused(
            line + ["--rect", "0,0,9,9", "--corner-exponent", "4"], 2, "--corner-exponent needs --corner-radius")
        try refused(line + ["--corner-smoothing", "0.6"], 2, "--corner-smoothing needs --corner-radius")
        try refused(line + ["--rect", "100,100,2,2"], 2, "lies outside the image")
        try refused(line + ["--mask", "none.png"], 3, "none.png")
        try refused(line + ["--dither", "--no-dither"], 2, "cannot be combined")
        try refused(
            ["effect", "light", "-", "-o", "out.png", "--mask", "-"], 2, "standard input can be used only once")
        try refused(
            ["effect", "selective", "in.png", "-o", "o.png", "--mask", "in.png"], 2, "already has its own mask")
        try refused(
            ["effect", "progressive", "in.png", "-o", "o.png", "--mask", "in.png"], 2, "already has its own mask")
        // redact must hide every pixel, so options that would show part of the picture are refused.
        let redact = ["effect", "redact", "in.png", "-o", "o.png"]
        try refused(redact + ["--mask", "in.png"], 2, "--mask cannot be combined with redact")
        let roundedRedact = redact + ["--rect", "0,0,9,9", "--corner-radius", "2"]
        try refused(roundedRedact, 2, "--corner-radius cannot be combined with redact")
        try refused(["effect", "variable", "in.png", "-o", "out.png"], 2, "variable needs --mask FILE")
        try refused(["check", "in.png", "--effect", "ci-masked-variable"], 2, "ci-masked-variable needs --mask FILE")
        try refused(
            ["check", "in.png", "--effect", "light", "--mask", "in.png"], 2, "none of these effects uses a mask")
    }

    /// The help of an effect lists every parameter with its range and default. The effect's name may stand anywhere in the
    /// command line.
    @Test(arguments: EffectCatalog.all.map(\.name)) func help(name: String) throws {
        let description = try EffectCatalog.effect(name)
        for words in [["effect", name, "--help"], ["effect", "--help", name], ["help", "effect", name]] {
            let outcome = try scratch.run(Program.path, words)
            #expect(outcome.code == 0)
            #expect(outcome.text.hasPrefix("usage: frost effect \(name) INPUT"))
            #expect(outcome.paragraph.contains(description.source))
            for parameter in description.parameters {
                #expect(outcome.text.contains("--\(parameter.name) "))
                #expect(outcome.paragraph.contains("(\(try #require(parameter.option.bounds)))"))
            }
        }
    }

    @Test func generalHelp() throws {
        let outcome = try scratch.frost("effect", "--help")
        #expect(outcome.code == 0)
        for effect in EffectCatalog.all { #expect(outcome.text.contains(effect.name)) }
        #expect(try scratch.frost("plan", "--effect", "tint", "--help").text.contains("--color COLOR"))
    }

    /// No effect has a parameter with the same name as an option of the commands themselves.
    @Test func namesDoNotCollide() {
        let taken = Set((Command.effect.options + Command.common + [.version]).map(\.name))
        for effect in EffectCatalog.all {
            let names = effect.parameters.map(\.name)
            #expect(Set(names).count == names.count, "\(effect.name)")
            #expect(taken.isDisjoint(with: names), "\(effect.name)")
        }
    }
}

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("blur", "blur", 0), ("blru", "blur", 1), ("lihgt", "light", 1),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ]) func distances(a: String, b: String, expected: Int) {
        #expect(Suggestion.distance(a, b) == expected)
        #expect(Suggestion.distance(b, a) == expected)
    }

    @Test func hints() {
        #expect(Suggestion.hint(for: "drak", among: ["light", "dark"], "these are") == " (did you mean dark?)")
        #expect(Suggestion.hint(for: "elephant", among: ["light", "dark"], "these are") == "; these are light, dark")
        let many = (1...44).map { "effect-\($0)" }
        let hint = Suggestion.hint(for: "elephant", among: many, "these are")
        #expect(hint == "; these are \(many[..<8].joined(separator: ", ")) and 36 others")
    }

    @Test func nearest() {
        #expect(Suggestion.near("drak", among: ["light", "dark"]) == ["dark"])
        #expect(Suggestion.near("", among: ["a"]).isEmpty)
        #expect(Suggestion.near("elephant", among: ["light", "dark"]).isEmpty)
        #expect(Suggestion.phrase(for: "x", among: ["light"]) == "")
        // The word itself is no suggestion, and the meaning of a longer option may be another.
        #expect(Suggestion.near("light", among: ["light", "lights"]).isEmpty)
        #expect(Suggestion.near("--progress", among: ["--progressive"], beginnings: false).isEmpty)
        #expect(Suggestion.near("--opacity", among: ["--quality"]).isEmpty)
        #expect(Suggestion.near(String(repeating: "x", count: 1 << 20), among: ["light"]).isEmpty)
    }
}
