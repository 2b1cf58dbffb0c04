public import FrostCore

/// The hardware or method that computes an effect.
public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// For each blur, Frost picks either a hardware GPU or the CPU, depending on which of them was faster in earlier
    /// blurs of this kind and size. Frost never picks software GL.
    ///
    /// The choice may change during the first blurs of a kind. Values that lie close to the middle between two sample
    /// steps may then be rounded differently. If the same picture must always give the same bytes, choose another case
    /// than `auto`.
    case auto
    /// The CPU backend. It is almost as fast as the memory allows.
    case cpu
    /// The GPU backend, through EGL and OpenGL ES. It also accepts software GL.
    case gpu
    /// The exact backend, which evaluates an effect's definition in double precision. It is slow, and serves as the
    /// reference for the other backends.
    case exact
}

/// Describes how an image was blurred: the backend, its error bound and the times.
public struct RenderReport: Sendable, Hashable {
    /// The backend that did the work; never ``Backend/auto``.
    public var backend: Backend
    /// The GPU's name; nil on the CPU.
    public var device: String?
    /// The kinds of shaders that the GPU ran: "compute shaders", "fragment shaders", or both; nil on the CPU.
    public var shaders: String?
    /// The reason for using this backend, for example "as requested", "no hardware GPU: …", "8.1 ms, against 31 ms on …".
    public var reason: String
    /// The maximum distance of any value from the exact effect before rounding, in 8-bit steps. On a GPU, this is the
    /// plan's error bound plus the measured error of the GPU's texture filters. 0 for the exact backend. If colours of a
    /// host's image are converted, the bound is for the numbers or the light that is blurred, not for the target's
    /// numbers.
    public var errorBound: Double
    /// The maximum distance of any value's light from the exact effect before rounding, in nits, if the effect has
    /// blurred light of a host's image and has no stages that work on sRGB numbers; otherwise nil. It is for images
    /// between no light and the light of the source's 1.0, which is 10,000 nits for PQ. For images with less light it
    /// is smaller in proportion.
    public var lightErrorBound: Double?
    /// The contrast between the written pixels and content; nil if the effect guarantees none.
    public var contrast: ContrastReport?
    /// The reason why the result may be less exact than ``errorBound``; nil if the bound holds.
    public var warning: String?
    /// The number of passes over the picture, summed over all parts if the picture was computed in parts. 0 for the
    /// exact backend, which runs no passes.
    public var passes = 0
    /// Milliseconds to upload the source to the GPU; 0 on the CPU.
    public var uploadMilliseconds = 0.0
    /// Milliseconds to compute the pixels, including planning.
    public var blurMilliseconds = 0.0
    /// The number of GPU programs that were loaded or compiled for the image; 0 on the CPU.
    public var newPrograms = 0
    /// Milliseconds to load or compile these programs, a part of ``blurMilliseconds``. Software GL compiles a program when it
    /// draws with it first, which is not included.
    public var programMilliseconds = 0.0
    /// Milliseconds to read the result back from the GPU; 0 on the CPU.
    public var readbackMilliseconds = 0.0
    /// Milliseconds that the GPU spent on the passes, measured by the GPU's own timer. The other times include this
    /// time. The value is nil on the CPU. It is also nil if the driver has no timer, or if the timer did not deliver
    /// its result in time.
    public var gpuMilliseconds: Double?

    /// Whether a software renderer did the work of the GPU backend.
    public var usesSoftwareGPU: Bool { device.map { DeviceInfo.namesSoftware($0) } ?? false }

    init(backend: Backend, device: String? = nil, reason: String, errorBound: Double) {
        self.backend = backend
        self.device = device
        self.reason = reason
        self.errorBound = errorBound
    }
}

/// The contrast that an effect guarantees to content, and the contrast that it reached.
public struct ContrastReport: Sendable, Hashable {
    /// The colour of the content, as it was given or chosen.
    public var content: Color
    /// The contrast that is guaranteed.
    public var minimum: Double
    /// The smallest contrast of the written pixels that are opaque, that the effect covers completely, and on which no content
    /// is drawn; nil if there are none.
    public var smallest: Double?
    /// A pixel of the picture with this contrast.
    public var place: Place?

    /// A pixel of a picture.
    public struct Place: Sendable, Hashable {
        /// The column and the row, from the top left corner.
        public var x, y: Int

        /// Creates a place.
        public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// Creates a report without a measurement.
    public init(content: Color, minimum: Double) { (self.content, self.minimum) = (content, minimum) }
}

/// A blurred image and its report.
public struct Rendered: Sendable {
    /// The blurred image.
    public var image: PixelBuffer
    /// How the image was blurred.
    public var report: RenderReport

    /// The name of ``DecodedImage``'s property, which a reader of a picture file returns.
    @available(*, unavailable, renamed: "image")
    public var pixels: PixelBuffer { image }
}
