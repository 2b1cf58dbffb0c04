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
        let clock = ContinuousClock()
        let start = clock.now
        let reader = try Pictures.open(input, pictures.reading)
        let format = work.format ?? reader.format
        var image: DecodedImage
        do throws(ImageError) { image = try reader.readImage() } catch { throw .image(error) }
        // Inks are blurred as they are where that is all that is done, and where they can be written again.
        if image.metadata.colorModel == .cmyk, !(format.traits.holdsCMYK && isPlainBlur) {
            image = try Pictures.convert(image, input, console)
        }
        pictures.warn(of: image.metadata, in: format, input: input, console)
        let decoded = clock.now
        do throws(ImageError) { try Memory.check(workingBytes(image.pixels), for: input) } catch { throw .image(error) }
        let effect = try effect(for: image, input)
        let report: RenderReport
        do throws(FrostError) {
            let rendered = try regions.render(image.pixels, effect, mask: mask, with: renderer)
            (image.pixels, report) = (rendered.image, rendered.report)
        } catch {
            throw .frost(error)
        }
        let blurred = clock.now
        try Pictures.write(image, to: output, as: format, options: pictures.writing)
        let end = clock.now

        if let warning = report.warning { console.warn("\(input): \(warning)") }
        let size = (image.pixels.width, image.pixels.height)
        guard console.json else {
            let device = report.device.map { "\(report.backend.rawValue) (\($0))" } ?? report.backend.rawValue
            console.note(
                "\(input) -> \(output): \(size.0)x\(size.1) on the \(device), \(report.reason); "
                    + "error at most \(fixed(report.errorBound, 2)) steps before rounding; "
                    + "\(fixed((blurred - decoded).milliseconds, 1)) of \(fixed((end - start).milliseconds, 1)) ms")
            if console.verbose {
                let gpu = report.gpuMilliseconds.map { " (\(fixed($0, 1)) on the GPU)" } ?? ""
                console.note(
                    "  decode \(fixed((decoded - start).milliseconds, 1)), upload \(fixed(report.uploadMilliseconds, 1)), "
                        + "blur \(fixed(report.blurMilliseconds, 1))\(gpu), readback \(fixed(report.readbackMilliseconds, 1)), "
                        + "encode \(fixed((end - blurred).milliseconds, 1)) ms; \(renderer.threads) threads")
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
                            ("decode", ms((decoded - start).milliseconds)), ("upload", ms(report.uploadMilliseconds)),
                            ("blur", ms(report.blurMilliseconds)), ("readback", ms(report.readbackMilliseconds)),
                            ("encode", ms((end - blurred).milliseconds)), ("total", ms((end - start).milliseconds)),
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

    /// With secrets of its own and, with `--linear`, by what the picture says of its numbers.
    private func effect(for image: DecodedImage, _ input: String) throws(CommandError) -> Effect {
        var effect = effect.redrawn()
        guard isLinear else { return effect }
        let space = image.pixels.format.colorSpace
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
