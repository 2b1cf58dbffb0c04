public import FrostCore

/// What computes an effect.
public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// For each blur a hardware GPU or the CPU, by which is measured to be the faster. Never software GL.
    ///
    /// The choice may change between the first blurs of a kind, and with it the rounding of values that lie near a
    /// half. Name a backend where the same picture has to give the same bytes.
    case auto
    /// The CPU, near memory speed.
    case cpu
    /// A GPU through EGL and OpenGL ES; software GL counts.
    case gpu
    /// The definition in double precision: slow, the reference for the others.
    case exact
}

/// How an image came to be blurred.
public struct RenderReport: Sendable, Hashable {
    /// What did the work: never ``Backend/auto``.
    public var backend: Backend
    /// The GPU's name; nil on the CPU.
    public var device: String?
    /// Why this backend: "asked for", "no hardware GPU: …", "8.1 ms estimated, against 31 ms estimated on …".
    public var reason: String
    /// How far any value can be from the exact effect before rounding, in 8-bit steps: the plan's bound, and on a GPU
    /// what its filters may add, by measurement. 0 for the exact backend.
    public var errorBound: Double
    /// Set where the result may be less exact than ``errorBound`` says, with the reason.
    public var warning: String?
    /// Passes over the picture that were carried out, counted per part where it was done in parts; 0 for the exact backend,
    /// which has none.
    public var passes = 0
    /// Milliseconds to hand the source to the GPU; 0 on the CPU.
    public var uploadMilliseconds = 0.0
    /// Milliseconds of work on the pixels, planning included.
    public var blurMilliseconds = 0.0
    /// Milliseconds to get the result from the GPU; 0 on the CPU.
    public var readbackMilliseconds = 0.0
    /// Milliseconds that the GPU itself worked on the passes, by its own clock; nil on the CPU, where the driver has no
    /// such clock, and where it did not answer in time. Part of the other times.
    public var gpuMilliseconds: Double?

    init(backend: Backend, device: String? = nil, reason: String, errorBound: Double) {
        self.backend = backend
        self.device = device
        self.reason = reason
        self.errorBound = errorBound
    }
}

/// A blurred image, and how it was made.
public struct Rendered: Sendable {
    public var image: PixelBuffer
    public var report: RenderReport
}
