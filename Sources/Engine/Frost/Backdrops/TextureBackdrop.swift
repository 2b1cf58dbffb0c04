public import FrostCore
import FrostGLES
public import FrostGPU

/// Draws panels of frosted glass over a texture that changes. A `TextureBackdrop` follows the same rules as a
/// ``Backdrop``, but works in the embedding program's context of OpenGL ES or desktop OpenGL.
///
/// Panels with the same blur share the image that the blur's last interpolations read. This image is kept in a texture.
/// Drawing a panel costs two draw calls over the panel's own area. For each panel, the result equals, bit for bit, the
/// result of a ``TextureRenderer`` for the panel's effect on the whole picture or, with ``Backdrop/Layering/stacked``,
/// on what lies below.
///
/// Not thread-safe: use it while the context is current, from one thread at a time.
public final class TextureBackdrop {
    /// The panels, from bottom to top. ``Panel/id`` identifies them from frame to frame.
    public var panels: [Panel] = []

    private let renderer: TextureRenderer
    private let coverage: Backdrop.Coverage
    private let accuracy: Accuracy?
    private var surfaces: Surfaces?
    private let layering: Backdrop.Layering
    private let choosesOnce: Bool
    private var stack: BackdropStack<HostLevel>
    /// The images of the stages of ``stack``.
    private var images: [HostStage] = []
    private var windows = PanelTextures()

    /// Creates a backdrop in the renderer's context.
    ///
    /// - Parameters:
    ///   - renderer: the renderer to draw with.
    ///   - coverage: whether to compute the whole of a blur's low-resolution levels, or only the samples that panels show.
    ///   - accuracy: the maximum distance from the exact effect; by default it suits the target's sample type.
    ///   - layering: whether panels show the effect of the panels below them.
    public convenience init(
        on renderer: TextureRenderer, coverage: Backdrop.Coverage = .panels, accuracy: Accuracy? = nil,
        layering: Backdrop.Layering = .flat
    ) {
        self.init(on: renderer, coverage: coverage, accuracy: accuracy, layering: layering, choosesOnce: false)
    }

    /// Creates a backdrop that may choose the colour of a panel's content once, and not follow the picture.
    package init(
        on renderer: TextureRenderer, coverage: Backdrop.Coverage, accuracy: Accuracy? = nil,
        layering: Backdrop.Layering = .flat, choosesOnce: Bool
    ) {
        self.choosesOnce = choosesOnce
        self.renderer = renderer
        self.coverage = coverage
        self.accuracy = accuracy
        self.layering = layering
        stack = BackdropStack(extent: .empty, accuracy: .eightBit, coverage: coverage, layering: layering)
    }

    /// Reports that the picture has changed in a rectangle: see ``Backdrop/invalidate(_:)``.
    public func invalidate(_ rect: Rect) { stack.invalidate(rect) }

    /// Reports that any part of the picture may have changed.
    public func invalidateAll() { stack.invalidateAll() }

    /// Reports that the texture of a panel has changed in a rectangle of its pixels.
    ///
    /// - Parameters:
    ///   - rect: the rectangle, relative to the top left corner of the texture as it is seen. Parts outside the texture are
    ///     ignored.
    ///   - index: the panel's index in ``panels``. Other numbers are ignored.
    public func invalidateTexture(_ rect: Rect, ofPanelAt index: Int) {
        if panels.indices.contains(index) { windows.invalidate(rect, of: panels[index], at: index) }
    }

    /// Returns the colour of a panel's content in the last frame: the colour that was given for a minimum contrast, or black or
    /// white where it is chosen automatically. The host draws text and symbols in this colour. A choice follows the picture below the
    /// panel, but moves only if the other colour needs much less change: see ``Effect/decidingContent(for:after:)``.
    /// The picture of a frame decides for the next one, so that the CPU need not wait for the GPU; it waits only when a panel
    /// appears: see ``BackdropReport/pendingChoices``.
    ///
    /// - Parameter index: the panel's index in ``panels``.
    /// - Returns: nil if the panel guarantees no contrast, or was not visible yet.
    public func contentColor(ofPanelAt index: Int) -> Color? {
        panels.indices.contains(index) ? stack.contentColor(of: panels[index], at: index) : nil
    }

