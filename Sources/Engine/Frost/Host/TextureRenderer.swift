public import FrostCore
import FrostGLES
public import FrostGPU

/// Applies effects in the OpenGL context of the embedding program: OpenGL ES 3.0 or desktop OpenGL 3.3, or later. The
/// sources are textures of the program. The results are written into textures and framebuffers of the program.
///
/// Nothing is copied or read back. The CPU does not wait for the GPU, except during 2-D kernels that occupy the GPU for
/// seconds. After the first frames of a size, no GL object is created. Draws run in order with the program's own draws,
/// so that later draws of the program see the result. Each call restores all GL state, except for errors that were
/// pending before the call. See docs/Compositors.md.
///
/// There is no fallback to the CPU: if the context cannot do something, the call throws. The program's pixels then stay
/// unchanged or, after a GL error, are undefined within the region that was to be drawn.
///
/// Not thread-safe: use the renderer while the context is current, from one thread at a time. With a `ContextBinding`
/// the context need not be current: Frost makes it current on the thread of each call. Free its memory with
/// ``destroy()``.
///
/// ```swift
/// let renderer = try TextureRenderer()  // in the context that is current on this thread
/// let scene = HostImage(HostTexture(name: name), width: 1920, height: 1080, format: .rgba8)
/// let screen = HostTarget(.framebuffer(0), width: 1920, height: 1080, format: .rgba8, rises: true)
/// try renderer.render(scene, effect, region: Rect(x: 40, y: 40, width: 300, height: 200), into: screen)
/// ```
///
/// Cost: a call only submits draws. The first use of an effect compiles its programs, which may take longer than a frame:
/// ``prepare(_:source:target:for:accuracy:)`` compiles them in advance.
public final class TextureRenderer {
    let executor: HostExecutor
    private let plans = RecentPlans()

    /// Creates a renderer in the context that is current on the calling thread. Takes some milliseconds. Programs are
    /// compiled, or loaded from the cache on disk, when they are first used.
    ///
    /// - Parameters:
    ///   - options: the limits and choices of the GPU backend.
    ///   - binding: makes the context current for each piece of work; nil if the program keeps the context current.
    /// - Throws: ``FrostError/deviceUnavailable(reason:)`` if there is no context of OpenGL ES 3.0 or OpenGL 3.3, or
    ///   later.
    public init(options: GPUOptions = GPUOptions(), binding: ContextBinding? = nil) throws(FrostError) {
        do throws(GPUError) { executor = try HostExecutor(options: options, binding: binding) } catch {
            throw error == .gl(.forked) ? .forked : .deviceUnavailable(reason: error.description)
        }
    }

    /// The name of the context's device.
    public var deviceName: String { executor.device.renderer }

    /// Counters of the work done so far, and the memory that the renderer holds.
    public var statistics: GPUStatistics { executor.statistics }

    /// The maximum side of an image, in pixels.
    public var maximumTextureSize: Int { executor.maximumTextureSize }

    /// Applies an effect.
    ///
    /// - Parameters:
    ///   - source: the source image. Frost reads the pixels that the effect needs, and does not change the image.
    ///   - effect: the effect.
    ///   - mask: the mask image, for effects whose mask is an image. Frost stretches the mask over the source.
    ///   - region: the region to compute, in the source's pixels, with y downwards. The default is the effect's region,
    ///     which is the whole image or a larger rectangle.
    ///   - target: the texture or framebuffer that receives the region. Its other pixels do not change. It must not be the
    ///     source's texture.
    ///   - accuracy: the maximum distance from the exact effect; by default it suits the target's sample type, or 16 bits if
    ///     colours are converted or the target has 10 bits.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``; in particular ``FrostError/surface(_:)`` if a texture or framebuffer differs from its
    ///   description, as far as GL can detect this.
    @discardableResult
    public func render(
        _ source: HostImage, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, into target: HostTarget,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        let plan = try plan(
            source, effect.keyed(for: .frames), mask: mask, region: region, into: target,
            accuracy ?? .suited(from: source, to: target))
        let report = try device { () throws(GPUError) in
            try executor.execute(plan, source: source, mask: mask, target: target, cancellation: cancellation)
        }
        let bound = HostExecutor.errorBound(of: plan, source.encoding, target)
        var result = RenderReport(
            backend: .gpu, device: deviceName, reason: "the textures are in the program's GL context",
            errorBound: bound.steps)
        result.lightErrorBound = bound.nits
        result.warning = report.degradedPrecision
        result.passes = report.passes
        return result
    }

    /// Deletes the textures that are kept for the next frames, and returns their memory to the system. Waits for the
    /// GPU, but at most for a second.
    ///
    /// - Returns: the number of bytes that were freed.
    @discardableResult
    public func trim() throws(FrostError) -> Int {
        try device { () throws(GPUError) in try executor.trim() }
    }

    /// Deletes all of Frost's GL objects in the context, which must be current or be made current by the binding. Later
    /// calls throw.
    public func destroy() { executor.destroy() }

    func plan(
        _ source: HostImage, _ effect: Effect, mask: MaskImage?, region: Rect?, into target: HostTarget,
        _ accuracy: Accuracy
    ) throws(FrostError) -> Plan {
        guard source.width > 0, source.height > 0 else {
            throw .pixels(.emptyImage(width: source.width, height: source.height))
        }
        let region = region ?? effect.region(extent: source.extent)
        let plan = try plans.plan(effect, extent: source.extent, region: region, accuracy: accuracy, mask: mask)
        try plan.check(source, target)
        return plan
    }

    /// Calls `body` and converts a ``GPUError`` to a ``FrostError``.
    func device<Value: ~Copyable>(_ body: () throws(GPUError) -> Value) throws(FrostError) -> Value {
        do throws(GPUError) { return try body() } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .surface(let fault): throw .surface(fault)
            case .outOfMemory(let bytes): throw .outOfMemory(bytes: bytes)
            case .gl(.forked): throw .forked
            case .gl, .imageTooLarge, .unsupportedFormat, .unsupportedOutputStages, .queueFull, .invalidTicket,
                .invalidPlan:
                throw .deviceFailed(device: deviceName, error)
            }
        }
    }
}

extension Accuracy {
    /// Returns the accuracy that suits a source and a target of the host. Encodings such as PQ cover a range of light
    /// that 8-bit steps are too coarse for.
    static func suited(from source: HostImage, to target: HostTarget) -> Accuracy {
        target.sharesSRGB(with: source.encoding) ? suited(to: target.format.sample) : .sixteenBit
    }
}

extension Plan {
    /// Checks that the plan matches the formats of the host's textures. Their sample types may differ: the GL converts
    /// samples when it reads and writes them.
    func check(_ source: HostImage, _ target: HostTarget) throws(FrostError) {
        var format = source.format
        format.sample = target.format.sample
        try rethrow(
            check(
                source: PixelLayout(width: source.width, height: source.height, format: format),
                target: PixelLayout(width: region.width, height: region.height, format: target.format)),
            as: FrostError.pixels)
    }
}
