import Frost
import FrostImages
import FrostPipeline
import Glibc

/// Reads pictures, applies an effect to them and writes the results.
struct Rendering {
    let console: Console
    let pipeline: PicturePipeline
    let regions: RegionOptions
    let pictures: PictureOptions
    /// Whether the mask of each picture is its own depth.
    let usesDepth: Bool
    let reading: ImageReadOptions
    let replacement: AtomicFile.Options
    let memory: MemoryPool
    /// Whether `--format` names animated PNGs.
    let writesAnimatedPNG: Bool
    /// Whether the run has only one picture. The report of a single picture is shown even without `--verbose`.
    private let isAlone: Bool
    /// Whether results are printed as data URIs.
    let printsDataURI: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - inputs: all inputs of the command line, also those that another part of a divided run processes.
    ///   - jobs: the number of pictures that are processed at a time.
    init(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ items: [BatchItem], of inputs: [FilePath],
        jobs: Int
    ) throws(CommandError) {
        self.console = console
        regions = try RegionOptions(arguments)
        try regions.check(inputs, for: effect)
        for option in [Option.rects, .mask, .content, .key] {
            for file in arguments.values(option, as: FilePath.self) where file != "-" {
                guard let item = items.first(where: { ReportFile.isSame($0.output, file) }) else { continue }
                throw .usage("--\(option.name) \(file.shownName) is also the output for \(item.input.path.shownName)")
            }
        }
        replacement = arguments.replacement
        writesAnimatedPNG = arguments.value(.format)?.lowercased() == SequenceFormat.apng.suffix
        isAlone = items.count == 1
        printsDataURI = arguments.has(.dataURI)
        var pictureLimits = try Pictures.limits(arguments)
        let isDefault = effect.name == "redact" || inputs.count > 1
        pictureLimits.sandbox = try Pictures.sandbox(arguments, byDefault: isDefault, console)
        pictures = try PictureOptions(arguments, limits: pictureLimits)
        var reading = pictures.reading
        let limits = reading.limits
        memory = MemoryPool(capacity: limits.maximumMemory ?? ImageLimits.defaultMemory)
        try pictures.check(items.filter { $0.input.fault == nil }, arguments)
        let conflict = PicturePipeline.conflict(
            of: effect, hasMask: arguments.has(.mask), hasCornerRadius: arguments.has(.cornerRadius),
            hasFeather: arguments.has(.feather), isInverted: arguments.has(.invertRects))
        if let conflict { throw .usage(conflict) }
        let content = try EffectContent(arguments, over: effect)
        let renderer = try arguments.renderer(jobs: jobs)
        usesDepth = arguments.usesDepth
        if usesDepth, items.contains(where: { $0.input.path == "-" }) {
            throw .usage("--mask depth needs files as inputs, because it reads each twice")
        }
        // The depths of each picture take the place of this mask.
        let mask =
            try usesDepth
            ? MaskImage(width: 1, height: 1, values: [1])
            : arguments.path(.mask).map { (path) throws(CommandError) in try Pictures.mask(path, reading, console) }
        // The mask stays in memory.
        reading.limits.take(mask?.byteCount ?? 0)
        var pipeline = PicturePipeline(
            effect, with: renderer, mask: mask, isLinear: arguments.has(.linear),
            writing: pictures.writing, limits: limits)
        pipeline.encoderProgram = OwnProgram.path
        pipeline.reducesDepth = !arguments.has(.strict)
        pipeline.jobs = jobs
        pipeline.resizing = try arguments.resizing(for: effect)
        pipeline.padding = try arguments.padding(for: effect)
        pipeline.heldFrames = try arguments.heldFrames(of: effect)
        if let content {
            let picture = try content.picture(reading, console)
            pipeline.contentBytes = { picture.byteCount(in: $0) }
            pipeline.content = { [effect = pipeline.effect] (space) throws(ImageError) in
                content.layers(try picture.image(in: space, console), over: effect)
            }
            do throws(ImageError) {
                pipeline.effect.outputStages.content =
                    content.layers(try picture.image(in: .sRGB, console), over: pipeline.effect)
            } catch {
                throw .image(error)
            }
        }
        self.pipeline = pipeline
        var own = pictures.reading
        own.widening = pipeline.widening
        self.reading = own
    }

