public import FrostCore
import FrostCPU
package import FrostGLES
public import FrostGPU
import FrostLog
import FrostThreads

/// Blurs images on a GPU or the CPU.
///
/// Create one renderer and keep it. A renderer opens a GPU only once, and reuses memory. The report of every result names
/// the backend that did the work, and the reason. Frost never falls back silently.
///
/// Thread safety: may be used from any thread. GPU work is queued; CPU work of several threads runs at the same time.
///
/// A process may fork at any time. In the child, the CPU works as before. If the parent has used a GPU, the child cannot:
/// with ``Backend/auto`` the CPU does all work, with ``Backend/gpu`` calls throw ``FrostError/forked``.
///
/// ```swift
/// let renderer = try Renderer()
/// let result = try renderer.blur(picture, GaussianBlur(sigma: 8))
/// print(result.image.width, result.report.backend, result.report.errorBound)
/// ```
///
/// Cost: creating a renderer is cheap, except that opening a GPU takes tenths of a second, once.
public final class Renderer: Sendable {
    /// The requested backend.
    public let backend: Backend
    /// The maximum number of threads for CPU work.
    public let threads: Int
    let cpu: CPUExecutor
    let gpu: GPUSlot
    /// The automatic choice between GPU and CPU, for ``Backend/auto``; nil for the other backends.
    let choice: AutomaticChoice?
    let plans: RecentPlans
    /// Whether images are uploaded to the GPU and read back while the GPU draws other images.
    let overlaps: Bool
    /// The key of effects with secret offsets, such as `redact`, unless they have one: see ``Scatter``.
    public let secretKey: SecretKey

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - backend: the backend. ``Backend/auto`` chooses for each blur, and opens a GPU when a GPU saves time: see
    ///     ``prepare(for:)``. On machines without a GPU's device node, ``Backend/auto`` never opens EGL.
    ///   - device: the required device: its index, render node, PCI path, or part of its name, as `frost devices` prints
    ///     them. If a device is given, ``Backend/auto`` means ``Backend/gpu``. ``Backend/cpu`` and ``Backend/exact`` ignore
    ///     the device.
    ///   - threads: the number of threads for CPU work; by default `CPUExecutor.defaultThreads`.
    ///   - options: limits for the GPU. The defaults suit everything but tests.
    ///   - secretKey: the key of effects with secret offsets, such as `redact`; by default that of the process.
    /// - Throws: ``FrostError/deviceUnavailable(reason:)`` if a GPU is required and cannot be opened,
    ///   ``FrostError/parameter(_:)`` if the number of threads or the timeout of the GPU is out of range,
    ///   ``FrostError/forked`` if a GPU is required in the child of a fork.
    public convenience init(
        backend: Backend = .auto, device: String? = nil, threads: Int? = nil, options: GPUOptions = GPUOptions(),
        secretKey: SecretKey = .process
    ) throws(FrostError) {
        try self.init(
            backend: backend, device: device, threads: threads, options: options, secretKey: secretKey,
            environment: ChoiceEnvironment())
    }

    init(
        backend: Backend, device: String?, threads: Int?, options: GPUOptions, secretKey: SecretKey = .process,
        environment: ChoiceEnvironment
    ) throws(FrostError) {
        self.secretKey = secretKey
        cpu = try rethrow(CPUExecutor(threads: threads), as: FrostError.parameter)
        guard GPUOptions.allowedTimeouts.contains(options.timeout) else {
            throw .parameter(
                .outOfRange(
                    parameter: "GPU timeout", value: options.timeout, allowed: GPUOptions.allowedTimeouts))
        }
        self.threads = cpu.threads
        self.backend = backend == .auto && device != nil ? .gpu : backend
        switch self.backend {
        case .cpu, .exact:
            gpu = GPUSlot(reason: "as requested")
        case .gpu:
            gpu = try GPUSlot(
                demanding: DeviceSelector(named: device), options: options, checkedBy: cpu)
        case .auto:
            if let reason = environment.missingHardware() {
                gpu = GPUSlot(reason: reason)
            } else {
                gpu = GPUSlot(closed: environment.selector, options: options, checkedBy: cpu)
            }
        }
        choice = self.backend == .auto ? AutomaticChoice(gpu, threads: self.threads, environment) : nil
        plans = RecentPlans()
        overlaps = false
    }

    private init(overlapping other: Renderer) {
        backend = other.backend
        threads = other.threads
        cpu = other.cpu
        gpu = other.gpu
        choice = other.choice
        plans = other.plans
        secretKey = other.secretKey
        overlaps = true
    }

    /// A copy of this renderer that is set up to process several images at the same time. It shares the GPU, the CPU backend
    /// and the plans with this renderer. A single image then costs one extra copy of its pixels.
    var overlapping: Renderer { Renderer(overlapping: self) }

    /// The number of images to process at a time.
    var concurrency: Int {
        switch backend {
        case .cpu, .exact: threads
        case .gpu: gpu.maximumInFlight
        case .auto: max(threads, gpu.maximumInFlight)
        }
    }

