import Frost
import FrostImages

/// What a command does with the frames of a stream, and its report about them.
struct VideoRendering {
    let renderer: FrameRenderer
    /// The maximum number of frames in memory.
    let depth: Int
    /// The format of the frames of the result.
    let result: VideoFormat
    private let effect: Effect
    private let input: FilePath
    private let console: Console

    /// The maximum number of frames that are processed at a time. Each frame takes memory.
    private static let maximumJobs = 4
    /// An estimate of how many bytes of memory the processing of a frame needs for each byte of the frame. It includes
    /// the result of the frame, its pixels, and rows of floats.
    private static let bytesPerByte = 8

    /// Prepares the effect for the frames of a stream.
    ///
    /// - Parameter input: the path of the stream, for messages.
    /// - Throws: the errors of ``FrameSizing`` and of ``FrameRenderer/init(_:_:input:)``, and an error if the frames need too much memory.
    init(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ format: VideoFormat, input: FilePath
    ) throws(CommandError) {
        (self.effect, self.input, self.console) = (effect, input, console)
        if arguments.usesDepth { throw .usage("--mask depth does not work with a video") }
        let limits = try Pictures.limits(arguments)
        let sizing = try FrameSizing(
            format, try arguments.resizing(for: effect), try arguments.padding(for: effect),
            isLinear: arguments.has(.linear),
            limits, input: input)
        result = sizing.result
        if arguments.written(.maxMemory) == nil { AddressSpace.keepFreedMemory() }
        // The frames in progress share the memory.
        let need = (result.byteCount + (sizing.isNone ? 0 : format.byteCount)) * Self.bytesPerByte
        // A mosaic that frames share is made while others are in progress.
        let shared = effect.isMosaic ? need : 0
        do throws(ImageError) { try limits.check(memory: need + shared, name: input.text) } catch {
            throw .image(error)
        }
        let fits = ((limits.maximumMemory ?? ImageLimits.defaultMemory) - shared) / need
        let jobs = max(1, min(arguments.threads, Self.maximumJobs, fits))
        let rendering = try Rendering(arguments, console, effect, [], of: [input], jobs: jobs)
        renderer = try FrameRenderer(sizing, rendering, input: input)
        // With several jobs, the depth is one more than the number of jobs: one frame can be read while every job
        // processes a frame.
        depth = jobs == 1 ? 1 : jobs + 1
    }

    /// Reports the result of a stream.
    ///
    /// - Parameter warnings: what the report warns of, in addition to the warnings of the rendering.
    func report(
        _ done: VideoPipeline.Summary, to output: FilePath, total: Duration, warnings: [String] = []
    ) {
        let all = warnings + [done.report?.warning].compactMap { $0 }
        for warning in all { console.warn("\(input.shownName): \(warning)") }
        guard console.json else {
            let files = "\(input.shownName) -> \(output.shownName): "
            guard let report = done.report else {
                let words =
                    done.frames == 0
                    ? "the stream has no frames" : "\(done.frames) frames, none of which has a rectangle"
                return console.note(files + words)
            }
            let rate = Double(done.frames) / max(total.milliseconds / 1000, 1e-9)
            let frames = "\(done.frames) frames of \(result.width)x\(result.height) on the \(report.place), "
            let error = "\(report.reason); error at most \(fixed(report.errorBound, 2)) steps before rounding; "
            let contrast = report.contrast.map { "; \($0.words)" } ?? ""
            let held = renderer.heldFrames.map { "; one mosaic for \($0) frames" } ?? ""
            return console.note(files + frames + error + "\(fixed(rate, 1)) frames a second" + contrast + held)
        }
        var report = done.report
        report?.warning = all.isEmpty ? nil : all.joined(separator: "; ")
        console.result(
            .joined(
                [
                    "schema": "frost.result/1", "input": .path(input), "output": .path(output),
                    "effect": .string(effect.name), "status": "ok", "frames": .int(done.frames),
                    "width": .int(result.width), "height": .int(result.height),
                ], renderer.heldFrames.map { ["heldFrames": .int($0)] } ?? [:], report.json, report.contrastJSON,
                ["ms": report.times(decode: done.decode, encode: done.encode, total: total)]))
    }
}
