import Frost
import FrostCLI
import FrostGPU

/// Compiles the programs of usual blurs and effects on a device, and keeps them on disk.
struct WarmUp {
    private let device: String
    private let renderer: Renderer
    /// Sigmas with different reductions of the size.
    private static let sigmas = [1.0, 2, 4, 8, 16, 30, 60, 100]
    private static let effects = ["light", "dark", "material-thin-light", "material-thick-dark"]

    init(device: String, _ options: GPUOptions) throws(CommandError) {
        self.device = device
        renderer = try rethrow(
            Renderer(backend: .gpu, device: device, options: options), as: CommandError.frost)
    }

    /// Draws a small picture with each blur. A program with an unrolled filter is compiled for the second picture that needs
    /// it.
    var finding: Finding {
        get throws(CommandError) {
            let before = renderer.statistics
            for format in [PixelFormat(.rgb), PixelFormat(.rgba)] {
                let picture = PixelBuffer(
                    layout: try rethrow(
                        PixelLayout(width: 256, height: 256, format: format),
                        as: { (error: PixelError) in CommandError.frost(.pixels(error)) }))
                for effect in try Self.usual {
                    for _ in 0..<2 { _ = try rethrow(renderer.render(picture, effect), as: CommandError.frost) }
                }
            }
            let after = renderer.statistics
            let problem = after?.programCacheProblem
            let compiled = (after?.programsCompiled ?? 0) - (before?.programsCompiled ?? 0)
            let loaded = (after?.programsLoaded ?? 0) - (before?.programsLoaded ?? 0)
            return Finding(
                check: "programs of device \(device)", status: problem == nil ? .ok : .warning,
                text: problem.map { "the programs cannot be kept: \($0)" }
                    ?? "compiled \(compiled) programs, and found \(loaded) that were kept")
        }
    }

    private static var usual: [Effect] {
        get throws(CommandError) {
            do throws(ParameterError) {
                var all: [Effect] = []
                for sigma in sigmas { all.append(Effect(try GaussianBlur(sigma: sigma))) }
                for name in effects { all.append(try EffectCatalog.effect(name).make()) }
                return all
            } catch {
                throw .usage(error.description)
            }
        }
    }
}
