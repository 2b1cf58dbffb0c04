public import FrostCore
import FrostCPU

/// Draws panels of frosted glass over a picture that changes. Only the parts that the changes affect are recomputed.
///
/// The host reports which parts of its picture have changed, and calls `render(_:into:repaint:buffer:cancellation:)` for each
/// frame. Panels with the same blur share the blur's low-resolution levels, which the backdrop keeps between frames. A blur
/// is therefore computed once for many panels, and moving a panel over an unchanged picture only draws the panel. For each
/// panel, the result equals, bit for bit, the result of ``Renderer`` for the panel's effect on the whole picture or, with
/// ``Layering/stacked``, on what lies below. It makes no difference whether levels were kept from an earlier frame.
///
/// ```swift
/// let backdrop = try Backdrop()
/// backdrop.panels = [Panel(Rect(x: 40, y: 40, width: 300, height: 200), effect: glass, cornerRadius: 20)]
/// backdrop.invalidate(damage)
/// let report = try backdrop.render(picture, into: &screen)
/// ```
///
/// Memory: each blur keeps one sample per four pixels of the picture. A sample takes 8 or 16 bytes for RGBA. With
/// ``Layering/stacked``, each stage of panels that lie over panels keeps a copy of the picture.
///
/// Not thread-safe: use a backdrop from one thread at a time, or from one actor.
public final class Backdrop {
    /// Which part of a low-resolution level is computed when a panel needs some of the level.
    public enum Coverage: Sendable, Hashable, CaseIterable {
        /// Computes only the samples that panels show. This is the least work while the picture changes.
        case panels
        /// Computes the whole level. Moving panels over a still picture then costs only the drawing.
        case everywhere
    }

    /// The contents of the target when a frame begins.
    public enum Repaint: Sendable, Hashable {
        /// The target contains the last frame that was drawn into it, so only what has changed since then is drawn. All panels
        /// are drawn if no frame was drawn into the target yet, or if 16 or more frames have been drawn since.
        case changed
        /// The target may contain anything, so all panels are drawn.
        case all
        /// The target contains an earlier frame: 1 stands for the last frame of this backdrop, 2 for the one before, and 0 for
        /// unknown content. This is the value of EGL_EXT_buffer_age, if the host renders the backdrop once for each frame that
        /// it presents. All panels are drawn for an age of 0, an age above 16, and for a numbered buffer that is unknown.
        case aged(Int)

        func check() throws(FrostError) {
            switch self {
            case .changed, .all: return
            case .aged(let age):
                guard age >= 0 else {
                    throw .parameter(.outOfRange(parameter: "buffer age", value: Double(age), allowed: 0...0x1p31))
                }
            }
        }
    }

    /// The panels, from bottom to top. ``Panel/id`` identifies them from frame to frame.
    public var panels: [Panel] = []

    private let coverage: Coverage
    private let accuracy: Accuracy?
    private let cpu: CPUExecutor
    private var formats: (source: PixelFormat, target: PixelFormat)?
    private let layering: Layering
    private var stack: BackdropStack<KeptLevel>
    /// The images of the stages of ``stack``.
    private var images: [StageImage] = []

    /// Creates a backdrop on the CPU.
    ///
    /// - Parameters:
    ///   - coverage: whether to compute the whole of a blur's low-resolution levels, or only the samples that panels show.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the picture's samples.
    ///   - threads: the number of threads; by default `CPUExecutor.defaultThreads`.
    ///   - layering: whether panels show the effect of the panels below them.
    /// - Throws: ``FrostError/parameter(_:)`` if the number of threads is out of range.
    public init(
        coverage: Coverage = .panels, accuracy: Accuracy? = nil, threads: Int? = nil, layering: Layering = .flat
    ) throws(FrostError) {
        cpu = try rethrow(CPUExecutor(threads: threads), as: FrostError.parameter)
        self.coverage = coverage
        self.accuracy = accuracy
        self.layering = layering
        stack = BackdropStack(extent: .empty, accuracy: .eightBit, coverage: coverage, layering: layering)
    }

