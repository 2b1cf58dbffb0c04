package import FrostCore
import FrostDrawing
package import FrostGLES
import Synchronization

/// Executes plans on one device exactly as planned.
///
/// The executor has a GL context on a thread of its own, and keeps idle textures for later plans. Executions run one at
/// a time: later calls wait for earlier calls.
///
/// Thread-safety: may be used from any thread. The caller's thread blocks while the GPU works. The executor does not
/// touch the current GL context of the caller's thread.
package final class GPUExecutor: Sendable {
    /// The device that runs the plans.
    package let device: DeviceInfo
    /// The limits and capabilities of the device's GL context.
    package let limits: ContextLimits
    /// The options that the executor was created with.
    package let options: GPUOptions
    private let thread: GLThread
    private let pipeline: ContextBound<Pipeline>
    let drawLimits: DrawLimits
    private let totals = Mutex(GPUStatistics())
    let abandoned = AbandonedTickets()
    let pinned = PinnedMemories()

    /// Opens a device. Takes about 50 ms.
    ///
    /// - Throws: ``GPUError/gl(_:)`` with the reason.
    package init(device selector: DeviceSelector, options: GPUOptions = GPUOptions()) throws(GPUError) {
        let thread = try rethrow(GLThread.open(selector, options: options.context), as: GPUError.gl)
        self.thread = thread
        self.options = options
        device = thread.device
        (pipeline, limits, drawLimits) = try fromGL { () throws(GLError) in
            try thread.performBounded(failure: { $0 }) { (gl) throws(GLError) in
                let pipeline = try Pipeline(options, in: gl)
                return (ContextBound(pipeline, to: gl), gl.limits, pipeline.limits)
            }
        }
    }

    deinit { thread.shutdown() }

    /// The maximum side of images and intermediates, in texels.
    package var maximumTextureSize: Int { drawLimits.textureSize }

    /// Whether compute shaders compute some of the draws. False before the first draw.
    package var usesComputeShaders: Bool { totals.withLock { $0.usesComputeShaders } }

    /// Counters of the work done so far, and the memory and GL objects that the executor holds.
    package var statistics: GPUStatistics {
        var statistics = totals.withLock { $0 }
        statistics.objects = thread.objectCounts
        statistics.transfer = TransferChoice(options.transfer, device).description
        statistics.pinnedBytes = pinned.byteCount
        return statistics
    }

    /// Executes a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - source: the whole image, which covers `plan.extent`. Only the part that the plan reads is uploaded.
    ///   - mask: the mask image, if the plan's output stages or blend use an image as their mask.
    ///   - target: the memory that receives the pixels of `plan.region`. The target's format has to pass
    ///     ``Plan/check(source:target:)``. The target may be the same memory as the source if both have the same layout.
    ///   - cancellation: checked between passes, and every few milliseconds while waiting for the GPU.
    /// - Throws: ``GPUError``; the target's content is undefined after an error. After `GLError.contextLost` every
    ///   later call throws the same error, so create a new executor.
    /// - Returns: a report of the work. If `degradedPrecision` in the report is not nil, show it to the user.
    @discardableResult
    package func execute(
        _ plan: Plan, source: PixelSource, mask: MaskImage? = nil, target: PixelTarget,
        cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUReport {
        let execution = try unsafe Execution(
            plan, source: source.layout, mask: mask, target: target.layout, limits: drawLimits,
            patience: options.patience(cancellation))
        return try perform { [pinned] (pipeline, gl) throws(GPUError) in
            try unsafe pipeline.execute(execution, source: source, target: target, pinned, in: gl)
        }
    }

    /// Calls `body` on the context's thread, and takes over the pipeline's statistics.
    func perform<Value>(
        _ body: @escaping (Pipeline, borrowing CurrentContext) throws(GPUError) -> Value
    ) throws(GPUError) -> Value {
        try thread.performBounded(failure: GPUError.gl) {
            [self] (gl: borrowing CurrentContext) throws(GPUError) -> Value in
            let pipeline = try rethrow(self.pipeline.value(in: gl), as: GPUError.gl)
            for ticket in abandoned.take() { pipeline.abandon(ticket, in: gl) }
            defer { totals.withLock { $0 = pipeline.statistics } }
            return try pipeline.perform(in: gl, body)
        }
    }

    /// Whether blurs of this device passed a check before, in this process or another one with the same shaders and driver.
    ///
    /// - Parameter check: the name of the check.
    package func hasPassed(_ check: String) throws(GPUError) -> Bool {
        try perform { (pipeline, gl) throws(GPUError) in
            pipeline.programs.binaries.note(Self.noteName(check), of: gl.device) != nil
        }
    }

    /// Keeps the fact that blurs of this device passed a check, beside the programs.
    package func keepPassed(_ check: String) throws(GPUError) {
        try perform { (pipeline, gl) throws(GPUError) in
            pipeline.programs.binaries.keep("passed", as: Self.noteName(check), of: gl.device)
        }
    }

    private static func noteName(_ check: String) -> String { "\(check), shaders \(ProgramSource.identity)" }

    /// Deletes idle textures and buffers, and returns their memory to the system. Waits for the GPU, but at most for a
    /// second.
    ///
    /// - Returns: the number of bytes that were freed.
    @discardableResult
    package func trim() throws(GPUError) -> Int {
        try perform { (pipeline, gl) throws(GPUError) in try pipeline.trim(in: gl) }
    }

    /// Finishes the current execution, destroys the context and ends its thread. Later executions throw
    /// `GLError.contextLost`. May be called more than once. If pinned memory exists, all this happens when it is released.
    package func shutdown() { if pinned.byteCount == 0 { thread.shutdown() } }

    /// Throws `GLError.driverBlocked` if a call of the driver has blocked for longer than the timeout, and still does.
    /// No context can be opened then.
    package func checkDriver() throws(GLError) { try thread.checkDriver() }
}
