import Frost
import FrostCLI
import FrostGLES
import FrostGPU
import FrostImages
import FrostPipeline

extension Command {
    static let check: Command = Command(
        name: "check", operands: "INPUT... [--sigma S,...] [--effect NAME,...] [--max STEPS] [options]",
        summary: "Compare the exact result, the CPU and every usable GPU with each other, or assert a contrast.",
        options: [
            .sigmas, .chosenEffects, .edge,
        ] + Option.regions + [
            .mask, .minContrast, .contentColor, .content, .vibrancy, .contentMode, .linear, .checkedMax, .page, .junit,
            .checkedBackend, .device, .gpuShaders, .allowMissingGPU, .threads,
        ] + Option.limits,
        examples: [
            "frost check photo.png", "frost check photo.png --sigma 0.7,8,100 --edge mirror --json",
            "frost check photo.png --effect light,material-thin-dark",
            "frost check photo.png --effect blur-dark --radius 12 --noise 0.05 --linear",
            "frost check photo.png --effect material-thick-dark --rect 20,10,200,60 --corner-radius 12",
            "frost check shot.png --min-contrast 4.5 --content-color white --rect 20,10,200,60",
            "frost check photo.png --report check.html --junit check.xml",
        ],
        run: { (arguments, console) throws(CommandError) in try CheckCommand(arguments, console).run() },
        otherOperands: .file,
        specialized: { (words) throws(CommandError) in
            let options = Command.check.options + Command.common + EffectCatalog.options
            let first = try Arguments(words, options: options, tolerant: true)
            // Unknown effect names are reported when the command line is parsed again.
            let names = first.list(.chosenEffects, of: String.self) ?? []
            return checking(EffectCatalog.all.filter { names.contains($0.name) })
        })

    /// Returns the command `check` with the parameters of the given effects as options. If several effects share a
    /// parameter, its value applies to all of them.
    private static func checking(_ effects: [EffectDescription]) -> Command {
        guard !effects.isEmpty else { return Command.check }
        var known = Set(Command.check.options.map(\.name))
        var command = Command.check
        command.parameters = effects.flatMap(\.options).filter { known.insert($0.name).inserted }
        command.remark = "; " + effects.map(\.takes).joined(separator: "; ")
        return command
    }
}

extension Option {
    static let sigmas = Option(
        "sigma", value: "S,...", kind: .list(.number(GaussianBlur.sigmaRange)),
        default: "0.7,2,8,30,100",
        "standard deviations to check; if --effect is given and this option is not, only the effects "
            + "are checked")
    static let checkedMax = Option(
        "max", value: "STEPS", kind: .number(0...255),
        default: .words("the guaranteed bound: 1, or 4/257 for 16-bit pictures"),
        "exit with 1 if any value differs by more than this many 8-bit steps")
    static let page = Option(
        "report", value: "OUT.html", kind: .file,
        "write the results with pictures as one self-contained HTML page")
    static let checkedBackend = Option(
        "backend", value: "NAME", kind: .word(["auto", "cpu"]), default: "auto",
        "auto checks the CPU and every usable GPU; cpu checks only the CPU")
    static let allowMissingGPU = Option(
        "allow-missing-gpu",
        "if there is no usable GPU, check only the CPU. Without this option a missing GPU is a failure "
            + "with exit code 5")
    static let junit = Option(
        "junit", value: "OUT.xml", kind: .file, "write the results in JUnit's format, for continuous integration")
}

/// Implements `frost check`.
struct CheckCommand {
    private struct Subject {
        let name: String
        let renderer: Renderer
    }

