import Frost
import FrostImages

extension Command {
    static let blur = Command(
        name: "blur", operands: "INPUT... -o OUTPUT --sigma S[,SY] [options]",
        summary: "Blur pictures with a Gaussian, exact to one 8-bit step.",
        options: [
            .output, .sigma, .edge, .rect, .backend, .device, .threads, .format, .force, .maxSide, .maxPixels,
        ],
        examples: [
            "frost blur photo.png -o soft.png --sigma 8",
            "frost blur *.png -o blurred/ --sigma 2.5 --edge mirror",
            "frost blur face.png -o safe.png --sigma 30 --rect 120,80,200,200",
            "frost blur shot.png -o '{dir}/{stem}-{sigma}.png' --sigma 3,40 --backend gpu",
            "curl -s https://example.org/a.png | frost blur - -o - --sigma 8 > b.png",
        ],
        run: { (arguments, console) throws(CommandError) in try BlurCommand(arguments, console).run() })
}

/// `frost blur`.
struct BlurCommand {
    private let console: Console
    private let effect: GaussianBlur
    private let rects: [Rect]
    private let limits: ImageLimits
    private let renderer: Renderer
    private let work: [(input: String, output: String)]

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        effect = try arguments.gaussian()
        rects = try arguments.rects()
        limits = try Pictures.limits(arguments)
        guard !arguments.operands.isEmpty else { throw .usage("an input is needed: a file, or - for standard input") }
        guard arguments.operands.filter({ $0 == "-" }).count <= 1 else {
            throw .usage("standard input can be read once")
        }
        let names = try OutputNames(
            try arguments.required(.output), inputs: arguments.operands, format: arguments.value(.format))
        let sigma = arguments.value(.sigma) ?? ""
        work = try names.resolve(arguments.operands, sigma: sigma, force: arguments.has(.force))
        renderer = try Self.renderer(arguments)
        var console = console
        console.outputIsPicture = work.contains { $0.output == "-" }
        self.console = console
    }

    /// The renderer that `--backend`, `--device` and `--threads` ask for.
    static func renderer(_ arguments: Arguments) throws(CommandError) -> Renderer {
        let backend = try arguments.choice(.backend, Backend.self) ?? .auto
        let threads = try arguments.integer(.threads, in: 1...256)
        let device = arguments.value(.device)
        if device != nil, backend == .cpu || backend == .exact {
            throw .usage("--device names a GPU, --backend \(backend.rawValue) uses none")
        }
        do throws(FrostError) {
            return try Renderer(backend: backend, device: device, threads: threads)
        } catch {
            throw .frost(error)
        }
    }

    /// Goes on after an input that fails. One input's failure is the program's; of several, any failure is 1.
    func run() -> ExitCode {
        var failures = 0
        var last = ExitCode.done
        for (input, output) in work {
            do throws(CommandError) {
                try blur(input, to: output)
            } catch {
                failures += 1
                last = ExitCode(error)
                console.report(error, input: input)
            }
        }
        return failures == 0 ? .done : work.count == 1 ? last : .someFailed
    }

    private func blur(_ input: String, to output: String) throws(CommandError) {
        let clock = ContinuousClock()
        let start = clock.now
        var image = try Pictures.read(input, limits: limits)
        let decoded = clock.now
        do throws(ImageError) { try Memory.check(workingBytes(image.pixels), for: input) } catch { throw .image(error) }
        let report: RenderReport
        do throws(FrostError) {
            (image.pixels, report) = try render(image.pixels)
        } catch {
            throw .frost(error)
        }
        let blurred = clock.now
        try Pictures.write(image, to: output)
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
                ("status", .string("ok")), ("width", .int(size.0)), ("height", .int(size.1)),
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

    /// What blurring takes beside the picture, at the most: the result, and images at half resolution or rows between
    /// passes, as 32-bit floats; the exact backend works on two copies in double precision.
    private func workingBytes(_ pixels: PixelBuffer) -> Int {
        let samples = pixels.width * pixels.height * 4
        return pixels.layout.byteCount * 2 + samples + (renderer.backend == .exact ? samples * 16 : 1 << 26)
    }

    /// The whole picture, or the rectangles put into it.
    private func render(_ image: PixelBuffer) throws(FrostError) -> (PixelBuffer, RenderReport) {
        guard !rects.isEmpty else {
            let rendered = try renderer.blur(image, effect)
            return (rendered.image, rendered.report)
        }
        // Sigma 0 copies, and adds the alpha channel that transparent edges need.
        var result = try renderer.copy(image, format: effect.outputFormat(for: image.format))
        var total: RenderReport?
        for rect in rects {
            guard let inside = rect.intersection(image.layout.extent) else {
                throw .parameter(.outsideImage(rect, image: image.layout.extent))
            }
            let rendered = try renderer.blur(image, effect, region: inside)
            do throws(PixelError) { try result.paste(rendered.image, at: inside) } catch { throw .pixels(error) }
            var report = rendered.report
            if inside != rect { report.warn("the rectangle \(rect) was cut to the picture: \(inside)") }
            report.add(total)
            total = report
        }
        guard let total else { throw .cancelled }
        return (result, total)
    }
}

extension RenderReport {
    fileprivate mutating func add(_ other: RenderReport?) {
        guard let other else { return }
        uploadMilliseconds += other.uploadMilliseconds
        blurMilliseconds += other.blurMilliseconds
        readbackMilliseconds += other.readbackMilliseconds
        gpuMilliseconds = gpuMilliseconds.flatMap { sum in other.gpuMilliseconds.map { sum + $0 } }
        errorBound = max(errorBound, other.errorBound)
        if backend != other.backend { warn("some rectangles ran on the \(other.backend.rawValue): \(other.reason)") }
        if let text = other.warning { warn(text) }
    }

    fileprivate mutating func warn(_ text: String) {
        guard warning?.contains(text) != true else { return }
        warning = warning.map { "\(text); \($0)" } ?? text
    }
}
