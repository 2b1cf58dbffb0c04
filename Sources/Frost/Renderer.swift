import Dispatch
public import FrostCore
import FrostCPU
package import FrostGLES
public import FrostGPU

/// Blurs images, on a GPU or the CPU.
///
/// Make one and keep it: a GPU is opened once, and memory is reused. Which backend did the work, and why, is in the
/// report of every result: nothing falls back in silence.
///
/// Thread safety: may be used from any thread; GPU work is queued, CPU work runs side by side.
public final class Renderer: Sendable {
    /// What was asked for.
    public let backend: Backend
    /// Threads that CPU work may use.
    public let threads: Int
    let cpu: CPUExecutor
    private let gpu: GPUSlot
    /// With ``Backend/auto``.
    let choice: AutomaticChoice?
    private let plans: RecentPlans
    /// Whether images on the GPU are uploaded and read back while others are drawn.
    private let overlaps: Bool

    /// - Parameters:
    ///   - backend: ``Backend/auto`` chooses for each blur, and opens a GPU when that pays off: see ``prepare(for:)``.
    ///     EGL is never opened on machines without a GPU's device node.
    ///   - device: demands one: its index, render node, PCI path, or part of its name as `frost devices` prints them.
    ///     With ``Backend/auto`` this means ``Backend/gpu``.
    ///   - threads: for CPU work; all processors by default.
    ///   - options: limits for the GPU; the defaults are right outside of tests.
    /// - Throws: ``FrostError/deviceUnavailable(reason:)`` if a GPU is demanded and cannot be opened,
    ///   ``FrostError/parameter(_:)`` for a number of threads out of range or a device without a GPU backend.
    public convenience init(
        backend: Backend = .auto, device: String? = nil, threads: Int? = nil, options: GPUOptions = GPUOptions()
    ) throws(FrostError) {
        try self.init(
            backend: backend, device: device, threads: threads, options: options, environment: ChoiceEnvironment())
    }

    init(
        backend: Backend, device: String?, threads: Int?, options: GPUOptions, environment: ChoiceEnvironment
    ) throws(FrostError) {
        do throws(ParameterError) { cpu = try CPUExecutor(threads: threads) } catch { throw .parameter(error) }
        self.threads = cpu.threads
        self.backend = backend == .auto && device != nil ? .gpu : backend
        switch self.backend {
        case .cpu, .exact:
            gpu = GPUSlot(reason: "asked for")
        case .gpu:
            gpu = try GPUSlot(
                demanding: device.map { .id($0) } ?? .any, options: options, checkedBy: cpu)
        case .auto:
            if let reason = environment.missingHardware() {
                gpu = GPUSlot(reason: reason)
            } else {
                gpu = GPUSlot(closed: environment.selector, options: options, checkedBy: cpu)
            }
        }
        choice = self.backend == .auto ? AutomaticChoice(gpu, cpu, environment) : nil
        plans = RecentPlans()
        overlaps = false
    }

    private init(overlapping other: Renderer) {
        (backend, threads, cpu, gpu) = (other.backend, other.threads, other.cpu, other.gpu)
        (choice, plans) = (other.choice, other.plans)
        overlaps = true
    }

    /// The same renderer for images that come while others are under way. Of a single one the time is that of more copies.
    var overlapping: Renderer { Renderer(overlapping: self) }

    /// How many images are worth working on at a time.
    var concurrency: Int {
        switch backend {
        case .cpu, .exact: threads
        case .gpu: gpu.maximumInFlight
        case .auto: max(threads, gpu.maximumInFlight)
        }
    }

    /// Opens a GPU now and measures both backends, where ``Backend/auto`` would otherwise do so once enough was blurred:
    /// for programs that blur many images. Takes up to half a second the first time on a machine, less when the
    /// measurements are found in `$XDG_CACHE_HOME/frost`, and does nothing with other backends.
    ///
    /// - Parameter format: of the images to come; others are measured when enough of them were blurred.
    public func prepare(for format: PixelFormat = PixelFormat(.rgba)) { choice?.prepare(format) }

    /// Why no GPU is used; nil if one is, or may come to be.
    public var reasonForCPU: String? { gpu.reasonForCPU }

    /// The GPU that is open. With ``Backend/auto`` that may not be so yet; ``RenderReport/device`` tells of each blur.
    public var deviceName: String? { device?.renderer }

    /// What the driver says of it.
    package var device: DeviceInfo? { gpu.executor?.device }

