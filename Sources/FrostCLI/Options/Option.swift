import Frost
import FrostCPU
import FrostImages

/// The value of an option that is not given.
package enum DefaultValue: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The command behaves as if this value were given.
    case value(String)
    /// A description of what the command does without the option.
    case words(String)

    package init(stringLiteral text: String) { self = .value(text) }

    package static func value<Value: RawRepresentable>(_ value: Value) -> DefaultValue where Value.RawValue == String {
        .value(value.rawValue)
    }

    package var text: String {
        switch self {
        case .value(let text), .words(let text): text
        }
    }
}

/// One option of the command line, declared once. Its parsing, completion and help are made from this.
package struct Option: Sendable {
    /// Without dashes; how commands look it up.
    package let name: String
    package let short: Character?
    /// The placeholder of its value; nil for a switch.
    package let value: String?
    /// May be given more than once.
    package let repeats: Bool
    /// What the value may be.
    package let kind: ValueKind
    package let `default`: DefaultValue?
    /// The environment variable that is read if the command line does not have the option.
    package let environment: String?
    /// What it is for. Shells show the first line only. Allowed values and the default are added by ``explanation``.
    package let help: String

    package init(
        _ name: String, short: Character? = nil, value: String? = nil, repeats: Bool = false,
        kind: ValueKind = .anything, default: DefaultValue? = nil, environment: String? = nil, _ help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.repeats = repeats
        self.kind = kind
        self.default = `default`
        self.environment = environment
        self.help = help
    }

    /// As `--help` shows it: "-o, --output OUTPUT".
    package var signature: String {
        let names = (short.map { "-\($0), " } ?? "    ") + "--\(name)"
        return value.map { "\(names) \($0)" } ?? names
    }

    /// "1 to 256; default $FROST_THREADS, else all processors"; nil if everything is allowed and there is no default.
    package var bounds: String? {
        let fallback = [environment.map { "$\($0)" }, `default`?.text].compactMap { $0 }
        let parts = [kind.allowed, fallback.isEmpty ? nil : "default " + fallback.joined(separator: ", else ")]
        let known = parts.compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: "; ")
    }

    /// What `--help` shows beside the signature: the purpose, then what is allowed.
    package var explanation: String {
        guard let bounds else { return help }
        let last = help.split(separator: "\n").last?.count ?? 0
        return help + (last + bounds.count < 80 ? " " : "\n") + "(\(bounds))"
    }
}

extension Option {
    static let output = Option(
        "output", short: "o", value: "OUTPUT", kind: .file,
        "where the result goes: a file, - for standard output, a folder (ends in /, made if it is missing),\nor a template with {dir} {tree} {stem} {ext} {sigma} {effect}"
    )
    static let sigma = Option(
        "sigma", value: "S[,SY]", kind: .list(.number(GaussianBlur.sigmaRange), maximum: 2),
        "standard deviation in pixels of the input; two values: along x, along y")
    package static let chosenEffects = Option(
        "effect", value: "NAME,...", kind: .list(.effect),
        "these effects, with their defaults; 'frost effects' has the names")
    static let effectName = Option(
        "effect", value: "NAME", kind: .effect, "plan this effect; its parameters become options")
    package static let edge = Option(
        "edge", value: "MODE", kind: .word(EdgeMode.self), default: .value(EdgeMode.clamp),
        "what lies beyond the edges")
    package static let rect = Option(
        "rect", value: "X,Y,W,H", repeats: true, kind: .rect,
        "change only this rectangle; all other pixels stay as they are. May be repeated")
    package static let cornerRadius = Option(
        "corner-radius", value: "PIXELS", kind: .number(0...0x1p29),
        "round the corners of the rectangles, with their edges smoothed")
    package static let bounded = Option(
        "bounded", "let no colour into the rectangles: for the effect the picture ends at their edges")
    package static let mask = Option(
        "mask", value: "FILE", kind: .file,
        "a picture, stretched over the picture, that says how much of the effect shows, or how\nwide a variable blur is: its alpha if it has some, else its luma; 0 shows the original,\nunder what an effect draws over everything"
    )
    package static let content = Option(
        "content", value: "FILE", kind: .file,
        "a picture that is drawn over the result: over each --rect, or the whole picture")
    package static let vibrancy = Option(
        "vibrancy", value: "KIND", kind: .word(Vibrancy.Kind.self),
        "let the content's alpha show the backdrop, lightened or darkened to be read;\nwithout it the content has its own colours"
    )
    package static let contentMode = Option(
        "content-mode", value: "MODE", kind: .word(ContentMode.self), default: .value(ContentMode.scaleToFill),
        "how the content is placed")
    static let dither = Option("dither", "add noise of one step before rounding, against contours in smooth places")
    package static let noDither = Option("no-dither", "round to nearest, without noise")
    package static let linear = Option(
        "linear",
        "blur light instead of the numbers that stand for it: by the picture's profile or gamma, else as sRGB;\n'plan' has no picture, and takes sRGB"
    )
    static let size = Option("size", value: "WxH", kind: .size(1...1 << 30), "the size of the picture")
    static let max = Option(
        "max", value: "STEPS", kind: .number(0...255),
        "exit with 1 if any value differs by more 8-bit steps than this")
    static let diff = Option("diff", value: "OUT.png", kind: .file, "write a picture of the differences, amplified")
    package static let backend = Option(
        "backend", value: "NAME", kind: .word(Backend.self), default: .value(Backend.auto),
        environment: "FROST_BACKEND",
        "auto takes a hardware GPU where it is measured to be the faster, else the CPU")
    package static let device = Option(
        "device", value: "ID", environment: "FROST_DEVICE",
        "use this GPU: an index, render node, PCI path or part of a name from 'frost devices', or\n'hardware' for any GPU that is not software"
    )
    package static let threads = Option(
        "threads", value: "N", kind: .integer(CPUExecutor.allowedThreads), default: .words("all processors"),
        environment: "FROST_THREADS", "threads of the CPU backend")
    static let accuracy = Option(
        "accuracy", value: "STEPS", kind: .number(Accuracy.allowedBudgets),
        default: .value(decimal(Accuracy.eightBit.errorBudget)),
        "plan for this error budget; unless given, that of 8-bit pictures")
    package static let maxSide = Option(
        "max-side", value: "N", kind: .integer(1...1 << 30), default: .value("\(ImageLimits().maximumSide)"),
        environment: "FROST_MAX_SIDE", "refuse inputs with a longer side")
    package static let maxPixels = Option(
        "max-pixels", value: "N", kind: .integer(1...1 << 40), default: .value("\(ImageLimits().maximumPixels)"),
        environment: "FROST_MAX_PIXELS", "refuse inputs with more pixels")
    static let format = Option(
        "format", value: "NAME", kind: .word(ImageFormat.allNames + VideoStream.formatNames),
        "format of the output where its name does not say; a folder and a pipe keep the input's.\ny4m is a stream of frames, in and out, and so are those from rgba on, without a header"
    )
    static let frameSize = Option(
        "size", value: "WxH", kind: .size(1...1 << 30), "the size of frames that have no header to say it")
    static let force = Option("force", "let a folder or template overwrite files that exist")
    package static let json = Option("json", "print one JSON object a line instead of text")
    package static let quiet = Option("quiet", short: "q", "say nothing but errors")
    package static let verbose = Option("verbose", short: "v", "say more")
    static let help = Option("help", short: "h", "print this help")
    package static let version = Option("version", "print the version")
}
