public import FrostCore
import FrostGLES
public import FrostGPU

/// Carries out effects in the OpenGL ES context of the embedding program, from its textures to its textures and framebuffers.
///
/// Nothing is copied, read back or waited for, and once the first frames of a size are over no GL object is made. Draws go in
/// order with the program's own: what it draws afterwards sees the result. Every piece of GL state is as it was after each call,
/// but for errors that nobody had asked for. See docs/Embedding.md.
///
/// There is no CPU behind it: what the context cannot do is an error, and the program's pixels stay what they are or, after an
/// error of the GL, are undefined within the region.
///
/// Not thread-safe: to be used where the context is current, by one thread at a time. Give memory back with ``destroy()``.
public final class TextureRenderer {
    let executor: HostExecutor
    private let plans = RecentPlans()

    /// Adopts the context that is current on the calling thread. Takes some milliseconds; programs are compiled, or loaded from
    /// the cache on disk, when they are first used.
    ///
    /// - Throws: ``FrostError/deviceUnavailable(reason:)`` where there is no context of OpenGL ES 3.0 or later.
    public init(options: GPUOptions = GPUOptions()) throws(FrostError) {
        do throws(GPUError) { executor = try HostExecutor(options: options) } catch {
            throw .deviceUnavailable(reason: error.description)
        }
    }

    /// What the context is on.
    public var deviceName: String { executor.device.renderer }

    /// What was done so far, and what is held.
    public var statistics: GPUStatistics { executor.statistics }

    /// The longest side that images may have.
    public var maximumTextureSize: Int { executor.maximumTextureSize }

    /// Carries out an effect.
    ///
    /// - Parameters:
    ///   - source: read where the effect reaches; stays as it is.
    ///   - mask: for effects whose mask is an image; stretched over the source.
    ///   - region: what to compute, in the source's pixels, y downwards; what the effect says by default: the whole image, or
    ///     more.
    ///   - target: receives the region, and no other pixel changes. Not the source's texture.
    ///   - accuracy: how near to the exact effect; what suits 8 bits by default.
    /// - Throws: ``FrostError``: ``FrostError/surface(_:)`` for textures and framebuffers that are not what was said, as far as
    ///   the GL tells.
    @discardableResult
    public func render(
        _ source: HostImage, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, into target: HostTarget,
        accuracy: Accuracy = .eightBit, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        let plan = try plan(source, effect, mask: mask, region: region, into: target, accuracy)
        let report = try device { () throws(GPUError) in
            try executor.execute(plan, source: source, mask: mask, target: target, cancellation: cancellation)
        }
        var result = RenderReport(
            backend: .gpu, device: deviceName, reason: "in the host's context",
            errorBound: plan.errorBound + report.filterError)
        result.warning = report.degradedPrecision
        result.passes = report.passes
        return result
    }

    /// Gives the memory of textures back to the GL that is kept for the next frames.
    public func trim() throws(FrostError) {
        try device { () throws(GPUError) in try executor.trim() }
    }

    /// Deletes everything that Frost has in the context, which has to be current. Later calls throw.
    public func destroy() { executor.destroy() }

    private func plan(
        _ source: HostImage, _ effect: Effect, mask: MaskImage?, region: Rect?, into target: HostTarget,
        _ accuracy: Accuracy
    ) throws(FrostError) -> Plan {
        guard source.width > 0, source.height > 0 else {
            throw .pixels(.emptyImage(width: source.width, height: source.height))
        }
        let region = region ?? effect.region(extent: source.extent)
        let plan: Plan
        do throws(ParameterError) {
            try effect.check(mask)
            plan = try plans.plan(effect, extent: source.extent, region: region, accuracy: accuracy, mask: mask)
        } catch {
            throw .parameter(error)
        }
        try plan.check(source, target)
        return plan
    }

    /// Calls `body` and turns its error into this layer's.
    func device<Value: ~Copyable>(_ body: () throws(GPUError) -> Value) throws(FrostError) -> Value {
        do throws(GPUError) { return try body() } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .surface(let fault): throw .surface(fault)
            case .gl, .imageTooLarge, .unsupportedFormat, .unsupportedOutputStages, .queueFull, .invalidTicket,
                .invalidPlan:
                throw .deviceFailed(device: deviceName, error)
            }
        }
    }
}

extension Plan {
    /// Checks that the formats of a host's textures go together.
    func check(_ source: HostImage, _ target: HostTarget) throws(FrostError) {
        do throws(PixelError) {
            try check(
                source: PixelLayout(width: source.width, height: source.height, format: source.format),
                target: PixelLayout(width: region.width, height: region.height, format: target.format))
        } catch {
            throw .pixels(error)
        }
    }
}
