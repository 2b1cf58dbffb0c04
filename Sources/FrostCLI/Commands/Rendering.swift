import Frost
import FrostImages
import Glibc

/// Reads pictures, applies an effect to them and writes the results. The commands `blur` and `effect` use it.
struct Rendering {
    private let console: Console
    private let effect: Effect
    private let content: (options: EffectContent, picture: ContentPicture)?
    let mask: MaskImage?
    let regions: RegionOptions
    private let pictures: PictureOptions
    private let replacement: AtomicFile.Options
    private let isLinear: Bool
    let renderer: Renderer
    private let memory: MemoryPool
    /// The memory, in bytes, of the mask and the content.
    private let residentBytes: Int
    /// Whether the run has only one picture. The report of a single picture is shown even without `--verbose`.
    private let isAlone: Bool

    /// Applies an effect to the pictures of a command line and returns the exit code.
    ///
    /// - Parameter names: placeholders for output templates, in addition to those that describe the input.
    static func run(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ words: [FilePath],
        names: [(name: String, text: String)]
    ) throws(CommandError) -> ExitCode {
        guard !words.isEmpty else { throw .usage("an input is required: a file, or - for standard input") }
        try arguments.checkStandardInput(words)
        if let stream = try VideoStream(arguments, words) { return try stream.run(arguments, console, effect) }
        let pattern = try arguments.requiredPath(.output)
        let inputs = try InputList.expand(
            words, recursive: arguments.has(.recursive), output: OutputNames.folder(of: pattern))
        let output = try OutputNames(
            pattern, inputs: inputs, format: try arguments.format(), constants: names,
            followsLinks: arguments.replacement.followsLinks)
        let all = try output.resolve(inputs)
        let shard = arguments.value(.shard, as: Shard.self)
        let works =
            shard.map { shard in stride(from: shard.index, to: all.count, by: shard.count).map { all[$0] } } ?? all
        if !arguments.has(.force), !arguments.has(.resume) { try output.checkAbsent(works) }
        if !arguments.has(.force), works.contains(where: { $0.output == "-" }), isatty(1) == 1 {
            throw .usage("-o -: standard output is a terminal; redirect it, name a file, or use --force")
        }
        let threads = arguments.threads
        let jobs = max(1, min(works.count, arguments.value(.jobs, as: Int.self) ?? threads))
        var console = console
        console.outputIsPicture = works.contains { $0.output == "-" }
        let rendering = try Rendering(arguments, console, effect, works, jobs: jobs)
        return try Batch(arguments, works, rendering, jobs: jobs, console).run()
    }

    /// Prepares a run.
    ///
    /// - Parameter jobs: the number of pictures that are processed at a time.
    init(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ works: [Work], jobs: Int
    ) throws(CommandError) {
        self.console = console
        var effect = effect
        regions = try RegionOptions(arguments)
        isLinear = arguments.has(.linear)
        replacement = arguments.replacement
        isAlone = works.count == 1
        pictures = try PictureOptions(arguments)
        let limits = pictures.reading.limits
        memory = MemoryPool(capacity: limits.maximumMemory ?? ImageLimits.defaultMemory)
        try pictures.check(works, arguments)
        if arguments.has(.mask), let own = effect.mask, own != .image {
            throw .usage("--mask: \(effect.name) already has its own mask")
        }
        if arguments.has(.mask), case .mosaic = effect.kernel {
            throw .usage(
                "--mask cannot be combined with \(effect.name): the mask would show the original picture; use --rect")
        }
        if arguments.has(.cornerRadius), case .mosaic = effect.kernel {
            throw .usage(
                "--corner-radius cannot be combined with \(effect.name): the corners would show the original picture")
        }
        let content = try EffectContent(arguments, over: effect)
        renderer = try arguments.renderer(jobs: jobs)
        mask = try arguments.path(.mask).map { (path) throws(CommandError) in
            try Pictures.mask(path, limits: limits)
        }
        if mask != nil, effect.mask == nil { effect.outputStages.mask = .image }
        guard effect.mask != .image || mask != nil else { throw .usage("\(effect.name) needs --mask FILE") }
        if let content {
            let picture = try content.picture(limits: limits)
            effect.outputStages.content = content.layers(try picture.image(in: .sRGB, console), over: effect)
            self.content = (content, picture)
        } else {
            self.content = nil
        }
        residentBytes =
            (mask.map { $0.width * $0.height * MemoryLayout<Float>.size } ?? 0) + (self.content?.picture.byteCount ?? 0)
        self.effect = effect
    }

