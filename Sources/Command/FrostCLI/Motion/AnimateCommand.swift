import Frost
import FrostImages
import FrostMotion
import Glibc

extension Option {
    static let sceneTime = Option(
        "at", value: "SECONDS", kind: .number(0...86_400, unit: "seconds"),
        "render only the frame at this time; it equals that frame of the animation")
    static let sceneSize = Option(
        "size", value: "WxH", kind: .size(1...32768), default: .words("the scene's own"),
        "size of the frames, in the scene's proportions; all lengths of the scene are scaled")
    static let sceneRate = Option(
        "fps", value: "RATE", default: .words("the scene's own"), "\(FrameRate.forms)")
    static let sceneSchema = Option("schema", "print the JSON Schema of scenes, and do nothing else")
}

extension Command {
    package static let animate: Command = Command(
        name: "animate", operands: "SCENE.json -o OUTPUT [options]",
        summary: "Render an animation that a JSON file describes: panels, transitions and reveals over a backdrop.",
        options: [
            .sequenceOutput, .sceneTime, .sceneSize, .sceneRate, .loop, .chroma, .sequenceFormat, .sceneSchema,
            .threads,
        ] + Option.pictures.filter { $0.name != Option.keep.name } + [.force, .noFollow] + Option.limits,
        examples: [
            "frost animate scene.json -o out.webp",
            "frost animate scene.json -o 'frames/{frame}.png' --fps 30 --size 640x360",
            "frost animate scene.json -o still.png --at 1.25",
            "frost animate scene.json -o - | ffmpeg -i - out.mp4", "frost animate --schema > scene.schema.json",
        ],
        run: { (arguments, console) throws(CommandError) in
            guard !arguments.has(.sceneSchema) else {
                console.result(Scene.schema.prettyText)
                return .done
            }
            return try SceneRendering(arguments, console).run()
        },
        details: [
            "File names in the scene are relative to its file. 'frost animate --schema' prints the JSON Schema of scenes."
        ],
        otherOperands: .file)
}

