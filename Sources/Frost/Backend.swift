public import FrostCore

/// What computes an effect.
public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// For each blur a hardware GPU or the CPU, whichever is faster by measurement. Never software GL.
    ///
    /// The choice may change between the first blurs of a kind, and with it the rounding of values near a half. Name a
    /// backend if the same picture must always give the same bytes.
    case auto
    /// The CPU, at nearly the speed of memory.
    case cpu
    /// A GPU through EGL and OpenGL ES, including software GL.
    case gpu
    /// The definition in double precision: slow, the reference for the others.
    case exact
}

/// How an image was blurred.
public struct RenderReport: Sendable, Hashable {
    /// The backend that did the work: never ``Backend/auto``.
    public var backend: Backend
    /// The GPU's name; nil on the CPU.
    public var device: String?
    /// Why this backend: "asked for", "no hardware GPU: …", "8.1 ms estimated, against 31 ms estimated on …".
    public var reason: String
    /// How far any value can be from the exact effect before rounding, in 8-bit steps: the plan's bound, and on a GPU
    /// what its filters may add, by measurement. 0 for the exact backend.
    public var errorBound: Double
    /// Why the result may be less exact than ``errorBound``; nil if it is not.
    public var warning: String?
    /// Passes over the picture, counted for each part if it was computed in parts; 0 for the exact backend, which has
    /// none.
    public var passes = 0
    /// Milliseconds of uploading the source to the GPU; 0 on the CPU.
    public var uploadMilliseconds = 0.0
    /// Milliseconds of work on the pixels, including planning.
    public var blurMilliseconds = 0.0
    /// Milliseconds of reading the result back from the GPU; 0 on the CPU.
    public var readbackMilliseconds = 0.0
    /// Milliseconds that the GPU worked on the passes, by its own clock; part of the other times. nil on the CPU, if
    /// the driver has no such clock, and if it did not answer in time.
    public var gpuMilliseconds: Double?

    /// Whether a software renderer took the place of a GPU.
    public var usesSoftwareGPU: Bool { device.map { DeviceInfo.namesSoftware($0) } ?? false }

    init(backend: Backend, device: String? = nil, reason: String, errorBound: Double) {
        self.backend = backend
        self.device = device
        self.reason = reason
        self.errorBound = errorBound
    }
}

/// A blurred image and its report.
public struct Rendered: Sendable {
    public var image: PixelBuffer
    public var report: RenderReport
}
