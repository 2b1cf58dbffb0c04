import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Glibc

/// A picture in a host's texture with an encoding, an effect, and a target with an encoding.
struct ColorCase {
    static let (width, height) = (44, 31)
    static let extent = Rect(x: 0, y: 0, width: width, height: height)

    var source: ColorEncoding
    var sourceSurface = ColorSurface.rgba16F
    var target: ColorEncoding
    var targetSurface = ColorSurface.rgba16F
    var sigma = 2.0
    var isLinear = false
    var alpha = AlphaMode.premultiplied
    var rises = false
    /// How the textures store their images.
    var transforms = (source: SurfaceTransform.normal, target: SurfaceTransform.normal)

    /// Every valid encoding with the default white.
    static let encodings: [ColorEncoding] = ColorEncoding.Transfer.allCases.flatMap { transfer in
        ColorEncoding.Primaries.allCases.compactMap { try? ColorEncoding(transfer, $0) }
    }

    var description: String {
        "\(source) \(sourceSurface) to \(target) \(targetSurface), sigma \(sigma)\(isLinear ? ", linear light" : "")"
    }

    var effect: Effect {
        get throws {
            var effect = Effect(try GaussianBlur(sigma: sigma))
            if isLinear { effect.decoding = .sRGB }
            return effect
        }
    }

    /// Noise with a few pixels at full scale, so that the light has the largest range that its bound is for. In floats
    /// there are also numbers above 1 and below 0.
    func picture() -> [SIMD4<Double>] {
        let noise = SeededNoise(seed: 9)
        let straight = (0..<Self.width * Self.height).map { i in
            let (x, y) = (i % Self.width, i / Self.width)
            func value(_ c: Int) -> Double {
                let value = noise.value(x, y, c)
                let peak = noise.value(x / 3, y / 3, 7)
                return peak > 0.9 ? 1 : value * (x < Self.width / 2 ? 0.15 : 0.8)
            }
            let color = SIMD3(value(0), value(1), value(2))
            return SIMD4(color, y < Self.height / 2 ? 1 : 0.4 + 0.6 * noise.value(x, y, 3))
        }
        let pixels = straight.map { p in
            alpha == .straight ? p : SIMD4(SIMD3(p.x, p.y, p.z) * (quantized(p.w)), p.w)
        }
        return sourceSurface.stored(pixels)
    }

    private func quantized(_ alpha: Double) -> Double { sourceSurface.stored([SIMD4(0, 0, 0, alpha)])[0].w }

    /// Draws the effect, and returns the numbers in the target and the error bound.
    func draw(
        _ executor: HostExecutor, _ host: HostGL, effect: Effect? = nil
    ) throws -> (pixels: [SIMD4<Double>], bound: (steps: Double, nits: Double?)) {
        let picture = picture()
        let (source, target) = (order(transforms.source), order(transforms.target))
        let from = sourceSurface.texture(source.width, source.height, source.places.map { picture[$0] }, in: host)
        let to = targetSurface.texture(target.width, target.height, nil, in: host)
        defer { host.delete(textures: [from, to]) }
        let image = HostImage(
            HostTexture(name: from), width: Self.width, height: Self.height,
            format: PixelFormat(.rgba, sourceSurface.sample, alpha: alpha), rises: rises, encoding: self.source,
            transform: transforms.source)
        let output = HostTarget(
            .texture(to), width: Self.width, height: Self.height,
            format: PixelFormat(.rgba, targetSurface.sample, alpha: alpha), rises: rises, encoding: self.target,
            depth: targetSurface.depth, transform: transforms.target)
        let plan = try (effect ?? self.effect).plan(extent: Self.extent, accuracy: .sixteenBit)
        try executor.execute(plan, source: image, target: output)
        let texels = targetSurface.pixels(to, target.width, target.height, in: host)
        var pixels = texels
        for (texel, pixel) in zip(texels, target.places) { pixels[pixel] = texel }
        return (pixels, HostExecutor.errorBound(of: plan, self.source, output))
    }

    /// Returns the size of a texture that stores an image, and the indices of the image's pixels in the order of its texels.
    private func order(_ transform: SurfaceTransform) -> (width: Int, height: Int, places: [Int]) {
        let map = PixelMap(transform, width: Self.width, height: Self.height, rises: rises)
        let size = map.map(Self.extent)
        let places = size.rows.flatMap { y in
            size.columns.map { x in
                let pixel = map.inverse.map(Rect(x: x, y: y, width: 1, height: 1))
                return pixel.y * Self.width + pixel.x
            }
        }
        return (size.width, size.height, places)
    }

