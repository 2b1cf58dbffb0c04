/// An affine map of premultiplied colour in 0...1: each output is a weighted sum of red, green, blue, alpha and one.
///
/// Stored by columns: ``red`` holds what the input's red adds to each output. Weights that multiply `one` make colour
/// out of nothing, so only maps that also raise alpha, such as ``tint(_:alpha:)``, have them; all others are written in
/// terms of alpha, which makes them the same for every opacity.
public struct ColorMatrix: Sendable, Hashable {
    public var red = SIMD4<Double>(1, 0, 0, 0)
    public var green = SIMD4<Double>(0, 1, 0, 0)
    public var blue = SIMD4<Double>(0, 0, 1, 0)
    public var alpha = SIMD4<Double>(0, 0, 0, 1)
    public var one = SIMD4<Double>.zero

    /// The identity.
    public init() {}

    /// What becomes of a colour, without clamping.
    public func callAsFunction(_ color: SIMD4<Double>) -> SIMD4<Double> {
        var sum: SIMD4<Double> = red * color[0]
        sum += green * color[1]
        sum += blue * color[2]
        sum += alpha * color[3]
        return sum + one
    }

    /// First `first`, then this, with nothing clamped in between.
    package func following(_ first: ColorMatrix) -> ColorMatrix {
        func linear(_ x: SIMD4<Double>) -> SIMD4<Double> { self(x) - one }
        var both = ColorMatrix()
        both.red = linear(first.red)
        both.green = linear(first.green)
        both.blue = linear(first.blue)
        both.alpha = linear(first.alpha)
        both.one = self(first.one)
        return both
    }

    /// Whether colours in 0...alpha and alpha in 0...1 stay there. The corners of what there is are enough: the map is affine.
    package var keepsGamut: Bool {
        let slack = 1e-9
        return (0..<16).allSatisfy { corner in
            let bits = SIMD4<Double>((0..<4).map { Double(corner >> $0 & 1) })
            let result = self(SIMD4(bits[0], bits[1], bits[2], 1) * bits[3])
            return (0..<4).allSatisfy { result[$0] >= -slack && result[$0] <= ($0 == 3 ? 1 : result[3]) + slack }
        }
    }

    /// Whether grey stays grey, and becomes no other grey in one channel than in another.
    public var keepsGrey: Bool {
        let columns: [SIMD4<Double>] = [red + green + blue, alpha, one]
        return columns.allSatisfy { abs($0[0] - $0[1]) < 1e-9 && abs($0[1] - $0[2]) < 1e-9 }
    }
}

/// How much red, green and blue count for luma.
public struct LumaWeights: Sendable, Hashable {
    public var red, green, blue: Double

    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// As ImageEffects has them.
    public static let rec709 = LumaWeights(red: 0.2126, green: 0.7152, blue: 0.0722)
    /// GPUImage's, of the same primaries rounded otherwise.
    public static let gpuImage = LumaWeights(red: 0.2125, green: 0.7154, blue: 0.0721)

    public func callAsFunction(_ color: SIMD4<Double>) -> Double {
        red * color[0] + green * color[1] + blue * color[2]
    }
}

extension ColorMatrix {
    private static let colors = SIMD4<Double>(1, 1, 1, 0)

    /// `scale * colour + luma * lumaScale + alpha * alphaScale`, alpha kept: what every adjustment here amounts to.
    package init(scale: Double, luma: LumaWeights, lumaScale: Double, alphaScale: Double) {
        red = SIMD4(scale, 0, 0, 0) + Self.colors * (luma.red * lumaScale)
        green = SIMD4(0, scale, 0, 0) + Self.colors * (luma.green * lumaScale)
        blue = SIMD4(0, 0, scale, 0) + Self.colors * (luma.blue * lumaScale)
        alpha = SIMD4(alphaScale, alphaScale, alphaScale, 1)
    }

    /// `luma + s * (colour - luma)`: 0 is grey, 1 changes nothing, below 0 colours turn to their complements.
    public static func saturation(_ s: Double, luma: LumaWeights = .rec709) -> ColorMatrix {
        ColorMatrix(scale: s, luma: luma, lumaScale: 1 - s, alphaScale: 0)
    }

    /// Drawn over black, so that nothing of alpha is left.
    public static let opaque: ColorMatrix = {
        var matrix = ColorMatrix()
        matrix.alpha[3] = 0
        matrix.one[3] = 1
        return matrix
    }()

    /// Adds `b` of full scale to each colour, in proportion to alpha.
    public static func brightness(_ b: Double) -> ColorMatrix {
        ColorMatrix(scale: 1, luma: .rec709, lumaScale: 0, alphaScale: b)
    }

    /// Stretches colours by `k` about the middle of the scale.
    public static func contrast(_ k: Double) -> ColorMatrix {
        ColorMatrix(scale: k, luma: .rec709, lumaScale: 0, alphaScale: (1 - k) / 2)
    }

    /// Pulls luminance towards the middle: `colour + (0.5 * alpha - luma) * factor`.
    public static func rangeReduction(_ factor: Double, luma: LumaWeights = .gpuImage) -> ColorMatrix {
        ColorMatrix(scale: 1, luma: luma, lumaScale: -factor, alphaScale: factor / 2)
    }

    /// A colour drawn over everything: source-over, so that it also covers what is transparent.
    ///
    /// - Parameter color: its alpha is how much it covers.
    public static func tint(_ color: Color) -> ColorMatrix {
        let rest = 1 - color.alpha
        var matrix = ColorMatrix()
        matrix.red *= rest
        matrix.green *= rest
        matrix.blue *= rest
        matrix.alpha *= rest
        matrix.one = SIMD4(color.red, color.green, color.blue, 1) * color.alpha
        return matrix
    }
}
