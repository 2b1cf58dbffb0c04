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

    /// Runs memcpy and the blur alternately, from the same source to the same target.
    ///
    /// The warm-up takes two runs, or eight runs for the automatic choice, which needs several runs to settle. Warm-up
    /// ends early after 2 s. Then the measured runs begin. They end when there are at least `runs` of them and 0.3 s
    /// have passed. They also end after 1000 runs, or with the run in progress after 30 s.
    func measure(
        _ source: PixelBuffer, _ effect: Effect, format: BenchFormat, runs: Int, verify: Bool
    ) throws(CommandError) -> Measurement {
        do throws(FrostError) {
            var target = PixelBuffer(layout: try Self.layout(of: source, effect))
            var (copies, blurs, plains): ([Double], [Double], [Double]) = ([], [], [])
            var best: RenderReport?
            var fastest = Double.infinity
            try run(source, effect, into: &target) { (copy, blur, plain) throws(FrostError) in
                let clock = ContinuousClock()
                var began = clock.now
                for warmUp in 0..<(renderer.backend == .auto ? 8 : 2)
                where warmUp == 0 || (clock.now - began).milliseconds < 2000 {
                    copy()
                    try plain?()
                    _ = try blur()
                }
                began = clock.now
                repeat {
                    let start = clock.now
                    copy()
                    let copied = clock.now
                    let report = try blur()
                    let end = clock.now
                    copies.append((copied - start).milliseconds)
                    blurs.append((end - copied).milliseconds)
                    if let plain {
                        try plain()
                        plains.append((clock.now - end).milliseconds)
                    }
                    if (end - copied).milliseconds < fastest {
                        fastest = (end - copied).milliseconds
                        best = report
                    }
                } while Self.goesOn(runs: blurs.count, of: runs, milliseconds: (clock.now - began).milliseconds)
            }
            guard let best else { throw .cancelled }
            var measurement = Measurement(
                size: PictureSize(width: source.width, height: source.height), format: format, effect: effect,
                asked: renderer.backend, backend: best.backend, device: best.device,
                threads: best.backend == .gpu ? nil : renderer.threads,
                blur: Measurement.Timing(blurs), memcpy: Measurement.Timing(copies), errorBound: best.errorBound,
                reason: best.reason, warning: best.warning)
            if best.backend == .gpu {
                measurement.upload = best.uploadMilliseconds
                measurement.readback = best.readbackMilliseconds
            }
            if !plains.isEmpty { measurement.plain = Measurement.Timing(plains) }
            if verify {
                let exact = try renderer.exact(source, effect)
                do throws(PixelError) { measurement.error = try Comparison(SampleRows(target), exact) } catch {
                    throw .pixels(error)
                }
            }
            return measurement
        } catch {
            throw .frost(error)
        }
    }

    static func goesOn(runs: Int, of wanted: Int, milliseconds: Double) -> Bool {
        (runs < wanted || milliseconds < 300) && runs < 1000 && milliseconds < 30_000
    }

    private static func layout(of source: PixelBuffer, _ effect: Effect) throws(FrostError) -> PixelLayout {
        do throws(PixelError) {
            return try PixelLayout(
                width: source.width, height: source.height, format: effect.outputFormat(for: source.format))
        } catch {
            throw .pixels(error)
        }
    }

    /// Calls `body` with functions whose time `body` measures: `copy` runs a memcpy, and `blur` applies the effect. If
    /// the effect has output stages, `plain` runs its blur without these stages.
    private func run(
        _ source: PixelBuffer, _ effect: Effect, into target: inout PixelBuffer,
        _ body: (
            _ copy: () -> Void, _ blur: () throws(FrostError) -> RenderReport, _ plain: (() throws(FrostError) -> Void)?
        ) throws(FrostError) -> Void
    ) throws(FrostError) {
        let layout = target.layout
        // SAFETY: the pointers are used only in the closures, and the images are as large as their layouts state. The
        // target is at least as large as the source, because its format is that of the source, or that of the source
        // with alpha added.
        try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeMutableBytes { (to) throws(FrostError) in
                guard let reading = from.baseAddress, let writing = to.baseAddress else { return }
                let count = source.layout.byteCount
                func render(_ effect: Effect) throws(FrostError) -> RenderReport {
                    try unsafe renderer.render(
                        PixelSource(reading, layout: source.layout), effect, region: source.layout.extent,
                        into: PixelTarget(writing, layout: layout))
                }
                let plain = Effect(name: effect.name, kernel: effect.kernel)
                try body(
                    { unsafe memcpy(writing, reading, count) }, { () throws(FrostError) in try render(effect) },
                    effect.outputStages.isEmpty ? nil : { () throws(FrostError) in _ = try render(plain) })
            }
        }
    }
}
