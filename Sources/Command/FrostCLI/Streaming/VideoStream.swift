import Frost
import FrostImages
import Glibc

/// A command line whose input is a stream of video frames: Y4M, or raw frames without a header.
struct VideoStream {
    private let input: FilePath
    private let output: FilePath
    /// The format of raw frames; nil for Y4M.
    private let raw: VideoFormat?

    /// Detects a video stream. Returns nil if the inputs are pictures.
    ///
    /// - Throws: ``CommandError/usage(_:)`` for options that do not apply to streams.
    init?(_ arguments: Arguments, _ words: [FilePath]) throws(CommandError) {
        output = try arguments.output(besides: words)
        let format = arguments.value(.format)?.lowercased()
        let rawFormat = VideoFormat.raw.first { $0.name == format }?.format
        let takesInputs = output.isStream
        let isY4M =
            format == "y4m"
            || format == nil && (Self.isNamed(output) || takesInputs && words.count == 1 && Self.isY4M(words[0]))
        let size = arguments.value(.frameSize, as: PictureSize.self)
        guard isY4M || rawFormat != nil else {
            let names = VideoFormat.raw.map(\.name).joined(separator: ", ")
            guard size == nil else { throw .usage("--size applies only to raw video (--format \(names))") }
            if let format, Self.isNamed(output), let stated = ImageFormat(named: format) {
                throw .usage(
                    "\(output.shownName): the file name means Y4M, but --format selects \(stated.traits.title)")
            }
            return nil
        }
        guard words.count == 1 else { throw .usage("only one video stream can be read at a time, not \(words.count)") }
        input = words[0]
        guard !output.endsInSlash, OutputNames.placeholders(in: output).isEmpty else {
            throw .usage(
                "--output \(output.shownName): the output of a video stream must be a file, or - for standard output")
        }
        if let named = ImageFormat(suffixOf: output) {
            throw .usage(
                "\(output.shownName): the file name means \(named.traits.title), but --format selects a video stream")
        }
        for option in Option.pictures + Option.batch + [.maxTime, .maxPixelsPerByte]
        where arguments.has(option) {
            throw .usage("--\(option.name) does not apply to video streams")
        }
        guard let rawFormat else {
            raw = nil
            guard size == nil else { throw .usage("--size does not apply to Y4M, which has its size in the header") }
            return
        }
        guard let size else {
            throw .usage("--format \(format ?? ""): raw video needs --size WxH")
        }
        do throws(PixelError) { raw = try VideoFormat(width: size.width, height: size.height, pixels: rawFormat) } catch
        {
            throw .usage("--size \(size): \(error)")
        }
    }

    private static func isNamed(_ path: FilePath) -> Bool { ImageFormat.suffix(of: path)?.lowercased() == "y4m" }

    /// Returns whether the name or the first bytes of a file show that it is a Y4M stream. Standard input is never
    /// examined.
    private static func isY4M(_ path: FilePath) -> Bool {
        path != "-" && (isNamed(path) || VideoReader.isY4M(path: path))
    }

    /// Applies an effect to every frame.
    func run(_ arguments: Arguments, _ console: Console, _ effect: Effect) throws(CommandError) -> ExitCode {
        let start = ContinuousClock.now
        var console = console
        console.outputIsPicture = output.isStandardOutput
        let reader = try open(limits: try Pictures.limits(arguments))
        let frames = try VideoRendering(arguments, console, effect, reader.format, input: input)
        try rethrow(reader.state(frames.result), as: CommandError.image)
        let done = try write(reader, frames, arguments.replacement)
        frames.report(done, to: output, total: ContinuousClock.now - start)
        return .done
    }

    /// Writes the frames. The first signal ends the work after a frame, so that the reader of a pipe gets whole frames.
    private func write(
        _ reader: VideoReader, _ frames: VideoRendering, _ file: AtomicFile.Options
    ) throws(CommandError) -> VideoPipeline.Summary {
        Interruption.wait()
        defer { Interruption.endIfRequested() }
        defer { Interruption.setTemporaryFile(nil) }
        do throws(CommandError) {
            return try VideoPipeline.run(reader, through: frames.renderer, depth: frames.depth) {
                () throws(ImageError) in
                output == "-"
                    ? StreamSink(descriptor: STDOUT_FILENO, name: "standard output")
                    : try StreamSink(path: output, options: file)
            }
        } catch {
            if case .image(let error) = error { throw .writing(error) }
            throw error
        }
    }

    private func open(limits: ImageLimits) throws(CommandError) -> VideoReader {
        do throws(ImageError) {
            return input == "-"
                ? try VideoReader(descriptor: 0, name: "standard input", raw: raw, limits: limits)
                : try VideoReader(path: input, raw: raw, limits: limits)
        } catch {
            if case .isDirectory(let path) = error { throw .isFolder(path: path) }
            throw .image(error)
        }
    }
}
