import Frost
@testable import FrostCLI
import FrostCore
import FrostPipeline

/// Texts of the command line. Bytes that are not UTF-8 are replaced by U+FFFD, as in arguments.
enum FuzzTexts {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func words(_ names: [String], _ parameters: [EffectParameter]) -> [String] {
        names + Set(parameters.map { "\($0.name)=" }).sorted() + [
            "clamp", "mirror", "repeat", "clear", "#ff000080", "1e300", "-1",
        ]
    }
    static var effectWords: [String] { words(EffectCatalog.all.map(\.name), EffectCatalog.all.flatMap(\.parameters)) }
    static var transitionWords: [String] {
        words(TransitionCatalog.all.map(\.name), TransitionCatalog.all.flatMap(\.parameters))
    }
    static var optionWords: [String] { (Command.blur.options + Command.effect.options).map { "--\($0.name)=" } }

    /// Each line is a word of a command line.
    static func runArguments(_ bytes: [UInt8]) {
        let words = text(bytes).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for command in [Command.blur, .effect] {
            do throws(CommandError) {
                let arguments = try Arguments(words[...], options: command.options, environment: { _ in nil })
                require(arguments.operands.count <= words.count)
                for option in command.options {
                    require(option.value != nil || (arguments.value(option) ?? "").isEmpty, "a switch has a value")
                }
            } catch { require(!"\(error)".isEmpty) }
        }
    }

    static func runColor(_ bytes: [UInt8]) {
        guard let color = try? Color(parsing: text(bytes)) else { return }
        for part in [color.red, color.green, color.blue, color.alpha] {
            require((0...1).contains(part), "a colour outside 0...1")
        }
        guard let again = try? Color(parsing: "\(color)") else { fatalError("\(color) cannot be read again") }
        for (a, b) in [(color.red, again.red), (color.alpha, again.alpha)] {
            require(abs(a - b) <= 0.5 / 255 + 1e-9, "\(color) has become \(again)")
        }
    }

    /// The name of an effect, then its parameters.
    static func runEffect(_ bytes: [UInt8]) {
        let (name, parameters) = parts(bytes)
        guard let description = EffectCatalog.all.first(where: { $0.name == name }),
            let effect = try? description.make(parsing: parameters)
        else { return }
        // Every effect that exists has a plan for every picture, with a bound of its error.
        guard let plan = try? effect.plan(extent: Rect(x: 0, y: 0, width: 37, height: 23)) else {
            fatalError("an effect without a plan: \(name) \(parameters)")
        }
        require(plan.errorBound.isFinite && plan.errorBound >= 0, "the error bound is \(plan.errorBound)")
        require(effect == effect && effect.hashValue == effect.hashValue)
    }

    static func runTransition(_ bytes: [UInt8]) {
        let (name, parameters) = parts(bytes)
        guard let description = TransitionCatalog.all.first(where: { $0.name == name }),
            let transition = try? description.make(parsing: parameters)
        else { return }
        require(transition == transition)
    }

    private static func parts(_ bytes: [UInt8]) -> (name: String, parameters: String) {
        let words = text(bytes).split(separator: " ", maxSplits: 1)
        return (words.first.map(String.init) ?? "", words.count > 1 ? String(words[1]) : "")
    }

    static func runRectangle(_ bytes: [UInt8]) {
        guard let place = RectPlace(written: text(bytes)) else { return }
        for (width, height) in [(1, 1), (640, 481), (32768, 3)] {
            let rect = place.rect(width: width, height: height)
            require(rect.width > 0 && rect.height > 0, "an empty rectangle")
        }
    }

    /// The first line is the template, the second the path of the input.
    static func runTemplate(_ bytes: [UInt8]) {
        let lines = text(bytes).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 2, !bytes.contains(0) else { return }
        let input = Input(FilePath(lines[1]))
        // A template without a slash at its end that names no folder: nothing of the file system decides.
        let pattern = FilePath("/nowhere/" + lines[0] + "{stem}.png")
        guard let names = try? OutputNames(pattern, inputs: [input], format: nil, constants: []),
            let name = try? names.name(for: input)
        else { return }
        func parents(_ path: FilePath) -> Int {
            path.bytes.split(separator: UInt8(ascii: "/")).count { $0.elementsEqual("..".utf8) }
        }
        require(!name.bytes.contains(0), "a path with NUL")
        require(parents(name) <= parents(pattern), "a value of the template leads out of its folder")
    }
}