    /// Returns a text that identifies how a result is made from its input. The text contains Frost's version, the
    /// effect and the options. If two texts are equal, the same input gives the same result.
    func parameters(_ arguments: Arguments) throws(CommandError) -> String {
        let others: Set<String> = Set(
            ([.output, .force, .noFollow, .json, .quiet, .verbose, .threads] + Option.limits + Option.batch).map(\.name)
        )
        var parts = ["frost \(frostVersion)", effect.name]
        for (name, values) in arguments.written(except: others) {
            for value in values {
                let isFile = name == Option.mask.name || name == Option.content.name
                parts.append(
                    "--\(name)" + (value.isEmpty ? "" : " " + (isFile ? try FileHash.sha256(FilePath(value)) : value)))
            }
        }
        return parts.joined(separator: " ")
    }

    /// Reads a picture, applies the effect and writes the result.
    func render(_ work: Work) throws(CommandError) {
        let reader: ImageReader
        let problems = ReadProblems()
        // Waiting for the first bytes of standard input is not work.
        if work.input.path == "-" { _ = StandardInput.head }
        let time = TimeLimit(pictures.reading.limits.maximumTime)
        do throws(CommandError) {
            reader = try Pictures.open(work.input.path, pictures.reading, problems, time)
        } catch {
            if case .image(.isDirectory(let path)) = error { throw .isFolder(path: path) }
            throw error
        }
        try render(work, reader, problems, time)
    }

    private func render(
        _ work: Work, _ reader: consuming ImageReader, _ problems: ReadProblems, _ time: TimeLimit
    ) throws(CommandError) {
        let (input, output) = (work.input.path, work.output)
        let start = ContinuousClock.now
        // The times are read before the output is written, because the output may replace the input.
        var file = replacement
        do throws(ImageError) { if pictures.keepsTimes { file.times = try FileTimes(of: input) } } catch {
            throw .image(error)
        }
        let format = work.format ?? reader.format
        // A plain blur keeps CMYK if the format of the output can hold it. All other effects and formats need RGB.
        let converts = reader.metadata.colorModel == .cmyk && !(format.traits.holdsCMYK && isPlainBlur)
        if !converts { pictures.warn(of: reader.metadata, in: format, input: input, console) }
        let effect = try effect(for: converts ? .sRGB : reader.layout.format.colorSpace, input)
        var writing = pictures.writing
        writing.png.threads = renderer.threads
        let picture: Picture
        let rows = try converts ? nil : rows(of: reader.layout, effect)
        // The memory is judged here, before the first row is decoded.
        let need =
            residentBytes
            + (rows.map { memory(of: reader, through: $0, format, writing) }
                ?? memory(of: reader, converts: converts, format, writing))
        let limits = pictures.reading.limits
        do throws(ImageError) { try limits.check(memory: need, name: input.text) } catch { throw .image(error) }
        time.pause { memory.enter(need) }
        defer { memory.leave(need) }
        if work.makesFolders { OutputNames.makeFolders(for: output) }
        if let rows {
            let times = try RowPipeline.run(
                reader, through: rows, to: output, file, as: format, options: writing, threads: renderer.threads,
                time: time,
                budget: HeldBudget(limits: limits, need: need, name: input.text))
            picture = Picture(
                size: (rows.output.width, rows.output.height), report: rows.report, decode: times.decode,
                encode: times.encode)
        } else {
            picture = try renderWhole(
                reader, converts: converts, effect, input, to: output, file, as: format, writing, time)
        }
        let total = ContinuousClock.now - start
        let (size, report) = (picture.size, picture.report)

        let warnings = problems.texts + [report.warning].compactMap { $0 }
        for warning in warnings { console.warn("\(input.shownName): \(warning)") }
        guard console.json else {
            guard isAlone || console.verbose else { return }
            var lines = [
                "\(input.shownName) -> \(output.shownName)  \(size.0)x\(size.1)  \(report.place)  \(fixed(total.milliseconds, 0)) ms"
            ]
            if console.verbose {
                lines.append("  backend: \(report.reason)")
                lines.append("  error: at most \(fixed(report.errorBound, 2)) steps before rounding")
                let gpu = report.gpuMilliseconds.map { " (\(fixed($0, 1)) on the GPU)" } ?? ""
                lines.append(
                    "  decode \(fixed(picture.decode.milliseconds, 1)), upload \(fixed(report.uploadMilliseconds, 1)), "
                        + "blur \(fixed(report.blurMilliseconds, 1))\(gpu), readback \(fixed(report.readbackMilliseconds, 1)), "
                        + "encode \(fixed(picture.encode.milliseconds, 1)) ms; \(renderer.threads) threads")
            }
            console.note(lines)
            return
        }
        var made: RenderReport? = report
        made?.warning = warnings.isEmpty ? nil : warnings.joined(separator: "; ")
        console.result(
            .object(
                [
                    ("schema", .string("frost.result/1")), ("input", .path(input)), ("output", .path(output)),
                    ("effect", .string(effect.name)), ("status", .string("ok")), ("width", .int(size.0)),
                    ("height", .int(size.1)),
                ] + made.members + [
                    ("ms", made.times(decode: picture.decode, encode: picture.encode, total: total))
                ]))
    }

