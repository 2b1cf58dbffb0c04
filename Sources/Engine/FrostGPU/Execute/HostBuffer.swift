public import FrostCore
public import FrostGLES

/// A dma-buf that was imported into the host's GL context. A dma-buf is memory that is shared with other devices and
/// processes. It can be the source or the target of effects.
///
/// This object keeps the buffer's memory alive, so the caller may close the file descriptors as soon as this object
/// exists. Create the object with `TextureRenderer.open(_:as:)`.
///
/// Not thread-safe: use it only while the host's context is current. If the object is released while another context is
/// current, the next call in the host's context deletes the object's texture.
public final class HostBuffer {
    private let texture: DMABufferTexture

    init(_ texture: consuming DMABufferTexture) { self.texture = texture }

    /// The width of the buffer in pixels.
    public var width: Int { texture.width }
    /// The height of the buffer in pixels.
    public var height: Int { texture.height }
    /// The pixel format of the buffer.
    public var format: DRMFormat { texture.format }

    /// Returns the buffer as the source of an effect.
    ///
    /// - Parameters:
    ///   - alpha: whether colour is premultiplied or straight, in formats with alpha.
    ///   - rises: whether rows are stored bottom-up, so that the first row is the bottom row.
    ///   - encoding: the meaning of the colour numbers.
    ///   - transform: how the buffer stores the image. The size of the result is that of the image as it is seen.
    public func image(
        alpha: AlphaMode = .premultiplied, rises: Bool = false, encoding: ColorEncoding = .sRGB,
        transform: SurfaceTransform = .normal
    ) -> HostImage {
        let seen = transform.turned(width: width, height: height)
        return HostImage(
            texture.hostTexture, width: seen.width, height: seen.height, format: pixelFormat(alpha), rises: rises,
            encoding: encoding, transform: transform)
    }

    /// The depth of results in this buffer.
    public var depth: HostTarget.Depth { format.hasTenBits ? .ten : .eight }

    /// Returns the buffer as the target of an effect: see ``HostTarget``. Buffers of 10 bits per colour receive results
    /// of that depth.
    ///
    /// - Throws: ``GPUError/gl(_:)`` with `GLError.dmaBuffer` for buffers that can only be read.
    public func target(
        alpha: AlphaMode = .premultiplied, x: Int = 0, y: Int = 0, rises: Bool = false,
        encoding: ColorEncoding = .sRGB, transform: SurfaceTransform = .normal
    ) throws(GPUError) -> HostTarget {
        if let obstacle = texture.obstacleToDrawing { throw .gl(obstacle) }
        let seen = transform.turned(width: width, height: height)
        return HostTarget(
            .texture(texture.hostTexture.name), width: seen.width, height: seen.height, format: pixelFormat(alpha),
            x: x, y: y, rises: rises, encoding: encoding, depth: depth, transform: transform)
    }

    private func pixelFormat(_ alpha: AlphaMode) -> PixelFormat {
        let sample: SampleType = format.hasFloats ? .f16 : .u8
        return format.hasAlpha ? PixelFormat(.rgba, sample, alpha: alpha) : PixelFormat(.rgb, sample)
    }
}

extension HostExecutor {
    /// Returns what the driver supports for dma-bufs: formats, modifiers, and which of them can only be sampled as
    /// external textures.
    public func dmaBufferSupport() throws(GPUError) -> DMABufferSupport {
        try perform { (_, gl) throws(GPUError) in gl.dmaBuffers }
    }

    /// Imports a dma-buf.
    ///
    /// - Parameter use: how the dma-buf is used. With nil, it is used as a 2D texture if the driver supports this, and
    ///   otherwise as an external texture.
    /// - Throws: ``GPUError/gl(_:)``. If the driver does not support the buffer's combination of format and modifier,
    ///   the error is `GLError.dmaBuffer`, which names both.
    public func open(_ buffer: DMABuffer, as use: DMABufferSupport.Use? = nil) throws(GPUError) -> HostBuffer {
        try perform { (_, gl) throws(GPUError) in
            HostBuffer(try rethrow(DMABufferTexture(buffer, as: use, in: gl), as: GPUError.gl))
        }
    }

    /// Makes all later draws wait for a producer's fence. The GPU waits if the driver supports this; otherwise the CPU
    /// waits.
    ///
    /// - Parameters:
    ///   - fence: a file descriptor that becomes readable when the producer is done. The caller still has to close this
    ///     descriptor.
    ///   - patience: the maximum wait on the CPU, in seconds.
    @discardableResult
    public func wait(forFence fence: Int32, patience: Double) throws(GPUError) -> FenceWait {
        try synchronize { (gl) throws(GLError) in try gl.wait(forFence: fence, patience: patience) }
    }

    /// Makes all later draws wait for a point of a timeline: see ``CurrentContext/wait(for:patience:)``.
    @discardableResult
    public func wait(for point: TimelinePoint, patience: Double) throws(GPUError) -> FenceWait {
        try synchronize { (gl) throws(GLError) in try gl.wait(for: point, patience: patience) }
    }

    /// Submits all draws so far, including the host's own, and signals a point of a timeline when they are done: see
    /// ``CurrentContext/signal(_:patience:)``.
    public func signal(_ point: TimelinePoint, patience: Double) throws(GPUError) -> PointSignal {
        try synchronize { (gl) throws(GLError) in try gl.signal(point, patience: patience) }
    }

    /// Submits all draws so far, including the host's own, and returns a fence that readers can wait for. If the driver
    /// does not support such fences, this call waits until the work is finished, and returns `.finished`.
    ///
    /// - Parameter patience: the maximum time, in seconds, for which this call waits if the driver does not support
    ///   such fences.
    public func fence(patience: Double) throws(GPUError) -> SubmittedWork {
        try synchronize { (gl) throws(GLError) in try gl.fenceSubmittedWork(patience: patience) }
    }

    /// Calls `body` in the host's context. The errors of waits and fences say nothing about the pipeline's objects, which
    /// ``perform(_:)`` would give up.
    private func synchronize<Value: ~Copyable>(
        _ body: (borrowing CurrentContext) throws(GLError) -> Value
    ) throws(GPUError) -> Value {
        try host.perform(failure: GPUError.gl) { (gl: borrowing CurrentContext) throws(GPUError) -> Value in
            try rethrow(body(gl), as: GPUError.gl)
        }
    }
}
