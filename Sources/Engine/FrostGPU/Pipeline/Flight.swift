import FrostCore
import FrostGLES

/// An execution that was submitted and not yet collected.
final class Flight {
    let execution: Execution
    let drawn: Drawn
    /// The buffer with the result, once the fence is signalled; nil if the texture of `drawn` is read when the execution is
    /// collected, or if the GPU writes the result to the caller's memory.
    let result: PooledBuffer?
    /// The buffer with the source's pixels. The buffer is given back to the pool when this execution ends, because
    /// nothing uses the buffer any more then.
    let source: PooledBuffer?
    /// The number of bytes of the result.
    let bytes: Int
    let fence: Fence
    /// The memory of the caller that the GPU uses. It holds a reference to the executor, which holds this object, so it is
    /// released as soon as the GPU has left the memory.
    var pinned: [PinnedPixels]

    init(
        _ execution: Execution, _ drawn: Drawn, result: PooledBuffer?, source: PooledBuffer?, bytes: Int,
        fence: consuming Fence, pinned: [PinnedPixels]
    ) {
        self.pinned = pinned
        self.execution = execution
        self.drawn = drawn
        self.result = result
        self.source = source
        self.bytes = bytes
        self.fence = fence
    }
}