    /// Reports that the picture has changed in a rectangle. Parts outside the picture are ignored. The work is done in the
    /// next frame.
    public func invalidate(_ rect: Rect) { stack.invalidate(rect) }

    /// Reports that any part of the picture may have changed.
    public func invalidateAll() { stack.invalidateAll() }

    /// Returns the colour of a panel's content in the last frame: the colour that was given for a minimum contrast, or black or
    /// white where it is chosen automatically. The host draws text and symbols in this colour. A choice follows the picture below the
    /// panel, but moves only if the other colour needs much less change: see ``Effect/decidingContent(for:after:)``.
    ///
    /// - Parameter index: the panel's index in ``panels``.
    /// - Returns: nil if the panel guarantees no contrast, or was not visible yet.
    public func contentColor(ofPanelAt index: Int) -> Color? {
        panels.indices.contains(index) ? stack.contentColor(of: panels[index], at: index) : nil
    }

    /// Draws all changes since the last frame into a target. If nothing has changed, no pass runs.
    ///
    /// Frost writes only the pixels of panels; the host draws all other pixels.
    ///
    /// - Parameters:
    ///   - source: the picture. It may differ from the picture of the last frame only in the parts that were reported as
    ///     changed. If its size or format differs, it counts as a new picture.
    ///   - target: the pixels to draw into. The target must have the same size and sample type as the picture, and it must
    ///     have alpha if the picture has alpha. Its channel order and alpha mode may differ from the picture's. The target
    ///     must not share memory with the picture.
    ///   - repaint: states what the target shows before this call, and so how much has to be drawn.
    ///   - buffer: a number that identifies the target among the buffers of a swap chain; by default the target's address
    ///     does. A number is needed if a buffer moves in memory, as the copy of a ``PixelBuffer`` does.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``. If the effect of a panel does not fit the formats of source and target, nothing is written.
    ///   After a cancellation the target is incomplete, and the next frame does the remaining work.
    @unsafe public func render(
        _ source: PixelSource, into target: PixelTarget, repaint: Repaint = .changed, buffer: UInt64? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> BackdropReport {
        try unsafe target.checkSize(of: source)
        let (from, to) = unsafe (source.layout, target.layout)
        guard unsafe !target.overlaps(source) else { throw .pixels(.sharedMemory) }
        // The images between stages have the source's format, so a stack cannot add colour to grey.
        if layering == .stacked, from.format.channels.isGrey != to.format.channels.isGrey {
            throw .pixels(
                .mismatch(
                    property: "format", first: "\(from.format) in the source",
                    second: "\(to.format) in the target of stacked panels"))
        }
        if formats.map({ $0 != (from.format, to.format) }) ?? true || stack.extent != from.extent {
            stack = BackdropStack(
                extent: from.extent, accuracy: accuracy ?? .suited(to: from.format.sample), coverage: coverage,
                layering: layering)
            images = []
            formats = (from.format, to.format)
        }
        let key: BackdropTarget =
            unsafe buffer.map { .buffer($0, x: 0, y: 0) } ?? .memory(UInt(bitPattern: target.base))
        defer { images.removeLast(max(0, images.count - stack.imageCount)) }
        return try stack.render(panels, into: key, repaint) { (below, above) throws(FrostError) in
            while let above, images.count <= above {
                images.append(try StageImage(rethrow(StageImage.layout(of: from), as: FrostError.pixels)))
            }
            return unsafe CPUBackdropExecutor(
                source: below.map { unsafe images[$0].source } ?? source,
                target: above.map { unsafe images[$0].target } ?? target, cpu: cpu, cancellation: cancellation)
        }
    }

    /// Draws all changes since the last frame into a target: see ``render(_:into:repaint:buffer:cancellation:)``.
    public func render(
        _ source: PixelBuffer, into target: inout PixelBuffer, repaint: Repaint = .changed, buffer: UInt64? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> BackdropReport {
        let layout = target.layout
        // SAFETY: source and target have all bytes of their layouts, and are used only during the call.
        return try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeMutableBytes { (to) throws(FrostError) in
                guard let from = from.baseAddress, let to = to.baseAddress else { return BackdropReport() }
                return try unsafe render(
                    PixelSource(from, layout: source.layout), into: PixelTarget(to, layout: layout), repaint: repaint,
                    buffer: buffer, cancellation: cancellation)
            }
        }
    }
}

/// The image of a stage of a ``BackdropStack``, in the caller's format.
///
/// SAFETY: the object owns its memory, which has all bytes of the layout.
@safe private final class StageImage {
    private let layout: PixelLayout
    private let memory: PixelBlock

