public import FrostCore
import FrostCPU

/// Panels of frosted glass over a picture that changes: computes again only what changes reach.
///
/// The host tells what of its picture has changed, and renders when it draws a frame. Panels of the same blur share its
/// reduced levels, which are kept: a blur is done once and cut out many times, and a panel that moves over a picture that
/// does not is but drawn. What is shown is always what ``Renderer`` makes of each panel's effect on the whole picture, to the
/// bit, whatever was kept.
///
/// ```swift
/// let backdrop = try Backdrop()
/// backdrop.panels = [Panel(Rect(x: 40, y: 40, width: 300, height: 200), effect: glass, cornerRadius: 20)]
/// backdrop.invalidate(damage)
/// let report = try backdrop.render(picture, into: &screen)
/// ```
///
/// Memory: for each blur a quarter of the picture's pixels, of 8 or 16 bytes each for RGBA.
///
/// Not thread-safe: one thread at a time, or one actor.
public final class Backdrop {
    /// What of a level is computed when a panel needs some of it.
    public enum Coverage: Sendable, Hashable, CaseIterable {
        /// What panels show: least work while the picture changes.
        case panels
        /// All of it: then panels move over a still picture at the cost of drawing them.
        case everywhere
    }

    /// What a target has of the frames before.
    public enum Repaint: Sendable, Hashable, CaseIterable {
        /// It is the last frame's: what has changed is drawn.
        case changed
        /// Anything, such as another buffer of a chain: all panels are drawn.
        case all
    }

    /// From bottom to top. Compared by index with those of the last frame.
    public var panels: [Panel] = []

    private let coverage: Coverage
    private let accuracy: Accuracy?
    private let cpu: CPUExecutor
    private var formats: (source: PixelFormat, target: PixelFormat)?
    private var scene: BackdropScene<KeptLevel>

    /// A backdrop on the CPU.
    ///
    /// - Parameters:
    ///   - accuracy: how near to the exact effect; what suits the picture's samples by default.
    ///   - threads: as many as there are processors by default.
    /// - Throws: ``FrostError/parameter(_:)`` for a number of threads out of range.
    public init(coverage: Coverage = .panels, accuracy: Accuracy? = nil, threads: Int? = nil) throws(FrostError) {
        do throws(ParameterError) { cpu = try CPUExecutor(threads: threads) } catch { throw .parameter(error) }
        self.coverage = coverage
        self.accuracy = accuracy
        scene = BackdropScene(extent: Rect(x: 0, y: 0, width: 0, height: 0), accuracy: .eightBit, coverage: coverage)
    }

    /// Says that the picture has changed in a rectangle; what lies beyond it is ignored. Costs nothing until the next frame.
    public func invalidate(_ rect: Rect) { scene.invalidate(rect) }

    /// Says that the picture has changed anywhere, or is another.
    public func invalidateAll() { scene.invalidateAll() }

    /// Brings a target up to date. Where nothing has changed no pass is run.
    ///
    /// Only pixels of panels are written; all else of the target is the host's.
    ///
    /// - Parameters:
    ///   - source: the picture, which differs from the last frame's only where it was said to. One of another size or format
    ///     is taken for another picture.
    ///   - target: of the picture's size and samples; its colours in either order and alpha mode, with alpha where the picture
    ///     has it. Not the picture's own memory.
    /// - Throws: ``FrostError``: for panels and formats that do not go together before anything is written; when cancelled, in
    ///   the midst of it, and the next frame does what is left.
    @unsafe public func render(
        _ source: PixelSource, into target: PixelTarget, repaint: Repaint = .changed, cancellation: Cancellation? = nil
    ) throws(FrostError) -> BackdropReport {
        let (from, to) = unsafe (source.layout, target.layout)
        guard (from.width, from.height) == (to.width, to.height) else {
            throw .pixels(
                .mismatch(
                    property: "size", first: "\(from.width)x\(from.height) of the picture",
                    second: "\(to.width)x\(to.height) of the target"))
        }
        guard unsafe !target.overlaps(source) else { throw .pixels(.sharedMemory) }
        if formats.map({ $0 != (from.format, to.format) }) ?? true || scene.extent != from.extent {
            scene = BackdropScene(
                extent: from.extent, accuracy: accuracy ?? .suited(to: from.format.sample), coverage: coverage)
            formats = (from.format, to.format)
        }
        let executor = unsafe CPUBackdropExecutor(
            source: source, target: target, cpu: cpu, cancellation: cancellation)
        return try scene.render(panels, by: executor, paintsAll: repaint == .all)
    }

    /// Brings a target up to date: see ``render(_:into:repaint:cancellation:)``.
    public func render(
        _ source: PixelBuffer, into target: inout PixelBuffer, repaint: Repaint = .changed,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> BackdropReport {
        let layout = target.layout
        // SAFETY: both have all bytes of their layouts, and are used during the call.
        return try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeMutableBytes { (to) throws(FrostError) in
                guard let from = from.baseAddress, let to = to.baseAddress else { return BackdropReport() }
                return try unsafe render(
                    PixelSource(from, layout: source.layout), into: PixelTarget(to, layout: layout), repaint: repaint,
                    cancellation: cancellation)
            }
        }
    }
}

/// One frame on the CPU.
///
/// SAFETY: source and target outlive the call that made the value; regions lie within both.
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
        do throws(PixelError) { try unsafe plan.check(source: source.layout, target: target.layout) } catch {
            throw .pixels(error)
        }
    }

    func makeLevel(of plan: Plan) -> KeptLevel? {
        unsafe KeptLevel(plan, source: source.layout.format, target: target.layout.format)
    }

    func drop(_ level: KeptLevel) {}

    func update(_ level: KeptLevel, in cells: Rect) throws(FrostError) {
        do throws(CPUError) {
            try unsafe level.update(cells, source: source, threads: cpu.threads, cancellation: cancellation)
        } catch {
            throw FrostError(error)
        }
    }

    func draw(_ plan: Plan, from level: KeptLevel?, mask: MaskImage?) throws(FrostError) {
        let target = try unsafe part(plan.region)
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

    private func part(_ region: Rect) throws(FrostError) -> PixelTarget {
        let layout = unsafe target.layout
        let offset = region.y * layout.bytesPerRow + region.x * layout.format.bytesPerPixel
        do throws(PixelError) {
            return unsafe PixelTarget(
                target.base + offset,
                layout: try PixelLayout(
                    width: region.width, height: region.height, format: layout.format, bytesPerRow: layout.bytesPerRow))
        } catch {
            throw .pixels(error)
        }
    }
}

extension KeptLevel: BackdropLevel {}
