import Frost
import FrostGLES
import FrostGPU
import FrostImages

extension Command {
    static let check = Command(
        name: "check", operands: "INPUT... [--sigma S,...] [--effect NAME,...] [--max STEPS] [options]",
        summary: "Cross-check the exact result, the CPU and every usable GPU, pair by pair.",
        options: [.sigmas, .chosenEffects, .edge, .mask, .checkedMax, .device, .threads, .maxSide, .maxPixels],
        examples: [
            "frost check photo.png", "frost check photo.png --sigma 0.7,8,100 --edge mirror --json",
            "frost check photo.png --effect light,material-thin-dark",
        ],
        run: { (arguments, console) throws(CommandError) in try CheckCommand(arguments, console).run() },
        otherOperands: .file)
}

/// `frost check`: what a team puts into its CI.
struct CheckCommand {
    private struct Subject {
        let name: String
        let renderer: Renderer
    }

    private let console: Console
    private let inputs: [String]
    private let effects: [Effect]
    private let mask: MaskImage?
    private let bound: Double?
    private let limits: ImageLimits
    private let subjects: [Subject]
    private let exact: Renderer
    private let deviceIsDemanded: Bool

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        self.console = console
        inputs = arguments.operands
        guard !inputs.isEmpty else { throw .usage("an input is needed") }
        guard inputs.filter({ $0 == "-" }).count <= 1 else { throw .usage("standard input can be read once") }
        effects = try Self.blurs(arguments) + Self.effects(arguments)
        deviceIsDemanded = arguments.value(.device) != nil
        bound = arguments.value(.checkedMax, as: Double.self)
        let limits = try Pictures.limits(arguments)
        self.limits = limits
        mask = try arguments.value(.mask).map { (path) throws(CommandError) in
            try Pictures.mask(path, limits: limits)
        }
        if mask != nil, !effects.contains(where: { $0.mask == .image }) {
            throw .usage("--mask: none of the effects takes a mask image")
        }
        if let needs = effects.first(where: { $0.mask == .image }), mask == nil {
            throw .usage("\(needs.name) needs --mask FILE")
        }
        let threads = arguments.value(.threads, as: Int.self)
        do throws(FrostError) {
            exact = try Renderer(backend: .exact, threads: threads)
            var subjects = [Subject(name: "cpu", renderer: try Renderer(backend: .cpu, threads: threads))]
            if let device = arguments.value(.device) {
                subjects.append(try Self.gpu(device))
            } else {
                for device in Self.usableDevices(console) { subjects.append(try Self.gpu(String(device.index))) }
            }
            self.subjects = subjects
        } catch {
            throw .frost(error)
        }
    }

    /// `--sigma`, which has a default unless effects are named.
    private static func blurs(_ arguments: Arguments) throws(CommandError) -> [Effect] {
        let edge = try arguments.required(.edge, as: EdgeMode.self)
        if arguments.has(.chosenEffects), !arguments.has(.sigmas) { return [] }
        return try (arguments.list(.sigmas, of: Double.self) ?? []).map {
            (sigma) throws(CommandError) in
            do throws(ParameterError) { return Effect(try GaussianBlur(sigma: sigma, edge: edge)) } catch {
                throw .usage("--sigma: \(error)")
            }
        }
    }

    /// `--effect`, with defaults but for the edge, and without dither, which the exact result does not have.
    private static func effects(_ arguments: Arguments) throws(CommandError) -> [Effect] {
        let edge = arguments.has(.edge) ? arguments.value(.edge, as: EdgeMode.self) : nil
        var effects: [Effect] = []
        for description in try arguments.chosenEffects() ?? [] {
            var given: [String: EffectValue] = [:]
            if let edge, description.parameters.contains(where: { $0.name == Option.edge.name }) {
                given[Option.edge.name] = .choice(edge.rawValue)
            }
            do throws(ParameterError) {
                var effect = try description.make(given)
                effect.finish.dither = nil
                effects.append(effect)
            } catch {
                throw .usage("\(description.name): \(error)")
            }
        }
        return effects
    }

    private static func gpu(_ device: String) throws(FrostError) -> Subject {
        let renderer = try Renderer(backend: .gpu, device: device)
        return Subject(name: "gpu:\(renderer.deviceName ?? device)", renderer: renderer)
    }

    private static func usableDevices(_ console: Console) -> [DeviceInfo] {
        do throws(GLError) {
            let devices = try Devices.list().compactMap { if case .usable(let device) = $0 { device } else { nil } }
            if devices.isEmpty { console.warn("no GPU is checked: no EGL device can be used") }
            return devices
        } catch {
            console.warn("no GPU is checked: \(error)")
            return []
        }
    }

    func run() -> ExitCode {
        var failures = 0
        var unread = ExitCode.done
        for input in inputs {
            do throws(CommandError) {
                let image = try Pictures.read(input, limits: limits).pixels
                for effect in effects where try !check(image, input, effect) { failures += 1 }
            } catch {
                console.report(error, input: input)
                unread = ExitCode(error)
                failures += 1
            }
        }
        if failures == 0 { return .done }
        return inputs.count == 1 && unread != .done ? unread : .someFailed
    }

    /// One line a pair: each backend against the exact result, which is not rounded, and against the other backends.
    private func check(_ image: PixelBuffer, _ input: String, _ effect: Effect) throws(CommandError) -> Bool {
        // One step of 8 bits, or four of 16: what Frost promises.
        let bound = bound ?? (image.format.sample == .u8 ? 1 : 4 / 257.0)
        var pairs: [(a: String, b: String, comparison: Comparison)] = []
        do throws(FrostError) {
            // The mask of an effect that has one of its own stays.
            let mask = effect.mask == .image ? mask : nil
            let reference = try exact.exact(image, effect, mask: mask)
            var results: [(name: String, image: PixelBuffer)] = []
            for subject in subjects {
                guard let result = try render(image, input, effect, mask, subject) else { continue }
                pairs.append((subject.name, "exact", try Self.compare(SampleRows(result), reference)))
                for other in results {
                    pairs.append(
                        (subject.name, other.name, try Self.compare(SampleRows(result), SampleRows(other.image))))
                }
                results.append((subject.name, result))
            }
        } catch {
            throw .frost(error)
        }
        let holds = pairs.allSatisfy { $0.comparison.maximum <= bound }
        if console.json {
            console.result(
                .object([
                    ("schema", .string("frost.check/1")), ("input", .string(input)),
                    ("subject", .string(effect.description)), ("bound", .number(bound, decimals: 4)),
                    (
                        "pairs",
                        .array(
                            pairs.map {
                                .object([("a", .string($0.a)), ("b", .string($0.b))] + $0.comparison.members)
                            })
                    ),
                    ("status", .string(holds ? "ok" : "failed")),
                ]))
        } else {
            for pair in pairs {
                let verdict = pair.comparison.maximum <= bound ? "ok  " : "FAIL"
                console.result(
                    "\(verdict) \(input) \(effect): \(pair.a) against \(pair.b): \(pair.comparison.description)")
            }
        }
        return holds
    }

    /// The subject's result; nil, with a warning, where what follows the blur is beyond a GPU that nobody asked for.
    private func render(
        _ image: PixelBuffer, _ input: String, _ effect: Effect, _ mask: MaskImage?, _ subject: Subject
    ) throws(FrostError) -> PixelBuffer? {
        do throws(FrostError) { return try subject.renderer.render(image, effect, mask: mask).image } catch {
            guard let reason = Self.limit(error), !deviceIsDemanded else { throw error }
            console.warn("\(input) \(effect): \(subject.name) is not checked: \(reason)")
            return nil
        }
    }

    /// What keeps a GPU from a finish though nothing is wrong with it; nil for every other error.
    static func limit(_ error: FrostError) -> String? {
        guard case .deviceFailed(_, .unsupportedFinish) = error else { return nil }
        return "\(error)"
    }

    private static func compare(_ a: SampleRows, _ b: SampleRows) throws(FrostError) -> Comparison {
        do throws(PixelError) { return try Comparison(a, b) } catch { throw .pixels(error) }
    }
}