    /// The exact result: premultiplied numbers or light, blurred in double precision, with the image continued by its
    /// border pixels. Colour is straight, in the encoding of the numbers that were blurred.
    private func blurred() -> [SIMD4<Double>] {
        let oracle = ColorOracle(source)
        let pixels = picture().map { pixel in
            var color = SIMD3(pixel.x, pixel.y, pixel.z)
            if alpha == .premultiplied { color = pixel.w > 0 ? color / pixel.w : .zero }
            return SIMD4((isLinear ? oracle.light(color) : color) * pixel.w, pixel.w)
        }
        return Reference.blurred(pixels, width: Self.width, sigma: sigma).map { pixel in
            SIMD4(pixel.w > 0 ? SIMD3(pixel.x, pixel.y, pixel.z) / pixel.w : .zero, pixel.w)
        }
    }

    /// Returns how far the target's numbers are from the exact result, as a multiple of what the bound allows: the
    /// maximum over all pixels. Values up to 1 are within the bound.
    ///
    /// The distance is measured in the space that was blurred: in light (nits) or in numbers of the source's encoding.
    /// The target's rounding by half a step is converted to that space at each pixel.
    func excess(_ made: [SIMD4<Double>], _ bound: (steps: Double, nits: Double?)) -> Double {
        let (from, to) = (ColorOracle(source), ColorOracle(target))
        // Numbers above 1 enlarge the range for which the bound is stated.
        let peak = max(1, picture().map { SIMD3($0.x, $0.y, $0.z).largest }.max() ?? 1)
        return zip(blurred(), made).map { exact, pixel in
            let light = isLinear ? SIMD3(exact.x, exact.y, exact.z) : from.light(SIMD3(exact.x, exact.y, exact.z))
            let code = from.code(light)
            var wanted = to.code(from.light(light, in: target.primaries))
            if targetSurface.steps != nil { wanted = wanted.clamped(lowerBound: .zero, upperBound: .one) }
            // The bound is for premultiplied colour.
            let alphaRounding = targetSurface.steps.map { 0.5 / $0.alpha } ?? targetSurface.rounding(at: exact.w)
            var part = abs(pixel.w - exact.w) / (alphaRounding + bound.steps / 255 + 1e-6)
            guard pixel.w > 0 else { return part }
            let scale = alpha == .premultiplied ? pixel.w : 1
            let color = SIMD3(pixel.x, pixel.y, pixel.z) / scale
            // Half a step of premultiplied colour, and the error of the conversions. A result that is not converted
            // keeps the product of colour and alpha, and not the colour, if alpha is rounded.
            var step =
                (targetSurface.rounding(at: (color * scale).largest) * 1.01) / scale + 4e-6 * color.largest + 1e-7
            if targetSurface.depth == .eight { step += color.largest * alphaRounding / pixel.w }
            let allowed: SIMD3<Double>
            let distance: SIMD3<Double>
            if isLinear, let nits = bound.nits {
                func shown(_ code: SIMD3<Double>) -> SIMD3<Double> { to.light(code) }
                (distance, allowed) = (
                    shown(color) - shown(wanted),
                    SIMD3(repeating: nits * peak / exact.w)
                        + Self.spread(of: shown, at: color, by: step)
                )
            } else {
                // The error of the blur, as an interval of the target's numbers.
                let error = (bound.steps / 255 + 1e-6) * peak / exact.w
                func shown(_ code: SIMD3<Double>) -> SIMD3<Double> { from.code(code, in: target) }
                (distance, allowed) = (
                    color - wanted,
                    SIMD3(repeating: step)
                        + Self.spread(of: shown, at: code, by: error)
                )
            }
            for c in 0..<3 { part = max(part, abs(distance[c]) / allowed[c]) }
            return part
        }.max() ?? .infinity
    }

    /// Returns how far a function moves if each of its arguments moves by a distance.
    private static func spread(
        of function: (SIMD3<Double>) -> SIMD3<Double>, at color: SIMD3<Double>, by distance: Double
    ) -> SIMD3<Double> {
        let middle = function(color)
        var spread = SIMD3<Double>.zero
        for c in 0..<3 {
            func change(_ sign: Double) -> SIMD3<Double> {
                var moved = color
                moved[c] += sign * distance
                let change = function(moved) - middle
                return change.replacing(with: -change, where: change .< 0)
            }
            // The arguments may move together, so their changes add up.
            spread += pointwiseMax(change(-1), change(1))
        }
        return spread
    }
}
