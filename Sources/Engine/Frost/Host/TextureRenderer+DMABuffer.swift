public import FrostGLES
public import FrostGPU

extension TextureRenderer {
    /// Returns what the driver supports for dma-bufs: formats, modifiers, and which of them can only be sampled. The
    /// driver is queried only once.
    ///
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` if the context is not current.
    public func dmaBufferSupport() throws(FrostError) -> DMABufferSupport {
        try device { () throws(GPUError) in try executor.dmaBufferSupport() }
    }

    /// Imports a dma-buf as a source, a target, or both. An import costs a few system calls and a GL object. A program
    /// that uses the same few buffers in turn should import each of them once.
    ///
    /// - Parameters:
    ///   - buffer: the dma-buf. Its descriptors may be closed after this call.
    ///   - use: how the dma-buf is used. With nil, it is used as a 2D texture if the driver supports this, and otherwise as
    ///     an external texture, which can only be a source.
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` with `GLError.dmaBuffer`, which names the unsupported format
    ///   and modifier.
    public func open(_ buffer: DMABuffer, as use: DMABufferSupport.Use? = nil) throws(FrostError) -> HostBuffer {
        try device { () throws(GPUError) in try executor.open(buffer, as: use) }
    }

    /// Makes all later draws in this context wait for a producer's fence. The GPU waits if the driver supports this;
    /// otherwise the CPU waits.
    ///
    /// - Parameters:
    ///   - fence: a file descriptor that becomes readable when the producer is done. The caller still has to close this
    ///     descriptor.
    ///   - patience: the maximum wait on the CPU, in seconds.
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` with `GLError.timeout`.
    @discardableResult
    public func wait(forFence fence: Int32, patience: Double = 1) throws(FrostError) -> FenceWait {
        try device { () throws(GPUError) in try executor.wait(forFence: fence, patience: patience) }
    }

    /// Submits all draws so far, including the program's own, and returns a fence that readers can wait for. If the
    /// driver does not support such fences, this call waits until the work is finished, and returns `.finished`.
    ///
    /// - Parameter patience: the maximum time, in seconds, for which this call waits if the driver does not support
    ///   such fences.
    public func fence(patience: Double = 1) throws(FrostError) -> SubmittedWork {
        try device { () throws(GPUError) in try executor.fence(patience: patience) }
    }

    /// Makes all later draws in this context wait for a point of a DRM timeline. The GPU waits if the driver supports
    /// this; otherwise the CPU waits. If the point has no fence yet, the CPU first waits until its producer has
    /// submitted its work.
    ///
    /// - Parameters:
    ///   - point: the point. Its descriptors stay the caller's.
    ///   - patience: the maximum wait on the CPU, in seconds, for each of the two waits.
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` with `GLError.timeout`, with `GLError.unsupported` if the DRM
    ///   device has no timelines, or with `GLError.callFailed` if the device or the timeline does not exist.
    @discardableResult
    public func wait(for point: TimelinePoint, patience: Double = 1) throws(FrostError) -> FenceWait {
        try device { () throws(GPUError) in try executor.wait(for: point, patience: patience) }
    }

    /// Submits all draws so far, including the program's own, and signals a point of a DRM timeline when they are done.
    /// If the driver does not support fences, this call waits until the work is finished and then signals the point,
    /// and the result says so.
    ///
    /// - Parameters:
    ///   - point: the point. It must be later than all points of the timeline that were submitted before.
    ///   - patience: the maximum time, in seconds, for which this call waits if the driver does not support fences.
    /// - Throws: as ``wait(for:patience:)``. After an error the point is not signalled.
    public func signal(_ point: TimelinePoint, patience: Double = 1) throws(FrostError) -> PointSignal {
        try device { () throws(GPUError) in try executor.signal(point, patience: patience) }
    }
}
