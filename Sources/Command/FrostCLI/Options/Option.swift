import Frost
import FrostCPU
import FrostImages

/// The value that an option has if the command line does not contain the option.
package enum DefaultValue: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The command behaves as if this value were given.
    case value(String)
    /// A description of the command's behaviour without the option.
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

/// An option of the command line, declared once. Frost derives its parsing, completion and help from this declaration.
package struct Option: Sendable {
    /// The name of the option without dashes.
    package let name: String
    package let short: Character?
    /// The placeholder of the option's value in the help; nil for a switch, which takes no value.
    package let value: String?
    /// Whether the option may occur more than once.
    package let repeats: Bool
    /// The kind of values that the option allows.
    package let kind: ValueKind
    package let `default`: DefaultValue?
    /// The environment variable that supplies the value if the command line does not contain the option.
    package let environment: String?
    /// The purpose of the option. ``explanation`` adds the allowed values and the default. Shell completions show the
    /// text up to the first semicolon, colon or parenthesis.
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

    /// Returns the option with the description that suits one command.
    package func described(as help: String) -> Option {
        Option(
            name, short: short, value: value, repeats: repeats, kind: kind, default: `default`,
            environment: environment,
            help)
    }

    /// The forms in which the option is written, for example "--output" and "-o".
    var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }

    /// The option as `--help` shows it, for example "-o, --output OUTPUT".
    package var signature: String {
        let names = (short.map { "-\($0), " } ?? "    ") + "--\(name)"
        return value.map { "\(names) \($0)" } ?? names
    }

    /// The allowed values and the default, for example "1 to 1024; default $FROST_MAX_SIDE, else 1000". Nil for an option
    /// that allows every value and has no default.
    package var bounds: String? {
        let fallback = [environment.map { "$\($0)" }, `default`?.text].compactMap { $0 }
        let initial = fallback.isEmpty ? nil : "default " + fallback.joined(separator: ", else ")
        let known = [kind.allowed, kind.synonyms, initial].compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: "; ")
    }

    /// The text that `--help` shows beside the signature: the purpose, then the allowed values.
    package var explanation: String {
        bounds.map { "\(help) (\($0))" } ?? help
    }
}

