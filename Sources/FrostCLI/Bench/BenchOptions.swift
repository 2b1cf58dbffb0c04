import Frost

extension Option {
    static let benchInput = Option(
        "input", value: "FILE", kind: .file,
        "measure on this PNG at its own size; with --size it is cut or, in mirror images,\n"
            + "repeated to that size. Without it: a synthetic picture, always the same")
    static let benchSizes = Option("size", value: "WxH,...", "sizes to measure (default 1920x1080,3840x2160)")
    static let benchSigmas = Option(
        "sigma", value: "S,...", "standard deviations to measure (default 0.7,1,2,3,5,8,12,30,100,400)")
    static let benchEffects = Option(
        "effect", value: "NAME,...", kind: .effectNames,
        "measure these effects with their defaults instead of blurs, each in turn with its blur alone")
    static let benchBackends = Option(
        "backend", value: "NAME,...", kind: .list(Backend.self),
        "auto, cpu, gpu, exact (default cpu, and gpu and auto if there is a hardware GPU)"
    )
    static let benchThreads = Option(
        "threads", value: "N,...", "numbers of threads of the CPU to measure, 1 to 256 (default: all processors)")
    static let benchFormat = Option(
        "format", value: "NAME", kind: .word(BenchFormat.self),
        "rgba8 (default), rgb8, grey8, rgba16: opaque;\nor rgba8-straight: soft, straight alpha")
    static let benchRuns = Option(
        "runs", value: "N", "measured runs, at least, 1 to 1000 (default 7, and 0.3 s; fewer where they take over 30 s)"
    )
    static let benchVerify = Option(
        "verify", "measure the error too, against the exact result; exit with 1 where it exceeds the promise")
    static let benchMaxRatio = Option(
        "max-ratio", value: "R", "exit with 1 if any blur takes more than R times as long as its memcpy")
    static let benchMaxLoss = Option(
        "max-loss", value: "PERCENT",
        "exit with 1 if auto takes over PERCENT longer than the better of cpu and gpu, measured\nbeside it, and still does when both are measured again"
    )
    static let benchCSV = Option("csv", value: "FILE", kind: .file, "write the measurements as CSV")
    static let benchMarkdown = Option(
        "markdown", value: "FILE", kind: .file, "write the measurements as a table in Markdown")
    static let benchPlot = Option(
        "plot", value: "FILE.svg", kind: .file,
        "measure what the plot needs besides, and draw time against sigma, against pixels,\n"
            + "and against radius for pictures that are reduced beforehand")
}

/// What the command line asks to be measured.
struct BenchRequest {
    /// Empty: the input's own.
    let sizes: [BenchSize]
    let effects: [Effect]
    let backends: [Backend]?
    let device: String?
    /// Empty: all processors.
    let threads: [Int]
    let format: BenchFormat
    let runs: Int
    let verifies: Bool
    let maximumRatio: Double?
    let maximumLoss: Double?

    static let defaultSigmas = [0.7, 1, 2, 3, 5, 8, 12, 30, 100, 400]

    init(_ arguments: Arguments) throws(CommandError) {
        guard arguments.operands.isEmpty else {
            throw .usage("unexpected operand \(arguments.operands[0]); the picture is named by --input")
        }
        let given = try arguments.value(.benchSizes).map(BenchSize.list)
        let standard = [BenchSize(width: 1920, height: 1080), BenchSize(width: 3840, height: 2160)]
        sizes = given ?? (arguments.has(.benchInput) ? [] : standard)
        let edge = try arguments.choice(.edge, EdgeMode.self) ?? .clamp
        guard !arguments.has(.benchEffects) || !arguments.has(.benchSigmas) && !arguments.has(.edge) else {
            throw .usage("--effect excludes --sigma and --edge, which effects have of their own")
        }
        var effects: [Effect] = []
        for description in try arguments.chosenEffects(.benchEffects) ?? [] {
            let effect = try arguments.effect(description)
            guard effect.mask != .image else {
                throw .usage("--effect \(effect.name): it needs a mask, bench has none")
            }
            effects.append(effect)
        }
        for sigma in try arguments.has(.benchEffects)
            ? [] : arguments.numbers(.benchSigmas, in: GaussianBlur.sigmaRange) ?? Self.defaultSigmas
        {
            do throws(ParameterError) { effects.append(Effect(try GaussianBlur(sigma: sigma, edge: edge))) } catch {
                throw .usage(error.description)
            }
        }
        self.effects = effects
        if arguments.has(.benchPlot), !effects.contains(where: { $0.gaussian != nil }) {
            throw .usage("--plot draws Gaussians; --effect names none")
        }
        device = arguments.value(.device)
        let named = try arguments.value(.benchBackends).map(Self.backends)
        backends = named ?? (device == nil ? nil : [.cpu, .gpu])
        if device != nil, let named, !named.contains(.gpu), !named.contains(.auto) {
            throw .usage("--device names a GPU, --backend \(arguments.value(.benchBackends) ?? "") uses none")
        }
        threads =
            try arguments.numbers(.benchThreads, in: 1...256)?.map { (number) throws(CommandError) in
                guard number == number.rounded() else { throw .usage("--threads \(number): not a whole number") }
                return Int(number)
            } ?? []
        format = try arguments.choice(.benchFormat, BenchFormat.self) ?? .rgba8
        runs = try arguments.integer(.benchRuns, in: 1...1000) ?? 7
        verifies = arguments.has(.benchVerify)
        maximumRatio = try arguments.number(.benchMaxRatio, in: 0...1e6)
        maximumLoss = try arguments.number(.benchMaxLoss, in: 0...1e6)
        if maximumLoss != nil, let named, !named.contains(.auto) || !named.contains(.cpu) && !named.contains(.gpu) {
            throw .usage("--max-loss compares auto with cpu or gpu: --backend has to name both")
        }
    }

    private static func backends(_ text: String) throws(CommandError) -> [Backend] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { (name) throws(CommandError) in
            guard let backend = Backend(rawValue: String(name)) else {
                let names = Backend.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("--backend \(name): allowed are \(names)")
            }
            return backend
        }
    }
}

/// A picture's size, written as 3840x2160.
struct BenchSize: Hashable, CustomStringConvertible {
    var width: Int
    var height: Int

    var pixels: Int { width * height }
    var description: String { "\(width)x\(height)" }

    static let allowedSides = 1...32768
    /// 2 GiB for each of the two pictures at the widest format.
    static let maximumPixels = 1 << 28

    /// Sizes separated by commas.
    static func list(_ text: String) throws(CommandError) -> [BenchSize] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { (part) throws(CommandError) in
            let sides = part.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else {
                throw .usage("--size \(part): two whole numbers as WxH are needed")
            }
            guard allowedSides.contains(width), allowedSides.contains(height), width * height <= maximumPixels else {
                throw .usage(
                    "--size \(part) is out of range: allowed are sides of \(allowedSides.lowerBound) to "
                        + "\(allowedSides.upperBound) and at most \(maximumPixels) pixels")
            }
            return BenchSize(width: width, height: height)
        }
    }

    /// The size of the same picture at 1/`factor` of the resolution, at least one pixel.
    func reduced(by factor: Int) -> BenchSize {
        BenchSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }
}
