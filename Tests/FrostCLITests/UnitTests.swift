import Foundation
import Frost
import FrostCLITestSupport
import FrostCore
import FrostImages
import FrostPipeline
import FrostMeasure
import Testing

@testable import FrostCLI

/// Unit tests of the command line's parts. They cover cases for which running the program would be too slow or too
/// imprecise.
@Suite struct ArgumentTests {
    private static let options: [FrostCLI.Option] = [.output, .rect, .sigma, .threads, .quiet, .max]

    private func parse(_ words: String...) throws -> Arguments { try Arguments(words[...], options: Self.options) }

    @Test func operandsAndOptions() throws {
        let arguments = try parse("a", "-", "--rect", "-1,2,3,4", "b", "-ox", "-q", "--", "--sigma", "--")
        #expect(arguments.operands == ["a", "-", "b", "--sigma", "--"])
        #expect(arguments.value(.rect) == "-1,2,3,4")
        #expect(arguments.value(.output) == "x")
        #expect(arguments.has(.quiet) && !arguments.has(.max))
        #expect(arguments.value(.max) == nil)
        #expect(arguments.values(.sigma).isEmpty)
    }

    @Test func repeatingOptionsKeepTheirOrder() throws {
        #expect(try parse("--rect", "1,2,3,4", "--rect=5,6,7,8").values(.rect) == ["1,2,3,4", "5,6,7,8"])
        #expect(
            try parse("--rect", "-1,2,3,4", "--rect=5,6,7,8").values(.rect, as: RectPlace.self).map {
                $0.rect(width: 9, height: 9)
            } == [Rect(x: -1, y: 2, width: 3, height: 4), Rect(x: 5, y: 6, width: 7, height: 8)])
        #expect(try parse().values(.rect, as: RectPlace.self).isEmpty)
    }

    @Test("Rectangles in percent meet without gaps, and a gravity places them within the picture", arguments: 1...23)
    func places(side: Int) throws {
        func rect(_ text: String) throws -> Rect {
            try #require(RectPlace(written: text)).rect(width: side, height: 2 * side)
        }
        for percent in [10, 33.3, 50, 75] {
            let (left, right) = (try rect("0,0,\(percent)%,100%"), try rect("\(percent)%,0,\(100 - percent)%,100%"))
            #expect(left.x == 0 && right.x + right.width == side && left.height == 2 * side)
            // If one rectangle ends where the other one begins, in percent, they share an edge in pixels. There is only one
            // exception: a rectangle that would be empty is enlarged to one pixel.
            if left.width + right.width <= side { #expect(left.width == right.x) }
        }
        for gravity in RectPlace.Gravity.allCases {
            for size in ["50%x100%", "33%x33%", "1%x7.7%"] {
                let rect = try rect("\(gravity.rawValue),\(size)")
                #expect(Rect(x: 0, y: 0, width: side, height: 2 * side).contains(rect), "\(gravity)")
                let name = gravity.rawValue
                if name.hasSuffix("west") { #expect(rect.x == 0) }
                if name.hasSuffix("east") { #expect(rect.columns.upperBound == side) }
                if name.hasPrefix("north") { #expect(rect.y == 0) }
                if name.hasPrefix("south") { #expect(rect.rows.upperBound == 2 * side) }
            }
        }
        #expect(try rect("southeast,1x1") == Rect(x: side - 1, y: 2 * side - 1, width: 1, height: 1))
        #expect(try rect("center,1x2") == Rect(x: (side - 1) / 2, y: side - 1, width: 1, height: 2))
    }

    @Test(
        "What is no rectangle is refused",
        arguments: [
            "", "1,2,3", "1,2,3,0", "1,2,3,-4", "1,2,0%,4", "a,2,3,4", "1,2,3,4,5", "center", "center,3", "center,0x3",
            "middle,3x3",
            "1,2,3,4%%", "nan%,0,1,1", "9999999999,0,1,1",
        ]) func noPlaces(text: String)
    { #expect(RectPlace(written: text) == nil) }

    @Test func valuesMayHoldEqualsButNotBeEmpty() throws {
        #expect(throws: CommandError.self) { try parse("--output=") }
        #expect(throws: CommandError.self) { try parse("--output", "") }
        #expect(try parse("--output=a=b").value(.output) == "a=b")
        #expect(try parse("-o=b").value(.output) == "b")
        #expect(try parse("-o==b").value(.output) == "=b")
    }

    @Test func numbers() throws {
        #expect(try parse("--sigma", "1,1e2").list(.sigma, of: Double.self) == [1, 100])
        #expect(try parse().list(.sigma, of: Double.self) == nil)
        #expect(try parse("--threads", "+7").value(.threads, as: Int.self) == 7)
        #expect(try parse("--max", "0.5").value(.max, as: Double.self) == 0.5)
        for text in ["nan", "inf", "-0.1", "1001", "x", "1,,2", "1,2,3"] {
            #expect(throws: CommandError.self) { try parse("--sigma", text) }
        }
        for text in ["1.0", "0", "257", "99999999999999999999", "0x1"] {
            #expect(throws: CommandError.self) { try parse("--threads", text) }
        }
    }

    /// Options override environment variables, and environment variables override defaults.
    @Test func environment() throws {
        func parse(_ words: String..., threads: String?) throws -> Arguments {
            try Arguments(words[...], options: [.threads, .edge]) { $0 == "FROST_THREADS" ? threads : nil }
        }
        #expect(try parse(threads: "3").value(.threads, as: Int.self) == 3)
        #expect(try parse("--threads", "2", threads: "3").value(.threads, as: Int.self) == 2)
        #expect(try parse("--threads", "2", threads: "nonsense").value(.threads, as: Int.self) == 2)
        #expect(try parse(threads: "").value(.threads, as: Int.self) == nil)
        #expect(try !parse(threads: "3").has(.threads))
        #expect(try parse(threads: nil).required(.edge, as: EdgeMode.self) == .clamp)
        #expect(throws: CommandError.self) { try parse(threads: nil).required(.threads, as: Int.self) }
        do {
            _ = try parse(threads: "257")
            Issue.record("257 threads were accepted")
        } catch {
            #expect("\(error)" == "FROST_THREADS=257 in the environment is out of range (allowed: 1 to 256)")
        }
    }

    /// The default of every option is a value that the option accepts.
    @Test func defaultsAreAllowed() throws {
        let options = Command.all.flatMap { $0.options + $0.parameters } + EffectCatalog.all.flatMap(\.options)
        for option in options {
            guard case .value(let text)? = option.default else { continue }
            #expect(throws: Never.self, "--\(option.name)") {
                try WrittenValue(text: text, origin: .line("--\(option.name)")).check(option.kind)
            }
        }
    }

    /// No help text states a default or a range. Such a text would become wrong if the declaration changed.
    @Test func helpRepeatsNoBounds() {
        for option in Command.all.flatMap({ $0.options + $0.parameters }) {
            #expect(option.help.firstMatch(of: /default (?!parameters)/) == nil, "--\(option.name)")
            #expect(option.help.firstMatch(of: /\d+ to \d+/) == nil, "--\(option.name)")
        }
    }

    @Test func effects() throws {
        let effect = try parse("--sigma", "3,40").gaussian()
        #expect(effect == (try GaussianBlur(sigmaX: 3, sigmaY: 40)))
        #expect(throws: CommandError.self) { try parse("--sigma", "1,2,3").gaussian() }
        #expect(throws: CommandError.self) { try parse().gaussian() }
    }
}

@Suite struct OutputNameTests {
    private func name(_ pattern: String, _ input: String, sigma: String = "8") throws -> String {
        let input = Input(FilePath(input))
        return try OutputNames(
            FilePath(pattern), inputs: [input], format: nil, constants: [("sigma", sigma), ("effect", "tint")]
        )
        .name(for: input).text
    }

    @Test func placeholders() throws {
        #expect(try name("{dir}/{stem}-{sigma}.{ext}", "a/b/photo.v2.png", sigma: "3,40") == "a/b/photo.v2-3,40.png")
        #expect(try name("{dir}/{stem}.png", "photo.png") == "./photo.png")
        #expect(try name("{stem}{stem}.png", "x.png") == "xx.png")
        #expect(try name("{stem}-{effect}.png", "x.png") == "x-tint.png")
        #expect(try name("{stem}.{ext}", "-") == "stdin.png")
        #expect(try name("{stem}.{ext}", ".hidden") == ".hidden.png")
        #expect(try name("{stem}.{ext}", "noext") == "noext.png")
        #expect(try name("{dir}/{stem}.png", "/x.png") == "/x.png")
        #expect(try name("plain.png", "x.png") == "plain.png")
        #expect(try name("-", "x.png") == "-")
        #expect(try name("out/", "a/x.PNG") == "out/x.PNG")
        #expect(try name("out/", "a/x.gif") == "out/x.png")
    }

    /// Braces in an input's name are not treated as placeholders.
    @Test func bracesInInputs() throws {
        #expect(try name("{stem}.png", "{sigma}.png") == "{sigma}.png")
        #expect(try name("{dir}/{stem}.png", "{stem}/x.png") == "{stem}/x.png")
    }

    /// A doubled brace in a template stands for one, and braces in the name of a folder for themselves.
    @Test func bracesInTemplates() throws {
        #expect(try name("{{{stem}}}.png", "x.png") == "{x}.png")
        #expect(try name("{{stem}}-{stem}.png", "x.png") == "{stem}-x.png")
        #expect(try name("a}b/}}{stem}{{.png", "x.png") == "a}b/}x{.png")
        #expect(try name("{out}/", "a/x.png") == "{out}/x.png")
        #expect(try name("{{stem}}/", "x.png") == "{{stem}}/x.png")
    }

    /// The values of a template stay below the folder that the template names.
    @Test func valuesStayInside() throws {
        #expect(try name("{dir}/{stem}.png", "../x.png") == "../x.png")
        #expect(try name("{dir}/{stem}/x.png", "/a/y.png") == "/a/y/x.png")
        #expect(try name("{dir}-blurred/{stem}.png", "../a/x.png") == "../a-blurred/x.png")
        #expect(try name("out/{dir}/{stem}.png", "/a/./b/x.png") == "out/a/b/x.png")
        #expect(try name("out/{dir}/{stem}.png", "x.png") == "out/x.png")
        #expect(try name("{tree}/{stem}.png", "x.png") == "x.png")
        #expect(try name("/out/{tree}/{stem}.png", "x.png") == "/out/x.png")
        #expect(try name("./../{stem}.png", "x.png") == "./../x.png")
        #expect(try name("out/{stem}/x.png", "..png") == "out/x.png")
        #expect(try name("out/{stem}.{ext}", "...png") == "out/...png")
        let leaving = [
            ("{dir}/{stem}/x.png", "...png"), ("{stem}/x.png", "a/...png"), ("out/{dir}/x.png", "../x.png"),
            ("out/{dir}/{stem}.png", "a/b/../x.png"), (".{stem}/x.png", "..png"), ("{dir}{stem}/x.png", "..png"),
        ]
        for (pattern, input) in leaving {
            #expect(throws: CommandError.self, "\(pattern) for \(input)") { try name(pattern, input) }
        }
    }

    @Test func refusals() {
        for pattern in ["{name}.png", "{}.png", "{stem.png"] {
            #expect(throws: CommandError.self, "\(pattern)") { try name(pattern, "x.png") }
        }
        for pattern in ["out.tga", "no-such-folder", "{stem}", "out.png/x"] {
            #expect(throws: CommandError.self, "\(pattern)") { try format(pattern) }
        }
        #expect(throws: CommandError.self) {
            try OutputNames("out.png", inputs: [Input("a"), Input("b")], format: nil, constants: [])
        }
    }

    private func format(_ pattern: String, stated: ImageFormat? = nil) throws -> ImageFormat? {
        let inputs = [Input("none/a.png")]
        let names = try OutputNames(FilePath(pattern), inputs: inputs, format: stated, constants: [])
        return try names.resolve(inputs)[0].format
    }

    /// The output format follows the name's suffix. If the name has no suffix, it follows `--format`. Pipes and devices have
    /// no suffix, so no format is derived from them.
    @Test func formats() throws {
        #expect(try format("out.PNG") == .png)
        #expect(try format("no-such-folder", stated: .png) == .png)
        #expect(try format("/dev/stdout") == nil)
        #expect(try format("/dev/null") == nil)
        #expect(try format("/dev/shm/x.jpg") == .jpeg)
        #expect(throws: CommandError.self) { try format("/dev/shm/x") }
        #expect(try format("-") == nil)
        #expect(try format("-", stated: .png) == .png)
    }

    @Test func collisions() throws {
        let (same, other) = ([Input("a/x.png"), Input("b/x.png")], [Input("a/x.png"), Input("b/y.png")])
        let names = try OutputNames("/tmp/none/{stem}.png", inputs: same, format: nil, constants: [])
        #expect(throws: CommandError.self) { try names.resolve(same) }
        let pairs = try names.resolve(other)
        #expect(pairs.map(\.output) == ["/tmp/none/x.png", "/tmp/none/y.png"])
    }
}

@Suite struct TextTests {
    /// Every character that needs escaping is written so that Foundation's JSON parser reads back the same text.
    @Test func strings() throws {
        var text = "\"\\/\u{7F}é雪🌨\u{2028}"
        for value in 0..<0x20 { text.unicodeScalars.append(try #require(Unicode.Scalar(value))) }
        let value: JSONValue = .joined(
            .object([.init(text, .string(text))]), ["none": nil, "yes": true, "list": [.int(-3)]])
        let json = value.line
        #expect(!json.contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object[text] as? String == text)
        #expect(object["none"] is NSNull)
        #expect(object["yes"] as? Bool == true)
        #expect(object["list"] as? [Int] == [-3])
    }

    @Test func membersKeepTheirOrder() {
        #expect((["b": .int(1), "a": .int(2)] as JSONValue).line == #"{"b":1,"a":2}"#)
    }

    @Test func numbers() {
        #expect(JSONValue.number(1.5, decimals: 3).line == "1.5")
        #expect(JSONValue.number(2, decimals: 3).line == "2")
        #expect(JSONValue.number(100, decimals: 0).line == "100")
        #expect(JSONValue.number(-0.0001, decimals: 3).line == "0")
        #expect(JSONValue.number(.infinity, decimals: 3).line == "null")
        #expect(JSONValue.number(.nan, decimals: 3).line == "null")
    }

    @Test func fixedDecimals() {
        #expect(fixed(0, 2) == "0.00")
        #expect(fixed(1.005, 1) == "1.0")
        #expect(fixed(0.05, 1) == "0.1")
        #expect(fixed(9.999, 2) == "10.00")
        #expect(fixed(-2.25, 1) == "-2.3")
        #expect(fixed(-0.001, 2) == "0.00")
        #expect(fixed(123.4, 0) == "123")
        #expect(fixed(.nan, 2) == "nan")
        #expect(fixed(-.infinity, 2) == "-inf")
    }

    /// The reference is the C library's rounding. If two decimal numbers are equally close, the results may differ by one in
    /// the last place.
    @Test func fixedDecimalsEverywhere() throws {
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let magnitude = pow(10, Double(state >> 60) - 6)
            let value = (Double(state >> 11 & 0xFFFF_FFFF) / 0x1p32 - 0.5) * magnitude
            let decimals = Int(state >> 5 & 7)
            let number = try #require(Double(fixed(value, decimals)), "\(value), \(decimals)")
            #expect(abs(number - value) <= 0.5000001 / pow(10, Double(decimals)) + abs(value) * 1e-15)
        }
    }

    /// Some numbers are so large that a Double cannot hold their decimals. They are still converted to text, and do not
    /// trap.
    @Test(arguments: [0, 3, 9]) func fixedDecimalsOfLargeNumbers(decimals: Int) throws {
        for value in [9e14, 123_456_789_012.345678, 99_999_999.999999999, 999_999_999_999_999, 7e13 + 0.1] {
            let number = try #require(Double(fixed(value, decimals)))
            #expect(abs(number - value) <= 0.5 / pow(10, Double(decimals)) + value * 1e-15)
        }
    }

    @Test func plainDecimals() {
        #expect(numberText(3) == "3" && numberText(0.25) == "0.25")
        #expect(numberText(-7) == "-7" && numberText(1e300) == "1e+300")
    }

    /// Each kind of error has its documented exit code and a one-line message.
    @Test func exitCodes() {
        let cases: [(CommandError, Int32)] = [
            (.usage("x"), 2), (.exists(path: "x"), 6), (.image(.cannotRead(path: "x", errno: 2)), 3),
            (.image(.isDirectory(path: "x")), 3),
            (.image(.unrecognised(path: "x", expected: nil, reason: "y")), 3),
            (.image(.corrupt(path: "x", format: .png, reason: "y", offset: 5)), 3),
            (.image(.overLimit(path: "x", what: "width", value: 2, limit: 1)), 4),
            (.image(.outOfMemory(path: "x", bytes: 5)), 4),
            (.image(.cannotHold(path: "x", format: .png, what: "y", remedy: "z")), 6),
            (.image(.cannotEncode(path: "x", reason: "y")), 6), (.image(.cannotWrite(path: "x", errno: 28)), 6),
            (.frost(.deviceUnavailable(reason: "x")), 5), (.frost(.pixels(.tooLarge(width: 1, height: 1))), 4),
            (.frost(.parameter(.emptyRegion(Rect(x: 0, y: 0, width: 0, height: 0)))), 2), (.frost(.cancelled), 1),
        ]
        for (error, code) in cases {
            #expect(ExitCode(error).rawValue == code, "\(error)")
            #expect(!"\(error)".isEmpty && !"\(error)".contains("\n"))
        }
    }

    /// Each option name of a command is declared once, so that no option hides another.
    @Test func optionsAreUnique() {
        for command in Command.all {
            let options = command.options + Command.common + [.version]
            #expect(Set(options.map(\.name)).count == options.count, "\(command.name)")
            let short = options.compactMap(\.short)
            #expect(Set(short).count == short.count, "\(command.name)")
            #expect(command.help.contains("usage: frost \(command.name)"))
        }
        #expect(Set(Command.all.map(\.name)).count == Command.all.count)
    }
}
