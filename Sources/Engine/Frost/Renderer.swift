public import FrostCore
import FrostCPU
package import FrostGLES
public import FrostGPU

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

    /// The kind of shaders that the GPU runs, and the reason for this choice; nil if no GPU is open.
    public var shaders: String? { statistics?.shaders }

    /// The work of the GPU so far, and its objects; nil if no GPU is open.
    public var statistics: GPUStatistics? { gpu.executor?.statistics }
}
