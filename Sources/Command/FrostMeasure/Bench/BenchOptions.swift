import Frost
import FrostCLI
import FrostGPU

extension Option {
    static let benchInput = Option(
        "input", value: "FILE", kind: .file,
        "measure on this picture instead of a synthetic one. With --size, it is cropped to that "
            + "size, or repeated with mirroring")
    static let benchSizes = Option(
        "size", value: "WxH,...", kind: .list(.size(1...32768)),
        default: "1920x1080,3840x2160",
        "picture sizes to measure; if --input is given without --size, the size of that picture")
    static let benchSigmas = Option(
        "sigma", value: "S,...", kind: .list(.number(GaussianBlur.sigmaRange)),
        default: "0.7,1,2,3,5,8,12,30,100,400", "standard deviations to measure")
    static let benchEffects = Option(
        "effect", value: "NAME,...", kind: .list(.effectGroup),
        "measure these effects with their default parameters; uiimage, 7blur, uikit, gpuimage, core-image and frost stand "
            + "for all effects of a family, all for every effect. For comparison, also measures the blur of each effect "
            + "without its other steps. A mask that an effect needs grows from the left to the right")
    static let benchBackends = Option(
        "backend", value: "NAME,...", kind: .list(Backend.self),
        default: .words("cpu, and gpu and auto if there is a hardware GPU"), "backends to measure")
    static let benchThreads = Option(
        "threads", value: "N,...", kind: .list(Option.threads.kind),
        default: Option.threads.default, environment: Option.threads.environment,
        "numbers of CPU threads to measure")
    static let benchFormat = Option(
        "format", value: "NAME", kind: .word(BenchFormat.self), default: .value(BenchFormat.rgba8),
        "pixel format; the pictures are opaque, except for rgba8-straight, where alpha is straight "
            + "and varies smoothly")
    static let benchRuns = Option(
        "runs", value: "N", kind: .integer(1...1000), default: "7",
        "minimum number of runs; each measurement takes at least 0.3 s and stops after 30 s")
    static let benchVerify = Option(
        "verify", "also measure the error against the exact result; exit with 1 if it exceeds the guaranteed bound")
    static let benchBackdrop = Option(
        "backdrop",
        "measure frames of a live backdrop after five kinds of change: all pixels, 64x64 pixels, nothing, a "
            + "moved panel, and 96x96 pixels behind a panel of 800x500 pixels. Uses the CPU unless --backend is given")
    static let benchTextures = Option(
        "textures",
        "measure blurs from texture to texture on a GPU, without upload and readback, with compute and with fragment "
            + "shaders, relative to the GPU's fastest copy of the same picture (glBlitFramebuffer, or a compute shader)"
    )
    static let benchTransitions = Option(
        "transition", value: "NAME,...", kind: .list(.word(TransitionCatalog.all.map(\.name) + ["all"])),
        "measure frames of these transitions instead of blurs, relative to a memcpy of both pictures. Uses the CPU unless "
            + "--backend is given")
    static let benchBaseline = Option(
        "baseline", value: "FILE.json", kind: .file,
        "compare with the saved output of 'frost bench --json'. Prints the ratio of every measured "
            + "time to the saved time, both relative to a memcpy")
    static let benchMaxRatio = Option(
        "max-ratio", value: "R", kind: .number(0...1e6),
        "exit with 1 if any blur takes more than R times as long as a memcpy of the picture")
    static let benchMaxLoss = Option(
        "max-loss", value: "PERCENT", kind: .number(0...1e6),
        "exit with 1 if auto is more than PERCENT slower than the faster of cpu and gpu, and further "
            + "measurements confirm it"
    )
    static let benchCSV = Option("csv", value: "FILE", kind: .file, "write the measurements as CSV")
    static let benchMarkdown = Option(
        "markdown", value: "FILE", kind: .file, "write the measurements as a Markdown table")
    static let benchPlot = Option(
        "plot", value: "FILE.svg", kind: .file,
        "draw three charts: time against sigma, time against the number of pixels, and time against radius for blurs of a "
            + "downsampled picture. Sizes and sigmas that the charts need are measured as well")
}

/// The measurements that the command line requests.
struct BenchRequest {
    /// The sizes to measure. If empty, the size of the input is used.
    let sizes: [PictureSize]
    let effects: [Effect]
    let backends: [Backend]?
    let device: String?
    let gpu: GPUOptions
    /// The numbers of threads to measure. If empty, the default number is used.
    let threads: [Int]
    let format: BenchFormat
    let runs: Int
    let verifies: Bool
    let kind: Kind
    let maximumRatio: Double?
    let maximumLoss: Double?

