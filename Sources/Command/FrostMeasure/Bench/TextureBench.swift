import Frost
import FrostCLI
import FrostGLES
import FrostGPU

/// Measures a blur from texture to texture with each kind of shaders, beside the fastest copy of the picture by the GPU.
///
/// The measured time begins when the draws are submitted, and ends when the GPU has drawn. One wait takes longer than a
/// small blur on a fast GPU, so several runs share a wait.
struct TextureBench {
    let effect: Effect
    let picture: PixelBuffer
    let runs: Int
    let options: GPUOptions

    /// The shortest time between two waits, in milliseconds.
    private static let minimumWait = 5.0

    private enum Operation: Hashable {
        case copy(HostTextures.Copy)
        /// The blur with a kind of shaders; nil for the kind that Frost chooses.
        case blur(ShaderPath?)
    }

    /// Measures in a GL context that the benchmark creates and lends to Frost, as a host application would do.
    func row(on device: String?) throws(FrostError) -> BenchRow {
        try BenchHost.perform(on: device, picture, options: options) { (host, current) throws(FrostError) in
            var renderers: [ShaderPath?: TextureRenderer] = [nil: host.renderer]
            if options.shaders == nil, host.textures.copies.contains(.compute) {
                for path in ShaderPath.allCases {
                    var options = options
                    options.shaders = path
                    renderers[path] = try TextureRenderer(options: options)
                }
            }
            defer { for path in ShaderPath.allCases { renderers[path]?.destroy() } }
            let operations =
                host.textures.copies.map { Operation.copy($0) } + renderers.keys.map { Operation.blur($0) }
            // The first run compiles programs and creates textures. The time of the second run decides how many runs
            // share a wait.
            var counts: [Operation: Int] = [:]
            for operation in operations {
                _ = try milliseconds(1, operation, host, renderers, current)
                let one = max(0.01, try milliseconds(1, operation, host, renderers, current))
                counts[operation] = max(1, Int((Self.minimumWait / one).rounded(.up)))
            }
            let times = try Stopwatch(runs: runs, warmUps: 0).times(of: operations) {
                (operation, _) throws(FrostError) in
                _ = try milliseconds(counts[operation] ?? 1, operation, host, renderers, current)
            }
            func time(_ operation: Operation) -> Timing { times[operation, dividedBy: counts[operation] ?? 1] }
            let copies = host.textures.copies.map { ($0, time(.copy($0))) }
            let fastest = copies.min { $0.1.minimum < $1.1.minimum } ?? copies[0]
            let paths = ShaderPath.allCases.filter { renderers[$0] != nil }.map { ($0, time(.blur($0))) }
            return row(
                host.device, blur: time(.blur(nil)), paths: paths, copy: fastest.1, copiedBy: fastest.0,
                shaders: host.renderer.statistics.shaders)
        }
    }

    /// Returns the time of several runs and of the wait for them.
    private func milliseconds(
        _ runs: Int, _ operation: Operation, _ host: BenchHost, _ renderers: [ShaderPath?: TextureRenderer],
        _ current: borrowing CurrentContext
    ) throws(FrostError) -> Double {
        let (start, textures) = (ContinuousClock.now, host.textures)
        for run in 0..<runs {
            switch operation {
            case .copy(let way):
                // GPUs that draw in tiles skip a copy if the next one covers it. So each copy reads the last one.
                try host.failing { () throws(GLError) in try textures.copy(way, back: run % 2 == 1, in: current) }
            case .blur(let path): _ = try renderers[path]?.render(textures.image, effect, into: textures.place)
            }
        }
        try host.wait(in: current)
        return (ContinuousClock.now - start).milliseconds
    }

    private func row(
        _ device: String, blur: Timing, paths: [(ShaderPath, Timing)], copy: Timing, copiedBy: HostTextures.Copy,
        shaders: String
    ) -> BenchRow {
        let size = PictureSize(width: picture.width, height: picture.height)
        let ratio = blur.minimum / copy.minimum
        // A copy of the picture reads and writes each pixel once.
        let bytes = 2 * size.pixels * 4
        let bandwidth = Double(bytes) / copy.minimum / 1e6
        return BenchRow(
            columns: [
                ("size", 11, size.description), ("sigma", 6, effect.sigmaCell), ("blur", 9, significant(blur.minimum)),
            ]
                + ShaderPath.allCases.map { path in
                    (path.rawValue, 9, paths.first { $0.0 == path }.map { significant($0.1.minimum) } ?? "-")
                }
                + [
                    ("copy", 9, significant(copy.minimum)), ("ratio", 6, fixed(ratio, 2)),
                    ("copy GB/s", 9, fixed(bandwidth, 1)), ("by", 7, copiedBy.rawValue),
                ],
            subject: ("milliseconds", device + effect.nameEnding),
            json: .joined(
                ["schema": "frost.bench.textures/1"], size.json, effect.json, ["device": .string(device)],
                blur.json(), copy.json("copy"), paths.reduce([:]) { .joined($0, $1.1.json($1.0.rawValue)) },
                [
                    "shaders": .string(shaders), "copied_by": .string(copiedBy.rawValue),
                    "ratio": .number(ratio, decimals: 3), "copy_bytes": .int(bytes),
                    "copy_GB_per_s": .number(bandwidth, decimals: 2), "runs": .int(blur.runs),
                ]))
    }
}