    /// Returns a text that identifies how a result is made from its input. The text contains Frost's version, the
    /// effect, the key of redact, and the options, also those of environment variables. If two texts are equal, the same input gives the
    /// same result.
    func parameters(_ arguments: Arguments) throws(CommandError) -> String {
        let others: Set<String> = Set(
            ([.output, .force, .noFollow, .json, .quiet, .verbose, .threads] + Option.limits + Option.batch).map(\.name)
        )
        var parts = ["frost \(frostVersion)", pipeline.effect.name]
        if let key = RedactionKey.fingerprint(of: pipeline.effect) { parts.append("key \(key)") }
        for (name, values) in arguments.effective(except: others) {
            for value in values {
                let isFile =
                    Option.inputFiles.contains { $0.name == name } && !(usesDepth && name == Option.mask.name)
                parts.append(
                    "--\(name)" + (value.isEmpty ? "" : " " + (isFile ? try FileHash.sha256(FilePath(value)) : value)))
            }
        }
        return parts.joined(separator: " ")
    }

    /// Reads a picture, applies the effect and writes the result.
    func render(_ item: BatchItem) throws(CommandError) {
        if let fault = item.input.fault { throw fault }
        let reader: ImageReader
        let problems = ReadProblems()
        // Waiting for the first bytes of standard input is not work.
        if item.input.path == "-" { _ = StandardInput.head }
        let time = TimeLimit(pictures.reading.limits.maximumTime)
        if item.format == .gif { return try animate(item, as: .apng, time) }
        do throws(CommandError) {
            reader = try Self.open(item.input.path, reading, problems, time)
        } catch {
            if case .severalFrames(let reason, _) = error {
                if case .animated(_, let format) = reason, let result = animation(of: item, from: format) {
                    return try animate(item, as: result, time)
                }
                throw .severalFrames(
                    reason, remedy: printsDataURI ? .none : item.input.path.isReadOnce ? .file : .outputs)
            }
            throw error
        }
        try render(item, reader, problems, time)
    }

    /// Opens a picture. The error for a folder names the option that processes its pictures.
    static func open(
        _ path: FilePath, _ options: ImageReadOptions, _ problems: ReadProblems, _ time: TimeLimit
    ) throws(CommandError) -> ImageReader {
        do throws(CommandError) { return try Pictures.open(path, options, problems, time) } catch {
            if case .image(.isDirectory(let path)) = error { throw .isFolder(path: path) }
            throw error
        }
    }

    private func render(
        _ item: BatchItem, _ reader: consuming ImageReader, _ problems: ReadProblems, _ time: TimeLimit
    ) throws(CommandError) {
        let (input, output) = (item.input.path, item.output)
        let start = ContinuousClock.now
        // The times are read before the output is written, because the output may replace the input.
        var file = replacement
        do throws(ImageError) { if pictures.keepsTimes { file.times = try FileTimes(of: input) } } catch {
            throw .image(error)
        }
        let format = item.format ?? reader.format.ofResult
        // The other formats were checked before.
        if item.format == nil, let misfit = pictures.encoding.misfit(in: [format]) { throw .usage(misfit) }
        let replaces = !output.isStream && output.exists
        // The JSON object of the picture has all warnings about it.
        var warnings: [String] = []
        func warn(_ text: String) {
            warnings.append(text)
            console.warn("\(input.shownName): \(text)")
        }
        let lost = reader.metadata.lost(by: pictures.writing.keep).map(\.rawValue)
        var pipeline = pipeline
        pipeline.regions = regions.places(for: input)
        if pipeline.regions.isNothing { warn("--rects has no box for this picture, so nothing was changed") }
        let picture: PictureJob.Result
        var dataURI: String?
        if usesDepth { pipeline.mask = try Pictures.depth(of: input, pictures.reading, console) }
        do throws(PipelineError) {
            let reader = try pipeline.shaped(reader, name: input.text, warn: warn)
            let job = try pipeline.job(for: reader, as: format, name: input.text, warn: warn)
            let (need, budget) = (job.need, job.heldBudget)
            time.pause { memory.enter(need) }
            defer { memory.leave(need) }
            if item.makesFolders {
                do throws(ImageError) { try OutputNames.createFolders(for: output) } catch { throw .image(error) }
            }
            defer { Interruption.setTemporaryFile(nil) }
            if printsDataURI {
                picture = try job.run(reader, time: time, warn: warn) { (_) throws(ImageError) in
                    HeldSink(name: "standard output", budget)
                } complete: { (sink) throws(ImageError) in
                    dataURI = "data:\(format.mediaType);base64,\(Base64.text(sink.bytes))"
                }
            } else {
                picture = try job.run(reader, time: time, warn: warn) { (isReady) throws(ImageError) in
                    try PictureSink(path: output, file, isReady ? nil : budget)
                } complete: { (sink) throws(ImageError) in
                    try sink.commit()
                }
            }
        } catch {
            throw commandError(error, of: input)
        }
        report(picture, item, problems, start: start, replaces: replaces, lost: lost, dataURI: dataURI, &warnings)
    }