    init(_ arguments: Arguments) throws(CommandError) {
        guard arguments.operands.isEmpty else {
            throw .usage("unexpected operand \(arguments.operands[0]); use --input for the picture")
        }
        let isInputs = arguments.has(.benchInput) && !arguments.has(.benchSizes)
        sizes = isInputs ? [] : arguments.list(.benchSizes, of: PictureSize.self) ?? []
        for size in sizes where size.pixels > Self.maximumPixels {
            throw .usage("--size \(size) is out of range: at most \(Self.maximumPixels) pixels are allowed")
        }
        let edge = try arguments.required(.edge, as: EdgeMode.self)
        guard !arguments.has(.benchEffects) || !arguments.has(.benchSigmas) && !arguments.has(.edge) else {
            throw .usage("--effect cannot be combined with --sigma or --edge")
        }
        var effects: [Effect] = []
        for description in try arguments.effects(in: .benchEffects) ?? [] {
            effects.append(try arguments.effect(description))
        }
        for sigma in arguments.has(.benchEffects) ? [] : arguments.list(.benchSigmas, of: Double.self) ?? [] {
            do throws(ParameterError) { effects.append(Effect(try GaussianBlur(sigma: sigma, edge: edge))) } catch {
                throw .usage(error.description)
            }
        }
        self.effects = effects
        if arguments.has(.benchPlot), !effects.contains(where: { $0.gaussian != nil }) {
            throw .usage("--plot needs a Gaussian blur")
        }
        kind = try Self.kind(arguments)
        if !kind.givesMasks, let masked = effects.first(where: { $0.mask == .image }) {
            throw .usage("--effect \(masked.name) needs a mask, which --backdrop and --textures do not support")
        }
        gpu = arguments.gpuOptions
        let device = arguments.value(.device)
        let named = arguments.list(.benchBackends, of: Backend.self)
        backends = named ?? kind.backends ?? (device != nil ? [.cpu, .gpu] : nil)
        let usesGPU = named.map { $0.contains(.gpu) || $0.contains(.auto) } ?? true
        guard usesGPU || !arguments.has(.device) else {
            throw .usage(
                "--device selects a GPU, but --backend \(arguments.value(.benchBackends) ?? "") does not use one")
        }
        self.device = usesGPU ? device : nil
        threads = arguments.list(.benchThreads, of: Int.self) ?? []
        format = try arguments.required(.benchFormat, as: BenchFormat.self)
        switch kind {
        case .blurs, .textures: break
        case .backdrop:
            if let other = backends?.first(where: { $0 != .cpu && $0 != .gpu }) {
                throw .usage("--backdrop does not support the backend \(other.rawValue), only cpu and gpu")
            }
            if backends?.contains(.gpu) == true, ![.rgba8, .softAlpha].contains(format) {
                throw .usage("--format \(format.rawValue): backdrops support only rgba8 and rgba8-straight")
            }
        case .transitions:
            if backends?.contains(.auto) == true {
                throw .usage("--transition does not support the backend auto, which renders transitions on the CPU")
            }
        }
        runs = try arguments.required(.benchRuns, as: Int.self)
        verifies = arguments.has(.benchVerify)
        maximumRatio = arguments.value(.benchMaxRatio, as: Double.self)
        maximumLoss = arguments.value(.benchMaxLoss, as: Double.self)
        if maximumLoss != nil, let named, !named.contains(.auto) || !named.contains(.cpu) && !named.contains(.gpu) {
            throw .usage("--max-loss needs --backend with auto and with cpu or gpu, such as auto,cpu")
        }
    }

    /// What is measured.
    enum Kind {
        case blurs, backdrop, textures
        case transitions([Transition])

        /// Whether effects that need a mask get one.
        fileprivate var givesMasks: Bool {
            switch self {
            case .blurs, .transitions: true
            case .backdrop, .textures: false
            }
        }

        /// The backends to measure if the command line names none; nil for those of a blur.
        fileprivate var backends: [Backend]? {
            switch self {
            case .blurs: nil
            case .textures: [.gpu]
            case .backdrop, .transitions: [.cpu]
            }
        }
    }

    private static func kind(_ arguments: Arguments) throws(CommandError) -> Kind {
        func refuse(_ others: [Option], beside option: Option) throws(CommandError) {
            guard let other = others.first(where: arguments.has) else { return }
            throw .usage("--\(option.name) cannot be combined with --\(other.name)")
        }
        let ofBlurs: [Option] = [
            .benchVerify, .benchBaseline, .benchMaxLoss, .benchCSV, .benchMarkdown, .benchPlot,
        ]
        if arguments.has(.benchTextures) {
            try refuse(
                ofBlurs + [
                    .benchMaxRatio, .benchBackdrop, .benchTransitions, .benchBackends, .benchThreads, .benchFormat,
                ], beside: .benchTextures)
            return .textures
        }
        if let names = arguments.list(.benchTransitions, of: String.self) {
            try refuse(ofBlurs + [.benchBackdrop, .benchSigmas, .benchEffects, .edge], beside: .benchTransitions)
            let chosen = names.contains("all") ? TransitionCatalog.all.map(\.name) : names
            return .transitions(
                try chosen.map { (name) throws(CommandError) in
                    return try rethrow(
                        TransitionCatalog.transition(name).make(),
                        as: { (error: ParameterError) in CommandError.usage("--transition: \(error)") })
                })
        }
        guard arguments.has(.benchBackdrop) else { return .blurs }
        try refuse(ofBlurs + [.benchMaxRatio], beside: .benchBackdrop)
        return .backdrop
    }

    /// The maximum number of pixels. In the widest format, a picture with this number of pixels takes 2 GiB. A
    /// measurement needs two pictures.
    private static let maximumPixels = 1 << 28
}

extension PictureSize {
    /// Returns the size of the same picture at 1/`factor` of the resolution. Each side is at least one pixel.
    func reduced(by factor: Int) -> PictureSize {
        PictureSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }
}
