public import FrostCore
public import FrostGLES

/// A dma-buf in the host's context, shared with other devices and processes: a source or target of effects.
///
/// Its memory is kept alive; the descriptors may be closed at once. Made by ``HostExecutor/open(_:as:)``.
///
/// Not thread-safe: to be used only while the host's context is current. If it is dropped elsewhere, its texture is
/// deleted by the next call there.
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
    ///   - alpha: how colour relates to alpha, in formats that have it.
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
    /// The driver's support of dma-bufs: formats, modifiers, and which of them can only be sampled as external
    /// textures.
    public func dmaBufferSupport() throws(GPUError) -> DMABufferSupport {
        try perform { (_, gl) throws(GPUError) in gl.dmaBuffers }
    }

    /// Imports a dma-buf.
    ///
    /// - Parameter use: nil for a 2D texture if the driver has it, else an external one.
    /// - Throws: ``GPUError/gl(_:)``, with `GLError.dmaBuffer` for impossible combinations of format and modifier,
    ///   which it names.
    public func open(_ buffer: DMABuffer, as use: DMABufferSupport.Use? = nil) throws(GPUError) -> HostBuffer {
        try perform { (_, gl) throws(GPUError) in
            HostBuffer(try fromGL { () throws(GLError) in try DMABufferTexture(buffer, as: use, in: gl) })
        }
    }

    /// Orders what is drawn from now on behind a producer's fence: on the GPU if it can wait, else on the CPU.
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

    /// Submits what was drawn, the host's own draws included, and returns a fence behind it. If the driver has no such
    /// fences, this waits, and the result tells.
    ///
    /// - Parameter patience: the longest such wait, in seconds.
    public func fence(patience: Double) throws(GPUError) -> SubmittedWork {
        try host.perform(failure: GPUError.gl) { (gl: borrowing CurrentContext) throws(GPUError) -> SubmittedWork in
            try fromGL { () throws(GLError) in try gl.fenceSubmittedWork(patience: patience) }
        }
    }
}
