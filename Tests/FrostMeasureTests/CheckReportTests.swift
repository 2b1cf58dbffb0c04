import Foundation
import FrostCLITestSupport
import FrostCore
import Testing

@testable import FrostCLI
@testable import FrostMeasure

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Tests the files that `frost check` writes with --report and --junit.
@Suite struct CheckReportTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.picture("a.png", 40, 30)
    }

    private func text(_ name: String) throws -> String { String(decoding: try scratch.bytes(name), as: UTF8.self) }

    /// Returns the text of a page, without the time at which the page was created.
    private func undated(_ name: String) throws -> String {
        try text(name).replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/, with: "")
    }

    /// Both files list every compared pair of backends, for every subject and every input, and nothing else.
    @Test func everyPair() throws {
        try scratch.picture("b.png", 25, 35, PixelFormat(.rgba, .u16))
        let words = ["check", "a.png", "b.png", "--sigma", "0.7,3", "--effect", "tint"]
        let pairs = try scratch.run(Program.path, words + ["--json"]).objects.flatMap { object in
            try #require(object["pairs"] as? [[String: Any]]).map { pair in
                "\(object["input"] ?? "") \(object["subject"] ?? ""): \(pair["a"] ?? "") against \(pair["b"] ?? "")"
            }
        }
        let outcome = try scratch.run(Program.path, words + ["--report", "out.html", "--junit", "out.xml"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == pairs.count)
        let suite = try JUnit(try scratch.bytes("out.xml"))
        #expect(suite.cases.map { "\($0.classname) \($0.name)" } == pairs)
        #expect(suite.attributes["tests"] == "\(pairs.count)" && suite.attributes["failures"] == "0")
        let page = try text("out.html")
        #expect(page.components(separatedBy: "<h4>").count - 1 == pairs.count)
        #expect(page.components(separatedBy: "<th scope=\"row\">").count - 1 == pairs.count)
        #expect(page.components(separatedBy: "<svg ").count - 1 == pairs.count)
        #expect(page.contains("All \(pairs.count) comparisons are within their bound"))
    }

    /// Results beyond the bound are marked as failures, and no other results are.
    @Test(arguments: [("0.01", true), ("2", false)]) func failures(bound: String, fails: Bool) throws {
        let outcome = try scratch.frost(
            "check", "a.png", "--sigma", "3", "--max", bound, "--report", "out.html", "--junit", "out.xml")
        #expect(outcome.code == (fails ? 1 : 0))
        let failed = outcome.lines.filter { $0.hasPrefix("FAIL") }.count
        #expect((failed > 0) == fails)
        let page = try text("out.html")
        #expect(page.components(separatedBy: "<tr class=\"bad\">").count - 1 == failed)
        #expect(page.components(separatedBy: "<article class=\"bad\">").count - 1 == failed)
        #expect(page.contains("<header class=\"\(fails ? "bad" : "ok")\">"))
        let suite = try JUnit(try scratch.bytes("out.xml"))
        #expect(suite.attributes["failures"] == "\(failed)")
        let messages = suite.cases.compactMap(\.message)
        #expect(messages.count == failed)
        #expect(messages.allSatisfy { $0.hasPrefix("max 0.") || $0.hasPrefix("max 1.") })
        #expect(messages.allSatisfy { $0.hasSuffix("the bound is \(bound) steps") })
    }

    /// If a file name contains markup characters, both files show the name as plain text.
    @Test func names() throws {
        let name = "<script>alert(1)</script> &amp; \"'><img src=x>.png"
        // The name contains a slash, so the part before it is a folder.
        try scratch.folder("<script>alert(1)<")
        try scratch.picture(name, 12, 9)
        let outcome = try scratch.frost("check", name, "--sigma", "2", "--report", "out.html", "--junit", "out.xml")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let page = try text("out.html")
        #expect(!page.contains("<script>alert") && !page.contains("<img src=x"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &quot;&#39;&gt;&lt;img src=x&gt;.png"))
        #expect(try JUnit(try scratch.bytes("out.xml")).cases.first?.classname == name)
    }

    /// The page contains everything that it shows. It does not refer to any other file.
    @Test func needsNothingElse() throws {
        _ = try scratch.frost("check", "a.png", "--sigma", "2", "--report", "out.html")
        let page = try text("out.html")
        for match in page.matches(of: /(?:src|href)="([^"]*)"/) {
            #expect(match.1.hasPrefix("data:image/png;base64,") || match.1.hasPrefix("#"), "\(match.1.prefix(40))")
        }
        #expect(!page.contains("://") && !page.contains("url(") && !page.contains("@import"))
        #expect(page.contains("default-src 'none'; img-src data:;"))
    }

    @Test func isTheSameTwice() throws {
        for name in ["one.html", "two.html"] {
            _ = try scratch.frost(
                "check", "a.png", "--sigma", "2", "--effect", "light", "--noise=0.1", "--report", name)
        }
        #expect(try undated("one.html") == undated("two.html"))
        #expect(try text("one.html").contains(">--effect light --noise 0.1 --sigma 2<"))
    }

    /// A page about large pictures is not larger than a page about small pictures.
    @Test func isSmall() throws {
        try scratch.picture("large.png", 1300, 700)
        let outcome = try scratch.frost("check", "large.png", "--sigma", "2", "--report", "out.html")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try scratch.bytes("out.html").count < 3 << 20)
        #expect(try text("out.html").contains("320×320 of 1300×700"))
    }

    /// If an input cannot be checked, the HTML and JUnit reports show an error for this input, and still report the others.
    @Test func unreadable() throws {
        try scratch.write([1, 2, 3], "bad.png")
        let outcome = try scratch.frost(
            "check", "bad.png", "a.png", "--sigma", "2", "--report", "out.html", "--junit", "out.xml")
        #expect(outcome.code == 1)
        let suite = try JUnit(try scratch.bytes("out.xml"))
        #expect(suite.attributes["errors"] == "1" && suite.attributes["failures"] == "0")
        #expect(suite.cases.first?.classname == "bad.png" && suite.cases.first?.message?.contains("bad.png") == true)
        #expect(suite.cases.count > 1)
        let page = try text("out.html")
        #expect(page.contains("1 input could not be checked") && page.contains("gaussian sigma 2"))
        // If no input can be checked, the program fails, but still writes both reports.
        let alone = try scratch.frost("check", "bad.png", "--report", "alone.html", "--junit", "alone.xml")
        #expect(alone.code == 3)
        #expect(try text("alone.html").contains("bad.png") && scratch.exists("alone.xml"))
    }

    /// If a report cannot be written, this is an error. If possible, it is reported before any work begins. An existing file
    /// keeps its content.
    @Test func unwritable() throws {
        for option in ["--report", "--junit"] {
            try scratch.frost("check", "a.png", "--sigma", "2", option, "none/out").expectError(6, "none/out")
            try scratch.frost("check", "a.png", "--sigma", "2", option, ".").expectError(6, ".")
            let full = try scratch.frost("check", "a.png", "--sigma", "2", option, "/dev/full")
            #expect(full.code == 6 && full.errors.contains("/dev/full"))
        }
        // If one of the two reports cannot be written, the other one still is.
        let one = try scratch.frost("check", "a.png", "--sigma", "2", "--report", "/dev/full", "--junit", "out.xml")
        #expect(one.code == 6)
        _ = try JUnit(try scratch.bytes("out.xml"))
        // The shell limits the size of files to 4 KiB, and the page is larger.
        try scratch.write([1, 2, 3], "old.html")
        let limited = try scratch.shell(
            "trap '' XFSZ; ulimit -f 8; exec \"$FROST\" check a.png --sigma 2 --report old.html")
        #expect(limited.code == 6, "\(limited.errors)")
        #expect(try scratch.bytes("old.html") == [1, 2, 3])
        #expect(try scratch.entries().allSatisfy { !$0.contains(".tmp") })
    }

    @Test func usage() throws {
        let before = try scratch.bytes("a.png")
        try scratch.frost("check", "a.png", "--report", "./a.png").expectError(
            2, "--report", "would overwrite the input a.png")
        #expect(try scratch.bytes("a.png") == before)
        try scratch.frost("check", "a.png", "--report", "x", "--junit", "x").expectError(2, "cannot be the same file")
        for (first, second) in [("-", "-"), ("-", "/dev/stdout"), ("/dev/fd/1", "-")] {
            let outcome = try scratch.frost("check", "a.png", "--report", first, "--junit", second)
            outcome.expectError(2, "only one of --report and --junit can use standard output")
        }
        try scratch.folder("f")
        _ = try scratch.shell("ln -s same.html link; ln -s . g")
        for (first, second) in [("same.html", "./same.html"), ("link", "same.html"), ("f/x", "g/f/../f/x")] {
            try scratch.frost("check", "a.png", "--report", first, "--junit", second).expectError(
                2, "--report and --junit cannot be the same file")
        }
        try scratch.frost("compare", "a.png", "a.png", "--diff", "d.png", "--report", "./d.png").expectError(
            2, "--diff and --report cannot be the same file")
        _ = try scratch.shell("cp a.png f/a.png; mkdir h; cp a.png h/a.png")
        try scratch.frost("compare", "f", "h", "--junit", "h/a.png").expectError(2, "would overwrite the input h/a.png")
        let both = try scratch.frost("check", "a.png", "--report", "-", "--json")
        #expect(both.code == 2 && both.errors.contains("only one of"))
        let piped = try scratch.frost("check", "a.png", "--sigma", "2", "--junit", "-")
        #expect(piped.code == 0 && piped.errors.contains("ok   a.png"))
        _ = try JUnit([UInt8](piped.output))
    }
}

/// Parses a JUnit report with a single suite.
private final class JUnit: NSObject, XMLParserDelegate {
    struct Case {
        let classname: String
        let name: String
        /// The message of the case's failure or error; nil if it passed.
        var message: String?
    }

    private(set) var attributes: [String: String] = [:]
    private(set) var cases: [Case] = []

    init(_ bytes: [UInt8]) throws {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch element {
        case "testsuite": self.attributes = attributes
        case "testcase":
            cases.append(Case(classname: attributes["classname"] ?? "", name: attributes["name"] ?? ""))
        case "failure", "error": cases[cases.count - 1].message = attributes["message"]
        default: break
        }
    }
}
