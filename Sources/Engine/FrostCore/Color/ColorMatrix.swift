/// An affine map of premultiplied colour in 0...1: each output channel is a weighted sum of red, green, blue, alpha and
/// the constant one.
///
/// The map is stored by columns: ``red`` contains the contributions of the input's red to each output. Weights of `one`
/// add colour to transparent pixels. So only maps that also raise alpha have such weights, for example ``tint(_:)``.
/// All other maps use weights of alpha instead, so they act in the same way at every opacity.
public struct ColorMatrix: Sendable, Hashable {
    /// The contributions of the input's red to the output's red, green, blue and alpha.
    public var red = SIMD4<Double>(1, 0, 0, 0)
    /// The contributions of the input's green to the output's red, green, blue and alpha.
    public var green = SIMD4<Double>(0, 1, 0, 0)
    /// The contributions of the input's blue to the output's red, green, blue and alpha.
    public var blue = SIMD4<Double>(0, 0, 1, 0)
    /// The contributions of the input's alpha to the output's red, green, blue and alpha.
    public var alpha = SIMD4<Double>(0, 0, 0, 1)
    /// The constants that are added to the output's red, green, blue and alpha.
    public var one = SIMD4<Double>.zero

    /// Creates the identity map.
    public init() {}

    /// Applies the map to a colour, without clamping.
    public func callAsFunction(_ color: SIMD4<Double>) -> SIMD4<Double> {
        var sum: SIMD4<Double> = red * color[0]
        sum += green * color[1]
        sum += blue * color[2]
        sum += alpha * color[3]
        return sum + one
    }

    /// Returns the composition that applies `first` and then this map, without clamping in between.
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

    /// Whether the map keeps alpha in 0...1 and colours in 0...alpha. The map is affine, so it is enough to test the
    /// corners of these ranges.
    package var keepsGamut: Bool {
        let slack = 1e-9
        return (0..<16).allSatisfy { corner in
            let bits = SIMD4<Double>((0..<4).map { Double(corner >> $0 & 1) })
            let result = self(SIMD4(bits[0], bits[1], bits[2], 1) * bits[3])
            return (0..<4).allSatisfy { result[$0] >= -slack && result[$0] <= ($0 == 3 ? 1 : result[3]) + slack }
        }
    }

    /// Whether the map keeps grey pixels grey: all colour channels change equally.
    public var keepsGrey: Bool {
        let columns: [SIMD4<Double>] = [red + green + blue, alpha, one]
        return columns.allSatisfy { abs($0[0] - $0[1]) < 1e-9 && abs($0[1] - $0[2]) < 1e-9 }
    }
}

/// The weights of red, green and blue in luma.
public struct LumaWeights: Sendable, Hashable {
    /// The weights of red, green and blue in luma.
    public var red, green, blue: Double

    /// Creates weights from three numbers.
    public init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The weights of Rec. 709, which UIImage+ImageEffects uses.
    public static let rec709 = LumaWeights(red: 0.2126, green: 0.7152, blue: 0.0722)
    /// GPUImage's weights: those of Rec. 709, rounded differently.
    public static let gpuImage = LumaWeights(red: 0.2125, green: 0.7154, blue: 0.0721)

    /// Returns the luma of a colour with the components red, green, blue and alpha.
    public func callAsFunction(_ color: SIMD4<Double>) -> Double {
        red * color[0] + green * color[1] + blue * color[2]
    }
}

extension ColorMatrix {
    private static let colors = SIMD4<Double>(1, 1, 1, 0)

    /// Creates the map `scale * colour + luma * lumaScale + alpha * alphaScale` with unchanged alpha. Most adjustments
    /// have this form.
    package init(scale: Double, luma: LumaWeights, lumaScale: Double, alphaScale: Double) {
        red = SIMD4(scale, 0, 0, 0) + Self.colors * (luma.red * lumaScale)
        green = SIMD4(0, scale, 0, 0) + Self.colors * (luma.green * lumaScale)
        blue = SIMD4(0, 0, scale, 0) + Self.colors * (luma.blue * lumaScale)
        alpha = SIMD4(alphaScale, alphaScale, alphaScale, 1)
    }

    /// Returns the map `luma + s * (colour - luma)`: 0 gives grey, 1 changes nothing, and negative values give
    /// complementary colours.
    public static func saturation(_ s: Double, luma: LumaWeights = .rec709) -> ColorMatrix {
        ColorMatrix(scale: s, luma: luma, lumaScale: 1 - s, alphaScale: 0)
    }

    /// A map that draws its input over opaque black, so that the result is opaque.
    public static let opaque: ColorMatrix = {
        var matrix = ColorMatrix()
        matrix.alpha[3] = 0
        matrix.one[3] = 1
        return matrix
    }()

    /// Returns a map that adds `b * alpha` to red, green and blue. `b` is a fraction of full scale.
    public static func brightness(_ b: Double) -> ColorMatrix {
        ColorMatrix(scale: 1, luma: .rec709, lumaScale: 0, alphaScale: b)
    }

    /// Returns a map that scales by `k` the distance of each colour from the middle of its range.
    public static func contrast(_ k: Double) -> ColorMatrix {
        ColorMatrix(scale: k, luma: .rec709, lumaScale: 0, alphaScale: (1 - k) / 2)
    }

    /// Returns a map that moves luminance towards the middle: `colour + (0.5 * alpha - luma) * factor`.
    public static func rangeReduction(_ factor: Double, luma: LumaWeights = .gpuImage) -> ColorMatrix {
        ColorMatrix(scale: 1, luma: luma, lumaScale: -factor, alphaScale: factor / 2)
    }

    /// Returns a map that draws a colour over the input (source-over). The colour also covers transparent pixels.
    ///
    /// - Parameter color: the tint. Its alpha is the tint's strength.
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
