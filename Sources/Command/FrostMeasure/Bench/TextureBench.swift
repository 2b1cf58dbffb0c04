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

    /// Options that cannot be combined with `--textures`, because they concern only other measurements.
    static let excluded: [Option] =
        BackdropBench.excluded + [.benchBackdrop, .benchTransitions, .benchBackends, .benchThreads, .benchFormat]

    /// The shortest time between two waits, in milliseconds.
    private static let minimumWait = 5.0

    /// The measurement of one blur.
    private struct Row {
        let size: PictureSize
        let effect: Effect
        let device: String
        let blur: Measurement.Timing
        let copy: Measurement.Timing

        var ratio: Double { blur.minimum / copy.minimum }

        /// The bytes that a copy of the picture moves: one read and one write of each pixel.
        private var bytes: Int { 2 * size.pixels * 4 }
        private var bandwidth: Double { Double(bytes) / copy.minimum / 1e6 }

        static var header: String { "       size   sigma       blur       copy   ratio  copy GB/s  milliseconds" }

        var text: String {
            func padded(_ text: String, _ width: Int) -> String {
                String(repeating: " ", count: max(0, width - text.count)) + text
            }
            let cells = [
                padded(size.description, 11), padded(effect.gaussian.map { decimal($0.sigmaX) } ?? "-", 6),
                padded(Measurement.significant(blur.minimum), 9), padded(Measurement.significant(copy.minimum), 9),
                padded(fixed(ratio, 2), 6), padded(fixed(bandwidth, 1), 9),
            ]
            let name = effect.gaussian == nil || effect.name != "gaussian" ? ", \(effect.name)" : ""
            return cells.joined(separator: "  ") + "  \(device)\(name)"
        }

        var members: [(String, JSON)] {
            [
                ("schema", .string("frost.bench.textures/1")), ("width", .int(size.width)),
                ("height", .int(size.height)),
                ("effect", .string(effect.name)),
                ("sigma", effect.gaussian.map { .number($0.sigmaX, decimals: 6) } ?? .null),
                ("device", .string(device)), ("min_ms", .number(blur.minimum, decimals: 5)),
                ("median_ms", .number(blur.median, decimals: 5)), ("copy_ms", .number(copy.minimum, decimals: 5)),
                ("copy_median_ms", .number(copy.median, decimals: 5)), ("ratio", .number(ratio, decimals: 3)),
                ("copy_bytes", .int(bytes)), ("copy_GB_per_s", .number(bandwidth, decimals: 2)),
                ("runs", .int(blur.runs)),
            ]
        }
    }

    func run(_ sizes: [PictureSize], _ picture: BenchPicture, _ console: Console) throws(CommandError) {
        if !console.json, !console.quiet { console.result(Row.header) }
        for size in sizes {
            let pixels = try picture.pixels(size, .rgba8)
            do throws(FrostError) {
                try measure(pixels, size) { row in
                    console.json ? console.result(.object(row.members)) : console.result(row.text)
                }
            } catch {
                throw .frost(error)
            }
        }
    }

    /// Measures all effects in a GL context that the benchmark creates and lends to Frost, as a host application would
    /// do.
    private func measure(
        _ picture: PixelBuffer, _ size: PictureSize, _ report: (Row) -> Void
    ) throws(FrostError) {
        try BenchHost.perform(on: request.device, picture) { (host, current) throws(FrostError) in
            let textures = host.textures
            for effect in request.effects {
                let (copy, blur) = try timings(
                    { (run) throws(FrostError) in
                        // GPUs that draw in tiles skip a copy if the next one covers it. So each copy reads the last
                        // one.
                        try host.failing { () throws(GLError) in try textures.copy(back: run % 2 == 1, in: current) }
                    },
                    { (_) throws(FrostError) in
                        try host.renderer.render(textures.image, effect, into: textures.place)
                    },
                    wait: { () throws(FrostError) in
                        try host.failing { () throws(GLError) in try textures.wait(in: current) }
                    })
                report(Row(size: size, effect: effect, device: host.device, blur: blur, copy: copy))
            }
        }
    }

    /// Measures two kinds of work alternately, after two runs of each that are not measured. The runs between two waits
    /// are numbered from 0.
    private func timings(
        _ first: (Int) throws(FrostError) -> Void, _ second: (Int) throws(FrostError) -> Void,
        wait: () throws(FrostError) -> Void
    ) throws(FrostError) -> (Measurement.Timing, Measurement.Timing) {
        let clock = ContinuousClock()
        func milliseconds(_ runs: Int, of work: (Int) throws(FrostError) -> Void) throws(FrostError) -> Double {
            let start = clock.now
            for run in 0..<runs { try work(run) }
            try wait()
            return (clock.now - start).milliseconds / Double(runs)
        }
        // The first run compiles programs and creates textures. The time of the second run decides how
        // many runs share a wait.
        func count(_ work: (Int) throws(FrostError) -> Void) throws(FrostError) -> Int {
            _ = try milliseconds(1, of: work)
            return max(1, Int((Self.minimumWait / max(0.01, try milliseconds(1, of: work))).rounded(.up)))
        }
        let counts = (try count(first), try count(second))
        var times: ([Double], [Double]) = ([], [])
        let began = clock.now
        repeat {
            times.0.append(try milliseconds(counts.0, of: first))
            times.1.append(try milliseconds(counts.1, of: second))
        } while BenchSubject.goesOn(
            runs: times.0.count, of: request.runs, milliseconds: (clock.now - began).milliseconds)
        return (Measurement.Timing(times.0), Measurement.Timing(times.1))
    }
}
