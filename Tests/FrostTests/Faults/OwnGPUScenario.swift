import CFaultyGL
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Glibc
import Testing

/// Whether the call that fails is one of the first work, for which the GPU is opened or adopted and programs are made,
/// or of work for which Frost has everything but textures of its size.
enum FaultMoment: String, CaseIterable {
    case first, later
}

/// A picture that a renderer makes on a GPU of its own.
struct OwnGPUScenario: FaultScenario {
    let name: String
    let moment: FaultMoment
    let effect: Effect
    let mask: MaskImage?
    let transfer: TransferPath
    /// The device to open. For nil, Frost opens every device to look for hardware, which takes more calls.
    let device: String?
    /// Whether the CPU may replace the GPU.
    let isAutomatic: Bool
    private let image: PixelBuffer
    private let library: String
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)

    /// The maximum duration of a call, in seconds, if a call blocks.
    private static let timeout = 0.3
    let blockedMilliseconds: UInt32 = 600_000
    var title: String { "\(name), \(moment) picture" }
    var size: (width: Int, height: Int) { (image.width, image.height) }

    init(
        _ name: String, _ moment: FaultMoment, _ effect: Effect, mask: MaskImage? = nil, _ transfer: TransferPath,
        device: String? = "0", isAutomatic: Bool = false
    ) throws {
        self.name = name
        self.moment = moment
        self.effect = effect
        self.mask = mask
        self.transfer = transfer
        self.device = device
        self.isAutomatic = isAutomatic
        image = try TestImage.noise(100, 70, Self.format)
        library = "faulty calls: \(name), \(moment)"
    }

    func expected() throws -> [UInt8] {
        try Renderer(backend: .cpu, threads: 1).renderNow(image, effect, mask: mask).image.bytes
    }

    private func open(_ failure: CallFailure) throws -> Renderer {
        // Calls are slow on a busy machine. Only a failure that blocks needs a short timeout.
        let options = GPUOptions(
            context: ContextOptions(libraryName: library, checksEveryCall: false),
            timeout: failure.outcome == FAULTY_BLOCKED ? Self.timeout : 30, programCache: .off, transfer: transfer)
        guard isAutomatic else {
            return try Renderer(backend: .gpu, device: device, threads: 1, options: options)
        }
        let renderer = try FaultTests.automatic(options)
        renderer.prepare(for: Self.format)
        return renderer
    }

    private func picture(_ renderer: Renderer) throws -> [UInt8] {
        let rendered = try renderer.renderNow(image, effect, mask: mask)
        if rendered.report.backend == .cpu {
            #expect(isAutomatic && rendered.report.reason.contains(": "), "no reason: \(rendered.report.reason)")
        }
        return rendered.image.bytes
    }

    func attempt(_ failure: CallFailure) throws -> Attempt {
        var attempt = Attempt()
        CallFailure.none.set()
        // SAFETY: the registered functions have the types of the EGL and GL functions.
        try unsafe EGLLibrary.register(library, faulty_get_proc_address)
        let before = faulty_existing()
        try render(failure, &attempt, since: before)
        // The renderer was released. A thread that was abandoned keeps its context and its objects, and what could not
        // be deleted stays.
        if failure.outcome != FAULTY_BLOCKED, !failure.isDeletion { attempt.checkNothingLeft(since: before) }
        return attempt
    }

    private func render(_ failure: CallFailure, _ attempt: inout Attempt, since before: faulty_objects) throws {
        var renderer: Renderer?
        switch moment {
        case .first:
            failure.set()
            renderer = try? open(failure)
        case .later:
            let opened = try open(failure)
            _ = try opened.renderNow(TestImage.noise(40, 30, Self.format), effect, mask: mask)
            failure.set()
            renderer = opened
        }
        attempt.picture = renderer.flatMap { try? picture($0) }
        attempt.finish()
        let isBlocked = failure.outcome == FAULTY_BLOCKED && attempt.failures > 0
        if isBlocked, let renderer { attempt.meanwhile = try? picture(renderer) }
        CallFailure.none.set()
        if isBlocked {
            // The call returns now.
            let executor = try renderer?.slot.executor
            while let executor, (try? executor.checkDriver()) == nil { usleep(500) }
        }
        // Frost may still wait for the end of the call.
        for _ in 0..<5000 where isBlocked && renderer == nil {
            renderer = try? open(failure)
            if renderer == nil { usleep(1000) }
        }
        if renderer == nil { renderer = attempt.require("opening again") { try open(failure) } }
        guard let renderer else { return }
        attempt.next = attempt.require("the next picture") { try picture(renderer) }
        guard let executor = try renderer.slot.executor else { return }
        let counted = executor.statistics.objects
        // If a format cannot be rendered to, because a call failed while it was tried, another one may take more memory.
        if moment == .later { attempt.bytes = counted.bytes }
        if !isBlocked, !failure.isDeletion { attempt.checkObjects(counted, since: before) }
    }
}
