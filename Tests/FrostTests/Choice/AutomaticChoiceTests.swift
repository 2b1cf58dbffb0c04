@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests the automatic choice of the backend. Software GL takes the place of a GPU, and the times are simulated.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct AutomaticChoiceTests {
    /// Creates a renderer that chooses software GL too.
    ///
    /// - Parameter machine: the machine whose times are used; nil for the measured times.
    private func renderer(
        _ machine: SyntheticMachine?, cache: ExperienceCache = ExperienceCache(folder: nil),
        options: GPUOptions = GPUOptions()
    ) throws(FrostError) -> Renderer {
        var environment = ChoiceEnvironment()
        environment.selector = .any
        environment.missingHardware = { nil }
        environment.cache = cache
        environment.now = { 1_700_000_000 }
        environment.reading = { backend, request, seconds in machine?.seconds(request, on: backend) ?? seconds }
        return try Renderer(backend: .auto, device: nil, threads: 2, options: options, environment: environment)
    }

    /// Three simulated machines. The GPU of `card` is faster than the CPU from a certain size on, the GPU of `rescue` is
    /// much faster, and the GPU of `slow` is slower.
    private let card = SyntheticMachine.all[3]
    private let rescue = SyntheticMachine.all[4]
    private let slow = SyntheticMachine.all[0]

    /// The times are really measured on this machine. Each blur must run on the backend that its reason names, and its
    /// pixels must be correct, also in the runs on trial.
    @Test func measuresThisMachine() throws {
        let renderer = try renderer(nil)
        renderer.prepare()
        let name = try #require(renderer.deviceName)
        let exact = try Renderer(backend: .exact)
        var seen: Set<Backend> = []
        for (side, sigma) in [(16, 2.0), (300, 0.7), (300, 8)] {
            let image = try TestImage.noise(side, side)
            let effect = try GaussianBlur(sigma: sigma)
            for _ in 0..<8 {
                let rendered = try renderer.blurNow(image, effect)
                let report = rendered.report
                seen.insert(report.backend)
                switch report.backend {
                case .cpu: #expect(report.reason.hasSuffix(" on \(name)") && report.device == nil)
                case .gpu: #expect(report.reason.hasPrefix("hardware GPU: ") && report.device == name)
                case .auto, .exact: Issue.record("\(report)")
                }
                // The reason states the chosen backend's time first.
                let times = report.reason.split(separator: " ").compactMap { Double($0) }
                #expect(report.reason.contains("on trial") || times.count < 2 || times[0] <= times[1])
                let steps = try Comparison(SampleRows(rendered.image), exact.exact(image, effect)).maximum
                #expect(steps <= 1)
            }
        }
        #expect(seen == [.cpu, .gpu])
    }

    /// By the simulated times, one of the backends is faster. After the trials, the automatic choice must select this
    /// backend, for every size of a grid of small sizes. Another renderer that shares the cache, which stands for another
    /// process, knows it at once.
    @Test func picksTheBetter() throws {
        let folder = try ScratchFolder()
        let first = try renderer(card, cache: ExperienceCache(folder: folder.path))
        let second = try renderer(card, cache: ExperienceCache(folder: folder.path))
        var seen: Set<Backend> = []
        for renderer in [first, second] {
            renderer.prepare()
            for side in [16, 64, 256, 700] {
                for sigma in [1, 2.4, 8, 100] {
                    let image = try TestImage.noise(side, side)
                    let effect = try GaussianBlur(sigma: sigma)
                    let request = BlurRequest(try effect.plan(extent: image.layout.extent), image.format)
                    if renderer === first { for _ in 0..<6 { _ = try renderer.blurNow(image, effect) } }
                    let report = try renderer.blurNow(image, effect).report
                    let (cpu, gpu) = (card.seconds(request, on: .cpu), card.seconds(request, on: .gpu))
                    #expect(report.backend == (gpu < cpu ? .gpu : .cpu), "\(side), \(sigma): \(report.reason)")
                    #expect(
                        report.reason.contains("\(milliseconds(min(cpu, gpu))), against \(milliseconds(max(cpu, gpu)))")
                    )
                    seen.insert(report.backend)
                }
            }
        }
        #expect(seen == [.cpu, .gpu])
    }

    /// A few small blurs do not make the renderer open a GPU.
    @Test func smallWorkOpensNothing() throws {
        let renderer = try renderer(card)
        for _ in 0..<10 {
            let report = try renderer.blurNow(TestImage.noise(64, 64), GaussianBlur(sigma: 3)).report
            #expect(report.backend == .cpu)
            #expect(report.reason.hasPrefix("too little work so far to open a GPU: "))
        }
        #expect(renderer.deviceName == nil && renderer.reasonForCPU == nil)
    }

    /// A long series of blurs opens the GPU and settles on it. The next renderer knows the times, and opens the GPU as soon
    /// as this saves time.
    @Test func muchWorkOpensTheGPU() throws {
        let cache = ExperienceCache(folder: nil)
        let image = try TestImage.noise(700, 500)
        let effect = try GaussianBlur(sigma: 8)
        func until(_ backend: Backend, _ renderer: Renderer) throws -> [RenderReport] {
            var reports: [RenderReport] = []
            repeat {
                reports.append(try renderer.blurNow(image, effect).report)
            } while reports.count < 1000 && reports.last?.backend != backend
            return reports
        }
        let first = try renderer(rescue, cache: cache)
        let reports = try until(.gpu, first)
        #expect((10..<1000).contains(reports.count))
        #expect(reports.last?.reason.hasPrefix("hardware GPU: on trial") == true)
        for _ in 0..<3 { _ = try first.blurNow(image, effect) }

        let second = try renderer(rescue, cache: cache)
        let report = try second.blurNow(image, effect).report
        #expect(report.backend == .cpu)
        #expect(report.reason.hasSuffix(" to open it first"))
        #expect(second.deviceName == nil)
        #expect((10..<1000).contains(try until(.gpu, second).count))
    }

    /// If earlier blurs found the GPU slower, the renderer does not open it.
    @Test func aLosingGPUStaysClosed() throws {
        let cache = ExperienceCache(folder: nil)
        let image = try TestImage.noise(200, 200)
        let effect = try GaussianBlur(sigma: 2)
        let first = try renderer(slow, cache: cache)
        first.prepare()
        for _ in 0..<100 { _ = try first.blurNow(image, effect) }
        let second = try renderer(slow, cache: cache)
        for _ in 0..<50 {
            let report = try second.blurNow(image, effect).report
            #expect(report.backend == .cpu)
            #expect(report.reason.contains(", against ") && !report.reason.contains("to open"))
        }
        #expect(second.deviceName == nil)
    }

    /// A GPU that fails in a class of blurs is not tried there for ever.
    @Test func aGPUThatFails() throws {
        let renderer = try renderer(.broken)
        renderer.prepare()
        let image = try TestImage.noise(300, 200)
        let reports = try (0..<10).map { _ in try renderer.blurNow(image, GaussianBlur(sigma: 3)).report }
        #expect(reports.map(\.backend) == [.cpu, .gpu, .cpu, .gpu, .cpu, .cpu, .cpu, .cpu, .cpu, .cpu])
        #expect(reports.last?.reason.contains("against a failure on ") == true)
    }

    /// If no GPU can be opened, the CPU is used. The reason lists the GPUs that were tried.
    @Test func noGPUAfterAll() throws {
        let options = GPUOptions(context: ContextOptions(libraryName: "libEGL-that-is-missing.so.1"))
        let renderer = try renderer(nil, options: options)
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

    /// Many threads blur images while the GPU is opened and tried. All results must be correct.
    @Test func manyThreads() async throws {
        let renderer = try renderer(card)
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
        #expect(renderer.deviceName != nil)
    }
}
