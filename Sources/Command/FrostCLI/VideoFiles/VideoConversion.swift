import Frost
import FrostImages
import Glibc

/// Applies an effect to the frames of a video file, and keeps everything else.
struct VideoConversion {
    private let arguments: Arguments
    private let console: Console
    private let input: FilePath
    private let output: FilePath

    /// Checks the operands.
    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        (self.arguments, self.console) = (arguments, console)
        let words = arguments.paths
        guard let input = words.first else { throw .usage("an input is required: a video file") }
        try arguments.checkStandardInput([])
        guard words.count == 1 else { throw .usage("only one video can be processed at a time, not \(words.count)") }
        output = try arguments.requiredPath(.output)
        guard input != "-", output != "-" else {
            throw .usage(
                "frost video reads and writes files; for pipes use frost blur or frost effect with --format y4m")
        }
        guard !output.endsInSlash, !output.isFolder, OutputNames.placeholders(in: output).isEmpty else {
            throw .usage("--output \(output.shownName): the output of frost video must be a file")
        }
        self.input = input
        // ffmpeg goes back to write the header of most containers. Opening a pipe would wait for its reader.
        guard !output.isStream else { throw .image(.cannotWrite(path: output.text, errno: ESPIPE)) }
    }

    /// Processes the video.
    func run(_ effect: Effect) throws(CommandError) -> ExitCode {
        let start = ContinuousClock.now
        let place = effect.isRedaction ? [Option.rect, .rects].first { arguments.has($0) } : nil
        if let place, arguments.has(.deinterlace) {
            throw .usage(
                "--deinterlace cannot be combined with \(effect.name) and --\(place.name): it would mix hidden rows into those "
                    + "beside them; deinterlace with ffmpeg first, and place the rectangles on its result")
        }
        // A wrong suffix is found before any program is started.
        _ = try VideoContainer.named(by: output)
        // No other program is started for a file that may not be opened.
        let limits = try Pictures.limits(arguments)
        try rethrow(limits.checkVideo(name: input.text), as: CommandError.image)
        let source = try VideoSource(input)
        let commands = try VideoCommands(arguments, source, output: output, hides: place != nil)
        let program = try FFmpeg.program("ffmpeg", for: input)
        let decoder = try tool(program, commands.decoding, isReader: false)
        let reader = try open(decoder, commands)
        let frames = try VideoRendering(arguments, console, effect, reader.format, input: input)
        if let matrix = commands.format.unknownMatrix, frames.renderer.convertsColors {
            throw .video(path: input.text, reason: "Frost cannot compute colours in its colour matrix \(matrix)")
        }
        try rethrow(reader.state(frames.result), as: CommandError.image)
        defer { Interruption.setTemporaryFile(nil) }
        let file = try outputFile()
        let covers = try self.covers(commands, program)
        defer { for cover in covers { close(cover.descriptor) } }
        let encoder = try tool(
            program, try commands.encoding(frames.result, covers, to: file.temporaryPath ?? output), isReader: true,
            files: covers.map(\.descriptor))
        let done: VideoPipeline.Summary
        var warnings = commands.warnings(frames.result)
        do throws(CommandError) {
            done = try transfer(reader, frames, source, commands, decoder, encoder)
            warnings += try check(decoder, done, commands)
        } catch {
            // Otherwise ffmpeg could create the file again after it was deleted.
            encoder.kill()
            _ = encoder.wait()
            throw error
        }
        encoder.closePipe()
        let end = encoder.wait()
        // ffmpeg 5.1 ends without a failure if it cannot write the end of the file and faults are accepted.
        guard end == .exit(0), !encoder.lastWords.contains("Error writing trailer") else { throw failure(of: encoder) }
        let written = try WrittenVideo(file.temporaryPath ?? output, output: output, commands.encoder)
        warnings += written.warnings(
            source, commands.kept + commands.attachedCovers, hasAlpha: commands.format.coding.hasAlpha)
        do throws(ImageError) { try file.commit() } catch { throw .image(error) }
        frames.report(done, to: output, total: .now - start, warnings: warnings)
        return .done
    }

    // MARK: Files and programs

    private func covers(_ commands: VideoCommands, _ program: FilePath) throws(CommandError) -> [CoverPicture] {
        var covers: [CoverPicture] = []
        for stream in commands.attachedCovers {
            let cover = try rethrow(
                CoverPicture(stream, of: input, with: program), as: CommandError.cannotRead(input))
            guard let cover else {
                throw .video(path: input.text, reason: "the cover picture in stream \(stream.index) cannot be read")
            }
            covers.append(cover)
        }
        return covers
    }

    private func tool(
        _ program: FilePath, _ words: [String], isReader: Bool, files: [Int32] = []
    ) throws(CommandError) -> StreamingTool {
        do throws(Errno) { return try StreamingTool(program, words, isReader: isReader, files: files) } catch {
            throw FFmpeg.failure(
                .notStarted(error.message), "ffmpeg", "", path: isReader ? output : input, isOutput: isReader)
        }
    }

    /// Creates the temporary file that ffmpeg fills.
    private func outputFile() throws(CommandError) -> AtomicFile {
        let file: AtomicFile
        do throws(ImageError) { file = try AtomicFile(path: output, options: arguments.replacement) } catch {
            throw .image(error)
        }
        guard file.temporaryPath != nil else { throw .image(.cannotWrite(path: output.text, errno: ESPIPE)) }
        return file
    }

    private func open(_ decoder: StreamingTool, _ commands: VideoCommands) throws(CommandError) -> VideoReader {
        let limits = try Pictures.limits(arguments)
        do throws(ImageError) {
            return try VideoReader(
                descriptor: decoder.pipe, name: input.text, nut: commands.format.coding, limits: limits)
        } catch {
            throw failure(of: decoder, after: error, commands)
        }
    }

    // MARK: Frames

    /// Lets the frames pass from one program to the other.
    private func transfer(
        _ reader: VideoReader, _ frames: VideoRendering, _ source: VideoSource, _ commands: VideoCommands,
        _ decoder: StreamingTool, _ encoder: StreamingTool
    ) throws(CommandError) -> VideoPipeline.Summary {
        let start = ContinuousClock.now
        var shown = start
        defer { StatusLine.clear() }
        do throws(CommandError) {
            return try VideoPipeline.run(
                reader, through: frames.renderer, depth: frames.depth,
                progress: { done in
                    let now = ContinuousClock.now
                    guard StatusLine.isPossible, !console.quiet, now - shown > Progress.interval else { return }
                    shown = now
                    StatusLine.show(Progress.text(done, of: source.frames, after: now - start))
                }
            ) { () throws(ImageError) in StreamSink(descriptor: encoder.pipe, name: output.text) }
        } catch {
            guard case .image(let image) = error else { throw error }
            if case .cannotWrite = image { throw failure(of: encoder) }
            throw failure(of: decoder, after: image, commands)
        }
    }

    /// Checks that the decoder has reached the end of the video. Returns what it warns of.
    private func check(
        _ decoder: StreamingTool, _ done: VideoPipeline.Summary, _ commands: VideoCommands
    ) throws(CommandError) -> [String] {
        let end = decoder.wait()
        let words = decoder.lastWords
        guard end == .exit(0) else { throw failure(end, words, commands) }
        let isTruncated = ["prematurely", "partial file", "truncat"].contains { words.lowercased().contains($0) }
        let lines = FFmpeg.lines(words, input)
        let last = FFmpeg.ending(of: lines)
        guard !isTruncated || commands.acceptsFaults else {
            throw .video(path: input.text, reason: "truncated: \(last)")
        }
        guard done.frames > 0 else {
            throw .video(
                path: input.text, reason: "the video stream has no frames" + (lines.isEmpty ? "" : ": \(last)"))
        }
        return lines.isEmpty ? [] : ["ffmpeg warns: \(last)"]
    }

    /// Returns the error for a decoder that has failed.
    private func failure(_ end: Subprocess.End, _ words: String, _ commands: VideoCommands) -> CommandError {
        if let reason = commands.change(words) { return .video(path: input.text, reason: reason) }
        return FFmpeg.failure(end, "ffmpeg", words, path: input)
    }

    /// Returns the error for a decoder whose stream ended too early: that of the program, if it has failed.
    private func failure(
        of decoder: StreamingTool, after error: ImageError, _ commands: VideoCommands
    ) -> CommandError {
        guard error.kind == .unreadable else { return .image(error) }
        // The program ends by itself if its stream has ended, and must be stopped if the stream has another fault.
        let end = decoder.wait(atMost: .seconds(1))
        if let end, end != .exit(0) { return failure(end, decoder.lastWords, commands) }
        let lines = end == nil ? [] : FFmpeg.lines(decoder.lastWords, input)
        guard !lines.isEmpty else { return .image(error) }
        return .video(path: input.text, reason: "cannot be read: \(FFmpeg.ending(of: lines))")
    }

    /// Returns the error for an encoder that does not take frames any more.
    private func failure(of encoder: StreamingTool) -> CommandError {
        encoder.closePipe()
        let end = encoder.wait(atMost: .seconds(10))
        if end == nil { encoder.kill() }
        let words = encoder.lastWords
        // It also reads the other streams of the input.
        let isInput = words.contains(FFmpeg.file(input) + ": ")
        return FFmpeg.failure(
            end ?? encoder.wait(), "ffmpeg", words, path: isInput ? input : output, isOutput: !isInput)
    }
}