    /// Whether the effect blurs each channel independently, so that the meaning of the channels does not matter.
    private var isPlainBlur: Bool {
        if case .mosaic = effect.kernel { return false }
        let outputStages = effect.outputStages
        return effect.edge != .clear && !isLinear && effect.decoding == nil && outputStages.inside.isEmpty
            && outputStages.over.isEmpty && outputStages.content.isEmpty && outputStages.dither == nil
    }

    /// Returns a renderer that processes the picture row by row, or nil if the effect needs the whole picture.
    private func rows(of layout: PixelLayout, _ effect: Effect) throws(CommandError) -> RowRenderer? {
        guard regions.isEmpty else { return nil }
        do throws(FrostError) { return try renderer.rows(of: layout, effect, mask: mask) } catch { throw .frost(error) }
    }

    /// The size, the report and the times of a finished picture.
    private struct Picture {
        let size: (Int, Int)
        let report: RenderReport
        let decode: Duration
        let encode: Duration
    }

    private func renderWhole(
        _ reader: consuming ImageReader, converts: Bool, _ effect: Effect, _ input: FilePath, to output: FilePath,
        _ file: AtomicFile.Options, as format: ImageFormat, _ writing: ImageWriteOptions, _ time: TimeLimit
    ) throws(CommandError) -> Picture {
        let clock = ContinuousClock()
        let start = clock.now
        var image: DecodedImage
        do throws(ImageError) { image = try reader.readImage() } catch { throw .image(error) }
        if converts {
            image = try Pictures.convert(image, input, console)
            pictures.warn(of: image.metadata, in: format, input: input, console)
        }
        let decode = clock.now - start
        do throws(ImageError) {
            try time.check(name: input.text)
            try Memory.check(workingBytes(image.pixels.layout), for: input.text)
        } catch {
            throw .image(error)
        }
        let rendered: Rendered
        let regions = try regions.placed(width: image.pixels.width, height: image.pixels.height)
        do throws(FrostError) {
            rendered = try regions.render(
                image.pixels, effect, mask: mask, with: renderer, cancellation: Cancellation { time.isOver })
        } catch {
            if case .cancelled = error { throw .image(time.error(name: input.text)) }
            throw .frost(error)
        }
        image.pixels = rendered.image
        let blurred = clock.now
        try Pictures.write(image, to: output, as: format, options: writing, file)
        return Picture(
            size: (image.pixels.width, image.pixels.height), report: rendered.report, decode: decode,
            encode: clock.now - blurred)
    }

    /// Returns a copy of the effect for one picture. The copy has new secret keys, and its content is converted to the
    /// colour space of the picture. If `--linear` is given, the copy decodes with the transfer function of that colour
    /// space.
    func effect(for space: ColorSpace, _ input: FilePath) throws(CommandError) -> Effect {
        var effect = effect.redrawn()
        if let content {
            let image = try content.picture.image(in: space, console)
            effect.outputStages.content = content.options.layers(image, over: effect)
        }
        if isLinear { effect.decoding = try space.light(input, console) }
        return effect
    }

    /// Returns the memory, in bytes, that a picture takes if it is processed row by row.
    private func memory(
        of reader: borrowing ImageReader, through rows: RowRenderer, _ format: ImageFormat, _ writing: ImageWriteOptions
    ) -> Int {
        reader.rowMemory + RowsAhead.memory(for: reader.layout) + rows.workingBytes
            + format.encodingMemory(for: rows.output, options: writing)
    }

    /// Returns the memory, in bytes, that a picture takes if it is processed as a whole: the maximum of reading,
    /// rendering and writing.
    private func memory(
        of reader: borrowing ImageReader, converts: Bool, _ format: ImageFormat, _ writing: ImageWriteOptions
    ) -> Int {
        let layout = reader.layout
        // A CMYK picture and its conversion to sRGB are in memory at the same time.
        let reading = reader.imageMemory + (converts ? layout.byteCount : 0)
        let rendering = layout.byteCount + workingBytes(layout)
        return max(reading, rendering, layout.byteCount + format.encodingMemory(for: layout, options: writing))
    }

    /// Returns an upper bound on the bytes that rendering needs in addition to the picture. The bound includes the
    /// result. It also includes the data between passes, which are 32-bit floats: images at half resolution, or rows. A
    /// variable blur keeps several reduced images and a sum. A zoom blur keeps the source as floats, and one more copy
    /// for each thread's band. The exact backend keeps up to three copies in double precision.
    private func workingBytes(_ layout: PixelLayout) -> Int {
        let samples = layout.width * layout.height * 4
        if renderer.backend == .exact { return layout.byteCount * 2 + samples * 25 }
        let more =
            switch effect.kernel {
            case .variable: samples * 12
            case .zoom: samples * 4 * (renderer.threads + 1)
            case .gaussian, .proportional, .box, .disc, .motion, .mosaic: 0
            }
        return layout.byteCount * 2 + samples + more + min(1 << 26, samples * 16)
    }
}
