import Frost
import FrostImages
import FrostMotion
import FrostSceneFiles
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
            .transitionBackend, .device, .gpuShaders, .threads,
        ] + Option.pictures.filter { $0.name != Option.keep.name } + [.force, .noFollow] + Option.limits,
        examples: [
            "frost animate scene.json -o out.webp",
            "frost animate scene.json -o 'frames/{frame}.png' --fps 30 --size 640x360",
            "frost animate scene.json -o still.png --at 1.25",
            "frost animate scene.json -o - | ffmpeg -i - -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' out.mp4",
            "frost animate --schema > scene.schema.json",
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
    private let path: FilePath
    private let renderer: SceneRenderer
    private let sequence: FrameSequence

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        guard arguments.operands.count == 1, let path = arguments.paths.first else {
            throw .usage("one scene is required: frost animate SCENE.json -o OUTPUT")
        }
        self.path = path
        guard !arguments.has(.sceneTime) || !arguments.has(.loop) else {
            throw .usage("--at and --loop cannot be combined")
        }
        _ = try arguments.required(.output)
        let picture = try PictureOptions(arguments)
        let bytes = try Self.bytes(of: path)
        var scene = try rethrow(Scene(parsing: bytes), as: { CommandError($0, in: path) })
        let times = try Self.times(arguments, scene, in: path)
        if arguments.has(.sceneRate) { scene.framesPerSecond = times.rate.framesPerSecond }
        var sequence = try FrameSequence(
            arguments, picture, inputs: [("scene", path)], at: times, console)
        let scale = try Self.scale(arguments, scene)
        // The frames count before the pictures, because they are allocated first.
        var reading = picture.reading
        let layout = try rethrow(
            SceneRenderer.layout(of: scene, scale: scale), as: { CommandError($0, in: path) })
        let need =
            SceneRenderer.memory(of: scene, layout)
            + sequence.output.format.encodingMemory(for: layout, frames: times.values.count, options: sequence.options)
        do throws(ImageError) {
            try reading.limits.check(memory: need, name: path.text)
            try Memory.check(need, for: path.text)
        } catch {
            throw .image(error)
        }
        sequence.options.limitMemory(
            reading.limits, need: need, as: sequence.output.format, layout, frames: times.values.count,
            program: OwnProgram.path)
        self.sequence = sequence
        reading.limits.take(need)
        let files = SceneFiles(besides: path, reading, console)
        // Where `auto` chooses, a frame could depend on those before it.
        let isChosen = arguments.has(.transitionBackend) && arguments.value(.transitionBackend) != Backend.auto.rawValue
        let chosen = isChosen ? try arguments.renderer() : nil
        renderer = try rethrow(
            SceneRenderer(scene, files, scale: scale, threads: arguments.threads, renderer: chosen),
            as: { CommandError($0, in: path) })
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

    /// Returns the times of the frames.
    private static func times(
        _ arguments: Arguments, _ scene: Scene, in path: FilePath
    ) throws(CommandError) -> FrameTimes {
        let rate: FrameRate
        if arguments.has(.sceneRate) {
            rate = try FrameTimes.rate(arguments)
        } else {
            rate = try rethrow(
                FrameRate(nearest: scene.framesPerSecond),
                as: { (error: ParameterError) in CommandError.scene(path: path.text, reason: "fps: \(error)") })
        }
        if let time = arguments.value(.sceneTime, as: Double.self) {
            try arguments.written(.sceneTime)?.check(.number(0...scene.duration, unit: "seconds"))
            return FrameTimes(time, rate: rate)
        }
        return try rethrow(
            FrameTimes(secondsOf: scene.duration, rate: rate),
            as: { (error: FrameTimesError) in
                arguments.has(.sceneRate)
                    ? CommandError.usage("the scene's duration \(numberText(scene.duration)): \(error)")
                    : .scene(path: path.text, reason: "duration \(numberText(scene.duration)): \(error)")
            })
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
        do throws(SceneError) { try scene.check(scale: scale) } catch {
            throw .usage("--size \(size): the scene is \(scene.width)x\(scene.height), and the \(error)")
        }
        return scale
    }

    func run() throws(CommandError) -> ExitCode {
        let start = ContinuousClock.now
        var (unchanged, passes, errorBound) = (0, 0, 0.0)
        var rendering = Duration.zero
        let layout = try sequence.write { (time) throws(CommandError) in
            let begin = ContinuousClock.now
            let frame = try rethrow(renderer.frame(at: time), as: { CommandError($0, in: path) })
            rendering += .now - begin
            unchanged += renderer.report.passes == 0 ? 1 : 0
            passes += renderer.report.passes
            errorBound = max(errorBound, renderer.report.errorBound)
            return frame
        }
        let colors = renderer.contentColors.sorted { $0.key < $1.key }.map { index, color -> JSONValue in
            let id = renderer.scene.panels[index].id
            return .joined(
                ["panel": .int(index)], id.map { ["id": .string($0)] } ?? [:], ["color": .string(color.description)])
        }
        let total = .now - start
        let speed = Double(sequence.times.values.count) / max(rendering.milliseconds / 1000, 1e-9)
        sequence.report(
            layout, schema: "frost.animation/1",
            text: "\(fixed(total.milliseconds, 0)) ms, \(fixed(speed, 1)) frames a second without encoding",
            details: .joined(
                [
                    "fps": .number(sequence.times.rate.framesPerSecond, decimals: 6), "passes": .int(passes),
                    "framesWithoutPasses": .int(unchanged), "errorBound": .number(errorBound, decimals: 4),
                ], colors.isEmpty ? [:] : ["contentColors": .array(colors)]), render: rendering.milliseconds,
            total: total)
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
