import Frost
import FrostImages

/// What `blur` and `effect` have in common: reads pictures, carries out an effect on them, writes the results.
struct Rendering {
    private let console: Console
    private let effect: Effect
    private let mask: MaskImage?
    private let regions: EffectRegions
    private let pictures: PictureOptions
    private let isLinear: Bool
    private let renderer: Renderer
    private let works: [Work]

    /// - Parameter names: placeholders of output templates besides those of the input.
    init(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ inputs: [String],
        names: [(name: String, text: String)]
    ) throws(CommandError) {
        var effect = effect
        regions = try EffectRegions(arguments)
        isLinear = arguments.has(.linear)
        pictures = try PictureOptions(arguments)
        let limits = pictures.reading.limits
        guard !inputs.isEmpty else { throw .usage("an input is needed: a file, or - for standard input") }
        guard (inputs + arguments.values(.mask) + arguments.values(.content)).filter({ $0 == "-" }).count <= 1 else {
            throw .usage("standard input can be read once")
        }
        let output = try OutputNames(
            try arguments.required(.output), inputs: inputs, format: try arguments.format(),
            constants: names)
        works = try output.resolve(inputs, force: arguments.has(.force))
        try pictures.check(works, arguments)
        if arguments.has(.mask), let own = effect.mask, own != .image {
            throw .usage("--mask: \(effect.name) has a mask of its own")
        }
        if arguments.has(.mask), case .mosaic = effect.kernel {
            throw .usage("--mask: \(effect.name) lets nothing of the picture through; --rect says where it is")
        }
        let content = try EffectContent(arguments, over: effect)
        renderer = try arguments.renderer()
        mask = try arguments.value(.mask).map { (path) throws(CommandError) in
            try Pictures.mask(path, limits: limits)
        }
        if mask != nil, effect.mask == nil { effect.finish.mask = .image }
        guard effect.mask != .image || mask != nil else { throw .usage("\(effect.name) needs --mask FILE") }
        if let content { effect.finish.content = [try content.layer(limits: limits)] }
        self.effect = effect
        var console = console
        console.outputIsPicture = works.contains { $0.output == "-" }
        self.console = console
    }

    /// Goes on after an input that fails. One input's failure is the program's; of several, any failure is 1.
    func run() -> ExitCode {
        var failures = 0
        var last = ExitCode.done
        for work in works {
            do throws(CommandError) {
                try render(work)
            } catch {
                failures += 1
                last = ExitCode(error)
                console.report(error, input: work.input)
            }
        }
        return failures == 0 ? .done : works.count == 1 ? last : .someFailed
    }

    private func render(_ work: Work) throws(CommandError) {
        let (input, output) = (work.input, work.output)
        let start = ContinuousClock.now
        let reader = try Pictures.open(input, pictures.reading)
        let format = work.format ?? reader.format
        // Inks are blurred as they are where that is all that is done, and where they can be written again.
        let converts = reader.metadata.colorModel == .cmyk && !(format.traits.holdsCMYK && isPlainBlur)
        if !converts { pictures.warn(of: reader.metadata, in: format, input: input, console) }
        let effect = try effect(for: converts ? .sRGB : reader.layout.format.colorSpace, input)
        var writing = pictures.writing
        writing.png.threads = renderer.threads
        let picture: Picture
        if let rows = try converts ? nil : rows(of: reader.layout, effect) {
            let times = try RowPipeline.run(
                reader, through: rows, to: output, as: format, options: writing, threads: renderer.threads)
            picture = Picture(
                size: (rows.output.width, rows.output.height), report: rows.report, decode: times.decode,
                encode: times.encode)
        } else {
            picture = try renderWhole(reader, converts: converts, effect, input, to: output, as: format, writing)
        }
        let total = ContinuousClock.now - start
        let (size, report) = (picture.size, picture.report)
        let render = report.uploadMilliseconds + report.blurMilliseconds + report.readbackMilliseconds

        if let warning = report.warning { console.warn("\(input): \(warning)") }
        guard console.json else {
            let device = report.device.map { "\(report.backend.rawValue) (\($0))" } ?? report.backend.rawValue
            console.note(
                "\(input) -> \(output): \(size.0)x\(size.1) on the \(device), \(report.reason); "
                    + "error at most \(fixed(report.errorBound, 2)) steps before rounding; "
                    + "\(fixed(render, 1)) of \(fixed(total.milliseconds, 1)) ms")
            if console.verbose {
                let gpu = report.gpuMilliseconds.map { " (\(fixed($0, 1)) on the GPU)" } ?? ""
                console.note(
                    "  decode \(fixed(picture.decode.milliseconds, 1)), upload \(fixed(report.uploadMilliseconds, 1)), "
                        + "blur \(fixed(report.blurMilliseconds, 1))\(gpu), readback \(fixed(report.readbackMilliseconds, 1)), "
                        + "encode \(fixed(picture.encode.milliseconds, 1)) ms; \(renderer.threads) threads")
            }
            return
        }
        func ms(_ value: Double) -> JSON { .number(value, decimals: 3) }
        console.result(
            .object([
                ("schema", .string("frost.result/1")), ("input", .string(input)), ("output", .string(output)),
                ("effect", .string(effect.name)), ("status", .string("ok")), ("width", .int(size.0)),
                ("height", .int(size.1)),
                ("backend", .string(report.backend.rawValue)), ("device", .optional(report.device)),
                ("reason", .string(report.reason)), ("warning", .optional(report.warning)),
                ("errorBound", .number(report.errorBound, decimals: 4)),
                (
                    "ms",
                    .object(
                        // Only where the GPU's clock is known.
                        (report.gpuMilliseconds.map { [("gpu", ms($0))] } ?? []) + [
                            ("decode", ms(picture.decode.milliseconds)), ("upload", ms(report.uploadMilliseconds)),
                            ("blur", ms(report.blurMilliseconds)), ("readback", ms(report.readbackMilliseconds)),
                            ("encode", ms(picture.encode.milliseconds)), ("total", ms(total.milliseconds)),
                        ])
                ),
            ]))
    }

