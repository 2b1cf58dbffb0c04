import CFaultyGL
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests drivers that fail. The failures are simulated by a layer of functions that is placed in front of the real
/// driver.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let kind: faulty_kind
        /// The number of calls that succeed before the first call fails.
        var after: Int32 = 0
        var lasts = true
        var transfer: TransferPath?
        /// True if the fault is set before the GPU is opened; otherwise it is set while the GPU works.
        var isEarly = false
        /// A text that the reason in the report must contain.
        let evidence: String

        var testDescription: String { "\(evidence), \(isEarly ? "early" : "late"), after \(after)" }
    }

    /// The first picture fails when it is read. Then the next one needs new buffers, which cannot be mapped for reading.
    private static let refusedReadback = "GL_"

    private static let faults: [Fault] = [
        Fault(kind: FAULTY_DISPLAY, isEarly: true, evidence: "eglInitialize"),
        Fault(kind: FAULTY_CONTEXT, isEarly: true, evidence: "eglCreateContext"),
        Fault(kind: FAULTY_COMPILER, isEarly: true, evidence: "does not compile"),
        Fault(kind: FAULTY_COMPILER, evidence: "does not compile"),
        Fault(kind: FAULTY_FRAMEBUFFER, isEarly: true, evidence: "cannot be rendered to"),
        Fault(kind: FAULTY_FRAMEBUFFER, evidence: "cannot be rendered to"),
        Fault(kind: FAULTY_MEMORY, evidence: "out of memory"),
        Fault(kind: FAULTY_MEMORY, after: 1, evidence: "out of memory"),
        Fault(kind: FAULTY_MEMORY, after: 2, evidence: "out of memory"),
        Fault(kind: FAULTY_RESET, evidence: "lost"),
        Fault(kind: FAULTY_RESET, after: 2, evidence: "lost"),
        Fault(kind: FAULTY_FENCE, transfer: .buffers, evidence: "took longer"),
        Fault(kind: FAULTY_READBACK, transfer: .direct, evidence: "GL_INVALID_OPERATION"),
        Fault(kind: FAULTY_READBACK, transfer: .buffers, evidence: refusedReadback),
        Fault(kind: FAULTY_DRAWS, isEarly: true, evidence: "blurs a test picture wrongly"),
    ]

    static let effect: Result<Effect, ParameterError> = Result { () throws(ParameterError) in
        Effect(
            name: "clipped", blur: try GaussianBlur(sigma: 9),
            outputStages: OutputStages(clip: [try RoundedRect(x: 20, y: 20, width: 150, height: 90, radius: 12)]))
    }

    /// Returns options that select an EGL library whose functions fail. Each library has a new name, so that data
    /// cached for another library is not used.
    private func options(_ fault: Fault, _ name: String) throws -> GPUOptions {
        let name = "faulty \(fault.testDescription) \(name)"
        // SAFETY: the registered functions have the types of the EGL and GL functions.
        try unsafe EGLLibrary.register(name, faulty_get_proc_address)
        return GPUOptions(
            context: ContextOptions(libraryName: name), timeout: 2, programCache: .off, transfer: fault.transfer)
    }

    /// Creates a renderer whose automatic choice takes the GPU to be much faster in all blurs.
    static func automatic(_ options: GPUOptions) throws -> Renderer {
        var environment = ChoiceEnvironment()
        environment.selector = .any
        environment.missingHardware = { nil }
        environment.cache = ExperienceCache(folder: nil)
        environment.unmeasured = BlurTimes(
            cpu: BlurTimes.Runs(best: 1, count: 3), gpu: BlurTimes.Runs(best: 0, count: 3))
        return try Renderer(backend: .auto, device: nil, threads: 2, options: options, environment: environment)
    }

    @Test("after a driver's failure the CPU makes the picture, and the report has the reason", arguments: faults)
    func automaticFallsBack(_ fault: Fault) throws {
        defer { faulty_set(FAULTY_NOTHING, 0, 0) }
        let image = try TestImage.noise(200, 140)
        let effect = try Self.effect.get()
        let expected = try Renderer(backend: .cpu).renderNow(image, effect).image
        faulty_set(fault.isEarly ? fault.kind : FAULTY_NOTHING, fault.after, fault.lasts ? 1 : 0)
        let renderer = try Self.automatic(options(fault, "auto"))
        renderer.prepare()
        if !fault.isEarly {
            // Before the fault is set, the GPU renders a picture. The next picture has another size and another effect,
            // so it needs new GL objects.
            let other = try renderer.blurNow(TestImage.noise(64, 48), GaussianBlur(sigma: 5))
            #expect(other.report.backend == .gpu)
            faulty_set(fault.kind, fault.after, fault.lasts ? 1 : 0)
        }
        for _ in 0..<2 {
            let rendered = try renderer.renderNow(image, effect)
            #expect(rendered.report.backend == .cpu)
            #expect(rendered.report.reason.contains(fault.evidence), "\(rendered.report.reason)")
            #expect(!rendered.report.reason.contains("\n"))
            #expect(rendered.image.bytes == expected.bytes)
        }
        #expect(faulty_count() > 0)
    }

    @Test("the failure of a required GPU is an error in bounded time", arguments: faults)
    func demandedFails(_ fault: Fault) throws {
        defer { faulty_set(FAULTY_NOTHING, 0, 0) }
        let image = try TestImage.noise(200, 140)
        let effect = try Self.effect.get()
        faulty_set(fault.isEarly ? fault.kind : FAULTY_NOTHING, fault.after, fault.lasts ? 1 : 0)
        let options = try options(fault, "demanded")
        do {
            let renderer = try Renderer(backend: .gpu, threads: 2, options: options)
            faulty_set(fault.kind, fault.after, fault.lasts ? 1 : 0)
            _ = try renderer.renderNow(image, effect)
            Issue.record("a picture without an error")
        } catch {
            #expect("\(error)".contains(fault.evidence), "\(error)")
        }
        #expect(faulty_count() > 0)
    }

    @Test("after one reset the GPU is opened again, and the picture is right") func oneReset() throws {
        defer { faulty_set(FAULTY_NOTHING, 0, 0) }
        let image = try TestImage.noise(200, 140)
        let effect = try Self.effect.get()
        let fault = Fault(kind: FAULTY_RESET, after: 3, lasts: false, evidence: "once")
        let expected = try Renderer(backend: .cpu).renderNow(image, effect).image
        faulty_set(FAULTY_NOTHING, 0, 0)
        let renderer = try Renderer(backend: .gpu, threads: 2, options: options(fault, "once"))
        faulty_set(fault.kind, fault.after, 0)
        let rendered = try renderer.renderNow(image, effect)
        #expect(rendered.report.backend == .gpu && faulty_count() > 0)
        let worst = zip(rendered.image.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 2)
    }
}
