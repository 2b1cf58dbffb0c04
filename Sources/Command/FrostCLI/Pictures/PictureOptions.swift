import Frost
package import FrostImages
import FrostPipeline

extension ResizeRequest.Size: OptionValue {}
extension ResizeRequest.Mode: OptionValue {}
extension PadRequest.Background: OptionValue {}

extension Option {
    static let resize = Option(
        "resize", value: "SIZE", kind: .resize,
        "resize the picture before the effect, by Lanczos's filter: to WxH, to a width W or a height xH, or in percent. "
            + "Sigma, radius and feather then count in pixels of the result, and rectangles in pixels of the input")
    static let resizeMode = Option(
        "resize-mode", value: "MODE", kind: .word(ResizeRequest.Mode.self), default: .value(ResizeRequest.Mode.fit),
        "how --resize WxH keeps the ratio of the sides: fit within WxH, cover WxH and cut off the rest, or stretch")
    static let pad = Option(
        "pad", value: "WxH", kind: .size(1...ImageLimits.largestSide),
        "put the picture, fitted to WxH and sharp, in the middle of a picture of this size. The effect is applied to what is "
            + "behind it, as for a portrait video from a landscape one")
    static let padWith = Option(
        "pad-with", value: "WHAT", kind: .colorOr(PadRequest.Background.words), default: "blur",
        "what is behind the picture of --pad: blur, the picture itself, enlarged to cover WxH; mirror, the picture mirrored at "
            + "its edges; or a colour")
    static let dataURI = Option(
        "data-uri", "print the result as a data URI for HTML and CSS, instead of writing a file; for small pictures")
    static let firstFrame = Option(
        "first-frame", "read the first frame of an animated picture instead of refusing the file")
    static let failOn = Option(
        "fail-on", value: "LEVEL", kind: .word(FailOn.self), default: .value(FailOn.error),
        "which faults of an input count as errors; other faults are warnings. truncated: truncated "
            + "files; error: truncated files and damaged pixels; warning: these, and warnings of the "
            + "decoder; none: nothing. Missing pixels of an accepted file become grey")
    static let quality = Option(
        "quality", value: "N", kind: .integer(1...100), default: usualQuality,
        "quality of "
            + ImageFormat.list(
                withQuality.map { ($0.traits.isLosslessOnRequest ? "lossy " : "") + $0.traits.title }, "and"))
    static let subsampling = Option(
        "subsampling", value: "MODE", kind: .word(JPEGWriteOptions.Subsampling.self),
        default: .words("444 from quality 90 on, else 420"),
        "chroma subsampling of JPEG: 444 keeps full colour resolution, 422 halves it along x, 420 along both axes")
    static let progressive = Option(
        "progressive", "write progressive JPEGs: smaller files, but slower to write and read")
    static let optimize = Option(
        "optimize", "optimise the Huffman tables of JPEGs: smaller files, but slower to write")
    static let lossless = Option(
        "lossless",
        "write \(ImageFormat.list(withLossless.map(\.traits.title), "and")) without loss")
    static let background = Option(
        "background", value: "COLOR", kind: .color,
        "an opaque colour to put behind transparent pixels; the output then has no alpha channel")
    static let bitDepth = Option(
        "depth", value: "BITS", kind: .word(bitDepths),
        "maximum number of bits per sample in the output; samples with more bits are rounded to nearest")
    static let keep = Option(
        "keep", value: "WHAT,...", kind: .list(.word(MetadataPolicy.allCases.map(\.rawValue) + [keepsTimes])),
        default: .value(MetadataPolicy.color),
        "which metadata to keep: color keeps the colour profile; all also keeps the known fields of EXIF, XMP and texts, "
            + "without thumbnails, makers' notes and other fields that may hold a picture; none keeps nothing. "
            + "--verbose names what is left out. The word times copies the input's timestamps to the output, and "
            + "can be combined with another word: color,times")
    fileprivate static let keepsTimes = "times"

    private static let bitDepths = Set(ImageFormat.allCases.flatMap(\.traits.depths)).sorted().map { "\($0)" }
    private static let withQuality = EncodingOptions.formatsWithQuality
    private static let withLossless = EncodingOptions.formatsWithLossless

    /// The default quality as text. The text starts with the default of the first format that has a quality. It then
    /// names each format whose default differs.
    private static let usualQuality: DefaultValue = {
        let usual = withQuality.first?.traits.quality ?? 0
        let others = withQuality.filter { $0.traits.quality != usual }
        guard !others.isEmpty else { return .value("\(usual)") }
        return .words(others.reduce("\(usual)") { "\($0), of \($1.traits.title) \($1.traits.quality ?? 0)" })
    }()

    /// The options that change the size of pictures and frames.
    static let sizes: [Option] = [.resize, .resizeMode, .pad, .padWith]
    /// The options for reading and writing pictures.
    static let pictures: [Option] = [
        .firstFrame, .failOn, .quality, .subsampling, .progressive, .optimize, .lossless, .background, .bitDepth, .keep,
    ]
}

extension FailOn: OptionValue {}

