import Frost
import FrostImages

/// A command line whose input is a stream of video frames: Y4M, or raw frames without a header.
struct VideoStream {
    private let input: FilePath
    private let output: FilePath
    /// The format of raw frames; nil for Y4M.
    private let raw: VideoFormat?

    /// The maximum number of frames that are processed at a time. Each frame takes memory.
    private static let maximumJobs = 4
    /// An estimate of how many bytes of memory the processing of a frame needs for each byte of the frame. It includes
    /// the result of the frame, its pixels, and rows of floats.
    private static let bytesPerByte = 8

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
        for option in Option.sizes + Option.pictures + Option.batch + [.maxTime, .maxPixelsPerByte]
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
        let limits = try Pictures.limits(arguments)
        let reader = try open(limits: limits)
        // The frames in progress share the memory.
        let need = reader.format.byteCount * Self.bytesPerByte
        do throws(ImageError) { try limits.check(memory: need, name: input.text) } catch { throw .image(error) }
        let fits = (limits.maximumMemory ?? ImageLimits.defaultMemory) / need
        let jobs = max(1, min(arguments.threads, Self.maximumJobs, fits))
        let rendering = try Rendering(arguments, console, effect, [], of: [input], jobs: jobs)
        let frames = try FrameRenderer(reader.format, rendering, input: input)
        // With several jobs, the depth is one more than the number of jobs: one frame can be read while every job
        // processes a frame.
        let done = try VideoPipeline.run(
            reader, through: frames, to: output, arguments.replacement, depth: jobs == 1 ? 1 : jobs + 1)
        report(done, reader.format, effect, rendering, total: ContinuousClock.now - start, console)
        return .done
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

    private func report(
        _ done: VideoPipeline.Summary, _ format: VideoFormat, _ effect: Effect, _ rendering: Rendering,
        total: Duration, _ console: Console
    ) {
        if let warning = done.report?.warning { console.warn("\(input.shownName): \(warning)") }
        guard console.json else {
            guard let report = done.report else {
                return console.note(
                    "\(input.shownName) -> \(output.shownName): "
                        + (done.frames == 0
                            ? "the stream has no frames" : "\(done.frames) frames, none of which has a rectangle"))
            }
            return console.note(
                "\(input.shownName) -> \(output.shownName): \(done.frames) frames of \(format.width)x\(format.height) on the \(report.place), "
                    + "\(report.reason); error at most \(fixed(report.errorBound, 2)) steps before rounding; "
                    + "\(fixed(Double(done.frames) / max(total.milliseconds / 1000, 1e-9), 1)) frames a second"
                    + (report.contrast.map { "; \($0.words)" } ?? ""))
        }
        console.result(
            .joined(
                [
                    "schema": "frost.result/1", "input": .path(input), "output": .path(output),
                    "effect": .string(effect.name), "status": "ok", "frames": .int(done.frames),
                    "width": .int(format.width), "height": .int(format.height),
                ], done.report.json, done.report.contrastJSON,
                ["ms": done.report.times(decode: done.decode, encode: done.encode, total: total)]))
    }
}