    /// Draws all changes since the last frame into a target. If nothing has changed, no GL function is called.
    ///
    /// Frost writes only the pixels of panels; the host draws all other pixels.
    ///
    /// - Parameters:
    ///   - source: the picture. It may differ from the picture of the last frame only in the parts that were reported as
    ///     changed. If its size or format differs, it counts as a new picture. A different texture name alone does not mean
    ///     a new picture: it means the same picture in another buffer.
    ///   - target: the texture or framebuffer to draw into. It must have room for the whole picture at the target's
    ///     position, and it must not be the source's texture.
    ///   - repaint: states what the target shows before this call, and so how much has to be drawn.
    ///   - buffer: a number that identifies the target among the buffers of a swap chain; by default the target's GL name
    ///     does. Framebuffer 0 is all buffers of a window, so it needs a number or ``Backdrop/Repaint/aged(_:)`` unless the
    ///     window has a single buffer.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``. After an error or a cancellation, the next frame does the remaining work.
    public func render(
        _ source: HostImage, into target: HostTarget, repaint: Backdrop.Repaint = .changed, buffer: UInt64? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> BackdropReport {
        guard source.width > 0, source.height > 0 else {
            throw .pixels(.emptyImage(width: source.width, height: source.height))
        }
        try renderer.device { () throws(GPUError) in try HostExecutor.check(source, target) }
        let surfaces = Surfaces(source, target)
        let executor = TextureBackdropExecutor(
            source: source, target: target, renderer: renderer, windows: windows, cancellation: cancellation)
        if surfaces != self.surfaces || stack.extent != source.extent {
            stack.dropLevels(by: executor)
            stack = BackdropStack(
                extent: source.extent, accuracy: accuracy ?? .suited(from: source, to: target), coverage: coverage,
                layering: layering, choosesOnce: choosesOnce)
            images = []
            self.surfaces = surfaces
        }
        if images.contains(where: { !$0.isValid }) {
            stack.loseImages(by: executor)
            images = []
        }
        let panels = try windows.adopt(panels, in: source.extent, on: renderer)
        let key: BackdropTarget = buffer.map { .buffer($0, x: target.x, y: target.y) } ?? .surface(target)
        defer { images.removeLast(max(0, images.count - stack.imageCount)) }
        let report = try stack.render(panels, textures: windows.changes, into: key, repaint) {
            (below, above) throws(FrostError) in
            while let above, images.count <= above {
                images.append(
                    try renderer.device { () throws(GPUError) in
                        try renderer.executor.makeStage(like: source, for: target)
                    })
            }
            return TextureBackdropExecutor(
                source: below.map { images[$0].source } ?? source, target: above.map { images[$0].target } ?? target,
                renderer: renderer, windows: windows, cancellation: cancellation)
        }
        windows.changes = [:]
        return report
    }
}

/// The properties of source and target whose change makes a backdrop begin anew.
private struct Surfaces: Equatable {
    let formats: [PixelFormat]
    let encodings: [ColorEncoding]
    let depth: HostTarget.Depth
    /// How the target stores its image.
    let transform: SurfaceTransform
    let rises: Bool

    init(_ source: HostImage, _ target: HostTarget) {
        formats = [source.format, target.format]
        encodings = [source.encoding, target.encoding]
        depth = target.depth
        transform = target.transform
        rises = target.rises
    }
}

/// Executes one frame of a backdrop in the host's GL context.
private struct TextureBackdropExecutor: BackdropExecutor {
    /// The overhead of a draw call and of setting its uniforms. It is expressed as the number of samples that a GPU
    /// computes in the same time.
    static let partCost = 16384

    let source: HostImage
    let target: HostTarget
    let renderer: TextureRenderer
    let windows: PanelTextures
    let cancellation: Cancellation?

    func check(_ plan: Plan) throws(FrostError) { try plan.check(source, target) }

    func errorBound(of plan: Plan) -> Double { HostExecutor.errorBound(of: plan, source.encoding, target).steps }

    func makeLevel(of plan: Plan) -> HostLevel? {
        HostLevel(plan, from: source, to: target, on: renderer.executor)
    }

    func drop(_ level: HostLevel) { level.drop() }

    func update(_ level: HostLevel, in samples: Rect) throws(FrostError) {
        try submit { () throws(GPUError) in _ = try level.update(samples, source: source) }
    }

    func sample(_ grid: SampleGrid) throws(FrostError) -> any BackdropSamples {
        if cancellation?.isCancelled == true { throw .cancelled }
        return try renderer.device { () throws(GPUError) in
            TextureSamples(try renderer.executor.sample(source, at: grid), of: renderer)
        }
    }

    func draw(_ plan: Plan, from level: HostLevel?, mask: MaskImage?) throws(FrostError) {
        let target = target.moved(to: plan.region)
        let window = windows.window(of: plan)
        try submit { () throws(GPUError) in
            guard let level else {
                try renderer.executor.execute(
                    plan, source: source, mask: mask, window: window, target: target)
                return
            }
            try level.draw(plan, source: source, mask: mask, window: window, target: target)
        }
    }

    /// Submits draws. A cancellation does not stop draws that were already submitted.
    private func submit(_ body: () throws(GPUError) -> Void) throws(FrostError) {
        if cancellation?.isCancelled == true { throw .cancelled }
        try renderer.device(body)
    }
}

/// Samples of a picture that is a texture.
private final class TextureSamples: BackdropSamples {
    private let samples: HostSamples
    private let renderer: TextureRenderer
    var isPending: Bool { true }

    init(_ samples: HostSamples, of renderer: TextureRenderer) { (self.samples, self.renderer) = (samples, renderer) }

    func colors() throws(FrostError) -> [SIMD4<Float>]? {
        try renderer.device { () throws(GPUError) in try samples.colors() }
    }
}

extension HostLevel: BackdropLevel {}
