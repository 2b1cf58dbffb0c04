import Frost
import FrostCLI
import FrostGLES
import FrostGPU

/// Measures how long a frame of a ``Backdrop`` or ``TextureBackdrop`` takes, for several kinds of change since the
/// previous frame.
struct BackdropBench {
    let effect: Effect
    let picture: PixelBuffer
    let runs: Int
    let options: GPUOptions

    /// The kind of change since the previous frame. For `move`, the panel has a third of the picture's width and
    /// height, and the levels of the backdrop cover the whole picture. For `panel`, the panel has rounded corners and
    /// lies in the middle, and a square moves over it. For all other kinds, the panel covers the whole picture.
    private enum Change: String, CaseIterable {
        case all, damage, still, move, panel

        /// The minimum number of frames. With fewer, the 99th percentile would equal the maximum.
        var frames: Int { self == .panel ? 300 : 1 }

        func panel(_ whole: Rect) -> (rect: Rect, cornerRadius: Double) {
            switch self {
            case .all, .damage, .still: (whole, 0)
            case .move: (Rect(x: 0, y: 0, width: (whole.width + 2) / 3, height: (whole.height + 2) / 3), 0)
            case .panel: (Self.middle(whole, 800, 500), 24)
            }
        }

        /// Returns a rectangle in the middle of another, with at most the given size.
        private static func middle(_ whole: Rect, _ width: Int, _ height: Int) -> Rect {
            let (width, height) = (min(width, whole.width), min(height, whole.height))
            return Rect(
                x: whole.x + (whole.width - width) / 2, y: whole.y + (whole.height - height) / 2, width: width,
                height: height)
        }

        /// Returns what changes before a frame.
        func damage(_ whole: Rect, frame: Int) -> Rect? {
            switch self {
            case .all: return whole
            case .damage: return Self.middle(whole, 64, 64)
            case .still, .move: return nil
            case .panel:
                let panel = panel(whole).rect
                let (width, height) = (min(96, panel.width), min(96, panel.height))
                return Rect(
                    x: panel.x + frame * 7 % (panel.width - width + 1),
                    y: panel.y + frame * 5 % (panel.height - height + 1), width: width, height: height)
            }
        }

        var coverage: Backdrop.Coverage { self == .move ? .everywhere : .panels }
    }

    /// The times of frames after one kind of change, and the report of the last frame.
    private typealias Frames = (time: Timing, report: BackdropReport)

    /// Measures on the CPU, or in a GL context that the benchmark creates and lends to Frost, as a host application
    /// would do.
    func row(on subject: BenchSubject, device: String?) throws(FrostError) -> BenchRow {
        guard subject.renderer.backend == .gpu else {
            let renderer = subject.renderer
            var target = try renderer.copy(picture, format: effect.outputFormat(for: picture.format))
            let frames = try Change.allCases.map { (change) throws(FrostError) in
                let backdrop = try Backdrop(coverage: change.coverage, threads: renderer.threads)
                return try measure(change, on: backdrop) { () throws(FrostError) in
                    try backdrop.render(picture, into: &target)
                }
            }
            return row(frames, .cpu, device: nil, threads: renderer.threads)
        }
        return try BenchHost.perform(on: device, picture, options: options) { (host, current) throws(FrostError) in
            let frames = try Change.allCases.map { (change) throws(FrostError) in
                let backdrop = TextureBackdrop(on: host.renderer, coverage: change.coverage)
                return try measure(change, on: backdrop) { () throws(FrostError) in
                    let report = try backdrop.render(host.textures.image, into: host.textures.place)
                    // The time of a frame ends when the GPU has drawn it. If nothing was drawn, there is no work to wait
                    // for.
                    if report.passes > 0 { try host.wait(in: current) }
                    return report
                }
            }
            return row(frames, .gpu, device: host.device, threads: nil)
        }
    }

    private func measure(
        _ change: Change, on backdrop: some LivePanels, _ render: () throws(FrostError) -> BackdropReport
    ) throws(FrostError) -> Frames {
        let whole = picture.layout.extent
        let (rect, cornerRadius) = change.panel(whole)
        backdrop.panels = [Panel(rect, effect: effect, cornerRadius: cornerRadius)]
        var last: BackdropReport?
        let times = try Stopwatch(runs: max(runs, change.frames)).times(of: [change]) { frame in
            if let damage = change.damage(whole, frame: frame) { backdrop.invalidate(damage) }
            if change == .move {
                // There and back along a diagonal, so that each move is as long as the others.
                let (roomX, roomY) = (whole.width - rect.width, whole.height - rect.height)
                let steps = max(1, min(roomX / 16, roomY / 9))
                let place = frame % (2 * steps)
                let at = min(place, 2 * steps - place)
                backdrop.panels[0].rect.x = min(16 * at, roomX)
                backdrop.panels[0].rect.y = min(9 * at, roomY)
            }
        } _: { (_, _) throws(FrostError) in
            last = try render()
        }
        guard let last else { throw .cancelled }
        return (times[change], last)
    }

    private func row(_ frames: [Frames], _ backend: Backend, device: String?, threads: Int?) -> BenchRow {
        let size = PictureSize(width: picture.width, height: picture.height)
        let (all, damage, still, move, panel) = (
            frames[0].time, frames[1].time, frames[2].time, frames[3].time, frames[4].time
        )
        let changes = zip(Change.allCases, frames).map { (change, frame) -> JSONValue in
            .joined(
                frame.time.json("\(change)"),
                [
                    "\(change)_p99_ms": .number(frame.time.percentile99, decimals: 5),
                    "\(change)_max_ms": .number(frame.time.maximum, decimals: 5),
                    "\(change)_passes": .int(frame.report.passes),
                    "\(change)_samples": .int(frame.report.levelSamples),
                    "\(change)_pixels": .int(frame.report.panelPixels),
                ])
        }
        return BenchRow(
            columns: [
                ("size", 11, size.description), ("sigma", 6, effect.sigmaCell), ("all", 9, significant(all.minimum)),
                ("64x64", 8, significant(damage.minimum)),
                ("of all", 7, fixed(damage.minimum / all.minimum * 100, 1) + " %"),
                ("still", 9, significant(still.minimum)), ("move", 9, significant(move.minimum)),
                ("panel", 9, significant(panel.median)), ("p99", 8, significant(panel.percentile99)),
                ("max", 9, significant(panel.maximum)),
            ],
            subject: (
                "milliseconds", Measurement.subject(backend, device: device, threads: threads) + effect.nameEnding
            ),
            json: .joined(
                ["schema": "frost.bench.backdrop/1"], size.json, effect.json,
                ["backend": .string(backend.rawValue), "device": .optional(device), "threads": .int(threads)],
                .object(changes.flatMap(\.members))))
    }
}

/// The members that `Backdrop` and `TextureBackdrop` have in common.
private protocol LivePanels: AnyObject {
    var panels: [Panel] { get set }
    func invalidate(_ rect: Rect)
}

extension Backdrop: LivePanels {}
extension TextureBackdrop: LivePanels {}
