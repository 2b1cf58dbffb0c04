public import FrostCore
import Glibc

extension EffectOracle {
    /// The seed of random changes, for effects that have a parameter for it.
    public static let seed: UInt32 = 77

    /// Returns the oracle of a named effect.
    ///
    /// - Parameters:
    ///   - scale: pixels per point, for effects that are defined in points.
    ///   - convention: "1.0" or "1.1", for effects that have a convention option.
    ///   - kernel: "gaussian" or "box3", for effects that have a kernel option.
    ///   - appearance: "light" or "dark", for effects that have an appearance option.
    ///   - mask: the mask, for effects that need one.
    /// - Returns: the oracle; nil if the name is unknown, or if the effect needs a mask and `mask` is nil.
    public static func named(
        _ name: String, scale: Double = 1, convention: String = "1.0", appearance: String = "light",
        kernel: String = "gaussian", mask: MaskImage? = nil
    ) -> EffectOracle? {
        let is1 = convention == "1.0"
        func preset(_ radius: Double, _ saturation: Double, _ tint: @escaping (Pixel) -> Pixel) -> EffectOracle {
            let width = boxWidth(radius: is1 ? radius : 2 * radius, scale: scale, convention: convention)
            return EffectOracle(
                sigma: sigma(ofBoxes: width), boxes: kernel == "box3" ? (width, 3) : nil,
                inside: [Self.saturation(saturation)], over: [tint])
        }
        func seven(_ radius: Double, _ saturation: Double, _ tint: @escaping (Pixel) -> Pixel) -> EffectOracle {
            let width = boxWidth(radius: radius, scale: 1, convention: "1.0")
            return EffectOracle(sigma: 4 * sigma(ofBoxes: width), inside: [Self.saturation(saturation)], over: [tint])
        }
        func style(_ points: Double, _ tint: @escaping (Pixel) -> Pixel) -> EffectOracle {
            EffectOracle(sigma: points * scale, edge: .mirror, inside: [Self.saturation(1.8), tint])
        }
        let (light, extraLight, dark) = (tint(white: 1, 0.3), tint(white: 0.97, 0.82), tint(white: 0.11, 0.73))
        let isLight = appearance == "light"
        switch name {
        case "light": return preset(30, 1.8, light)
        case "extra-light": return preset(20, 1.8, extraLight)
        case "dark": return preset(20, 1.8, dark)
        case "tint": return preset(10, -1, tint(0, 122.0 / 255, 1, 0.6))
        case "7blur-light": return seven(6, 1.8, tint(white: 0.8, 0.2))
        case "7blur-dark": return seven(8, 3, tint(white: 0, 0.5))
        case "7blur-coral": return seven(8, 3, tint(1, 0, 0, 0.1))
        case "7blur-neon": return seven(8, 3, tint(0, 1, 0, 0.1))
        case "7blur-sky": return seven(8, 3, tint(0, 0, 1, 0.1))
        case "blur-extra-light": return style(20, extraLight)
        case "blur-light": return style(30, light)
        case "blur-dark": return style(20, dark)
        case "blur-regular": return isLight ? style(30, light) : style(20, dark)
        case "blur-prominent": return isLight ? style(20, extraLight) : style(20, dark)
        case "gpuimage-gaussian": return EffectOracle(sigma: 2)
        case "gpuimage-ios":
            return EffectOracle(sigma: 48, inside: [gpuImageSaturation(0.8), rangeReduction(0.6)])
        case "ci-gaussian": return EffectOracle(sigma: 10, edge: .clear)
        case "box": return EffectOracle(boxes: (9, 1))
        case "ci-box": return EffectOracle(boxes: (21, 1), edge: .clear)
        case "disc": return EffectOracle(kernel2D: .disc(radius: 10))
        case "ci-disc": return EffectOracle(kernel2D: .disc(radius: 8), edge: .clear)
        case "motion": return EffectOracle(kernel2D: .motion(radius: 20, clockwise: 0))
        case "ci-motion": return EffectOracle(kernel2D: .motion(radius: 20, clockwise: 0), edge: .clear)
        case "gpuimage-motion": return EffectOracle(kernel2D: .motion(radius: 4, clockwise: 0))
        case "zoom", "ci-zoom":
            return EffectOracle(kernel2D: .zoom(centerX: 0.5, centerY: 0.5, inward: 0.2, outward: 0))
        case "gpuimage-zoom":
            return EffectOracle(kernel2D: .zoom(centerX: 0.5, centerY: 0.5, inward: 0.04, outward: 0.04))
        case "ci-masked-variable", "variable":
            return mask.map {
                let sigma = name == "variable" ? 20.0 : 5
                return EffectOracle(variable: VariableOracle(sigma: sigma, mask: VariableOracle.stretched($0)))
            }
        case "progressive":
            return EffectOracle(variable: VariableOracle(sigma: 20) { _, y, _, height in y / height })
        case "glass":
            let glass = GlassOracle(
                band: 20, thickness: 48, refraction: 0.7, rim: 0.4, shade: 0.08, scale: scale)
            return EffectOracle(sigma: 10 * scale, glass: glass, edge: .mirror, inside: [saturation(1.5)])
        case "glass-clear":
            let glass = GlassOracle(
                band: 28, thickness: 56, refraction: 0.85, rim: 0.5, shade: 0.12, scale: scale)
            return EffectOracle(sigma: 4 * scale, glass: glass, edge: .mirror, inside: [saturation(1.5)])
        case "redact":
            // The default shift is 0.15. The original shows through nowhere: it is drawn over black.
            return EffectOracle(
                mosaic: MosaicOracle(side: 32, shift: 0.15, seed: Self.seed), inside: [{ Array($0[..<3]) + [1] }])
        case "image-effects": return imageEffects(radius: 20 * scale, saturation: 1.8, white: 1, alpha: 0)
        case "tilt-shift":
            return EffectOracle(
                sigma: 7,
                mask: { _, y, _, height in
                    1 - smoothstep(0.2, 0.4, y / height) + smoothstep(0.6, 0.8, y / height)
                })
        case "selective":
            return EffectOracle(
                sigma: 5,
                mask: { x, y, width, height in
                    let distance = hypot(x - width / 2, y - height / 2) / width
                    return smoothstep(30.0 / 320, 60.0 / 320, distance)
                })
        default: return material(name, scale: scale)
        }
    }

