/// The meaning of a picture's colour numbers: the transfer function, the primaries, and the luminance of white.
///
/// Sources and targets in the GL context of an embedding program have an encoding. If the encodings of source and
/// target differ, Frost converts the result: it decodes the numbers into light, changes the primaries by a 3x3 matrix,
/// and encodes the light for the target. There is no tone mapping and no gamut mapping.
///
/// *Light* is the luminance that a reference display emits, in cd/m² (nits). This includes the system gamma of HLG.
public struct ColorEncoding: Sendable, Hashable {
    /// A function from colour numbers to light. All functions are continued by symmetry below 0: the light of -x is
    /// minus the light of x.
    public enum Transfer: String, Sendable, Hashable, CaseIterable {
        /// The function of sRGB, IEC 61966-2-1. 1.0 is ``ColorEncoding/white``. Above 1 the power continues.
        case sRGB
        /// A power of 2.2, as many displays show sRGB pictures. 1.0 is ``ColorEncoding/white``. Above 1 the power
        /// continues.
        case gamma22
        /// Numbers are proportional to light. 1.0 is ``ColorEncoding/white``.
        case linear
        /// scRGB, IEC 61966-2-2, as floats: numbers are proportional to light, and 1.0 is 80 nits. The primaries are
        /// those of BT.709.
        case scRGB
        /// PQ, SMPTE ST 2084 and BT.2100. 1.0 is 10,000 nits. PQ has no code for more; brighter light becomes 1.0.
        case pq
        /// HLG of BT.2100, on a display with a peak of 1000 nits and therefore a system gamma of 1.2. 1.0 is 1000 nits.
        /// Above 1 the logarithm continues.
        case hlg
    }

    /// The chromaticities of red, green and blue. White is D65 for all of them.
    public enum Primaries: String, Sendable, Hashable, CaseIterable {
        /// The primaries of BT.709 and sRGB.
        case bt709
        /// The primaries of Display P3.
        case displayP3
        /// The primaries of BT.2020 and BT.2100.
        case bt2020
    }

    /// The function from colour numbers to light.
    public let transfer: Transfer
    /// The chromaticities of red, green and blue.
    public let primaries: Primaries
    /// The luminance of diffuse white in nits. It is the light of 1.0 in sRGB, gamma 2.2 and linear numbers. PQ, HLG
    /// and scRGB have fixed luminances; there, it is the light that colour stages and content of effects treat as 1.0.
    public let white: Double

    /// The luminance of diffuse white in ITU-R BT.2408: 203 nits, which is a PQ number of 0.58 and an HLG number of
    /// 0.75.
    public static let referenceWhite = 203.0
    /// The accepted luminances of white in nits.
    public static let whiteRange: ClosedRange<Double> = 1...10000

    /// sRGB with the primaries of BT.709: the meaning of numbers without a stated encoding.
    public static let sRGB = ColorEncoding(unchecked: .sRGB, .bt709, white: referenceWhite)

    /// Creates an encoding.
    ///
    /// - Parameter white: the luminance of diffuse white in nits.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a white outside ``whiteRange``,
    ///   ``ParameterError/malformed(parameter:value:expected:)`` for scRGB with other primaries than those of BT.709.
    public init(
        _ transfer: Transfer, _ primaries: Primaries = .bt709, white: Double = referenceWhite
    ) throws(ParameterError) {
        guard Self.whiteRange.contains(white) else {
            throw .outOfRange(parameter: "white", value: white, allowed: Self.whiteRange)
        }
        guard transfer != .scRGB || primaries == .bt709 else {
            throw .malformed(
                parameter: "primaries of scRGB", value: primaries.rawValue, expected: Primaries.bt709.rawValue)
        }
        self.init(unchecked: transfer, primaries, white: white)
    }

    private init(unchecked transfer: Transfer, _ primaries: Primaries, white: Double) {
        self.transfer = transfer
        self.primaries = primaries
        self.white = white
    }

    /// The light of 1.0, in nits.
    public var unit: Double {
        switch transfer {
        case .sRGB, .gamma22, .linear: white
        case .scRGB: 80
        case .pq: 10000
        case .hlg: 1000
        }
    }

    /// Whether equal numbers of both encodings stand for equal light.
    public func hasSameNumbers(as other: ColorEncoding) -> Bool {
        transfer == other.transfer && primaries == other.primaries && unit == other.unit
    }

    /// The encoding in which effects blur light: linear numbers with the same primaries and white.
    package var linear: ColorEncoding { ColorEncoding(unchecked: .linear, primaries, white: white) }

    /// sRGB with this encoding's white: the numbers on which colour stages and content of effects are defined.
    package var stageColors: ColorEncoding { ColorEncoding(unchecked: .sRGB, .bt709, white: white) }
}

extension ColorEncoding: CustomStringConvertible {
    /// The encoding in words, for example "pq bt2020 white 203".
    public var description: String { "\(transfer.rawValue) \(primaries.rawValue) white \(numberText(white))" }
}
