import Glibc

/// A function from the encoded value of a colour to the light that the value stands for. Both are in 0...1. Near black
/// the light is `code / slope`. Above the threshold it is `((code + offset) / (1 + offset)) ^ exponent`. This is the
/// common form of sRGB, Rec. 709 and similar encodings.
public struct TransferFunction: Sendable, Hashable {
    /// The exponent for decoding: `((code + offset) / (1 + offset)) ^ exponent`.
    public let exponent: Double
    /// The offset for decoding: `((code + offset) / (1 + offset)) ^ exponent`.
    public let offset: Double
    /// The slope of the encoding at black: the factor by which errors in dark light are amplified.
    public let slope: Double
    /// The encoded value up to which the function is a straight line.
    public let threshold: Double

    private init(exponent: Double, offset: Double, slope: Double, threshold: Double) {
        self.exponent = exponent
        self.offset = offset
        self.slope = slope
        self.threshold = threshold
    }

    /// The transfer function of sRGB, IEC 61966-2-1.
    public static let sRGB = TransferFunction(exponent: 2.4, offset: 0.055, slope: 12.92, threshold: 0.04045)

    /// The transfer function of BT.709 and BT.601, with which cameras encode light.
    public static let rec709 = TransferFunction(exponent: 1 / 0.45, offset: 0.099, slope: 4.5, threshold: 0.081)

    /// The range of accepted exponents. 1 is linear light, and 4 is more than the exponent of any real display.
    public static let exponentRange: ClosedRange<Double> = 1...4

    /// The maximum slope of an encoding at black. The encoding of a pure power has an infinite slope at black, for
    /// which no finite precision is enough. So, as in colour management, the encoding begins with a straight line of
    /// the slope `steepest`, up to the point at which the line meets the power.
    private static let steepest = 32.0

    /// Returns the transfer function of a pure power, but with a straight line near black. For an exponent of 2.2, the
    /// line ends at the encoded value 14/255 and differs from the power by at most 4/255.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for exponents outside 1...4.
    public static func gamma(_ exponent: Double) throws(ParameterError) -> TransferFunction {
        guard exponentRange.contains(exponent) else {
            throw .outOfRange(parameter: "gamma", value: exponent, allowed: exponentRange)
        }
        // The straight line starts at black. It meets the power at the encoded value `code` for which
        // code = slope * code ^ exponent.
        let threshold = exponent > 1 ? pow(steepest, -1 / (exponent - 1)) : 0
        return TransferFunction(exponent: exponent, offset: 0, slope: exponent > 1 ? steepest : 1, threshold: threshold)
    }

    /// Returns the light that an encoded value stands for. Values above 1 follow the power, and values below 0 follow
    /// the straight line.
    public func decode(_ code: Double) -> Double {
        code <= threshold ? code / slope : pow((code + offset) / (1 + offset), exponent)
    }

    /// Returns the encoded value that stands for an amount of light. This is the inverse of decoding.
    public func encode(_ light: Double) -> Double {
        light <= threshold / slope ? light * slope : pow(light, 1 / exponent) * (1 + offset) - offset
    }

    /// Decodes premultiplied colour that was encoded before the multiplication. Alpha is unchanged.
    public func decode(_ color: SIMD4<Double>) -> SIMD4<Double> { map(color, decode) }

    /// Encodes premultiplied light: the inverse of ``decode(_:)-(SIMD4<Double>)``.
    public func encode(_ color: SIMD4<Double>) -> SIMD4<Double> { map(color, encode) }

    private func map(_ color: SIMD4<Double>, _ curve: (Double) -> Double) -> SIMD4<Double> {
        let alpha = color[3]
        guard alpha > 0 else { return color }
        return SIMD4(
            curve(color[0] / alpha) * alpha, curve(color[1] / alpha) * alpha, curve(color[2] / alpha) * alpha, alpha)
    }

    /// The maximum factor by which encoding amplifies an error of premultiplied light. An error of colour grows by at
    /// most the slope at black. An error of alpha grows by `f(x) - x f'(x)`, where f is the encoding and x is the
    /// light, in 0...1. This is at most 1, because f is concave with f(0) = 0 and f(1) = 1.
    public var amplification: Double { slope + 1 }
}

extension ColorSpace {
    /// Returns the transfer function of images in this colour space; nil for linear light. If no colour space is
    /// stated, and for ICC profiles, the result is the function of sRGB. The curves of ICC profiles are not read,
    /// because nearly all of them are the curve of sRGB or close to it.
    ///
    /// - Throws: ``ParameterError`` for a gamma outside ``TransferFunction/exponentRange``.
    public func transfer() throws(ParameterError) -> TransferFunction? {
        switch self {
        case .unspecified, .sRGB, .icc: .sRGB
        case .linear: nil
        case .gamma(let exponent): abs(exponent - 1) < 1e-9 ? nil : try .gamma(exponent)
        }
    }
}