extension Option {
    static let output = Option(
        "output", short: "o", value: "OUTPUT", kind: .file,
        "where to write the result: a file, - for standard output, a folder (ending in /, created if "
            + "missing), or a template with {dir} {tree} {stem} {ext} {sigma} {effect}"
    )
    static let sequenceOutput = output.described(
        as:
            "where to write the result: a file, - for standard output, a folder (ending in /), or a template with {frame}, "
            + "the number of the frame; missing folders of both are created")
    static let sigma = Option(
        "sigma", value: "S[,SY]", kind: .list(.number(GaussianBlur.sigmaRange), maximum: 2),
        "standard deviation of the blur in pixels; two values set x and y separately")
    package static let chosenEffects = Option(
        "effect", value: "NAME,...", kind: .list(.effect),
        "effects to use; 'frost effects' lists all names")
    static let effectName = Option(
        "effect", value: "NAME", kind: .effect, "plan this effect; its parameters can be given as options")
    package static let edge = Option(
        "edge", value: "MODE", kind: .word(EdgeMode.self), default: .value(EdgeMode.clamp),
        "how to choose the colours of pixels outside the image")
    package static let rect = Option(
        "rect", value: "X,Y,W,H", repeats: true, kind: .rect,
        "apply the effect only in this rectangle, in pixels or percent: 10,10,200,50 or 50%,0,50%,100% or center,320x200 (also "
            + "north, northeast, east ...), or as other programs print it: 200x50+10+10 or '10,10 200x50'; may be repeated"
    )
    package static let rects = Option(
        "rects", value: "FILE", repeats: true, kind: .file,
        "apply the effect only in the boxes of this file: CSV with a header or a JSON object on each line, with x,y,w,h or "
            + "x1,y1,x2,y2 in pixels and, if wanted, the file name of the input and the frame of a video, counted from 0; may be "
            + "repeated"
    )
    /// The options that name a file to read.
    package static let inputFiles: [Option] = [.mask, .content, .rects]
    package static let ellipse = Option(
        "ellipse",
        "apply the effect in the ellipses that fill --rect and the boxes of --rects; for glass only in squares")
    package static let feather = Option(
        "feather", value: "N", kind: .number(ClipRule.featherRange),
        "let the effect fade out over N pixels beside --rect; inside, it has its full strength; not for glass")
    package static let invertRects = Option(
        "invert-rects",
        "apply the effect outside --rect and the boxes of --rects, and keep what is inside; not for glass")
    package static let cornerRadius = Option(
        "corner-radius", value: "RADIUS", kind: .cornerRadius,
        "round the corners of --rect, with antialiased edges: a number of pixels, or a percentage of the shorter side; a "
            + "radius that is too large is reduced")
    package static let cornerSmoothing = Option(
        "corner-smoothing", value: "NUMBER", kind: .number(CornerCurve.smoothingRange),
        "make the transition from the sides to the corners of --corner-radius continuous in curvature; 0.6 is close to iOS"
    )
    package static let cornerExponent = Option(
        "corner-exponent", value: "NUMBER", kind: .number(CornerCurve.exponentRange),
        "give the corners of --corner-radius the curve of a superellipse with this exponent; 2 is round, 4 a squircle")
    package static let bounded = Option(
        "bounded", "treat the edges of --rect as the edges of the picture, so that no colour from outside enters")
    package static let relativeTo = Option(
        "relative-to", value: "WHAT", kind: .word(MaskPlacement.self), default: .value(MaskPlacement.rect.rawValue),
        "what --mask, gradients and the shapes of effects are placed in: each --rect, or the whole picture")
    package static let mask = Option(
        "mask", value: "FILE", kind: .file,
        "a mask image, scaled to the input's size or to --rect. Its alpha channel (or its luma, if it has no alpha or is opaque) "
            + "sets the strength of the effect at each pixel; 0 keeps the original, under a --tint and its --noise. For a "
            + "variable blur, the mask sets the width of the blur instead. The word depth stands for the depth picture of each "
            + "HEIC input, whose farthest point gets the whole effect; write ./depth for a file of that name"
    )
    package static let content = Option(
        "content", value: "FILE", kind: .file,
        "draw this image over the result: into each --rect, or over the whole picture")
    package static let vibrancy = Option(
        "vibrancy", value: "KIND", kind: .word(Vibrancy.Kind.self),
        "draw the content in colours computed from the blurred backdrop, as iOS vibrancy does; only the "
            + "content's alpha is used"
    )
    package static let contentMode = Option(
        "content-mode", value: "MODE", kind: .word(ContentMode.self), default: .value(ContentMode.center),
        "how to place the content in its rectangle; center keeps its size, aspect-fit its proportions")
    static let dither = Option(
        "dither", "add noise of one output step before rounding; this hides banding in smooth gradients")
    package static let noDither = Option("no-dither", "round to the nearest value, without noise")
    package static let linear = Option(
        "linear",
        "blur in linear light. The picture is decoded by its ICC profile or gamma, or as sRGB if it has neither"
    )
    static let size = Option("size", value: "WxH", kind: .size(1...1 << 30), "size of the picture")
    package static let backend = Option(
        "backend", value: "NAME", kind: .word(Backend.self), default: .value(Backend.auto),
        environment: "FROST_BACKEND",
        "where to compute; auto uses a hardware GPU if it was measured to be faster, otherwise the CPU")
    package static let device = Option(
        "device", value: "ID", environment: "FROST_DEVICE",
        "use this GPU: an index, render node, PCI path or part of a name from 'frost devices', or 'hardware' for any GPU that is not software"
    )
    package static let gpuShaders = Option(
        "gpu-shaders", value: "KIND", kind: .word(GPUShaders.self), default: .value(GPUShaders.auto),
        environment: "FROST_GPU_SHADERS",
        "shaders that the GPU runs; auto measures once per device which are faster, and remembers it")
    package static let threads = Option(
        "threads", value: "N", kind: .integer(CPUExecutor.allowedThreads),
        default: .words("$OMP_NUM_THREADS, else the processors that the process may use"),
        environment: "FROST_THREADS", "number of CPU threads")
    static let accuracy = Option(
        "accuracy", value: "STEPS", kind: .number(Accuracy.allowedBudgets),
        default: .value(numberText(Accuracy.eightBit.errorBudget)),
        "largest error that the plan may have, in 8-bit steps (1/255)")
    package static let maxSide = Option(
        "max-side", value: "N", kind: .integer(1...ImageLimits.largestSide),
        default: .value("\(ImageLimits().maximumSide)"),
        environment: "FROST_MAX_SIDE", "refuse inputs with a side of more than N pixels")
    package static let maxPixels = Option(
        "max-pixels", value: "N", kind: .integer(1...ImageLimits.largestNumberOfPixels),
        default: .value("\(ImageLimits().maximumPixels)"),
        environment: "FROST_MAX_PIXELS", "refuse inputs with more than N pixels")
    package static let maxPixelsPerByte = Option(
        "max-pixels-per-byte", value: "N", kind: .integer(100...1 << 40),
        default: .value("\(ImageLimits().maximumPixelsPerByte)"), environment: "FROST_MAX_PIXELS_PER_BYTE",
        "refuse inputs of over \(ImageLimits.smallPicture / 1_000_000) megapixels with more than N pixels for each byte of the file"
    )
    package static let maxMemory = Option(
        "max-memory", value: "SIZE", kind: .bytes(1 << 20...1 << 46),
        default: .words("\(ByteCount(ImageLimits.defaultMemory))"), environment: "FROST_MAX_MEMORY",
        "refuse pictures that need more memory than SIZE, or than control groups and ulimit -v leave; pictures in "
            + "progress share it")
    package static let maxTime = Option(
        "max-time", value: "SECONDS", kind: .number(0.001...1e9),
        default: .value(numberText(ImageLimits().maximumTime.milliseconds / 1000)), environment: "FROST_MAX_TIME",
        "stop the work on a picture after SECONDS; waiting for input from a pipe does not count")
    package static let sandbox = Option(
        "sandbox",
        "decode and encode each picture in processes of its own, which can only read the file and return the pixels or the "
            + "result; the results are the same. redact, several inputs and serve do so without this option, and warn if the "
            + "kernel lacks seccomp or Landlock; with it, that is an error")
    package static let noSandbox = Option(
        "no-sandbox", "decode and encode pictures in the process of the command, which is faster and less safe")
    package static let allow = Option(
        "allow", value: "FORMAT,...", kind: .list(.word(AllowedFormats.names)), default: .words("all formats"),
        environment: "FROST_ALLOW",
        "open only files of these formats, and refuse others before their decoder sees them; y4m are streams of frames, and "
            + "video are files that frost video gives to ffmpeg. A server writes only these formats, too")
    /// The limits on the pictures that a command reads.
    package static let limits: [Option] = [
        .maxSide, .maxPixels, .maxPixelsPerByte, .maxMemory, .maxTime, .allow, .sandbox, .noSandbox,
    ]
    static let format = Option(
        "format", value: "NAME", kind: .word(ImageFormat.allNames + ["y4m"] + VideoFormat.raw.map(\.name)),
        "output format, if the file name does not determine it; folders and pipes keep the input's format"
            + " by default. If it is y4m or a raw pixel format such as rgba, both the input and the output are "
            + "video streams"
    )
    static let frameSize = Option(
        "size", value: "WxH", kind: .size(1...1 << 30), "frame size of raw video, which has no header")
    static let noFollow = Option(
        "no-follow",
        "if an output is a symbolic link, replace the link; without this option the file that it leads to is replaced")
    static let force = Option(
        "force", short: "f",
        "replace existing files whose names come from an output folder or a template; a file that --output names itself is "
            + "replaced in any case. Also allow a picture to be written to a terminal"
    )
    package static let json = Option("json", "print one JSON object per line instead of text")
    package static let quiet = Option(
        "quiet", short: "q", "print only errors, and the results of compare, check and bench")
    package static let verbose = Option("verbose", short: "v", "print more details")
    /// Options that most commands have. If a command lacks one of these options, its error for the option says that the
    /// option does not apply, not that it is unknown.
    static let shared: [Option] = [.backend, .device, .gpuShaders, .threads, .force, .noFollow] + limits
    static let help = Option("help", short: "h", "print this help; -h prints the usual options only")
    package static let version = Option("version", "print the version")
}
