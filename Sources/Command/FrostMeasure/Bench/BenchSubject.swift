import Frost
import FrostCLI
import Glibc

/// A renderer that the benchmark measures.
struct BenchSubject {
    let renderer: Renderer
    /// The name of the renderer, in the form of ``Measurement/subject``.
    let name: String

    /// Returns a renderer for each backend and, on the CPU, for each number of threads.
    static func all(_ request: BenchRequest) throws(CommandError) -> [BenchSubject] {
        var subjects: [BenchSubject] = []
        let threads: [Int?] = request.threads.isEmpty ? [nil] : request.threads.map { $0 }
        do throws(FrostError) {
            guard let backends = request.backends else {
                for count in threads { subjects.append(BenchSubject(try Renderer(backend: .cpu, threads: count))) }
                let auto = try Renderer(options: request.gpu)
                auto.prepare(for: request.format.pixels)
                guard auto.reasonForCPU == nil else { return subjects }
                return subjects + [BenchSubject(try Renderer(backend: .gpu, options: request.gpu)), BenchSubject(auto)]
            }
            for backend in backends {
                for count in threads {
                    let device = backend == .gpu || backend == .auto ? request.device : nil
                    let subject = BenchSubject(
                        try Renderer(backend: backend, device: device, threads: count, options: request.gpu))
                    subject.renderer.prepare(for: request.format.pixels)
                    subjects.append(subject)
                    // The number of CPU threads does not matter for a GPU, so a GPU is measured only once.
                    if subject.renderer.backend == .gpu { break }
                }
            }
        } catch {
            throw .frost(error)
        }
        return subjects
    }

    private init(_ renderer: Renderer) {
        self.renderer = renderer
        let isGPU = renderer.backend == .gpu
        name = Measurement.subject(
            renderer.backend, device: isGPU ? renderer.deviceName : nil, threads: isGPU ? nil : renderer.threads)
    }

    private enum Operation { case copy, blur, plain, pinned, stream }

    /// Measures a memcpy and the blur alternately, from the same source to the same target. The automatic choice needs
    /// several runs to settle.
    func measure(
        _ source: PixelBuffer, _ effect: Effect, format: BenchFormat, runs: Int, verify: Bool
    ) throws(FrostError) -> Measurement {
        // The target has room for the source, because its format is that of the source, or that with alpha added.
        var target = PixelBuffer(
            layout: try rethrow(
                PixelLayout(
                    width: source.width, height: source.height, format: effect.outputFormat(for: source.format)),
                as: FrostError.pixels))
        var reports: [RenderReport] = []
        let plain = effect.plain
        let stopwatch = Stopwatch(runs: runs, warmUps: renderer.backend == .auto ? 8 : 2)
        let pinned =
            try renderer.backend == .gpu && effect.mask != .image ? PinnedPictures(source, effect, renderer) : nil
        let operations =
            [Operation.copy, .blur] + (plain == nil ? [] : [.plain]) + (pinned == nil ? [] : [.pinned, .stream])
        let times = try stopwatch.times(of: operations) { (operation, _) throws(FrostError) in
            switch operation {
            case .copy: target.copyBytes(of: source)
            case .blur: reports.append(try render(source, effect, into: &target))
            case .plain: if let plain { _ = try render(source, plain, into: &target) }
            case .pinned: try pinned?.render(effect)
            case .stream: try pinned?.stream(effect)
            }
        }
        let blur = times[.blur]
        guard let best = reports.suffix(blur.runs).dropFirst(blur.fastest).first else { throw .cancelled }
        var measurement = Measurement(
            size: PictureSize(width: source.width, height: source.height), format: format, effect: effect,
            asked: renderer.backend, backend: best.backend, device: best.device,
            threads: best.backend == .gpu ? nil : renderer.threads,
            blur: blur, memcpy: times[.copy], plain: plain == nil ? nil : times[.plain],
            errorBound: best.errorBound, reason: best.reason, warning: best.warning)
        if pinned != nil {
            measurement.pinned = times[.pinned]
            measurement.stream = times[.stream, dividedBy: PinnedPictures.streamed]
        }
        if best.backend == .gpu {
            measurement.upload = best.uploadMilliseconds
            measurement.readback = best.readbackMilliseconds
        }
        if verify {
            _ = try render(source, effect, into: &target)
            let exact = try renderer.exact(source, effect, mask: Self.mask(of: effect))
            measurement.error = try rethrow(Comparison(SampleRows(target), exact), as: FrostError.pixels)
        }
        return measurement
    }

    private func render(
        _ source: PixelBuffer, _ effect: Effect, into target: inout PixelBuffer
    ) throws(FrostError) -> RenderReport {
        let layout = target.layout
        // SAFETY: the images are as large as their layouts state, and are used only during the call.
        return try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeMutableBytes { (to) throws(FrostError) in
                guard let from = from.baseAddress, let to = to.baseAddress else {
                    throw .pixels(.tooFewBytes(have: 0, need: 1))
                }
                return try unsafe renderer.render(
                    PixelSource(from, layout: source.layout), effect, mask: Self.mask(of: effect),
                    region: source.layout.extent, into: PixelTarget(to, layout: layout))
            }
        }
    }

    /// Returns the mask image of an effect that needs one; nil for other effects.
    private static func mask(of effect: Effect) -> MaskImage? { effect.mask == .image ? ramp : nil }

    /// A mask that varies along rows, so that each row has all sigmas.
    private static let ramp = MaskImage(width: 256, height: 1, values: (0..<256).map { Float($0) / 255 })
}

extension Effect {
    /// The blur of the effect without its other steps, for comparison: the Gaussian of the largest sigma for a variable blur; nil
    /// if the effect is such a blur.
    fileprivate var plain: Effect? {
        if let blur = blur as? VariableBlur, let plain = try? GaussianBlur(sigma: blur.sigma, edge: blur.edge) {
            return Effect(plain)
        }
        return outputStages.isEmpty ? nil : Effect(name: name, blur: blur)
    }
}

extension PixelBuffer {
    /// Copies the bytes of a picture to the beginning of this one, which has room for them, by memcpy.
    mutating func copyBytes(of source: PixelBuffer) {
        precondition(source.layout.byteCount <= layout.byteCount)
        // SAFETY: the bytes fit, and the copy ends within the call.
        unsafe source.withUnsafeBytes { from in
            unsafe withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                unsafe memcpy(to, from, source.layout.byteCount)
            }
        }
    }
}
