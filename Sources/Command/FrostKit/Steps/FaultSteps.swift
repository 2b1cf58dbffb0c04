import CFaultyGL
import Frost
import FrostCLI
import FrostGLES
import FrostMeasure

extension KitStep {
    /// Makes calls of the driver fail, by the faulty functions of Tests/CFaultyGL.
    static let faults = KitStep("faults", "makes GL calls fail, and expects errors that name the call", seconds: 35) {
        context in
        var trial = try FaultTrial(context)
        for fault in Fault.all where context.hasTime { trial.expectError(fault) }
        return trial.result(of: Fault.all.count)
    }

    /// Lets the driver report a reset, in every draw of a blur.
    static let contextLoss = KitStep(
        "context-loss", "simulates a reset of the GPU at each draw, and expects the right picture from a new context",
        seconds: 35
    ) { context in
        var trial = try FaultTrial(context)
        let draws = 0..<12
        for draw in draws where context.hasTime { trial.expectRecovery(draw: draw) }
        return trial.result(of: draws.count)
    }
}

private struct Fault {
    let kind: faulty_kind
    let name: String
    /// The number of calls that succeed before the first call fails.
    var after: Int32 = 0
    var transfer: TransferPath?
    /// A text that the error must contain.
    let evidence: String

    static let all: [Fault] =
        [
            Fault(kind: FAULTY_DISPLAY, name: "eglInitialize", evidence: "eglInitialize"),
            Fault(kind: FAULTY_CONTEXT, name: "eglCreateContext", evidence: "eglCreateContext"),
            Fault(kind: FAULTY_COMPILER, name: "compiling", evidence: "does not compile"),
            Fault(kind: FAULTY_FRAMEBUFFER, name: "framebuffers", evidence: "cannot be rendered to"),
            Fault(kind: FAULTY_DRAWS, name: "draws without effect", evidence: "blurs a test picture wrongly"),
            Fault(kind: FAULTY_RESET, name: "a lasting reset", evidence: "lost"),
            Fault(kind: FAULTY_FENCE, name: "fences", transfer: .buffers, evidence: "took longer"),
            Fault(kind: FAULTY_READBACK, name: "glReadPixels", transfer: .direct, evidence: "reading back"),
            Fault(kind: FAULTY_READBACK, name: "glMapBufferRange", transfer: .buffers, evidence: "glMapBufferRange"),
        ]
        + [0, 1, 2].map {
            Fault(kind: FAULTY_MEMORY, name: "allocation \($0)", after: $0, evidence: "out of memory")
        }
}

/// Blurs a picture while a driver fails.
private struct FaultTrial {
    private let context: KitContext
    private let picture: PixelBuffer
    private let blur: GaussianBlur
    private let expected: SampleRows
    private var failures: [String] = []
    private var count = 0

    init(_ context: KitContext) throws {
        self.context = context
        picture = try KitPicture(seed: 5).pixels(200, 140, PixelFormat(.rgba))
        blur = try GaussianBlur(sigma: 9)
        expected = try Renderer(backend: .exact).exact(picture, blur)
    }

    /// Options that select an EGL library whose functions fail. Each library has a new name, so that data cached for
    /// another library is not used.
    private func options(_ name: String, _ transfer: TransferPath? = nil) throws -> GPUOptions {
        // SAFETY: the registered functions have the types of the EGL and GL functions.
        try unsafe EGLLibrary.register(name, faulty_get_proc_address)
        return GPUOptions(
            context: ContextOptions(libraryName: name), timeout: 5, programCache: .off, transfer: transfer)
    }

    /// Expects an error that contains the fault's evidence, either when the GPU is opened or when it blurs.
    mutating func expectError(_ fault: Fault) {
        count += 1
        defer { faulty_set(FAULTY_NOTHING, 0, 0) }
        let start = ContinuousClock.now
        faulty_set(fault.kind, fault.after, 1)
        do {
            let renderer = try Renderer(
                backend: .gpu, device: context.device, options: options("fault: \(fault.name)", fault.transfer))
            _ = try renderer.blur(picture, blur)
            failures.append("\(fault.name): no error although \(faulty_count()) calls failed")
        } catch {
            let seconds = (ContinuousClock.now - start).milliseconds / 1000
            if faulty_count() == 0 { failures.append("\(fault.name): no call failed, but: \(error)") }
            if !"\(error)".contains(fault.evidence) {
                failures.append("\(fault.name): the error does not contain '\(fault.evidence)': \(error)")
            }
            if seconds > 10 { failures.append("\(fault.name): the error came after \(fixed(seconds, 1)) s") }
        }
    }

    /// Expects the right picture although a draw resets the GPU once.
    mutating func expectRecovery(draw: Int) {
        count += 1
        defer { faulty_set(FAULTY_NOTHING, 0, 0) }
        faulty_set(FAULTY_NOTHING, 0, 0)
        do {
            let renderer = try Renderer(
                backend: .gpu, device: context.device, options: options("reset at draw \(draw)"))
            faulty_set(FAULTY_RESET, Int32(draw), 0)
            // The blur has fewer draws than some of these numbers. So it is repeated until the reset has happened.
            for _ in 0..<draw + 1 {
                let result = try renderer.blur(picture, blur)
                let error = try Comparison(SampleRows(result.image), expected).maximum
                if !(error <= SampleType.u8.guaranteedError) {
                    failures.append("draw \(draw): the picture is \(fixed(error, 2)) steps off after the reset")
                }
                if faulty_count() > 0 { return }
            }
            failures.append("draw \(draw): there was no such draw")
        } catch {
            failures.append("draw \(draw): \(error)")
        }
    }

    func result(of total: Int) -> KitResult {
        let part = count < total ? "\(count) of \(total) cases, in the time" : "\(count) cases"
        return KitResult(
            outcome: failures.isEmpty && count > 0 ? .passed : .failed,
            finding: failures.isEmpty ? part : "\(failures.count) faults in \(part)",
            figures: [("cases", .int(count)), ("all_cases", .int(total)), ("wrong", .int(failures.count))],
            evidence: failures)
    }
}
