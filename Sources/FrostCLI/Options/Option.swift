import Frost
import FrostImages

/// What a word of the command line may be, as far as a shell can complete it.
enum ValueKind: Sendable, Hashable {
    case anything
    case file
    /// One of these.
    case word([String])
    /// Some of these, separated by commas.
    case list([String])

    static func word<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> ValueKind
    where Value.RawValue == String { .word(type.allCases.map(\.rawValue)) }

    static func list<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> ValueKind
    where Value.RawValue == String { .list(type.allCases.map(\.rawValue)) }

    /// The names of the catalogue.
    static let effectName = ValueKind.word(EffectCatalog.all.map(\.name))
    static let effectNames = ValueKind.list(EffectCatalog.all.map(\.name))
}

/// One option of the command line, declared once: what parses it, checks it and prints its help.
struct Option: Sendable {
    /// Without dashes; how commands look it up.
    let name: String
    let short: Character?
    /// The placeholder of its value; nil for a switch.
    let value: String?
    /// May be given more than once.
    let repeats: Bool
    let help: String
    /// What the value may be, for completions.
    let kind: ValueKind

    init(
        _ name: String, short: Character? = nil, value: String? = nil, repeats: Bool = false,
        kind: ValueKind = .anything, _ help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.repeats = repeats
        self.help = help
        self.kind = kind
    }

    /// As `--help` shows it: "-o, --output OUTPUT".
    var signature: String {
        let names = (short.map { "-\($0), " } ?? "    ") + "--\(name)"
        return value.map { "\(names) \($0)" } ?? names
    }
}

extension Option {
    static let output = Option(
        "output", short: "o", value: "OUTPUT", kind: .file,
        "where the result goes: a file, - for standard output, a folder (ends in /),\nor a template with {dir} {stem} {ext} {sigma} {effect}"
    )
    static let sigma = Option(
        "sigma", value: "S[,SY]", "standard deviation in pixels of the input, 0 to 1000; two values: along x, along y")
    static let sigmas = Option(
        "sigma", value: "S,...", "standard deviations to check (default 0.7,2,8,30,100, or none with --effect)")
    static let chosenEffects = Option(
        "effect", value: "NAME,...", kind: .effectNames,
        "these effects, with their defaults; 'frost effects' has the names")
    static let effectName = Option(
        "effect", value: "NAME", kind: .effectName, "plan this effect; its parameters become options")
    static let edge = Option(
        "edge", value: "MODE", kind: .word(EdgeMode.self),
        "what lies beyond the edges: clamp (default), mirror, repeat or clear")
    static let rect = Option(
        "rect", value: "X,Y,W,H", repeats: true,
        "change only this rectangle; all other pixels stay as they are. May be repeated")
    static let cornerRadius = Option(
        "corner-radius", value: "PIXELS", "round the corners of the rectangles, with their edges smoothed")
    static let bounded = Option(
        "bounded", "let no colour into the rectangles: for the effect the picture ends at their edges")
    static let mask = Option(
        "mask", value: "FILE", kind: .file,
        "a picture, stretched over the picture, that says how much of the effect shows, or how\nwide a variable blur is: its alpha if it has some, else its luma; 0 shows the original,\nunder what an effect draws over everything"
    )
    static let content = Option(
        "content", value: "FILE", kind: .file,
        "a picture that is drawn over the result: over each --rect, or the whole picture")
    static let vibrancy = Option(
        "vibrancy", value: "KIND", kind: .word(Vibrancy.Kind.self),
        "let the content's alpha show the backdrop, lightened or darkened to be read:\n"
            + "label, secondary-label, fill or separator; without it the content has its own colours")
    static let contentMode = Option(
        "content-mode", value: "MODE", kind: .word(ContentMode.self),
        "how the content is placed: scale-to-fill (default), aspect-fit, aspect-fill, center,\n"
            + "top, bottom, left, right, top-left, top-right, bottom-left or bottom-right")
    static let dither = Option("dither", "add noise of one step before rounding, against contours in smooth places")
    static let noDither = Option("no-dither", "round to nearest, without noise")
    static let linear = Option(
        "linear",
        "blur light instead of the numbers that stand for it: by the picture's gamma, else as sRGB;\n'plan' has no picture, and takes sRGB"
    )
    static let size = Option("size", value: "WxH", "the size of the picture")
    static let max = Option("max", value: "STEPS", "exit with 1 if any value differs by more 8-bit steps than this")
    static let diff = Option("diff", value: "OUT.png", kind: .file, "write a picture of the differences, amplified")
    static let backend = Option(
        "backend", value: "NAME", kind: .word(Backend.self),
        "auto (default: a hardware GPU where it is measured to be the faster, else the CPU),\ncpu, gpu or exact")
    static let device = Option(
        "device", value: "ID", "use this GPU: an index, render node, PCI path or part of a name from 'frost devices'")
    static let threads = Option("threads", value: "N", "threads of the CPU backend, 1 to 256 (default: all processors)")
    static let depth = Option(
        "accuracy", value: "STEPS", "plan for this error budget (default 0.4, for 8-bit pictures)")
    static let maxSide = Option("max-side", value: "N", "refuse inputs with a longer side (default 32768)")
    static let maxPixels = Option("max-pixels", value: "N", "refuse inputs with more pixels (default 1073741824)")
    static let format = Option(
        "format", value: "NAME", kind: .word(ImageFormat.self),
        "format of the output where its name does not say; a folder and a pipe keep the input's: "
            + ImageFormat.allCases.map(\.rawValue).joined(separator: ", "))
    static let force = Option("force", "let a folder or template overwrite files that exist")
    static let json = Option("json", "print one JSON object a line instead of text")
    static let quiet = Option("quiet", short: "q", "say nothing but errors")
    static let verbose = Option("verbose", short: "v", "say more")
    static let help = Option("help", short: "h", "print this help")
    static let version = Option("version", "print the version")
}
