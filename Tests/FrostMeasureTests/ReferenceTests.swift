import Foundation
import FrostCLITestSupport
import FrostCore
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests `frost reference`, which prints all commands and options in several formats.
@Suite struct ReferenceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The reference contains every option of every command and effect, every environment variable and every exit code.
    @Test func isComplete() throws {
        let main = try scratch.frost("reference", "man").text
        let markdown = try scratch.frost("reference", "markdown").text
        for command in Command.all {
            let page = try scratch.frost("reference", "man", command.name).text
            #expect(main.contains(".It Xr frost-\(command.name) 1\n"))
            #expect(page.contains(".Nm frost-\(command.name)\n") && markdown.contains("## frost \(command.name)\n"))
            for option in command.options {
                #expect(page.contains("Fl \\-" + option.name.replacing("-", with: "\\-")), "\(option.name)")
                #expect(markdown.contains("--\(option.name)"), "\(option.name)")
            }
        }
        for effect in EffectCatalog.all { #expect(markdown.contains("| `\(effect.name)` |"), "\(effect.name)") }
        for variable in EnvironmentVariable.all(of: Command.all) {
            #expect(main.contains(".It Ev \(variable.name)\n") && markdown.contains("`\(variable.name)`"))
        }
        for (code, _) in ExitCode.meanings {
            #expect(main.contains(".It \(code)\n") && markdown.contains("\n| \(code) |"))
        }
    }

    /// The JSON reference also contains ranges, defaults and environment variables, so that other programs can use them.
    @Test func asObjects() throws {
        let documents = try scratch.frost("reference", "json").objects
        let document = try #require(documents.first)
        #expect(documents.count == 1 && document["schema"] as? String == "frost.reference/1")
        let objects = try #require(document["commands"] as? [[String: Any]])
        #expect(objects.map { $0["name"] as? String } == Command.all.map(\.name))
        let blur = try #require(objects.first?["options"] as? [[String: Any]])
        let threads = try #require(blur.first { $0["name"] as? String == "threads" })
        #expect(threads["allowed"] as? String == "1 to 256")
        #expect(
            threads["default"] is NSNull
                && threads["defaultText"] as? String
                    == "$OMP_NUM_THREADS, else the processors that the process may use"
        )
        #expect(threads["environment"] as? String == "FROST_THREADS")
        let edge = try #require(blur.first { $0["name"] as? String == "edge" })
        #expect(edge["type"] as? String == "choice" && edge["default"] as? String == "clamp")
    }

    /// roff takes some characters at the beginning of a line for a macro. No text line of the manual page begins with such a
    /// character.
    @Test func pageHasOnlyItsOwnMacros() throws {
        let macros = [
            "\\\"", "Ar", "Op", "Dd", "Dt", "Os", "Sh", "Ss", "Nm", "Nd", "Cm", "Pp", "Bl", "It", "El", "Bd", "Ed",
            "Xr", "ds",
        ]
        for words in [[], ["effect"], ["blur"]] {
            let page = try scratch.run(Program.path, ["reference", "man"] + words)
            for line in page.lines where line.hasPrefix(".") || line.hasPrefix("'") {
                #expect(macros.contains { line.dropFirst().hasPrefix($0) }, "\(line)")
            }
        }
    }

    @Test func usage() throws {
        try scratch.frost("reference").expectError(2, "a format is required: man, markdown, json")
        try scratch.frost("reference", "pdf").expectError(2, "unknown format pdf; supported: man, markdown, json")
        try scratch.frost("reference", "man", "json").expectError(2, "unknown command json")
        try scratch.frost("reference", "man", "blur", "x").expectError(2, "unexpected operand x")
        try scratch.frost("reference", "markdown", "blur").expectError(2, "unexpected operand blur")
        #expect(try scratch.frost("reference", "man", "--json").code == 2)
    }
}