    static func layout(of picture: PixelLayout) throws(PixelError) -> PixelLayout {
        try PixelLayout(width: picture.width, height: picture.height, format: picture.format)
    }

    /// - Throws: ``FrostError/outOfMemory(bytes:)``.
    init(_ layout: PixelLayout) throws(FrostError) {
        self.layout = layout
        memory = try rethrow(PixelBlock(byteCount: layout.byteCount), as: FrostError.memory)
    }

    var source: PixelSource { unsafe PixelSource(memory.base, layout: layout) }
    var target: PixelTarget { unsafe PixelTarget(memory.base, layout: layout) }
}

/// Executes one frame of a backdrop on the CPU.
///
/// SAFETY: source and target outlive the call that made this value. All regions lie within both.
@safe private struct CPUBackdropExecutor: BackdropExecutor {
    static let partCost = 4096

    let source: PixelSource
    let target: PixelTarget
    let cpu: CPUExecutor
    let cancellation: Cancellation?

    init(source: PixelSource, target: PixelTarget, cpu: CPUExecutor, cancellation: Cancellation?) {
        unsafe self.source = source
        unsafe self.target = target
        self.cpu = cpu
        self.cancellation = cancellation
    }

    func check(_ plan: Plan) throws(FrostError) {
        try unsafe rethrow(plan.check(source: source.layout, target: target.layout), as: FrostError.pixels)
    }

    func makeLevel(of plan: Plan) throws(FrostError) -> KeptLevel? {
        let (from, to) = unsafe (source.layout.format, target.layout.format)
        do throws(CPUError) { return try KeptLevel(plan, source: from, target: to) } catch { throw FrostError(error) }
    }

    func drop(_ level: KeptLevel) {}

    func update(_ level: KeptLevel, in samples: Rect) throws(FrostError) {
        do throws(CPUError) {
            try unsafe level.update(samples, source: source, threads: cpu.threads, cancellation: cancellation)
        } catch {
            throw FrostError(error)
        }
    }

    func sample(_ grid: SampleGrid) -> any BackdropSamples { MemorySamples(unsafe source.colors(at: grid)) }

    func draw(_ plan: Plan, from level: KeptLevel?, mask: MaskImage?) throws(FrostError) {
        let target = try unsafe target.part(plan.region)
        do throws(CPUError) {
            guard let level else {
                return try unsafe cpu.execute(
                    plan, source: source, mask: mask, target: target, cancellation: cancellation)
            }
            try unsafe level.draw(
                plan, source: source, mask: mask, target: target, threads: cpu.threads, cancellation: cancellation)
        } catch {
            throw FrostError(error)
        }
    }
}

/// Samples of a picture in memory.
private final class MemorySamples: BackdropSamples {
    private let values: [SIMD4<Float>]
    var isPending: Bool { false }
    init(_ values: [SIMD4<Float>]) { self.values = values }
    func colors() -> [SIMD4<Float>]? { values }
}

extension KeptLevel: BackdropLevel {
    var isValid: Bool { true }
}
