import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// What a finish costs. Times are printed, and not judged: the machine may be busy.
struct EffectCostTests {
    @Test(
        "4K effects against the plain blur of the same sigma",
        arguments: [AlphaMode.premultiplied, .straight])
    func cost(_ alpha: AlphaMode) throws {
        let renderer = try Renderer(backend: .cpu, threads: 2)
        let image = try TestImage.make(.gradient, 3840, 2160, PixelFormat(.rgba, alpha: alpha)).opaque()
        var target = try PixelBuffer(layout: image.layout, bytes: image.bytes)
        for name in [
            "light", "dark", "tint", "7blur-neon", "blur-light", "material-thick-light", "gpuimage-ios", "tilt-shift",
        ] {
            var effect = try EffectCatalog.effect(name).make()
            let plain = Effect(name: "plain", kernel: effect.kernel)
            let dithered = effect
            effect.finish.dither = nil
            var times = [Double](repeating: .infinity, count: 3)
            for _ in 0..<15 {
                for (i, effect) in [plain, effect, dithered].enumerated() {
                    times[i] = min(times[i], try renderer.time(effect, image, into: &target))
                }
            }
            let ratios = times.map { ($0 / times[0] * 100).rounded() / 100 }
            print("COST \(alpha) \(name): \(times.map { ($0 * 10).rounded() / 10 }) ms, ratios \(ratios)")
        }
    }
}

extension PixelBuffer {
    fileprivate func opaque() throws -> PixelBuffer {
        var bytes = bytes
        for i in stride(from: 3, to: bytes.count, by: 4) { bytes[i] = 255 }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }
}

extension Renderer {
    fileprivate func time(_ effect: Effect, _ image: PixelBuffer, into target: inout PixelBuffer) throws -> Double {
        let layout = target.layout
        return try unsafe image.withUnsafeBytes { from in
            try unsafe target.withUnsafeMutableBytes { to in
                let (source, target) = try unsafe (#require(from.baseAddress), #require(to.baseAddress))
                let clock = ContinuousClock()
                let start = clock.now
                _ = try unsafe render(
                    PixelSource(source, layout: layout), effect, into: PixelTarget(target, layout: layout))
                return (clock.now - start).milliseconds
            }
        }
    }
}
