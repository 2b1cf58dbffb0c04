import FrostCPU
import FrostCore
import FrostGPU
import FrostLog

// Execution of blurs and effects on the backends.

extension Renderer {
    /// Returns the reason why the CPU has to do a blur; nil if a GPU may do the blur. If there is a reason, the CPU does
    /// this blur even if a GPU becomes available later.
    func reasonForCPU(_ request: BlurRequest?) -> String? {
        if let reason = gpu.reasonForCPU { return reason }
        guard let choice, let request, case .cpu(let reason) = choice.choose(request) else { return nil }
        return reason
    }

    func execute(
        _ effect: Effect, _ plan: Plan, accuracy: Accuracy, source: PixelSource, mask: MaskImage?,
        target: PixelTarget, cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        try unsafe rethrow(plan.check(source: source.layout, target: target.layout), as: FrostError.pixels)
        if plan.isCopy {
            return try unsafe onCPU(
                plan, source: source, mask: mask, target: target, reason: "nothing to blur", cancellation: cancellation)
        }
        var reason = gpu.reasonForCPU
        var gpuReason = "as requested"
        let request = request(plan, unsafe source.layout.format)
        if let choice, let request {
            switch choice.choose(request) {
            case .cpu(let why): reason = why
            case .gpu(let why): gpuReason = why
            }
        }
        let clock = ContinuousClock()
        var start = clock.now
        if reason == nil {
            let attempt = try onGPU { (executor) throws(GPUError) in
                let work = try TiledWork(
                    effect, plan, mask: mask, accuracy: accuracy, side: executor.maximumTextureSize)
                let report = try unsafe work.execute(
                    on: executor, source: source, mask: mask, target: target, overlaps: overlaps,
                    cancellation: cancellation)
                return gpuReport(report, executor, plan.errorBound, reason: gpuReason)
            }
            switch attempt {
            case .done(let report):
                if let request { choice?.learn(request, seconds: (clock.now - start).seconds, on: .gpu) }
                return report
            case .cpu(let why):
                if let request { choice?.learn(request, seconds: .infinity, on: .gpu) }
                reason = why
            }
        }
        let why = reason ?? "there is no GPU"
        if backend == .gpu { throw gpu.isForked ? .forked : .deviceUnavailable(reason: why) }
        start = clock.now
        let report = try unsafe onCPU(
            plan, source: source, mask: mask, target: target, reason: why, cancellation: cancellation)
        if let request { choice?.learn(request, seconds: (clock.now - start).seconds, on: .cpu) }
        return report
    }

    /// The outcome of work on the GPU.
    enum GPUAttempt<Result> {
        case done(Result)
        /// The CPU has to do the work, for this reason.
        case cpu(String)
    }

    /// Does work on the GPU. If the device is lost, it is opened again once.
    ///
    /// - Throws: ``FrostError/cancelled``, and ``FrostError/deviceFailed(device:_:)`` if the caller demands the GPU.
    func onGPU<Result>(
        _ body: (GPUExecutor) throws(GPUError) -> Result
    ) throws(FrostError) -> GPUAttempt<Result> {
        var attempts = 0
        while let executor = gpu.executor {
            attempts += 1
            do throws(GPUError) { return .done(try body(executor)) } catch {
                let name = executor.device.renderer
                switch Recovery(from: error, demanded: backend == .gpu, attempts: attempts) {
                case .stop: throw .cancelled
                case .reopen: gpu.reopen(executor, after: error)
                case .close(let why):
                    Log.write(.warning, "the CPU replaces \(name) from now on: \(why)")
                    gpu.close(executor, reason: "\(name): \(why)")
                    return .cpu("\(name): \(why)")
                case .cpu(let why):
                    Log.write(.warning, "the CPU replaces \(name): \(why)")
                    return .cpu("\(name): \(why)")
                case .fail:
                    Log.write(.error, "\(name) failed: \(error)")
                    if case .outOfMemory(let bytes) = error { throw .outOfMemory(bytes: bytes) }
                    throw .deviceFailed(device: name, error)
                }
            }
        }
        return .cpu(gpu.reasonForCPU ?? "there is no GPU")
    }

    /// Describes a blur for the automatic choice between GPU and CPU; nil if there is nothing to choose.
    ///
    /// - Parameter format: the source's format.
    func request(_ plan: Plan, _ format: PixelFormat) -> BlurRequest? {
        choice == nil || gpu.reasonForCPU != nil ? nil : BlurRequest(plan, format)
    }

    /// - Parameter errorBound: the plan's bound.
    func gpuReport(
        _ report: GPUReport, _ executor: GPUExecutor, _ errorBound: Double, reason: String
    ) -> RenderReport {
        var result = RenderReport(
            backend: .gpu, device: executor.device.renderer, reason: reason,
            errorBound: errorBound)
        result.warning = report.degradedPrecision
        result.shaders = report.shaderNames
        result.passes = report.passes
        result.uploadMilliseconds = report.uploadSeconds * 1000
        result.newPrograms = report.newPrograms
        result.programMilliseconds = report.programSeconds * 1000
        result.readbackMilliseconds = report.readSeconds * 1000
        result.gpuMilliseconds = report.gpuSeconds.map { $0 * 1000 }
        return result
    }

    func onCPU(
        _ plan: Plan, source: PixelSource, mask: MaskImage?, target: PixelTarget, reason: String,
        cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        try unsafe rethrow(
            cpu.execute(plan, source: source, mask: mask, target: target, cancellation: cancellation),
            as: { (error: CPUError) in FrostError(error) })
        var report = RenderReport(backend: .cpu, reason: reason, errorBound: plan.errorBound)
        report.passes = plan.passCount
        return report
    }
}

extension FrostError {
    init(_ error: CPUError) {
        switch error {
        case .cancelled: self = .cancelled
        case .pixels(let error): self = .pixels(error)
        case .parameter(let error): self = .parameter(error)
        case .outOfMemory(let bytes): self = .outOfMemory(bytes: bytes)
        }
    }
}