    /// Blurs an image.
    ///
    /// - Parameters:
    ///   - region: what to compute, in the image's pixels; may reach beyond it. The whole image by default.
    ///   - accuracy: how near to the exact effect; what suits the image's samples by default.
    /// - Returns: an image sized as the region, in the image's format, with alpha added where transparent edges need it.
    /// - Throws: ``FrostError``. With ``Backend/auto`` a GPU that fails is replaced by the CPU, and the report says so.
    public func blur(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        try render(image, Effect(effect), region: region, accuracy: accuracy, cancellation: cancellation)
    }

    /// Carries out an effect on an image.
    ///
    /// - Parameters:
    ///   - mask: for effects whose mask is an image; stretched over the image.
    ///   - region: what to compute, in the image's pixels; may reach beyond it. What the effect says by default: the whole
    ///     image, or more.
    ///   - accuracy: how near to the exact effect; what suits the image's samples by default.
    /// - Returns: an image sized as the region, in the format of ``Effect/outputFormat(for:)``.
    /// - Throws: ``FrostError``. With ``Backend/auto`` a GPU that fails is replaced by the CPU, and the report says so.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        let region = region ?? effect.region(extent: image.layout.extent)
        guard !region.isEmpty else { throw .pixels(.emptyImage(width: region.width, height: region.height)) }
        return try render(
            image, effect, mask: mask, from: image.layout.extent, region: region,
            in: effect.outputFormat(for: image.format), accuracy: accuracy, cancellation: cancellation)
    }

    /// Blurs an image without blocking a thread of Swift's pool. Cancelling the task stops the work.
    ///
    /// - Throws: as ``blur(_:_:region:accuracy:cancellation:)``.
    public func blur(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        try await render(image, Effect(effect), region: region, accuracy: accuracy)
    }

    /// Carries out an effect without blocking a thread of Swift's pool. Cancelling the task stops the work.
    ///
    /// - Throws: as ``render(_:_:mask:region:accuracy:cancellation:)``.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let result = Result { () throws(FrostError) in
                        try self.render(
                            image, effect, mask: mask, region: region, accuracy: accuracy,
                            cancellation: cancellation)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Blurs pixels in memory that the caller owns.
    ///
    /// - Parameters:
    ///   - source: its top left pixel is at the origin.
    ///   - region: what to compute; `target` is sized as this.
    ///   - target: with the source's samples and colours, in either order and alpha mode, and alpha where the source has
    ///     it; ``GaussianBlur/outputFormat(for:)`` has the one that loses nothing. May be the source's memory if it is
    ///     laid out alike and the region is the whole image; else the two may share no pixel.
    /// - Throws: ``FrostError``; the target is then undefined.
    @unsafe public func blur(
        _ source: PixelSource, _ effect: GaussianBlur, region: Rect? = nil, into target: PixelTarget,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        try unsafe render(
            source, Effect(effect), region: region, into: target, accuracy: accuracy, cancellation: cancellation)
    }

    /// Carries out an effect on pixels in memory that the caller owns: see
    /// ``blur(_:_:region:into:accuracy:cancellation:)``.
    ///
    /// - Parameters:
    ///   - mask: for effects whose mask is an image.
    ///   - target: with the source's samples; of colour, if the source is grey and the effect colours it.
    /// - Throws: ``FrostError``; the target is then undefined.
    @unsafe public func render(
        _ source: PixelSource, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil,
        into target: PixelTarget, accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        try unsafe render(
            source, extent: source.layout.extent, effect, mask: mask, region: region, into: target, accuracy: accuracy,
            cancellation: cancellation)
    }

    /// - Parameter extent: where the source lies; the effect ends there, whatever is around it in memory.
    func render(
        _ source: PixelSource, extent: Rect, _ effect: Effect, mask: MaskImage?, region: Rect?,
        into target: PixelTarget, accuracy: Accuracy?, cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        let clock = ContinuousClock()
        let start = clock.now
        let accuracy = unsafe accuracy ?? .suited(to: source.layout.format.sample)
        let region = region ?? effect.region(extent: extent)
        let plan = try plan(effect, extent: extent, region: region, accuracy: accuracy, mask: mask)
        guard unsafe target.canReplace(source, isWhole: region == extent) else { throw .pixels(.overlap) }
        var report: RenderReport
        if backend == .exact {
            report = try unsafe exact(effect, source, plan, mask, target, cancellation)
        } else {
            report = try unsafe execute(effect, plan, accuracy, source, mask, target, cancellation)
        }
        let total = (clock.now - start).milliseconds
        report.blurMilliseconds = max(0, total - report.uploadMilliseconds - report.readbackMilliseconds)
        return report
    }
}