    private static func smoothstep(_ a: Double, _ b: Double, _ x: Double) -> Double {
        let t = min(1, max(0, (x - a) / (b - a)))
        return t * t * (3 - 2 * t)
    }

    private static func material(_ name: String, scale: Double) -> EffectOracle? {
        // The columns are: the sigma in points, the saturation, the brightness, the amount of the luminance curve, and the
        // curve's control points.
        let table: [String: (Double, Double, Double, Double, [Double])] = [
            "ultra-thin-light": (22.5, 1.1, 0.12, 0.5, [0.45, 0.55, 0.65, 0.68]),
            "ultra-thin-dark": (22.5, 1.1, 0, 0.5, [0.24, 0.24, 0.3, 0.39]),
            "thin-light": (30, 1.35, 0.12, 0.6, [0.725, 0.825, 0.76, 0.73]),
            "thin-dark": (30, 1.35, 0, 0.6, [0.2, 0.21, 0.1, 0.15]),
            "regular-light": (30, 1.5, 0.10, 0.75, [0.9, 0.83, 0.925, 0.815]),
            "regular-dark": (30, 1.5, 0, 0.75, [0.16, 0.26, 0.1, 0.1]),
            "thick-light": (45, 1.5, 0.045, 0.88, [0.99, 0.95, 0.98, 0.905]),
            "thick-dark": (45, 1.5, 0, 0.88, [0.14, 0.16, 0.1, 0.03]),
            "chrome-light": (22.5, 1.1, 0.10, 0.75, [0.8, 0.9, 1.1, 0.825]),
            "chrome-dark": (22.5, 2.0, -0.10, 0.75, [0.23, 0.52, 0.27, 0.255]),
        ]
        guard name.hasPrefix("material-"), let row = table[String(name.dropFirst("material-".count))] else {
            return nil
        }
        return EffectOracle(
            sigma: row.0 * scale, edge: .mirror,
            inside: [luminance(row.4, row.3), saturation(row.1), brightness(row.2)])
    }

    // MARK: Boxes

    /// Returns the width of the box that ImageEffects derives from a radius. The width is in pixels and always odd.
    public static func boxWidth(radius: Double, scale: Double, convention: String) -> Int {
        let s = convention == "1.0" ? radius * scale : max(radius * scale, 2)
        let width = s * 3 * sqrt(2 * Double.pi) / 4 + 0.5
        if convention == "1.0" {
            let whole = Int(floor(width))
            return whole % 2 == 0 ? whole + 1 : whole
        }
        return Int(floor(width / 2)) | 1
    }

    /// Returns the sigma of the Gaussian that has the same variance as three boxes of this width.
    public static func sigma(ofBoxes width: Int) -> Double { sqrt(3 * (Double(width * width) - 1) / 12) }

    /// Returns the oracle of 7blur-light with parameters that the caller chooses.
    public static func sevenBlurLight(
        radius: Double, saturation: Double, white: Double, alpha: Double
    ) -> EffectOracle {
        // The preset's radius 6 has boxes of 11 pixels in a snapshot of a quarter of the size.
        EffectOracle(
            sigma: 4 * sigma(ofBoxes: 11) * radius / 6, inside: [Self.saturation(saturation)],
            over: [tint(white: white, alpha)])
    }

    /// Returns the oracle of ImageEffects with parameters that the caller chooses. The Gaussian's sigma follows from the box
    /// width before rounding; only the kernel "box3" uses the rounded width.
    public static func imageEffects(
        radius: Double, saturation s: Double, white: Double, alpha: Double, kernel: String = "gaussian"
    ) -> EffectOracle {
        let width = radius * 3 * sqrt(2 * Double.pi) / 4 + 0.5
        let exact = sqrt(max(0, width * width - 1) / 4)
        let whole = radius < 1e-6 ? 1 : boxWidth(radius: radius, scale: 1, convention: "1.0")
        return EffectOracle(
            sigma: radius < 1e-6 ? 0 : exact,
            boxes: kernel == "box3" ? (whole, 3) : nil,
            inside: [saturation(s)], over: [tint(white: white, alpha)])
    }
}
