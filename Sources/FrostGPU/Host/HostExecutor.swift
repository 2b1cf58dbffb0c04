public import FrostCore
public import FrostGLES

/// Carries out plans in the context of the embedding program, from its textures to its textures: nothing is copied,
/// read back or waited for, and after the first frames of a size no GL object is made.
///
/// Draws are ordered with the host's own: what the host draws afterwards sees the result. Each call restores all GL
/// state. A 2-D kernel that would take a GPU seconds is waited for in between, as by ``GPUExecutor``.
///
/// Not thread-safe: to be used only while the context is current, by one thread at a time.
public final class HostExecutor {
    /// The device that the context is on.
    public var device: DeviceInfo { host.device }
    /// What it can do.
    public var limits: ContextLimits { host.limits }
    public let options: GPUOptions
    let host: HostContext
    private var pipeline: Pipeline?
    private let drawLimits: DrawLimits
    private var totals = GPUStatistics()

    /// Adopts the context that is current on the calling thread.
    ///
    /// - Throws: ``GPUError/gl(_:)``, with `GLError.notCurrent` if there is none of OpenGL ES 3.
    public init(options: GPUOptions = GPUOptions()) throws(GPUError) {
        self.options = options
        let host = try fromGL { () throws(GLError) in try HostContext(options: options.context) }
        self.host = host
        let made = try fromGL { () throws(GLError) in
            try host.perform(failure: { (error: GLError) in error }) { (gl) throws(GLError) in
                try Pipeline(options, in: gl)
            }
        }
        pipeline = made
        drawLimits = made.limits
    }

    /// The longest side that images may have.
    public var maximumTextureSize: Int { drawLimits.textureSize }

    /// What was done so far, and what is held.
    public var statistics: GPUStatistics {
        var statistics = totals
        pipeline?.describe(in: &statistics)
        statistics.objects = host.objectCounts
        statistics.transfer = "none: textures stay where they are"
        return statistics
    }

    /// Draws a plan's result.
    ///
    /// - Parameters:
    ///   - source: the image, which is all of `plan.extent`.
    ///   - mask: for plans whose output stages or blend have a mask that is an image.
    ///   - target: receives `plan.region`; other pixels keep their values. Must not be the source's own texture.
    /// - Throws: ``GPUError``: ``GPUError/surface(_:)`` for textures that differ from their description, and nothing
    ///   was drawn; after other errors the target's region is undefined. The host's state is restored.
    @discardableResult
    public func execute(
        _ plan: Plan, source: HostImage, mask: MaskImage? = nil, target: HostTarget,
        cancellation: Cancellation? = nil
    ) throws(GPUError) -> GPUReport {
        try Self.check(plan, source, target)
        var work = try work(plan.replacingCopy(.clamp), source, mask, target.format, cancellation)
        work.ends.target = .host(target)
        let report = try perform { (pipeline, gl) throws(GPUError) in try pipeline.draw(work, in: gl) }
        totals.executions += 1
        totals.passes += report.passes
        return report
    }

    /// Checks a plan and makes it ready. No GL is involved.
    ///
    /// - Parameter given: a slot that is there already.
    func work(
        _ plan: Plan, _ source: HostImage, _ mask: MaskImage?, _ target: PixelFormat,
        _ cancellation: Cancellation? = nil, given: Place? = nil
    ) throws(GPUError) -> Work {
        var work = Work(
            plan: try DrawPlan(plan, limits: drawLimits, stored: plan.extent, given: given),
            source: source.format, mask: mask, target: target,
            patience: Patience(seconds: options.timeout, cancellation: cancellation))
        work.ends.source = source
        return work
    }

    /// Takes back a target that is no longer kept.
    func giveBack(_ target: Target) { pipeline?.pool.giveBack(target) }

    /// Calls `body` with the state as Frost needs it.
    func perform<Value>(
        _ body: (Pipeline, borrowing CurrentContext) throws(GPUError) -> Value
    ) throws(GPUError) -> Value {
        try host.perform(failure: GPUError.gl) { (gl: borrowing CurrentContext) throws(GPUError) -> Value in
            guard let pipeline else { throw .gl(.notCurrent("what Frost had in the host's context was destroyed")) }
            return try body(pipeline, gl)
        }
    }

    /// Gives the memory of idle textures back to the GL.
    public func trim() throws(GPUError) {
        try perform { (pipeline, _) throws(GPUError) in pipeline.trim() }
    }

    /// Deletes all that Frost has in the context. Later calls throw `GLError.notCurrent`. If the context is not
    /// current, its objects remain until it is destroyed. May be called again.
    public func destroy() {
        pipeline = nil
        host.destroy()
    }

    /// Checks source and target against a plan. No GL is involved.
    package static func check(_ plan: Plan, _ source: HostImage, _ target: HostTarget) throws(GPUError) {
        try source.check()
        guard source.extent == Rect(x: 0, y: 0, width: plan.extent.width, height: plan.extent.height) else {
            throw .invalidPlan(
                "an image of \(plan.extent.width)x\(plan.extent.height) in a texture of \(source.extent)")
        }
        try target.check(for: plan.region, of: source)
    }

    /// Checks that a target has room for all of a picture. No GL is involved.
    package static func check(_ source: HostImage, _ target: HostTarget) throws(GPUError) {
        try source.check()
        try target.check(for: source.extent, of: source)
    }
}

extension Pipeline {
    /// Submits the draws of work whose source is the host's.
    func draw(_ work: Work, in gl: borrowing CurrentContext) throws(GPUError) -> GPUReport {
        let choice = work.choice(of: formats)
        try choice.check()
        try work.patience.check()
        var places: [Place: Target] = [:]
        defer {
            for target in places.values { pool.giveBack(target) }
            hostFramebuffer?.release(in: gl)
        }
        try check(work.ends, in: gl)
        var report = GPUReport()
        try submit(work, choice, &places, &report, gl)
        return report
    }
}
