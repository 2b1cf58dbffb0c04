@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Synchronization
import Testing

/// Tests the automatic choice of the backend. Software GL takes the place of a GPU, and the times are simulated.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct AutomaticChoiceTests {
    /// A simulated machine that counts its measurements.
    private final class World: Sendable {
        let probes = Mutex(0)
        let firsts = Mutex(0)
        let cache: ProfileCache
        let machine: SyntheticMachine?

        init(_ machine: SyntheticMachine?, cache: ProfileCache = ProfileCache(folder: nil)) {
            self.machine = machine
            self.cache = cache
        }

        /// How many times both backends were measured.
        var sets: Int { firsts.withLock { $0 / ProbeCase.rounds } }

        /// Creates a renderer that uses the cache and the times of this simulated machine.
        func renderer(fails: FrostError? = nil) throws(FrostError) -> Renderer {
            var environment = ChoiceEnvironment()
            environment.selector = .any
            environment.missingHardware = { nil }
            environment.cache = cache
            environment.now = { 1_700_000_000 }
            let measured = environment.probe
            environment.probe = { [self] (one, format, backend, subjects) throws(FrostError) in
                probes.withLock { $0 += 1 }
                if one == ProbeCase.usual.first, backend == .cpu { firsts.withLock { $0 += 1 } }
                if let fails { throw fails }
                guard let machine else { return try measured(one, format, backend, subjects) }
                return try machine.seconds(one, format, on: backend)
            }
            environment.reading = { [machine] backend, work, seconds in machine?.seconds(work, on: backend) ?? seconds }
            return try Renderer(
                backend: .auto, device: nil, threads: 2, options: GPUOptions(), environment: environment)
        }
    }

    /// Three simulated machines. The GPU of `card` is faster than the CPU from a certain size on, the GPU of `rescue` is
    /// much faster, and the GPU of `slow` is slower.
    private let card = SyntheticMachine.all[3]
    private let rescue = SyntheticMachine.all[5]
    private let slow = SyntheticMachine.all[0]

    /// The times are really measured on this machine. Each blur must run on the backend that its reason names, and its
    /// pixels must be correct.
    @Test func measuresThisMachine() throws {
        let world = World(nil)
        let renderer = try world.renderer()
        renderer.prepare()
        let name = try #require(renderer.deviceName)
        #expect(world.sets == 1)
        let exact = try Renderer(backend: .exact)
        for (side, sigma) in [(16, 2.0), (300, 0.7), (300, 8)] {
            let image = try TestImage.noise(side, side)
            let effect = try GaussianBlur(sigma: sigma)
            for _ in 0..<8 {
                let rendered = try renderer.blurNow(image, effect)
                let report = rendered.report
                switch report.backend {
                case .cpu: #expect(report.reason.hasSuffix(" on \(name)") && report.device == nil)
                case .gpu: #expect(report.reason.hasPrefix("hardware GPU: ") && report.device == name)
                case .auto, .exact: Issue.record("\(report)")
                }
                // The reason states the chosen backend's time first.
                let times = report.reason.split(separator: " ").compactMap { Double($0) }
                #expect(times.count >= 2 && (times[0] <= times[1] || report.reason.contains("on trial")))
                let steps = try Comparison(SampleRows(rendered.image), exact.exact(image, effect)).maximum
                #expect(steps <= 1)
            }
        }
    }

    /// By the simulated times, one of the backends is faster. The automatic choice must select this backend, for every size
    /// of a grid of small sizes.
    @Test func picksTheBetter() throws {
        let world = World(card)
        let renderer = try world.renderer()
        renderer.prepare()
        var seen: Set<Backend> = []
        for side in [16, 64, 256, 700] {
            for sigma in [1, 2.4, 8, 100] {
                let image = try TestImage.noise(side, side)
                let effect = try GaussianBlur(sigma: sigma)
                let work = Workload(try effect.plan(extent: image.layout.extent), image.format)
                let (cpu, gpu) = (card.seconds(work, on: .cpu), card.seconds(work, on: .gpu))
                let reports = try (0..<7).map { _ in try renderer.blurNow(image, effect).report }
                for report in [reports[0], reports[6]] {
                    #expect(report.backend == (gpu < cpu ? .gpu : .cpu), "\(side), \(sigma): \(report.reason)")
                    seen.insert(report.backend)
                }
                let better = milliseconds(min(cpu, gpu))
                #expect(reports[0].reason.contains("\(better) estimated, against"), "\(reports[0].reason)")
                #expect(reports[6].reason.contains("\(better) measured, against"), "\(reports[6].reason)")
            }
        }
        #expect(seen == [.cpu, .gpu])
    }

    /// A few small blurs do not make the renderer open a GPU or measure anything.
    @Test func smallWorkOpensNothing() throws {
        let world = World(card)
        let renderer = try world.renderer()
        for _ in 0..<10 {
            let report = try renderer.blurNow(TestImage.noise(64, 64), GaussianBlur(sigma: 3)).report
            #expect(report.backend == .cpu)
            #expect(report.reason.hasPrefix("too little work so far to measure a GPU: "))
        }
        #expect(renderer.deviceName == nil && renderer.reasonForCPU == nil)
        #expect(world.probes.withLock { $0 } == 0)
    }

    /// A long series of blurs causes one measurement. The next renderer uses the result of this measurement, and opens the
    /// GPU as soon as this saves time.
    @Test func muchWorkOpensAndMeasures() throws {
        let world = World(rescue)
        let image = try TestImage.noise(700, 500)
        let effect = try GaussianBlur(sigma: 8)
        func until(_ backend: Backend, _ renderer: Renderer) throws -> [RenderReport] {
            var reports: [RenderReport] = []
            repeat {
                reports.append(try renderer.blurNow(image, effect).report)
            } while reports.count < 1000 && reports.last?.backend != backend
            return reports
        }
        let first = try until(.gpu, world.renderer())
        #expect((10..<1000).contains(first.count))
        #expect(first.last?.reason.hasPrefix("hardware GPU: ") == true)
        #expect(world.sets == 1)

        let renderer = try world.renderer()
        let report = try renderer.blurNow(image, effect).report
        #expect(report.backend == .cpu)
        #expect(report.reason.hasSuffix(" to open it first"))
        #expect(renderer.deviceName == nil)
        #expect(try until(.gpu, renderer).count < 1000)
        #expect(world.sets == 1)
    }

    /// If an earlier measurement found the GPU slower, the renderer does not open it.
    @Test func aLosingGPUStaysClosed() throws {
        let world = World(slow)
        try world.renderer().prepare()
        let renderer = try world.renderer()
        let image = try TestImage.noise(200, 200)
        for _ in 0..<50 {
            let report = try renderer.blurNow(image, GaussianBlur(sigma: 2)).report
            #expect(report.backend == .cpu)
            #expect(report.reason.contains(", against ") && !report.reason.contains("to open"))
        }
        #expect(renderer.deviceName == nil)
    }

    /// If the machine's driver is replaced by another one, the backends are measured again.
    @Test func anotherDriver() throws {
        let world = World(card)
        try world.renderer().prepare()
        let machine = MachineIdentity.machine(threads: 2)
        var profile = try #require(world.cache.profile(of: machine, at: 1_700_000_000))
        profile.device += " of next year"
        world.cache.keep(profile)
        try world.renderer().prepare()
        #expect(world.sets == 2)
        #expect(world.cache.profile(of: machine, at: 1_700_000_000)?.device != profile.device)
    }

    /// Each pixel format is measured separately.
    @Test func formatsAreMeasuredApart() throws {
        let world = World(card)
        let renderer = try world.renderer()
        for _ in 0..<2 {
            for format in [PixelFormat(.rgba), PixelFormat(.grey, .u16)] { renderer.prepare(for: format) }
        }
        #expect(world.sets == 2)
    }

    /// If the measurement of a GPU fails, the GPU is not used, and the report states the reason.
    @Test func aProbeThatFails() throws {
        let world = World(card)
        let error = FrostError.deviceFailed(device: "a card", .gl(.timeout(what: "drawing", seconds: 30)))
        let renderer = try world.renderer(fails: error)
        for _ in 0..<2 {
            renderer.prepare()
            let report = try renderer.blurNow(TestImage.noise(64, 64), GaussianBlur(sigma: 3)).report
            #expect(report.backend == .cpu)
            #expect(report.reason == "the GPU could not be measured: \(error)")
        }
    }

    /// If no GPU can be opened, the CPU is used. The reason lists the GPUs that were tried.
    @Test func noGPUAfterAll() throws {
        var environment = ChoiceEnvironment()
        environment.missingHardware = { nil }
        environment.cache = ProfileCache(folder: nil)
        let options = GPUOptions(context: ContextOptions(libraryName: "libEGL-that-is-missing.so.1"))
        let renderer = try Renderer(backend: .auto, device: nil, threads: 1, options: options, environment: environment)
        renderer.prepare()
        let report = try renderer.blurNow(TestImage.noise(64, 64), GaussianBlur(sigma: 3)).report
        #expect(report.backend == .cpu)
        #expect(report.reason.contains("libEGL-that-is-missing.so.1"))
        #expect(renderer.reasonForCPU == report.reason)
    }

    /// `prepare` has an effect only if the backend is chosen automatically.
    @Test func othersHaveNothingToPrepare() throws {
        for backend in [Backend.cpu, .exact] {
            let renderer = try Renderer(backend: backend)
            renderer.prepare()
            #expect(renderer.reasonForCPU == "as requested")
        }
    }

    /// Many threads blur images while the GPU is opened and measured. All results must be correct, and the measurement must
    /// run only once.
    @Test func manyThreads() async throws {
        let world = World(card)
        let renderer = try world.renderer()
        let image = try TestImage.noise(300, 200)
        let effect = try GaussianBlur(sigma: 3)
        let expected = try Renderer(backend: .cpu).blurNow(image, effect).image
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    if task == 0 { renderer.prepare() }
                    for _ in 0..<20 {
                        do {
                            let rendered = try await renderer.blur(image, effect)
                            #expect(try Comparison(rendered.image, expected).maximum <= 1)
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
        }
        #expect(world.sets == 1)
    }
}
