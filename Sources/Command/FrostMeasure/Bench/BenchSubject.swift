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
                let auto = try Renderer()
                auto.prepare(for: request.format.pixels)
                guard auto.reasonForCPU == nil else { return subjects }
                return subjects + [BenchSubject(try Renderer(backend: .gpu)), BenchSubject(auto)]
            }
            for backend in backends {
                for count in threads {
                    let device = backend == .gpu || backend == .auto ? request.device : nil
                    let subject = BenchSubject(try Renderer(backend: backend, device: device, threads: count))
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

    private enum Work { case copy, blur, plain }

    /// Measures a memcpy and the blur alternately, from the same source to the same target. The automatic choice needs
    /// several runs to settle.
    func measure(
        _ source: PixelBuffer, _ effect: Effect, format: BenchFormat, runs: Int, verify: Bool
    ) throws(CommandError) -> Measurement {
        do throws(FrostError) {
            var target = PixelBuffer(layout: try Self.layout(of: source, effect))
            var reports: [RenderReport] = []
            var times = Stopwatch.Times<Work>()
            let plain = effect.outputStages.isEmpty ? nil : Effect(name: effect.name, blur: effect.blur)
            let stopwatch = Stopwatch(runs: runs, warmUps: renderer.backend == .auto ? 8 : 2)
            try run(source, into: &target) { (copy, render) throws(FrostError) in
                times = try stopwatch.times(of: [.copy, .blur] + (plain == nil ? [] : [.plain])) {
                    (work, _) throws(FrostError) in
                    switch work {
                    case .copy: copy()
                    case .blur: reports.append(try render(effect))
                    case .plain: if let plain { _ = try render(plain) }
                    }
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
            if best.backend == .gpu {
                measurement.upload = best.uploadMilliseconds
                measurement.readback = best.readbackMilliseconds
            }
            if verify {
                let exact = try renderer.exact(source, effect)
                measurement.error = try rethrow(Comparison(SampleRows(target), exact), as: FrostError.pixels)
            }
            return measurement
        } catch {
            throw .frost(error)
        }
    }

    private static func layout(of source: PixelBuffer, _ effect: Effect) throws(FrostError) -> PixelLayout {
        do throws(PixelError) {
            return try PixelLayout(
                width: source.width, height: source.height, format: effect.outputFormat(for: source.format))
        } catch {
            throw .pixels(error)
        }
    }

    /// Calls `body` with a function that runs a memcpy, and one that applies an effect.
    private func run(
        _ source: PixelBuffer, into target: inout PixelBuffer,
        _ body: (_ copy: () -> Void, _ render: (Effect) throws(FrostError) -> RenderReport) throws(FrostError) -> Void
    ) throws(FrostError) {
        let layout = target.layout
        // SAFETY: the pointers are used only in the closures, and the images are as large as their layouts state. The
        // target is at least as large as the source, because its format is that of the source, or that of the source
        // with alpha added.
        try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeMutableBytes { (to) throws(FrostError) in
                guard let reading = from.baseAddress, let writing = to.baseAddress else { return }
                let count = source.layout.byteCount
                try body({ unsafe memcpy(writing, reading, count) }) { (effect) throws(FrostError) in
                    try unsafe renderer.render(
                        PixelSource(reading, layout: source.layout), effect, region: source.layout.extent,
                        into: PixelTarget(writing, layout: layout))
                }
            }
        }
    }
}
