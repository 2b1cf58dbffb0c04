public import FrostGLES
public import FrostGPU

extension TextureRenderer {
    /// What the driver does with dma-bufs: which formats and modifiers, and what of them can be sampled alone. Asked once.
    ///
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` where the context is not current, as all calls here.
    public func dmaBufferSupport() throws(FrostError) -> DMABufferSupport {
        try device { () throws(GPUError) in try executor.dmaBufferSupport() }
    }

    /// Imports a dma-buf as a source, or a target, or both. Costs a few system calls and a GL object: a program that shows the
    /// same few buffers in turn imports each once.
    ///
    /// - Parameters:
    ///   - buffer: its descriptors may be closed afterwards.
    ///   - use: nil takes a 2D texture where the driver has it, else an external one, which can be a source alone.
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` with `GLError.dmaBuffer`, which names format and modifier of what cannot
    ///   be.
    public func open(_ buffer: DMABuffer, as use: DMABufferSupport.Use? = nil) throws(FrostError) -> HostBuffer {
        try device { () throws(GPUError) in try executor.open(buffer, as: use) }
    }

    /// Orders what is drawn from now on, by whomever in this context, behind a producer's fence: on the GPU where it can wait,
    /// else by waiting.
    ///
    /// - Parameters:
    ///   - fence: a descriptor that becomes readable when the producer is done. It stays the caller's.
    ///   - patience: the longest wait on the CPU, in seconds.
    /// - Throws: ``FrostError/deviceFailed(device:_:)`` with `GLError.timeout`.
    @discardableResult
    public func wait(forFence fence: Int32, patience: Double = 1) throws(FrostError) -> FenceWait {
        try device { () throws(GPUError) in try executor.wait(forFence: fence, patience: patience) }
    }

    /// Submits what was drawn, the program's own draws among it, and returns a fence behind it for readers to wait for. Where
    /// the driver has no such fences the work is waited for, and the result says so.
    ///
    /// - Parameter patience: the longest such wait, in seconds.
    public func fence(patience: Double = 1) throws(FrostError) -> SubmittedWork {
        try device { () throws(GPUError) in try executor.fence(patience: patience) }
    }
}
