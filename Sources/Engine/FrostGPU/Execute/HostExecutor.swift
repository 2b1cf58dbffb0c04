package import FrostCore
import FrostDrawing
package import FrostGLES

/// Executes plans in the GL context of the embedding program, which is called the host. Sources and targets are
/// textures of the host. Nothing is copied or read back, and the CPU normally does not wait for the GPU. After the
/// first frames of a size, no GL object is created.
///
/// Draws run in order with the host's own draws, so that later draws of the host see the result. Each call restores all
/// GL state. The CPU waits for the GPU in one case only: during a 2-D kernel that occupies the GPU for seconds, the
/// call sometimes waits, as ``GPUExecutor`` does.
///
/// Not thread-safe: use it only while the context is current, from one thread at a time.
package final class HostExecutor {
    /// The device of the host's context.
    package var device: DeviceInfo { host.device }
    /// The limits and capabilities of the host's context.
    package var limits: ContextLimits { host.limits }
    /// The options that the executor was created with.
    package let options: GPUOptions
    let host: HostContext
    private var pipeline: Pipeline?
    let drawLimits: DrawLimits

    /// Creates an executor in the context that is current on the calling thread, or that `binding` makes current for
    /// each piece of work.
    ///
    /// - Throws: ``GPUError/gl(_:)``, with `GLError.notCurrent` if no context of OpenGL ES 3.0 or OpenGL 3.3, or later,
    ///   is current.
    package init(options: GPUOptions = GPUOptions(), binding: ContextBinding? = nil) throws(GPUError) {
        self.options = options
        let host = try rethrow(HostContext(options: options.context, binding: binding), as: GPUError.gl)
        self.host = host
        let pipeline: Pipeline
        do throws(GPUError) {
            pipeline = try host.perform(failure: GPUError.gl) { (gl: borrowing CurrentContext) throws(GPUError) in
                try rethrow(Pipeline(options, in: gl), as: GPUError.gl)
            }
        } catch {
            host.destroy()
            throw error
        }
        self.pipeline = pipeline
        drawLimits = pipeline.limits
    }

    /// The maximum side of an image, in pixels.
    package var maximumTextureSize: Int { drawLimits.textureSize }

    /// Counters of the work done so far, and the memory and GL objects that the executor holds.
    package var statistics: GPUStatistics {
        var statistics = pipeline?.statistics ?? GPUStatistics()
        statistics.objects = host.objectCounts
        statistics.transfer = "none: textures are used in place"
        return statistics
    }

    /// Draws a plan's result.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - source: the image, which covers all of `plan.extent`.
    ///   - mask: the mask image, if the plan's output stages or blend use an image as their mask.
    ///   - window: the texture that the plan's content stands for, if it stands for one.
    ///   - target: the surface that receives the pixels of `plan.region`. The other pixels of the surface keep their values.
    ///     The target must not be the source's texture.
    /// - Throws: ``GPUError``. ``GPUError/surface(_:)`` means that a texture or surface differs from its description;
    ///   nothing was drawn then. After other errors, the pixels of the region in the target are undefined. The host's GL
    ///   state is restored in all cases.
    @discardableResult
    package func execute(
        _ plan: Plan, source: HostImage, mask: MaskImage? = nil, window: HostWindow? = nil, target: HostTarget,
        cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUReport {
        var execution = try execution(plan, source, mask, target, cancellation)
        execution.ends.content = try window?.content
        return try perform { (pipeline, gl) throws(GPUError) in
            let report = try pipeline.draw(execution, in: gl)
            pipeline.count(report)
            return report
        }
    }

    /// Checks a plan and prepares it for drawing, without calling the GL.
    func execution(
        _ plan: Plan, _ source: HostImage, _ mask: MaskImage?, _ target: HostTarget, _ cancellation: Cancellation? = nil
    ) throws(GPUError) -> Execution {
        try Self.check(plan, source, target)
        return try Execution(
            plan.replacingCopy(.clamp), source: source, mask: mask, target: target, limits: drawLimits,
            patience: options.patience(cancellation))
    }

    /// Loads or compiles the programs with which ``execute(_:source:mask:target:cancellation:)`` would draw, without
    /// drawing. The textures and surfaces need not exist: only their descriptions are read.
    ///
    /// - Throws: ``GPUError``, as `execute` does.
    package func prepare(
        _ plan: Plan, source: HostImage, mask: MaskImage? = nil, target: HostTarget
    ) throws(GPUError) {
        let execution = try execution(plan, source, mask, target)
        try perform { (pipeline, gl) throws(GPUError) in try pipeline.prepare(execution, in: gl) }
    }

    /// Returns the programs of this executor as bytes, which ``addPrograms(_:)`` of a later executor takes in place of
    /// compiling. The bytes are empty of programs if the driver does not support program binaries.
    package func programData() throws(GPUError) -> [UInt8] {
        try perform { (pipeline, gl) throws(GPUError) in try pipeline.programData(in: gl) }
    }

    /// Adds the programs of an earlier executor. Bytes that are damaged, or that belong to another driver, device or
    /// version of Frost, are ignored and logged; these programs are compiled again.
    ///
    /// - Returns: the number of programs that can be used.
    package func addPrograms(_ bytes: [UInt8]) throws(GPUError) -> Int {
        try perform { (pipeline, gl) throws(GPUError) in pipeline.programs.binaries.add(bytes, in: gl) }
    }

    /// Changes when the textures that callers keep have to be given up, because the GL refused a call.
    var generation: Int { pipeline?.generation ?? -1 }

    /// Gives a texture that is no longer needed back to the pool.
    func giveBack(_ target: Target) { pipeline?.pool.giveBack(target) }

    /// Calls `body` with the GL state that Frost needs, and restores the host's state afterwards.
    func perform<Value>(
        _ body: (Pipeline, borrowing CurrentContext) throws(GPUError) -> Value
    ) throws(GPUError) -> Value {
        try host.perform(failure: GPUError.gl) { (gl: borrowing CurrentContext) throws(GPUError) -> Value in
            guard let pipeline else { throw .gl(.notCurrent("Frost's objects in the host's context were destroyed")) }
            return try pipeline.perform(in: gl, body)
        }
    }

    /// Deletes idle textures and buffers, and returns their memory to the system. Waits for the GPU, but at most for a
    /// second.
    ///
    /// - Returns: the number of bytes that were freed.
    @discardableResult
    package func trim() throws(GPUError) -> Int {
        try perform { (pipeline, gl) throws(GPUError) in try pipeline.trim(in: gl) }
    }

    /// Deletes all of Frost's GL objects in the context. Later calls throw `GLError.notCurrent`. If the context is not
    /// current, the objects remain until the context is destroyed. May be called more than once.
    package func destroy() {
        pipeline = nil
        host.destroy()
    }

    /// Returns the error bound of a plan: see ``FrostDrawing/ColorRoute/errorBound(of:source:target:)``.
    package static func errorBound(
        of plan: Plan, _ source: ColorEncoding, _ target: HostTarget
    ) -> (steps: Double, nits: Double?) {
        ColorRoute.errorBound(of: plan, source: source, target: target.colors)
    }

    /// Checks source and target against a plan, without calling the GL.
    package static func check(_ plan: Plan, _ source: HostImage, _ target: HostTarget) throws(GPUError) {
        try source.check()
        guard source.extent == Rect(x: 0, y: 0, width: plan.extent.width, height: plan.extent.height) else {
            throw .invalidPlan(
                "its image has \(plan.extent.width)x\(plan.extent.height) pixels, but the texture is \(source.extent)")
        }
        try target.check(for: plan.region, of: source)
    }

    /// Checks that a target has room for a whole picture, without calling the GL.
    package static func check(_ source: HostImage, _ target: HostTarget) throws(GPUError) {
        try source.check()
        try target.check(for: source.extent, of: source)
    }
}
