import FrostCore
import FrostGLES

/// An execution that was submitted and not yet collected.
final class Flight {
    let work: Work
    /// Where the result of the execution is stored.
    enum Storage {
        /// The result is in a buffer, once the fence is signalled.
        case buffer(PooledBuffer)
        /// The result is in a texture, which is read when the execution is collected.
        case target(Target)
    }
    let result: Storage
    /// The buffer with the source's pixels. The buffer is given back to the pool when this execution ends, because
    /// nothing uses the buffer any more then.
    let source: PooledBuffer?
    /// The number of bytes of the result.
    let bytes: Int
    let fence: Fence
    var report: GPUReport
    var stopwatch: Stopwatch?

    init(
        _ work: Work, _ result: Storage, source: PooledBuffer?, bytes: Int, fence: consuming Fence, _ report: GPUReport,
        _ stopwatch: Stopwatch?
    ) {
        self.work = work
        self.result = result
        self.source = source
        self.bytes = bytes
        self.fence = fence
        self.report = report
        self.stopwatch = stopwatch
    }
}