    /// Writes the line, or the JSON object, of a finished picture.
    ///
    /// - Parameters:
    ///   - lost: the metadata that the options do not keep.
    ///   - dataURI: the result as a data URI; nil if it was written to the output.
    ///   - heldFrames: how many frames show the same mosaic; nil without such frames.
    ///   - warnings: the warnings about the picture so far.
    func report(
        _ picture: PictureJob.Result, _ item: BatchItem, _ problems: ReadProblems, start: ContinuousClock.Instant,
        replaces: Bool, lost: [String], dataURI: String? = nil, heldFrames: Int? = nil, _ warnings: inout [String]
    ) {
        let (input, output) = (item.input.path, item.output)
        let total = ContinuousClock.now - start
        let report = picture.report
        func warn(_ text: String) {
            warnings.append(text)
            console.warn("\(input.shownName): \(text)")
        }

        for warning in problems.texts + [report.warning].compactMap({ $0 }) { warn(warning) }
        guard console.json else {
            if let dataURI { console.result(dataURI) }
            guard isAlone || console.verbose else { return }
            var lines = [
                "\(input.shownName) -> \(dataURI == nil ? output.shownName : "a data URI")\(replaces ? " (replaced)" : "")  \(picture.width)x\(picture.height)  \(report.place)  \(fixed(total.milliseconds, 0)) ms"
                    + (report.contrast.map { "  \($0.words)" } ?? "")
                    + (heldFrames.map { "  one mosaic for \($0) frames" } ?? "")
            ]
            if console.verbose {
                lines.append("  backend: \([report.reason, report.shaders].compactMap { $0 }.joined(separator: "; "))")
                lines.append("  error: at most \(fixed(report.errorBound, 2)) steps before rounding")
                let gpu = report.gpuMilliseconds.map { " (\(fixed($0, 1)) on the GPU)" } ?? ""
                lines.append(
                    "  decode \(fixed(picture.decode.milliseconds, 1)), upload \(fixed(report.uploadMilliseconds, 1)), "
                        + "blur \(fixed(report.blurMilliseconds, 1))\(gpu), readback \(fixed(report.readbackMilliseconds, 1)), "
                        + "encode \(fixed(picture.encode.milliseconds, 1)) ms; \(pipeline.renderer.threads) threads")
                if report.newPrograms > 0 {
                    lines.append(
                        "  \(report.newPrograms) GPU program\(report.newPrograms == 1 ? "" : "s") loaded or compiled in "
                            + "\(fixed(report.programMilliseconds, 1)) ms of the blur")
                }
                let leftOut = lost + problems.leftOut
                if !leftOut.isEmpty { lines.append("  left out: \(leftOut.joined(separator: ", "))") }
            }
            console.note(lines)
            return
        }
        var described: RenderReport? = report
        described?.warning = warnings.isEmpty ? nil : warnings.joined(separator: "; ")
        console.result(
            .joined(
                [
                    "schema": "frost.result/1", "input": .path(input), "output": .path(output),
                    "effect": .string(pipeline.effect.name), "status": "ok", "width": .int(picture.width),
                    "height": .int(picture.height), "replaced": .bool(replaces),
                ], dataURI.map { ["dataURI": .string($0)] } ?? [:],
                heldFrames.map { ["heldFrames": .int($0)] } ?? [:], described.json, described.contrastJSON,
                ["ms": described.times(decode: picture.decode, encode: picture.encode, total: total)]))
    }

    /// Returns the error of a command for an error of the pipeline. The error names the picture.
    func commandError(_ error: PipelineError, of input: FilePath) -> CommandError {
        switch error {
        case .image(let error): .writing(error)
        case .frost(let error): .picture(path: input.text, error)
        case .regions(let error): regions.usage(error, of: input)
        }
    }

    /// Returns a copy of the effect for one picture; see ``PicturePipeline/effect(for:name:warn:)``.
    func effect(for space: ColorSpace, _ input: FilePath) throws(CommandError) -> Effect {
        do throws(PipelineError) {
            return try pipeline.effect(for: space, name: input.text) { console.warn("\(input.shownName): \($0)") }
        } catch {
            throw commandError(error, of: input)
        }
    }
}

extension Arguments {
    /// Whether `--mask` is the word that stands for the depth picture of each input.
    var usesDepth: Bool { value(.mask) == ImageReadOptions.Part.depth.rawValue }
}
