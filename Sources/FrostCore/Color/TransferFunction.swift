#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What light an encoded colour stands for, both 0...1: near black `code / slope`, above that
/// `((code + offset) / (1 + offset)) ^ exponent`, the form that sRGB, Rec. 709 and their like share.
public struct TransferFunction: Sendable, Hashable {
    public let exponent: Double
    public let offset: Double
    /// Of the encoding at black: how much an error in dark light is enlarged.
    public let slope: Double
    /// The code up to which the straight line reaches.
    public let threshold: Double

    private init(exponent: Double, offset: Double, slope: Double, threshold: Double) {
        self.exponent = exponent
        self.offset = offset
        self.slope = slope
        self.threshold = threshold
    }

    /// IEC 61966-2-1.
    public static let sRGB = TransferFunction(exponent: 2.4, offset: 0.055, slope: 12.92, threshold: 0.04045)

    /// Of BT.709 and BT.601, for what cameras make of light.
    public static let rec709 = TransferFunction(exponent: 1 / 0.45, offset: 0.099, slope: 4.5, threshold: 0.081)

    /// Exponents that are accepted: from what displays of any time have had to linear light.
    public static let exponentRange: ClosedRange<Double> = 1...4

    /// How steep an encoding may be at black. A pure power is infinitely steep there, so that no finite precision would do;
    /// as in colour management it is a straight line as steep as this up to where that meets the power.
    private static let steepest = 32.0

    /// A power, straight near black: for 2.2 up to 14 of 255, where it is at most 4 off.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public static func gamma(_ exponent: Double) throws(ParameterError) -> TransferFunction {
        guard exponentRange.contains(exponent) else {
            throw .outOfRange(parameter: "gamma", value: exponent, allowed: exponentRange)
        }
        // The line through black that meets the power: code = slope * code ^ exponent.
        let threshold = exponent > 1 ? pow(steepest, -1 / (exponent - 1)) : 0
        return TransferFunction(exponent: exponent, offset: 0, slope: exponent > 1 ? steepest : 1, threshold: threshold)
    }

    /// The light that a colour stands for. Values beyond 0...1 go on along the curve, negative ones along the line.
    public func decode(_ code: Double) -> Double {
        code <= threshold ? code / slope : pow((code + offset) / (1 + offset), exponent)
    }

    /// The colour that stands for a light; the inverse of ``decode(_:)``.
    public func encode(_ light: Double) -> Double {
        light <= threshold / slope ? light * slope : pow(light, 1 / exponent) * (1 + offset) - offset
    }

    /// Premultiplied colour in light, from colour that was encoded before it was multiplied. Alpha stays.
    public func decode(_ color: SIMD4<Double>) -> SIMD4<Double> { map(color, decode) }

    /// The inverse of ``decode(_:)-(SIMD4<Double>)``.
    public func encode(_ color: SIMD4<Double>) -> SIMD4<Double> { map(color, encode) }

    private func map(_ color: SIMD4<Double>, _ curve: (Double) -> Double) -> SIMD4<Double> {
        let alpha = color[3]
        guard alpha > 0 else { return color }
        return SIMD4(
            curve(color[0] / alpha) * alpha, curve(color[1] / alpha) * alpha, curve(color[2] / alpha) * alpha, alpha)
    }

    /// How much larger an error of premultiplied light becomes when it is encoded, at worst: the slope at black for
    /// colour; and for an error of alpha, `f(x) - x f'(x)` of light x in 0...1, which is at most 1 for a concave f with
    /// f(0) = 0 and f(1) = 1.
    public var amplification: Double { slope + 1 }
}

extension ColorSpace {
    /// What the numbers stand for. sRGB's where nothing is said, and for ICC profiles, whose own curves are not read: nearly
    /// all have sRGB's or come close; nil for linear light, which needs none.
    ///
    /// - Throws: ``ParameterError`` for a gamma beyond ``TransferFunction/exponentRange``.
    public func transfer() throws(ParameterError) -> TransferFunction? {
        switch self {
        case .unspecified, .sRGB, .icc: .sRGB
        case .linear: nil
        case .gamma(let exponent): abs(exponent - 1) < 1e-9 ? nil : try .gamma(exponent)
        }
    }
}
