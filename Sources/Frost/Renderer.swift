import Dispatch
public import FrostCore
import FrostCPU
import FrostGLES
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
    private let cpu: CPUExecutor
    private let gpu: GPUSlot

    /// - Parameters:
    ///   - backend: ``Backend/auto`` uses the GPU if it is hardware, and otherwise never opens EGL at all on machines
    ///     without a GPU's device node.
    ///   - device: demands one: its index, render node, PCI path, or part of its name as `frost devices` prints them.
    ///     With ``Backend/auto`` this means ``Backend/gpu``.
    ///   - threads: for CPU work; all processors by default.
    ///   - options: limits for the GPU; the defaults are right outside of tests.
    /// - Throws: ``FrostError/deviceUnavailable(reason:)`` if a GPU is demanded and cannot be opened,
    ///   ``FrostError/parameter(_:)`` for a number of threads out of range or a device without a GPU backend.
    public init(
        backend: Backend = .auto, device: String? = nil, threads: Int? = nil, options: GPUOptions = GPUOptions()
    ) throws(FrostError) {
        do throws(ParameterError) { cpu = try CPUExecutor(threads: threads) } catch { throw .parameter(error) }
        self.threads = cpu.threads
        self.backend = backend == .auto && device != nil ? .gpu : backend
        switch self.backend {
        case .cpu, .exact:
            gpu = GPUSlot(reason: "asked for")
        case .gpu:
            gpu = try GPUSlot(demanding: device.map { .id($0) } ?? .any, options: options)
        case .auto:
            gpu = GPUSlot(ifHardware: options)
        }
    }

    /// Why the GPU is not used; nil if it is.
    public var reasonForCPU: String? { gpu.reasonForCPU }

    /// The GPU that is used.
    public var deviceName: String? { gpu.executor?.device.renderer }

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
        let region = region ?? image.layout.extent
        let layout: PixelLayout
        do throws(PixelError) {
            guard !region.isEmpty else { throw .emptyImage(width: region.width, height: region.height) }
            layout = try PixelLayout(
                width: region.width, height: region.height, format: effect.outputFormat(for: image.format))
        } catch {
            throw .pixels(error)
        }
        var report: RenderReport?
        let result = try unsafe image.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe PixelBuffer(layout: layout) { (to) throws(FrostError) in
                guard let source = from.baseAddress, let target = to.baseAddress else { return }
                report = try unsafe blur(
                    PixelSource(source, layout: image.layout), effect, region: region,
                    into: PixelTarget(target, layout: layout), accuracy: accuracy, cancellation: cancellation)
            }
        }
        guard let report else { throw .pixels(.emptyImage(width: layout.width, height: layout.height)) }
        return Rendered(image: result, report: report)
    }

    /// Blurs an image without blocking a thread of Swift's pool. Cancelling the task stops the work.
    ///
    /// - Throws: as ``blur(_:_:region:accuracy:cancellation:)``.
    public func blur(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let result = Result { () throws(FrostError) in
                        try self.blur(
                            image, effect, region: region, accuracy: accuracy, cancellation: cancellation)
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
    ///     laid out alike.
    /// - Throws: ``FrostError``; the target is then undefined.
    @unsafe public func blur(
        _ source: PixelSource, _ effect: GaussianBlur, region: Rect? = nil, into target: PixelTarget,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        let clock = ContinuousClock()
        let start = clock.now
        let layout = unsafe source.layout
        let accuracy = accuracy ?? .suited(to: layout.format.sample)
        let plan: Plan
        do throws(ParameterError) {
            plan = try effect.plan(extent: layout.extent, region: region, accuracy: accuracy)
        } catch {
            throw .parameter(error)
        }
        var report: RenderReport
        if backend == .exact {
            report = try unsafe exact(effect, source, plan, target, cancellation)
        } else {
            report = try unsafe execute(effect, plan, accuracy, source, target, cancellation)
        }
        let total = (clock.now - start).milliseconds
        report.blurMilliseconds = max(0, total - report.uploadMilliseconds - report.readbackMilliseconds)
        return report
    }
}

extension Renderer {
    private func execute(
        _ effect: GaussianBlur, _ plan: Plan, _ accuracy: Accuracy, _ source: PixelSource, _ target: PixelTarget,
        _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        do throws(PixelError) { try unsafe plan.check(source: source.layout, target: target.layout) } catch {
            throw .pixels(error)
        }
        guard !plan.passes.isEmpty else {
            return try unsafe onCPU(plan, source, target, reason: "nothing to blur", cancellation)
        }
        var reason = gpu.reasonForCPU
        var attempts = 0
        while reason == nil, let executor = gpu.executor {
            attempts += 1
            do throws(GPUError) {
                let work = try TiledWork(effect, plan, accuracy: accuracy, side: executor.maximumTextureSize)
                let report = try unsafe work.execute(
                    on: executor, source: source, target: target, cancellation: cancellation)
                return gpuReport(report, executor, plan)
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
        return try unsafe onCPU(plan, source, target, reason: why, cancellation)
    }

    private func gpuReport(_ report: GPUReport, _ executor: GPUExecutor, _ plan: Plan) -> RenderReport {
        let why = backend == .gpu ? "asked for" : "hardware GPU"
        var result = RenderReport(
            backend: .gpu, device: executor.device.renderer, reason: why, errorBound: plan.errorBound)
        result.warning = report.degradedPrecision
        result.uploadMilliseconds = report.uploadSeconds * 1000
        result.readbackMilliseconds = report.readSeconds * 1000
        return result
    }

    private func onCPU(
        _ plan: Plan, _ source: PixelSource, _ target: PixelTarget, reason: String, _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        do throws(CPUError) {
            try unsafe cpu.execute(plan, source: source, target: target, cancellation: cancellation)
        } catch {
            throw FrostError(error)
        }
        return RenderReport(backend: .cpu, reason: reason, errorBound: plan.errorBound)
    }

    private func exact(
        _ effect: GaussianBlur, _ source: PixelSource, _ plan: Plan, _ target: PixelTarget,
        _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        do throws(PixelError) { try unsafe plan.check(source: source.layout, target: target.layout) } catch {
            throw .pixels(error)
        }
        let report = RenderReport(backend: .exact, reason: "asked for", errorBound: 0)
        guard !plan.passes.isEmpty else {
            // The identity keeps even the colour of transparent pixels.
            _ = try unsafe onCPU(plan, source, target, reason: "", cancellation)
            return report
        }
        do throws(CPUError) {
            let image = try unsafe ExactGaussian.render(
                effect, source: source, extent: plan.extent, region: plan.region, threads: threads,
                cancellation: cancellation)
            unsafe image.write(to: target)
        } catch {
            throw FrostError(error)
        }
        return report
    }

    /// The same pixels in another format of the same samples and colour channels, such as with alpha added.
    ///
    /// - Throws: ``FrostError/pixels(_:)`` if the formats do not go together.
    public func copy(_ image: PixelBuffer, format: PixelFormat) throws(FrostError) -> PixelBuffer {
        let extent = image.layout.extent
        let plan = Plan(extent: extent, region: extent, passes: [], slots: [], errorBound: 0)
        do throws(PixelError) {
            let layout = try PixelLayout(width: image.width, height: image.height, format: format)
            try plan.check(source: image.layout, target: layout)
            return try unsafe image.withUnsafeBytes { (from) throws(PixelError) in
                try unsafe PixelBuffer(layout: layout) { (to) throws(PixelError) in
                    guard let source = from.baseAddress, let target = to.baseAddress else { return }
                    do throws(CPUError) {
                        try unsafe cpu.execute(
                            plan, source: PixelSource(source, layout: image.layout),
                            target: PixelTarget(target, layout: layout))
                    } catch {
                        // Checked above, and nobody cancels.
                        throw .mismatch(property: "format", first: "\(image.format)", second: "\(format)")
                    }
                }
            }
        } catch {
            throw .pixels(error)
        }
    }

    /// The exact result of an effect, not rounded to any format: what ``Comparison`` measures backends against.
    ///
    /// - Throws: ``FrostError``.
    public func exact(
        _ image: PixelBuffer, _ effect: GaussianBlur, cancellation: Cancellation? = nil
    ) throws(FrostError) -> SampleRows {
        let extent = image.layout.extent
        return try unsafe image.withUnsafeBytes { (bytes) throws(FrostError) in
            guard let base = bytes.baseAddress else { throw .pixels(.tooFewBytes(have: 0, need: 1)) }
            do throws(CPUError) {
                return try unsafe ExactGaussian.render(
                    effect, source: PixelSource(base, layout: image.layout), extent: extent, region: extent,
                    threads: threads, cancellation: cancellation
                ).rows
            } catch {
                throw FrostError(error)
            }
        }
    }
}

extension FrostError {
    init(_ error: CPUError) {
        switch error {
        case .cancelled: self = .cancelled
        case .pixels(let error): self = .pixels(error)
        }
    }
}

extension Duration {
    /// For reports.
    package var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
