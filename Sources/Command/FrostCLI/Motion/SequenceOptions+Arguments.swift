import Frost
package import FrostImages

extension Option {
    static let fps = Option(
        "fps", value: "RATE", default: "60", FrameRate.forms)
    static let duration = Option(
        "duration", value: "SECONDS", kind: .number(0.001...1e8, unit: "seconds"),
        "how long the animation lasts; it has SECONDS times RATE frames")
    static let loop = Option(
        "loop", value: "N", kind: .integer(SequenceOptions.allowedPlays), default: "0",
        "how often an animated WebP or PNG file is played; 0 means endlessly")
    static let chroma = Option(
        "chroma", value: "MODE", kind: .word(SequenceOptions.Chroma.self),
        default: .value(SequenceOptions.Chroma.quarter),
        "resolution of chroma in Y4M: 444 keeps full colour resolution, 420 halves it along both axes")
    static let sequenceFormat = Option(
        "format", value: "NAME", kind: .word(SequenceOutput.formatNames),
        default: .words("y4m for standard output"), "output format, if the file name does not determine it")

    /// The options of commands that make animations, in addition to ``output``, ``force`` and ``pictures``.
    static let sequences: [Option] = [.fps, .duration, .loop, .chroma, .sequenceFormat]
}

extension SequenceOptions.Chroma: OptionValue {}

extension SequenceFormat {
    /// Returns the options for writing the frames.
    ///
    /// - Parameters:
    ///   - picture: the options of ``Option/pictures``.
    ///   - threads: the number of threads that encode.
    /// - Throws: ``CommandError/usage(_:)`` for options on the command line that do not apply to the output.
    package func options(
        _ arguments: Arguments, picture: ImageWriteOptions, threads: Int
    ) throws(CommandError) -> SequenceOptions {
        try check(arguments)
        return try rethrow(
            SequenceOptions(
                picture: picture, plays: arguments.value(.loop, as: Int.self) ?? 0,
                chroma: arguments.value(.chroma, as: SequenceOptions.Chroma.self) ?? .quarter,
                threads: threads), as: CommandError.refused)
    }

    /// Throws for options that do not apply to the output.
    func check(_ arguments: Arguments) throws(CommandError) {
        let unused: [Option]
        switch self {
        case .y4m:
            // A stream of blurred video does not take --keep either: Y4M holds no metadata.
            unused = [.loop, .quality, .subsampling, .progressive, .optimize, .lossless, .keep]
            if let depth = arguments.value(.bitDepth), depth != "8" {
                throw .usage("--depth \(depth) does not apply to \(title) output")
            }
        case .webp:
            unused = [.chroma]
            try PictureOptions.check([.webp], arguments)
        case .apng:
            unused = [.chroma]
            try PictureOptions.check([.png], arguments)
        case .avif:
            unused = [.chroma, .loop]
            try PictureOptions.check([.avif], arguments)
        case .pictures(let format):
            unused = [.chroma, .loop]
            try PictureOptions.check([format], arguments)
        }
        for option in unused where arguments.has(option) {
            throw .usage("--\(option.name) does not apply to \(title) output")
        }
    }
}