extension Arguments {
    /// How the command line asks to resize pictures; nil if it does not.
    ///
    /// - Parameter effect: the effect. Resizing mixes the pixels that a redaction hides into those beside its rectangles.
    func resizing(for effect: Effect) throws(CommandError) -> ResizeRequest? {
        guard let size = value(.resize, as: ResizeRequest.Size.self) else {
            guard !has(.resizeMode) else { throw .usage("--resize-mode needs --resize") }
            return nil
        }
        if effect.isRedaction, let place = [Option.rect, .rects].first(where: { has($0) }) {
            throw .usage(
                "--resize cannot be combined with \(effect.name) and --\(place.name): it would mix hidden pixels into those "
                    + "beside them; redact first, and resize the result")
        }
        let mode = try required(.resizeMode, as: ResizeRequest.Mode.self)
        if has(.resizeMode) {
            guard case .sides = size else {
                throw .usage("--resize-mode \(mode.rawValue) needs --resize with two sides, WxH")
            }
        }
        return ResizeRequest(size, mode)
    }

    /// The larger picture that the command line asks for; nil if it asks for none.
    func padding(for effect: Effect) throws(CommandError) -> PadRequest? {
        guard let size = value(.pad, as: PictureSize.self) else {
            guard !has(.padWith) else { throw .usage("--pad-with needs --pad") }
            return nil
        }
        if let other = (Option.regions + [.resize, .mask, .content]).first(where: { has($0) }) {
            throw .usage("--pad cannot be combined with --\(other.name)")
        }
        guard effect.blur.cellSide == nil, effect.mask != .image else {
            throw .usage("--pad cannot be combined with \(effect.name): the picture would show as it is")
        }
        return PadRequest(
            width: size.width, height: size.height, try required(.padWith, as: PadRequest.Background.self))
    }

    /// How the command line asks to replace an output file.
    var replacement: AtomicFile.Options {
        var options = AtomicFile.Options.interruptible
        options.followsLinks = !has(.noFollow)
        return options
    }
}

/// The values of the options in ``Option/pictures``. They control how pictures are read and written.
struct PictureOptions {
    let reading: ImageReadOptions
    let encoding: EncodingOptions
    var writing: ImageWriteOptions { encoding.writing }
    /// Whether an output file gets the timestamps of its input file.
    let keepsTimes: Bool

    /// Reads the options.
    ///
    /// - Parameter limits: the limits on the pictures; nil for those of the command line.
    init(_ arguments: Arguments, limits: ImageLimits? = nil) throws(CommandError) {
        let limits = if let limits { limits } else { try Pictures.limits(arguments) }
        reading = ImageReadOptions(
            limits: limits, firstFrame: arguments.has(.firstFrame),
            failOn: try arguments.required(.failOn, as: FailOn.self))
        let kept = try arguments.required(.keep).split(separator: ",").map(String.init)
        keepsTimes = kept.contains(Option.keepsTimes)
        let policies = kept.compactMap { MetadataPolicy(rawValue: $0) }
        guard policies.count <= 1 else {
            throw .usage("--keep: \(policies.map(\.rawValue).joined(separator: " and ")) cannot be combined")
        }
        encoding = try Self.encoding(arguments, keep: policies.first ?? .color)
    }

    private static func encoding(_ arguments: Arguments, keep: MetadataPolicy) throws(CommandError) -> EncodingOptions {
        var options = EncodingOptions()
        options.quality = arguments.has(.quality) ? arguments.value(.quality, as: Int.self) : nil
        options.subsampling = arguments.value(.subsampling, as: JPEGWriteOptions.Subsampling.self)
        options.isProgressive = arguments.has(.progressive)
        options.isOptimized = arguments.has(.optimize)
        options.isLossless = arguments.has(.lossless)
        options.background = try background(arguments)
        options.depth = arguments.value(.bitDepth, as: Int.self)
        options.keep = keep
        return options
    }

    private static func background(_ arguments: Arguments) throws(CommandError) -> Color? {
        guard let text = arguments.value(.background), let color = Color(written: text) else { return nil }
        guard color.alpha == 1 else { throw .usage("--background \(text) must be opaque") }
        return color
    }

    /// Throws if an option on the command line does not apply to the outputs.
    func check(_ items: [BatchItem], _ arguments: Arguments) throws(CommandError) {
        if keepsTimes, items.contains(where: { $0.input.path == "-" || $0.output == "-" }) {
            throw .usage("--keep times applies to files, not to standard input and output")
        }
        // The check is left out if the format of an output is not known yet. This happens for pipes without `--format`.
        let formats = items.compactMap(\.format)
        guard formats.count == items.count else { return }
        try Self.check(formats, arguments)
    }

    /// Throws if an option on the command line applies to none of the output formats.
    static func check(_ formats: [ImageFormat], _ arguments: Arguments) throws(CommandError) {
        let misfit = try encoding(arguments, keep: .color).misfit(in: formats)
        if let misfit { throw .usage(misfit) }
    }
}

extension JPEGWriteOptions.Subsampling: OptionValue {}
