import FrostCLITestSupport
import FrostCore
import FrostTestSupport
import Testing

@testable import FrostCLI

/// Tests `--preset` and `frost presets`.
struct PresetTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("in.png", 60, 40)
        try scratch.folder("frost")
    }

    private func frost(_ words: String) throws -> Outcome {
        try scratch.shell("XDG_CONFIG_HOME=\"$PWD\" \"$FROST\" \(words)")
    }

    @Test("words are split as a shell splits them") func words() {
        for (line, words) in [
            ("", []), ("  # a", []), ("a b\tc\r", ["a", "b", "c"]), ("'a b' \"c d\"", ["a b", "c d"]),
            ("a'b'\"c\" ''", ["abc", ""]), ("a\\ b \"\\\"\" '\\'", ["a b", "\"", "\\"]), ("a#b #c", ["a#b"]),
        ] as [(String, [String])] { #expect(PresetFile.words(of: line) == words, "\(line)") }
        for line in ["'a", "\"a", "a\\"] { #expect(PresetFile.words(of: line) == nil, "\(line)") }
    }

    @Test("the presets of Frost are command lines that work") func shipped() throws {
        let list = try frost("presets")
        #expect(list.lines.map { String($0.prefix { $0 != ":" }) } == ["lock-screen", "hero", "placeholder", "redact"])
        for line in list.lines {
            let name = String(line.prefix { $0 != ":" })
            let text = String(line.dropFirst(name.count + 2))
            #expect(text.hasPrefix("frost "))
            let output = name == "placeholder" ? "" : "-o"
            let place = name == "redact" ? "--rect 5,5,20,10" : ""
            let command = text.dropFirst("frost ".count)
            let made = try frost("--preset \(name) in.png \(place) \(output) \(output.isEmpty ? "" : "\(name).png")")
            let direct = try frost("\(command) in.png \(place) \(output) \(output.isEmpty ? "" : "direct.png")")
            #expect(made.code == 0 && direct.code == 0, "\(name): \(made.errors) \(direct.errors)")
            if output.isEmpty {
                #expect(made.text == direct.text && made.text.hasPrefix("data:image/webp"))
            } else {
                #expect(try scratch.bytes("\(name).png") == scratch.bytes("direct.png"), "\(name)")
            }
        }
    }

    @Test("a preset's options come before those of the command line") func order() throws {
        try scratch.write(
            Array(
                "[soft]\nblur\n--sigma 3   # pixels\n--rect 1,1,20,20\n[plain]\n--sigma 5\n[hero]\neffect light\n".utf8),
            "frost/presets")
        func same(_ words: String, _ other: String) throws {
            let (first, second) = (try frost("\(words) -o a.png"), try frost("\(other) -o b.png"))
            #expect(first.code == 0 && second.code == 0, "\(first.errors) \(second.errors)")
            #expect(try scratch.bytes("a.png") == scratch.bytes("b.png"), "\(words)")
        }
        try same("--preset soft in.png", "blur in.png --sigma 3 --rect 1,1,20,20")
        try same("blur in.png --preset=soft --sigma 7", "blur in.png --sigma 7 --rect 1,1,20,20")
        try same("-q --preset soft in.png --rect 30,20,9,9", "blur in.png --sigma 3 --rect 1,1,20,20 --rect 30,20,9,9")
        try same("blur in.png --preset plain", "blur in.png --sigma 5")
        try same("--preset hero in.png", "effect light in.png")
        try same("effect light --preset hero in.png", "effect light in.png")
        let list = try frost("presets soft --json").objects
        #expect(list.first?["text"] as? String == "blur --sigma 3 --rect 1,1,20,20")
        #expect(list.first?["line"] as? Int == 3)
    }

    @Test("a fault of a preset is an error with its line") func faults() throws {
        for (text, name, evidence) in [
            (
                "[a]\nblur --sigma 3\n--sgima 4\n", "a",
                "frost/presets:3: unknown option --sgima (did you mean --sigma?)"
            ),
            ("[a]\nblur --sigma 3000\n", "a", "frost/presets:2: --sigma 3000 is out of range"),
            ("[a]\nblur\n--sigma 3 in.png\n", "a", "frost/presets:3: in.png is not an option"),
            ("[a]\nblur --preset b\n", "a", "frost/presets:2: a preset cannot contain --preset"),
            ("--sigma 3\n", "a", "frost/presets:1: options stand before the first name"),
            ("[a b]\n", "a", "frost/presets:1: the name of a preset"), ("[]\n", "a", "frost/presets:1"),
            ("[a]\n[a]\n", "a", "frost/presets:2: the preset a is defined twice"),
            ("[a]\nblur 'x\n", "a", "frost/presets:2: a quotation mark is not closed"),
            ("[ab]\nblur --sigma 2", "ac", "unknown preset ac (did you mean ab?)"),
            ("[a]\nblurr --sigma 2", "a", "unknown command blurr"),
        ] {
            try scratch.write(Array(text.utf8), "frost/presets")
            let outcome = try frost("--preset \(name) in.png -o out.png")
            #expect(outcome.code == 2 && outcome.errors.contains(evidence), "\(text): \(outcome.errors)")
        }
        try scratch.write(Array("[a]\n--sigma 2\n[b]\nblur --sigma 2".utf8), "frost/presets")
        #expect(try frost("--preset a in.png -o out.png").errors.contains("needs a command"))
        #expect(
            try frost("effect light --preset b in.png -o out.png").errors.contains(
                "is for frost blur, not frost effect"))
        #expect(try frost("--preset b --preset b in.png -o out.png").errors.contains("given twice"))
        try scratch.write([0xEF, 0xBB, 0xBF] + Array("[a]\r\nblur --sigma 2\r\n".utf8), "frost/presets")
        #expect(try frost("--preset a in.png -o marked.png").code == 0)
        #expect(!scratch.exists("out.png"))
        // Without a file, and without a home, there are the presets of Frost.
        let none = try scratch.shell("env -u HOME -u XDG_CONFIG_HOME \"$FROST\" presets")
        #expect(none.code == 0 && none.lines.count == 4)
    }
}
