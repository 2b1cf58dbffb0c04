import Frost
import FrostCLI
import FrostGLES

/// Implements `frost bench --backdrop`. It measures how long a frame of a ``Backdrop`` or ``TextureBackdrop`` takes,
/// for several kinds of change since the previous frame.
struct BackdropBench {
    let request: BenchRequest

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

    /// The measurements of one picture and effect, in milliseconds.
    private struct Row: BenchRow {
        let size: PictureSize
        let effect: Effect
        let backend: Backend
        let device: String?
        let threads: Int?
        var times: [Change: Timing] = [:]
        var reports: [Change: BackdropReport] = [:]

        func minimum(_ change: Change) -> Double { times[change]?.minimum ?? 0 }

        static let columns = [
            ("size", 11), ("sigma", 6), ("all", 9), ("64x64", 8), ("of all", 7), ("still", 9), ("move", 9),
            ("panel", 9), ("p99", 8), ("max", 9),
        ]
        static let lastTitle = "milliseconds"
        var cells: [String] {
            [
                size.description, effect.sigmaCell, significant(minimum(.all)), significant(minimum(.damage)),
                fixed(minimum(.damage) / minimum(.all) * 100, 1) + " %", significant(minimum(.still)),
                significant(minimum(.move)), significant(times[.panel]?.median ?? 0),
                significant(times[.panel]?.percentile99 ?? 0), significant(times[.panel]?.maximum ?? 0),
            ]
        }
        var ending: String { Measurement.subject(backend, device: device, threads: threads) + effect.nameEnding }

        var members: [(String, JSON)] {
            var members: [(String, JSON)] = [("schema", .string("frost.bench.backdrop/1"))]
            members += size.members + effect.members
            members += [
                ("backend", .string(backend.rawValue)), ("device", .optional(device)),
                ("threads", threads.map { .int($0) } ?? .null),
            ]
            for change in Change.allCases {
                guard let time = times[change], let report = reports[change] else { continue }
                members += time.members("\(change)")
                members += [
                    ("\(change)_p99_ms", .number(time.percentile99, decimals: 5)),
                    ("\(change)_max_ms", .number(time.maximum, decimals: 5)),
                    ("\(change)_passes", .int(report.passes)), ("\(change)_samples", .int(report.levelSamples)),
                    ("\(change)_pixels", .int(report.panelPixels)),
                ]
            }
            return members
        }
    }

    func run(_ sizes: [PictureSize], _ picture: BenchPicture, _ console: Console) throws(CommandError) {
        console.header(of: Row.self)
        let threads: [Int?] = request.threads.isEmpty ? [nil] : request.threads.map { $0 }
        for size in sizes {
            let pixels = try picture.pixels(size, request.format)
            for backend in request.backends ?? [] {
                for count in backend == .gpu ? [nil] : threads {
                    for effect in request.effects {
                        let row: Row
                        do throws(FrostError) {
                            row =
                                backend == .gpu
                                ? try measureOnGPU(pixels, size, effect) : try measure(pixels, size, effect, count)
                        } catch {
                            throw .frost(error)
                        }
                        console.result(row)
                    }
                }
            }
        }
    }

    private func measure(
        _ picture: PixelBuffer, _ size: PictureSize, _ effect: Effect, _ threads: Int?
    ) throws(FrostError) -> Row {
        let renderer = try Renderer(backend: .cpu, threads: threads)
        var row = Row(size: size, effect: effect, backend: .cpu, device: nil, threads: renderer.threads)
        var target = try renderer.copy(picture, format: effect.outputFormat(for: picture.format))
        for change in Change.allCases {
            let backdrop = try Backdrop(coverage: change.coverage, threads: threads)
            try measure(change, on: backdrop, picture.layout.extent, &row) { () throws(FrostError) in
                try backdrop.render(picture, into: &target)
            }
        }
        return row
    }

    /// Measures in a GL context that the benchmark creates and lends to Frost, as a host application would do. The
    /// measured time of a frame ends when the GPU has drawn the frame.
    private func measureOnGPU(
        _ picture: PixelBuffer, _ size: PictureSize, _ effect: Effect
    ) throws(FrostError) -> Row {
        try BenchHost.perform(on: request.device, picture) { (host, current) throws(FrostError) in
            var row = Row(size: size, effect: effect, backend: .gpu, device: host.device, threads: nil)
            let screen = host.textures
            for change in Change.allCases {
                let backdrop = TextureBackdrop(on: host.renderer, coverage: change.coverage)
                try measure(change, on: backdrop, picture.layout.extent, &row) { () throws(FrostError) in
                    let report = try backdrop.render(screen.image, into: screen.place)
                    // If nothing was drawn, there is no GPU work to wait for.
                    guard report.passes > 0 else { return report }
                    try host.failing { () throws(GLError) in try screen.wait(in: current) }
                    return report
                }
            }
            return row
        }
    }

    private func measure(
        _ change: Change, on backdrop: some LivePanels, _ whole: Rect, _ row: inout Row,
        _ render: () throws(FrostError) -> BackdropReport
    ) throws(FrostError) {
        let (rect, cornerRadius) = change.panel(whole)
        backdrop.panels = [Frost.Panel(rect, effect: row.effect, cornerRadius: cornerRadius)]
        let stopwatch = Stopwatch(runs: max(request.runs, change.frames))
        let times = try stopwatch.times(of: [change]) { frame in
            if let damage = change.damage(whole, frame: frame) { backdrop.invalidate(damage) }
            if change == .move {
                backdrop.panels[0].rect.x = frame * 16 % max(1, whole.width - rect.width)
                backdrop.panels[0].rect.y = frame * 9 % max(1, whole.height - rect.height)
            }
        } _: { (change, _) throws(FrostError) in
            row.reports[change] = try render()
        }
        row.times[change] = times[change]
    }
}

/// The members that `Backdrop` and `TextureBackdrop` have in common.
private protocol LivePanels: AnyObject {
    var panels: [Frost.Panel] { get set }
    func invalidate(_ rect: Rect)
}

extension Backdrop: LivePanels {}
extension TextureBackdrop: LivePanels {}