/// Renders the frames of a scene and writes them.
private struct SceneRendering {
    private let arguments: Arguments
    private let console: Console
    private let path: FilePath
    private let scene: Scene
    private let renderer: SceneRenderer
    /// The times of the frames in seconds.
    private let times: [Double]
    private let rate: FrameRate
    private let output: SequenceOutput
    private let options: SequenceOptions

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        guard arguments.operands.count == 1, let path = arguments.paths.first else {
            throw .usage("one scene is required: frost animate SCENE.json -o OUTPUT")
        }
        _ = try arguments.required(.output)
        let picture = try PictureOptions(arguments)
        let scene: Scene
        let bytes = try Self.bytes(of: path)
        scene = try rethrow(
            Scene(parsing: bytes),
            as: { (error: SceneError) in CommandError.scene(path: path.text, reason: "\(error)") })
        (times, rate) = try Self.times(arguments, scene)
        output = try SequenceOutput(arguments, frames: times.count)
        options = try output.options(arguments, picture: picture.writing)
        var console = console
        console.outputIsPicture = arguments.path(.output)?.isStandardOutput == true
        let scale = try Self.scale(arguments, scene)
        // The frames count before the pictures, because they are allocated first.
        var reading = picture.reading
        let need = try Self.memory(scene, in: path, scale: scale, output, options)
        do throws(ImageError) {
            try reading.limits.check(memory: need, name: path.text)
            try Memory.check(need, for: path.text)
        } catch {
            throw .image(error)
        }
        reading.limits.maximumMemory = reading.limits.maximumMemory.map { max(0, $0 - need) }
        let files = SceneFiles(besides: path, reading, console)
        do throws(SceneError) {
            renderer = try SceneRenderer(scene, files, scale: scale, threads: arguments.threads)
        } catch {
            throw CommandError(error, in: path)
        }
        (self.arguments, self.console, self.path, self.scene) = (arguments, console, path, scene)
    }

    /// The longest scene file that is read.
    private static let maximumBytes = 1 << 28

    private static func bytes(of path: FilePath) throws(CommandError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(Errno) {
            let descriptor = path == "-" ? STDIN_FILENO : try path.open(O_RDONLY | O_CLOEXEC)
            defer { if path != "-" { close(descriptor) } }
            bytes = try Descriptor.readAll(descriptor, limit: maximumBytes + 1)
        } catch {
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
        guard bytes.count <= maximumBytes else {
            throw .scene(path: path.text, reason: "the file is larger than \(maximumBytes >> 20) MiB")
        }
        return bytes
    }

    /// Returns the times of the frames, and their rate.
    private static func times(_ arguments: Arguments, _ scene: Scene) throws(CommandError) -> ([Double], FrameRate) {
        let rate: FrameRate
        if arguments.has(.sceneRate) {
            rate = try SequenceTiming.rate(arguments)
        } else {
            rate = try rethrow(
                FrameRate(parsing: decimal(scene.framesPerSecond)),
                as: { (error: ParameterError) in
                    CommandError.usage("the scene's fps: \(error); choose another rate with --fps")
                })
        }
        if let time = arguments.value(.sceneTime, as: Double.self) {
            try arguments.written(.sceneTime)?.check(.number(0...scene.duration, unit: "seconds"))
            return ([time], rate)
        }
        guard let count = rate.frames(in: scene.duration), count <= SequenceTiming.maximumFrames else {
            throw .usage(
                "too many frames in \(decimal(scene.duration)) seconds at \(rate) frames per second (allowed: up to "
                    + "\(SequenceTiming.maximumFrames))")
        }
        // Number and rate are whole numbers, so the quotient is the double that is closest to the exact time.
        let times = (0..<max(1, count)).map { Double($0 * rate.denominator) / Double(rate.numerator) }
        return (times, rate)
    }

    /// Returns an estimate of the memory that the frames take: to render them, and to write them.
    private static func memory(
        _ scene: Scene, in path: FilePath, scale: Double, _ output: SequenceOutput, _ options: SequenceOptions
    ) throws(CommandError) -> Int {
        let layout: PixelLayout
        do throws(SceneError) { layout = try SceneRenderer.layout(of: scene, scale: scale) } catch {
            throw CommandError(error, in: path)
        }
        return SceneRenderer.memory(of: scene, layout)
            + output.format.encodingMemory(for: layout, frames: output.frames, options: options)
    }

    private static func scale(_ arguments: Arguments, _ scene: Scene) throws(CommandError) -> Double {
        guard let size = arguments.value(.sceneSize, as: PictureSize.self) else { return 1 }
        let scale = Double(size.width) / Double(scene.width)
        let height = Int((Double(scene.height) * scale).rounded())
        guard height == size.height else {
            throw .usage(
                "--size \(size): the scene is \(scene.width)x\(scene.height), so a width of \(size.width) needs a height of "
                    + "\(height)")
        }
        return scale
    }

    func run() throws(CommandError) -> ExitCode {
        let clock = ContinuousClock()
        let start = clock.now
        var (resting, passes, errorBound) = (0, 0, 0.0)
        var rendering = Duration.zero
        func render(_ time: Double) throws(CommandError) -> PixelBuffer {
            let begin = clock.now
            do throws(SceneError) {
                let frame = try renderer.frame(at: time)
                rendering += clock.now - begin
                resting += renderer.report.passes == 0 ? 1 : 0
                passes += renderer.report.passes
                errorBound = max(errorBound, renderer.report.errorBound)
                return frame
            } catch {
                throw CommandError(error, in: path)
            }
        }
        defer {
            StatusLine.clear()
            Interruption.setTemporaryFile(nil)
        }
        // The first frame is rendered before the output is opened, because most errors show here.
        let first = try render(times[0])
        var writer = try output.writer(first.layout, rate, options)
        do throws(ImageError) { try writer.write(first) } catch { throw .writing(error) }
        for (index, time) in times.enumerated().dropFirst() {
            StatusLine.show("frame \(index + 1) of \(times.count)")
            let frame = try render(time)
            do throws(ImageError) { try writer.write(frame) } catch { throw .writing(error) }
        }
        do throws(ImageError) { try writer.finish() } catch { throw .writing(error) }
        StatusLine.clear()
        let target = arguments.path(.output) ?? ""
        guard console.json else {
            console.note(
                "\(path.shownName) -> \(target.shownName)  \(times.count == 1 ? "" : "\(times.count) frames, ")"
                    + "\(first.width)x\(first.height)  \(fixed((clock.now - start).milliseconds, 0)) ms, "
                    + "\(fixed(Double(times.count) / max(rendering.milliseconds / 1000, 1e-9), 1)) frames a second "
                    + "without encoding")
            return .done
        }
        console.result(
            .object([
                ("schema", .string("frost.animation/1")), ("scene", .path(path)), ("output", .path(target)),
                ("status", .string("ok")), ("frames", .int(times.count)), ("width", .int(first.width)),
                ("height", .int(first.height)), ("fps", .number(rate.framesPerSecond, decimals: 6)),
                ("passes", .int(passes)), ("framesWithoutPasses", .int(resting)),
                ("errorBound", .number(errorBound, decimals: 4)),
                (
                    "ms",
                    .object([
                        ("render", .number(rendering.milliseconds, decimals: 3)),
                        ("total", .number((clock.now - start).milliseconds, decimals: 3)),
                    ])
                ),
            ]))
        return .done
    }
}

extension CommandError {
    /// Converts an error of a scene.
    fileprivate init(_ error: SceneError, in path: FilePath) {
        switch error {
        case .rendering(let error): self = .frost(error)
        case .syntax, .parserMissing, .missing, .unknownMember, .duplicate, .outOfRange, .unknownWord, .invalid,
            .circular, .parameter, .dynamics, .resource:
            self = .scene(path: path.text, reason: "\(error)")
        case .overLimit: self = .scene(path: path.text, reason: "\(error)", isOverLimit: true)
        }
    }
}