    private let console: Console
    private let inputs: [FilePath]
    private let subjects: CheckSubjects
    private let regions: RegionOptions
    private let bound: Double?
    private let limits: ImageLimits
    private let backends: [Subject]
    private let exact: Renderer
    private let deviceIsDemanded: Bool
    /// The reason why no GPU is checked. Nil if a GPU is checked, or if the options request a check of the CPU only.
    private let missingGPU: MissingGPU?
    private let reports: CheckReports
    /// The options of the command line as text, for the reports.
    private let options: String

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        inputs = arguments.paths
        guard !inputs.isEmpty else { throw .usage("an input is required") }
        try arguments.checkStandardInput(inputs)
        reports = try CheckReports(arguments, inputs, console)
        var console = console
        console.outputIsPicture = reports.takesOutput
        self.console = console
        let others: [Option] = [.page, .junit, .json, .quiet, .verbose]
        options = arguments.written(except: Set(others.map(\.name))).flatMap { option in
            option.values.map { "--\(option.name)" + ($0.isEmpty ? "" : " \($0)") }
        }.joined(separator: " ")
        deviceIsDemanded = arguments.value(.device) != nil
        bound = arguments.value(.checkedMax, as: Double.self)
        limits = try Pictures.limits(arguments)
        regions = try RegionOptions(arguments)
        try regions.check(names: inputs)
        subjects = try CheckSubjects(arguments, console, limits: limits)
        guard arguments.value(.checkedBackend) != "cpu" || !arguments.has(.device) else {
            throw .usage("--device selects a GPU, but --backend cpu does not check one")
        }
        let threads = arguments.value(.threads, as: Int.self)
        guard !subjects.effects.isEmpty || !arguments.has(.device) else {
            throw .usage("--device needs --effect or --sigma: without them only the picture is checked")
        }
        do throws(FrostError) {
            exact = try Renderer(backend: .exact, threads: threads)
            var backends = [Subject(name: "cpu", renderer: try Renderer(backend: .cpu, threads: threads))]
            var missing: MissingGPU?
            if subjects.effects.isEmpty || arguments.value(.checkedBackend) == "cpu" {
                // No GPU is to be checked, so a missing one is not an error.
            } else if let device = arguments.value(.device) {
                backends.append(try Self.gpu(device, backends, arguments.gpuOptions))
            } else {
                let (devices, reason) = Self.usableDevices()
                for device in devices {
                    backends.append(try Self.gpu(String(device.index), backends, arguments.gpuOptions))
                }
                if devices.isEmpty {
                    missing = MissingGPU(reason: reason, isAllowed: arguments.has(.allowMissingGPU))
                }
            }
            self.backends = backends
            missingGPU = missing
        } catch {
            throw .frost(error)
        }
    }

    /// Creates the renderer of a GPU. If two GPUs have the same name, the second is called "gpu:NAME #2".
    private static func gpu(
        _ device: String, _ others: [Subject], _ options: GPUOptions
    ) throws(FrostError) -> Subject {
        let renderer = try Renderer(backend: .gpu, device: device, options: options)
        let name = "gpu:\(renderer.deviceName ?? device)"
        let alike = others.count { $0.renderer.deviceName == renderer.deviceName }
        return Subject(name: alike == 0 ? name : "\(name) #\(alike + 1)", renderer: renderer)
    }

    /// Returns the devices that can be used, or the reason why there are none.
    private static func usableDevices() -> (devices: [DeviceInfo], reason: String) {
        do throws(GLError) {
            let devices = try Devices.list(options: GPUOptions().context).compactMap {
                if case .usable(let device) = $0 { device } else { nil }
            }
            return (devices, "no EGL device can be used")
        } catch {
            return ([], "\(error)")
        }
    }

    func run() throws(CommandError) -> ExitCode {
        var log = CheckLog()
        if let missingGPU {
            missingGPU.isAllowed ? console.warn(missingGPU.text) : console.fail(missingGPU.text)
            if console.json { console.result(missingGPU.json) }
            log.add(.noGPU(missingGPU))
        }
        var unread = ExitCode.done
        for input in inputs {
            do throws(CommandError) {
                let image = try Pictures.read(input, ImageReadOptions(limits: limits), nil).pixels
                let effects = try subjects.effects(on: image, input, console)
                for effect in effects { log.add(.checked(shown(try check(image, input, effect)))) }
                if let demand = subjects.contrast, effects.isEmpty {
                    log.add(.checked(shown(try check(image, input, demand))))
                }
            } catch {
                console.report(error, input: input.text)
                unread = ExitCode(error)
                log.add(.failed(input: input.text, error: error.description))
            }
        }
        try reports.write(
            log,
            CheckEnvironment(
                options: options, threads: exact.threads, renderers: backends.map(\.renderer)))
        if log.holds { return missingGPU?.isAllowed == false ? .noDevice : .done }
        return inputs.count == 1 && unread != .done ? unread : .someFailed
    }

    /// Prints a result.
    private func shown(_ result: CheckResult) -> CheckResult {
        if console.json {
            console.result(result.json)
        } else {
            result.lines.forEach { console.result($0) }
        }
        return result
    }

    /// Measures the contrast of a picture itself.
    private func check(
        _ image: PixelBuffer, _ input: FilePath, _ demand: ContrastDemand
    ) throws(CommandError) -> CheckResult {
        let regions = try regions.placed(in: input, width: image.width, height: image.height)
        var result = CheckResult(input: input.text, subject: "picture", bound: 0)
        result.contrasts = [demand.measured(image, in: regions)]
        return result
    }

    /// Compares each backend with the unrounded exact result and with the other backends.
    private func check(_ image: PixelBuffer, _ input: FilePath, _ effect: Effect) throws(CommandError) -> CheckResult {
        var result = CheckResult(
            input: input.text, subject: effect.description,
            bound: bound ?? image.format.sample.guaranteedError)
        let mask = subjects.mask(of: effect)
        let regions = try regions.placed(in: input, width: image.width, height: image.height)
        try regions.checkComparable()
        var start = ContinuousClock.now
        var images: [(name: String, rows: SampleRows)] = []
        var surveys: [ErrorSurvey] = []
        do throws(FrostError) {
            let effect = try regions.decidingContent(of: effect, on: image)
            images.append(("exact", try regions.exact(image, effect, mask: mask, with: exact)))
            for backend in backends {
                let rendered: Rendered
                do throws(FrostError) {
                    rendered = try regions.render(image, effect, mask: mask, with: backend.renderer)
                } catch {
                    guard let reason = Self.limit(error), !deviceIsDemanded else { throw error }
                    console.warn("\(input.shownName) \(effect): \(backend.name) is not checked: \(reason)")
                    result.skipped.append((backend.name, reason))
                    continue
                }
                let rows = SampleRows(rendered.image)
                if let contrast = rendered.report.contrast {
                    result.contrasts.append(CheckContrast(backend: backend.name, report: contrast))
                }
                for other in images {
                    do throws(PixelError) {
                        let comparison = try Comparison(rows, other.rows)
                        result.pairs.append(
                            CheckResult.Pair(
                                a: backend.name, b: other.name, comparison: comparison,
                                seconds: (ContinuousClock.now - start).milliseconds / 1000))
                        if reports.hasPage {
                            surveys.append(
                                try ErrorSurvey(rows, other.rows, bound: result.bound, side: CheckEvidence.side))
                        }
                        start = .now
                    } catch {
                        throw .pixels(error)
                    }
                }
                images.append((backend.name, rows))
            }
        } catch {
            throw .frost(error)
        }
        if reports.hasPage {
            result.evidence = try CheckEvidence(
                source: image, growth: regions.isEmpty ? (effect.growthX, effect.growthY) : (0, 0), images: images,
                worst: result.worst?.comparison.worst, surveys: surveys)
        }
        return result
    }

    /// Returns the text of an error that means that a working GPU cannot run the output stages of an effect. Returns
    /// nil for every other error.
    static func limit(_ error: FrostError) -> String? {
        guard case .deviceFailed(_, .unsupportedOutputStages) = error else { return nil }
        return "\(error)"
    }
}
