import Frost
import FrostCLI
import FrostGLES

/// Implements `frost bench --textures`. It measures blurs from texture to texture, beside the GPU's own copy of the
/// picture.
///
/// The measured time begins when the draws are submitted, and ends when the GPU has drawn. One wait takes longer than a
/// small blur on a fast GPU, so several runs share a wait.
struct TextureBench {
    let request: BenchRequest

    /// The shortest time between two waits, in milliseconds.
    private static let minimumWait = 5.0

    /// The measurement of one blur.
    private struct Row: BenchRow {
        let size: PictureSize
        let effect: Effect
        let device: String
        let blur: Timing
        let copy: Timing

        var ratio: Double { blur.minimum / copy.minimum }

        /// The bytes that a copy of the picture moves: one read and one write of each pixel.
        private var bytes: Int { 2 * size.pixels * 4 }
        private var bandwidth: Double { Double(bytes) / copy.minimum / 1e6 }

        static let columns = [
            ("size", 11), ("sigma", 6), ("blur", 9), ("copy", 9), ("ratio", 6), ("copy GB/s", 9),
        ]
        static let lastTitle = "milliseconds"
        var cells: [String] {
            [
                size.description, effect.sigmaCell, significant(blur.minimum), significant(copy.minimum),
                fixed(ratio, 2), fixed(bandwidth, 1),
            ]
        }
        var ending: String { device + effect.nameEnding }

        var members: [(String, JSON)] {
            var members: [(String, JSON)] = [("schema", .string("frost.bench.textures/1"))]
            members += size.members + effect.members
            members += [("device", .string(device))] as [(String, JSON)]
            members += blur.members("") + copy.members("copy")
            members += [
                ("ratio", .number(ratio, decimals: 3)), ("copy_bytes", .int(bytes)),
                ("copy_GB_per_s", .number(bandwidth, decimals: 2)), ("runs", .int(blur.runs)),
            ]
            return members
        }
    }

    func run(_ sizes: [PictureSize], _ picture: BenchPicture, _ console: Console) throws(CommandError) {
        console.header(of: Row.self)
        for size in sizes {
            let pixels = try picture.pixels(size, .rgba8)
            try rethrow(measure(pixels, size) { console.result($0) }, as: CommandError.frost)
        }
    }

    private enum Work { case copy, blur }

    /// Measures all effects in a GL context that the benchmark creates and lends to Frost, as a host application would
    /// do.
    private func measure(
        _ picture: PixelBuffer, _ size: PictureSize, _ report: (Row) -> Void
    ) throws(FrostError) {
        try BenchHost.perform(on: request.device, picture) { (host, current) throws(FrostError) in
            for effect in request.effects {
                // The first run compiles programs and creates textures. The time of the second run decides how many
                // runs share a wait.
                var counts: [Work: Int] = [:]
                for work in [Work.copy, .blur] {
                    _ = try milliseconds(1, work, effect, host, current)
                    let one = max(0.01, try milliseconds(1, work, effect, host, current))
                    counts[work] = max(1, Int((Self.minimumWait / one).rounded(.up)))
                }
                let times = try Stopwatch(runs: request.runs, warmUps: 0).times(of: [Work.copy, .blur]) {
                    (work, _) throws(FrostError) in
                    _ = try milliseconds(counts[work] ?? 1, work, effect, host, current)
                }
                report(
                    Row(
                        size: size, effect: effect, device: host.device,
                        blur: times[.blur, dividedBy: counts[.blur] ?? 1],
                        copy: times[.copy, dividedBy: counts[.copy] ?? 1]))
            }
        }
    }

    /// Returns the time of several runs and of the wait for them.
    private func milliseconds(
        _ runs: Int, _ work: Work, _ effect: Effect, _ host: BenchHost, _ current: borrowing CurrentContext
    ) throws(FrostError) -> Double {
        let (start, textures) = (ContinuousClock.now, host.textures)
        for run in 0..<runs {
            switch work {
            case .copy:
                // GPUs that draw in tiles skip a copy if the next one covers it. So each copy reads the last one.
                try host.failing { () throws(GLError) in try textures.copy(back: run % 2 == 1, in: current) }
            case .blur: _ = try host.renderer.render(textures.image, effect, into: textures.place)
            }
        }
        try host.failing { () throws(GLError) in try textures.wait(in: current) }
        return (ContinuousClock.now - start).milliseconds
    }
}