    /// Opens a GPU now. Without this call, ``Backend/auto`` opens one after enough blurs.
    ///
    /// Call this method in programs that blur many images. The call takes up to half a second, in which it also compiles the
    /// programs that most blurs need. The first blurs of each kind and size then try both backends. With backends other than
    /// ``Backend/auto``, this method does nothing.
    ///
    /// - Parameter format: the format of the images to come.
    public func prepare(for format: PixelFormat = PixelFormat(.rgba)) { choice?.prepare(format) }

    /// The reason why no GPU is used; nil if a GPU is used, or may be used later.
    public var reasonForCPU: String? { gpu.reasonForCPU }

    /// The name of the open GPU; nil if no GPU is open. ``Backend/auto`` may open a GPU later. ``RenderReport/device`` names
    /// the device of each blur.
    public var deviceName: String? { device?.renderer }

    /// The driver's description of the open GPU; nil if no GPU is open.
    package var device: DeviceInfo? { gpu.executor?.device }

    /// Applies an effect to an image.
    ///
    /// - Parameters:
    ///   - image: the image to read.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image. Frost stretches the mask over the image.
    ///   - region: the region to compute, in the image's pixels. The region may extend outside the image. The default is the
    ///     effect's region, which is the whole image or a larger rectangle.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's
    ///     samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Returns: an image of the region's size, in the format of ``Effect/outputFormat(for:)``.
    /// - Throws: ``FrostError``. With ``Backend/auto`` the CPU replaces a GPU that fails, and the report states this.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        let region = region ?? effect.region(extent: image.layout.extent)
        guard !region.isEmpty else { throw .pixels(.emptyImage(width: region.width, height: region.height)) }
        return try render(
            image, effect, mask: mask, from: image.layout.extent,
            part: RegionPart(place: region, region: region, origin: (0, 0)),
            in: effect.outputFormat(for: image.format), accuracy: accuracy, cancellation: cancellation)
    }

    /// Applies an effect without blocking a thread of Swift's concurrency pool. Cancelling the task stops the work.
    ///
    /// - Throws: like ``render(_:_:mask:region:accuracy:cancellation:)``.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Rendered, FrostError>, Never>) in
                @Sendable func work() {
                    let result = Result { () throws(FrostError) in
                        try self.render(
                            image, effect, mask: mask, region: region, accuracy: accuracy,
                            cancellation: cancellation)
                    }
                    continuation.resume(returning: result)
                }
                // If the system refuses the thread, the caller's thread does the work.
                do throws(ThreadError) { try ThreadPool.tasks.add(work) } catch { work() }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Applies an effect to pixels in memory that the caller owns.
    ///
    /// - Parameters:
    ///   - source: the pixels to read. The top left pixel is at the origin.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image.
    ///   - region: the rectangle to compute, in the source's pixels; by default the effect's region.
    ///   - target: the memory for the result. It must have the region's size. Its format must have the source's sample type
    ///     and colour channels, alpha if the source has alpha, and colour if the effect tints a grey source. The channel order
    ///     and the alpha mode may differ from the source's. In the format ``Effect/outputFormat(for:)`` no information is lost.
    ///     The target may be the source's memory if the layout is the same and the region is the whole image. Otherwise source
    ///     and target must not share any pixel.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``; the target's contents are undefined after an error.
    @unsafe public func render(
        _ source: PixelSource, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil,
        into target: PixelTarget, accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        try unsafe render(
            source, extent: source.layout.extent, effect, mask: mask, region: region, into: target, accuracy: accuracy,
            cancellation: cancellation)
    }

    /// Applies an effect to a source in memory.
    ///
    /// - Parameter extent: the source's rectangle. The effect treats it as the whole image, even if the memory contains a
    ///   larger image.
    func render(
        _ source: PixelSource, extent: Rect, _ effect: Effect, mask: MaskImage?, region: Rect?,
        into target: PixelTarget, accuracy: Accuracy?, cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        let clock = ContinuousClock()
        let start = clock.now
        let accuracy = unsafe accuracy ?? .suited(to: source.layout.format.sample)
        let region = region ?? effect.region(extent: extent)
        let effect = effect.keyed(by: secretKey, for: .pictures)
        let plan = try plan(effect, extent: extent, region: region, accuracy: accuracy, mask: mask)
        guard unsafe target.canReplace(source, isWhole: region == extent) else { throw .pixels(.overlap) }
        var report: RenderReport
        if backend == .exact {
            report = try unsafe exact(
                effect, plan, source: source, mask: mask, target: target, cancellation: cancellation)
        } else {
            report = try unsafe execute(
                effect, plan, accuracy: accuracy, source: source, mask: mask, target: target, cancellation: cancellation
            )
        }
        let total = (clock.now - start).milliseconds
        report.blurMilliseconds = max(0, total - report.uploadMilliseconds - report.readbackMilliseconds)
        Log.write(
            .debug,
            "\(effect.name), \(region.width)x\(region.height): \(report.device ?? "\(report.backend)"), \(report.reason)"
        )
        return report
    }
}