    /// Whether each channel may be taken for itself, whatever it stands for.
    private var isPlainBlur: Bool {
        if case .mosaic = effect.kernel { return false }
        let finish = effect.finish
        return effect.edge != .clear && !isLinear && effect.decoding == nil && finish.inside.isEmpty
            && finish.over.isEmpty && finish.content.isEmpty && finish.dither == nil
    }

    /// What carries the effect out in a single sweep over the picture, where that can be done.
    private func rows(of layout: PixelLayout, _ effect: Effect) throws(CommandError) -> RowRenderer? {
        guard regions.isEmpty else { return nil }
        do throws(FrostError) { return try renderer.rows(of: layout, effect, mask: mask) } catch { throw .frost(error) }
    }

    /// What is told of a picture that is done.
    private struct Picture {
        let size: (Int, Int)
        let report: RenderReport
        let decode: Duration
        let encode: Duration
    }

    private func renderWhole(
        _ reader: consuming ImageReader, converts: Bool, _ effect: Effect, _ input: String, to output: String,
        as format: ImageFormat, _ writing: ImageWriteOptions
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
        do throws(ImageError) { try Memory.check(workingBytes(image.pixels), for: input) } catch { throw .image(error) }
        let rendered: Rendered
        do throws(FrostError) {
            rendered = try regions.render(image.pixels, effect, mask: mask, with: renderer)
        } catch {
            throw .frost(error)
        }
        image.pixels = rendered.image
        let blurred = clock.now
        try Pictures.write(image, to: output, as: format, options: writing)
        return Picture(
            size: (image.pixels.width, image.pixels.height), report: rendered.report, decode: decode,
            encode: clock.now - blurred)
    }

    /// With secrets of its own and, with `--linear`, by what the picture says of its numbers.
    private func effect(for space: ColorSpace, _ input: String) throws(CommandError) -> Effect {
        var effect = effect.redrawn()
        guard isLinear else { return effect }
        do throws(ParameterError) { effect.decoding = try space.transfer() } catch {
            throw .frost(.parameter(error))
        }
        if case .icc = space {
            console.warn("\(input): the curves of its ICC profile are not read, --linear takes those of sRGB")
        }
        return effect
    }

    /// What blurring takes beside the picture, at the most: the result, and images at half resolution or rows between
    /// passes, as 32-bit floats; of a variable blur there are several reduced images at once, and a sum; for a zoom all of it
    /// as floats, with what bands overlap; the exact backend works on up to three copies in double precision.
    private func workingBytes(_ pixels: PixelBuffer) -> Int {
        let samples = pixels.width * pixels.height * 4
        if renderer.backend == .exact { return pixels.layout.byteCount * 2 + samples * 25 }
        let more =
            switch effect.kernel {
            case .variable: samples * 12
            case .zoom: samples * 4 * (renderer.threads + 1)
            default: 0
            }
        return pixels.layout.byteCount * 2 + samples + more + (1 << 26)
    }
}
