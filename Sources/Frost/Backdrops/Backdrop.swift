public import FrostCore
import FrostCPU

/// Panels of frosted glass over a picture that changes. Only what the changes affect is computed again.
///
/// The host reports which parts of its picture have changed, and calls ``render(_:into:repaint:cancellation:)`` for
/// each frame. Panels of the same blur share its low-resolution levels, which are kept: a blur is computed once and
/// used by many panels, and moving a panel over an unchanged picture only draws it. The result is bit for bit what
/// ``Renderer`` computes for each panel's effect on the whole picture, whatever was kept.
///
/// ```swift
/// let backdrop = try Backdrop()
/// backdrop.panels = [Panel(Rect(x: 40, y: 40, width: 300, height: 200), effect: glass, cornerRadius: 20)]
/// backdrop.invalidate(damage)
/// let report = try backdrop.render(picture, into: &screen)
/// ```
///
/// Memory: for each blur as many samples as a quarter of the picture's pixels, of 8 or 16 bytes each for RGBA.
///
/// Not thread-safe: one thread at a time, or one actor.
public final class Backdrop {
    /// Which part of a level is computed when a panel needs some of it.
    public enum Coverage: Sendable, Hashable, CaseIterable {
        /// What panels show: the least work while the picture changes.
        case panels
        /// All of it: then moving panels over a still picture costs only the drawing.
        case everywhere
    }

    /// What the target holds when a frame begins.
    public enum Repaint: Sendable, Hashable, CaseIterable {
        /// The last frame. Only changes are drawn.
        case changed
        /// Anything, for example another buffer of a swap chain. All panels are drawn.
        case all
    }

    /// From bottom to top. They are compared by index with those of the last frame.
    public var panels: [Panel] = []

    private let coverage: Coverage
    private let accuracy: Accuracy?
    private let cpu: CPUExecutor
    private var formats: (source: PixelFormat, target: PixelFormat)?
    private var scene: BackdropScene<KeptLevel>

    /// Creates a backdrop on the CPU.
    ///
    /// - Parameters:
    /// - accuracy: of the effects; by default as the picture's samples need it.
    ///  - threads: all processors by default.
    /// - Throws: ``FrostError/parameter(_:)`` for a number of threads out of range.
    public init(coverage: Coverage = .panels, accuracy: Accuracy? = nil, threads: Int? = nil) throws(FrostError) {
        do throws(ParameterError) { cpu = try CPUExecutor(threads: threads) } catch { throw .parameter(error) }
        self.coverage = coverage
        self.accuracy = accuracy
        scene = BackdropScene(extent: Rect(x: 0, y: 0, width: 0, height: 0), accuracy: .eightBit, coverage: coverage)
    }

    /// Reports that the picture has changed in a rectangle. The part outside the picture is ignored. Costs nothing
    /// until the next frame.
    public func invalidate(_ rect: Rect) { scene.invalidate(rect) }

    /// Reports that any part of the picture may have changed.
    public func invalidateAll() { scene.invalidateAll() }

    /// Brings a target up to date. If nothing has changed, no pass runs.
    ///
    /// Only pixels of panels are written; the host draws all others.
    ///
    /// - Parameters:
    ///  - source: the picture, which differs from the last frame's only in the reported parts. If its size or format
    ///    differs, it counts as another picture.
    ///  - target: of the picture's size and samples. Colours may have either order and alpha mode; there is alpha if
    ///    the picture has it. Must not share the picture's memory.
    /// - Throws: ``FrostError``. For panels and formats that do not match, it throws before anything is written. After
    ///   a cancellation the target is incomplete, and the next frame does the rest.
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

    func update(_ level: KeptLevel, in samples: Rect) throws(FrostError) {
        do throws(CPUError) {
            try unsafe level.update(samples, source: source, threads: cpu.threads, cancellation: cancellation)
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
