public import FrostCore
public import FrostGLES

/// A dma-buf in the host's context: a source or a destination of effects that other devices and processes share.
///
/// Its memory is kept alive; the descriptors may be closed at once. Made by ``HostExecutor/open(_:as:)``.
///
/// Not thread-safe: lives where the host's context is current. Dropped elsewhere, its texture goes with the next call there.
public final class HostBuffer {
    private let texture: DMABufferTexture

    init(_ texture: consuming DMABufferTexture) { self.texture = texture }

    /// In pixels.
    public var width: Int { texture.width }
    /// In pixels.
    public var height: Int { texture.height }
    /// The buffer's format.
    public var format: DRMFormat { texture.format }

    /// As the source of an effect.
    ///
    /// - Parameters:
    ///   - alpha: what colour is to alpha, in formats that have some.
    ///   - rises: whether its first row is the lowest.
    public func image(alpha: AlphaMode = .premultiplied, rises: Bool = false) -> HostImage {
        HostImage(
            texture.hostTexture, width: width, height: height, format: pixelFormat(alpha), rises: rises)
    }

    /// As the destination of an effect: see ``HostTarget``.
    ///
    /// - Throws: ``GPUError/gl(_:)`` with `GLError.dmaBuffer` for buffers that can only be read.
    public func target(
        alpha: AlphaMode = .premultiplied, x: Int = 0, y: Int = 0, rises: Bool = false
    ) throws(GPUError) -> HostTarget {
        if let obstacle = texture.obstacleToDrawing { throw .gl(obstacle) }
        return HostTarget(
            .texture(texture.hostTexture.name), width: width, height: height, format: pixelFormat(alpha), x: x, y: y,
            rises: rises)
    }

    private func pixelFormat(_ alpha: AlphaMode) -> PixelFormat {
        format.hasAlpha ? PixelFormat(.rgba, alpha: alpha) : PixelFormat(.rgb)
    }
}

extension HostExecutor {
    /// What the driver does with dma-bufs: formats, modifiers, and what of them can only be sampled as external textures.
    public func dmaBufferSupport() throws(GPUError) -> DMABufferSupport {
        try perform { (_, gl) throws(GPUError) in gl.dmaBuffers }
    }

    /// Imports a dma-buf.
    ///
    /// - Parameter use: nil takes a 2D texture where the driver has it, else an external one.
    /// - Throws: ``GPUError/gl(_:)``, with `GLError.dmaBuffer` for combinations of format and modifier that cannot be, which it
    ///   names.
    public func open(_ buffer: DMABuffer, as use: DMABufferSupport.Use? = nil) throws(GPUError) -> HostBuffer {
        try perform { (_, gl) throws(GPUError) in
            HostBuffer(try fromGL { () throws(GLError) in try DMABufferTexture(buffer, as: use, in: gl) })
        }
    }

    /// Orders what is drawn from now on behind a producer's fence: on the GPU where it can wait, else by waiting.
    ///
    /// - Parameters:
    ///   - fence: a descriptor that becomes readable when the producer is done. It stays the caller's.
    ///   - patience: the longest wait on the CPU, in seconds.
    @discardableResult
    public func wait(forFence fence: Int32, patience: Double) throws(GPUError) -> FenceWait {
        try perform { (_, gl) throws(GPUError) in
            try fromGL { () throws(GLError) in try gl.wait(forFence: fence, patience: patience) }
        }
    }

    /// Submits what was drawn, the host's own draws among them, and returns a fence behind it. Where the driver has no such
    /// fences it is waited for, and the result says so.
    ///
    /// - Parameter patience: the longest such wait, in seconds.
    public func fence(patience: Double) throws(GPUError) -> SubmittedWork {
        try host.perform(failure: GPUError.gl) { (gl: borrowing CurrentContext) throws(GPUError) -> SubmittedWork in
            try fromGL { () throws(GLError) in try gl.fenceSubmittedWork(patience: patience) }
        }
    }
}