extension Renderer {
    func plan(
        _ effect: Effect, extent: Rect, region: Rect, accuracy: Accuracy, mask: MaskImage?
    ) throws(FrostError) -> Plan {
        do throws(ParameterError) {
            try effect.check(mask)
            return try plans.plan(effect, extent: extent, region: region, accuracy: accuracy, mask: mask)
        } catch {
            throw .parameter(error)
        }
    }

    /// Why the CPU is to do a blur, if it is, whatever becomes of a GPU meanwhile.
    func reasonForCPU(_ request: AutomaticChoice.Request?) -> String? {
        if let reason = gpu.reasonForCPU { return reason }
        guard let choice, let request else { return nil }
        let chosen = choice.choose(request)
        return chosen.action == .cpu ? chosen.reason : nil
    }

    private func execute(
        _ effect: Effect, _ plan: Plan, _ accuracy: Accuracy, _ source: PixelSource, _ mask: MaskImage?,
        _ target: PixelTarget, _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        do throws(PixelError) { try unsafe plan.check(source: source.layout, target: target.layout) } catch {
            throw .pixels(error)
        }
        if case .copy = plan.work {
            return try unsafe onCPU(plan, source, mask, target, reason: "nothing to blur", cancellation)
        }
        var reason = gpu.reasonForCPU
        var gpuReason = "asked for"
        var attempts = 0
        let request = request(effect, plan, accuracy, unsafe source.layout)
        if let choice, let request {
            let chosen = choice.choose(request)
            if chosen.action == .gpu { gpuReason = chosen.reason } else { reason = chosen.reason }
        }
        let clock = ContinuousClock()
        var start = clock.now
        while reason == nil, let executor = gpu.executor {
            attempts += 1
            do throws(GPUError) {
                let work = try TiledWork(
                    effect, plan, mask: mask, accuracy: accuracy, side: executor.maximumTextureSize)
                let report = try unsafe work.execute(
                    on: executor, source: source, mask: mask, target: target, overlaps: overlaps,
                    cancellation: cancellation)
                if let request { choice?.learn(request, seconds: (clock.now - start).seconds, on: .gpu) }
                return gpuReport(report, executor, plan, reason: gpuReason)
            } catch {
                let name = executor.device.renderer
                switch Recovery(from: error, demanded: backend == .gpu, attempts: attempts) {
                case .stop: throw .cancelled
                case .reopen: gpu.reopen(executor, after: error)
                case .cpu(let why): reason = "\(name): \(why)"
                case .fail: throw .deviceFailed(device: name, error)
                }
            }
        }
        let why = reason ?? gpu.reasonForCPU ?? "no GPU"
        if backend == .gpu { throw .deviceUnavailable(reason: why) }
        start = clock.now
        let report = try unsafe onCPU(plan, source, mask, target, reason: why, cancellation)
        if let request { choice?.learn(request, seconds: (clock.now - start).seconds, on: .cpu) }
        return report
    }

    /// What the automatic choice is asked; nil where there is nothing to choose.
    func request(
        _ effect: Effect, _ plan: Plan, _ accuracy: Accuracy, _ source: PixelLayout
    ) -> AutomaticChoice.Request? {
        guard choice != nil, gpu.reasonForCPU == nil else { return nil }
        var effect = effect
        // Time depends on the content's size, and many effects are remembered.
        for index in effect.outputStages.content.indices {
            effect.outputStages.content[index].image = effect.outputStages.content[index].image.outline
        }
        let shape = Experience.Shape(
            effect: effect, accuracy: accuracy, sourceWidth: source.width, sourceHeight: source.height,
            width: plan.region.width, height: plan.region.height, format: source.format.description)
        return AutomaticChoice.Request(shape: shape, format: source.format, work: Workload(plan, source.format))
    }

    private func gpuReport(
        _ report: GPUReport, _ executor: GPUExecutor, _ plan: Plan, reason: String
    ) -> RenderReport {
        var result = RenderReport(
            backend: .gpu, device: executor.device.renderer, reason: reason,
            errorBound: plan.errorBound + report.filterError)
        result.warning = report.degradedPrecision
        result.passes = report.passes
        result.uploadMilliseconds = report.uploadSeconds * 1000
        result.readbackMilliseconds = report.readSeconds * 1000
        result.gpuMilliseconds = report.gpuSeconds.map { $0 * 1000 }
        return result
    }

    func onCPU(
        _ plan: Plan, _ source: PixelSource, _ mask: MaskImage?, _ target: PixelTarget, reason: String,
        _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        do throws(CPUError) {
            try unsafe cpu.execute(plan, source: source, mask: mask, target: target, cancellation: cancellation)
        } catch {
            throw FrostError(error)
        }
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
        }
    }
}

extension Duration {
    /// For reports.
    package var milliseconds: Double { seconds * 1000 }

    /// For sums.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
