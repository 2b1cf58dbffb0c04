import Frost
import FrostCLI
import FrostGLES

/// Measures a blur from texture to texture, beside the GPU's own copy of the picture.
///
/// The measured time begins when the draws are submitted, and ends when the GPU has drawn. One wait takes longer than a
/// small blur on a fast GPU, so several runs share a wait.
struct TextureBench {
    let effect: Effect
    let picture: PixelBuffer
    let runs: Int

    /// The shortest time between two waits, in milliseconds.
    private static let minimumWait = 5.0

    private enum Operation { case copy, blur }

    /// Measures in a GL context that the benchmark creates and lends to Frost, as a host application would do.
    func row(on device: String?) throws(FrostError) -> BenchRow {
        try BenchHost.perform(on: device, picture) { (host, current) throws(FrostError) in
            // The first run compiles programs and creates textures. The time of the second run decides how many runs
            // share a wait.
            var counts: [Operation: Int] = [:]
            for operation in [Operation.copy, .blur] {
                _ = try milliseconds(1, operation, host, current)
                let one = max(0.01, try milliseconds(1, operation, host, current))
                counts[operation] = max(1, Int((Self.minimumWait / one).rounded(.up)))
            }
            let times = try Stopwatch(runs: runs, warmUps: 0).times(of: [Operation.copy, .blur]) {
                (operation, _) throws(FrostError) in
                _ = try milliseconds(counts[operation] ?? 1, operation, host, current)
            }
            return row(
                host.device, blur: times[.blur, dividedBy: counts[.blur] ?? 1],
                copy: times[.copy, dividedBy: counts[.copy] ?? 1])
        }
    }

    /// Returns the time of several runs and of the wait for them.
    private func milliseconds(
        _ runs: Int, _ operation: Operation, _ host: BenchHost, _ current: borrowing CurrentContext
    ) throws(FrostError) -> Double {
        let (start, textures) = (ContinuousClock.now, host.textures)
        for run in 0..<runs {
            switch operation {
            case .copy:
                // GPUs that draw in tiles skip a copy if the next one covers it. So each copy reads the last one.
                try host.failing { () throws(GLError) in try textures.copy(back: run % 2 == 1, in: current) }
            case .blur: _ = try host.renderer.render(textures.image, effect, into: textures.place)
            }
        }
        try host.wait(in: current)
        return (ContinuousClock.now - start).milliseconds
    }

    private func row(_ device: String, blur: Timing, copy: Timing) -> BenchRow {
        let size = PictureSize(width: picture.width, height: picture.height)
        let ratio = blur.minimum / copy.minimum
        // A copy of the picture reads and writes each pixel once.
        let bytes = 2 * size.pixels * 4
        let bandwidth = Double(bytes) / copy.minimum / 1e6
        return BenchRow(
            columns: [
                ("size", 11, size.description), ("sigma", 6, effect.sigmaCell), ("blur", 9, significant(blur.minimum)),
                ("copy", 9, significant(copy.minimum)), ("ratio", 6, fixed(ratio, 2)),
                ("copy GB/s", 9, fixed(bandwidth, 1)),
            ],
            subject: ("milliseconds", device + effect.nameEnding),
            json: .joined(
                ["schema": "frost.bench.textures/1"], size.json, effect.json, ["device": .string(device)],
                blur.json(), copy.json("copy"),
                [
                    "ratio": .number(ratio, decimals: 3), "copy_bytes": .int(bytes),
                    "copy_GB_per_s": .number(bandwidth, decimals: 2), "runs": .int(blur.runs),
                ]))
    }
}
