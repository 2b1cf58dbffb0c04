/// The meaning of the pixel channels.
public enum ColorModel: Sendable, Hashable {
    /// The channels hold light: grey or red, green and blue, and optionally alpha, as the pixel layout states.
    case light
    /// The four channels hold cyan, magenta, yellow and black, in the places of red, green, blue and alpha. The value
    /// 255 means no ink. Such pixels are marked as premultiplied, so that filters treat all four channels alike.
    case cmyk
}

/// Code points of ITU-T H.273 (CICP), which video formats use to describe colour.
public struct CodePoints: Sendable, Hashable {
    /// The code of the primaries and the white point: 1 is BT.709 and sRGB, 2 unspecified, 9 BT.2020, 12 Display P3.
    public var primaries: UInt16
    /// The code of the transfer curve: 1 is BT.709, 2 unspecified, 8 linear, 13 sRGB, 16 PQ, 18 HLG.
    public var transfer: UInt16

    /// Creates code points from the numbers in tables 2 (primaries) and 3 (transfer) of H.273.
    public init(primaries: UInt16, transfer: UInt16) {
        self.primaries = primaries
        self.transfer = transfer
    }

    static let sRGB = CodePoints(primaries: 1, transfer: 13)
    /// The code of a linear transfer curve.
    static let linearTransfer: UInt16 = 8

    /// The codes of the transfer curves of pictures with high dynamic range.
    static let (pqTransfer, hlgTransfer) = (UInt16(16), UInt16(18))

    /// The name of a transfer curve that Frost cannot decode; nil for those that it can.
    package var undecodedCurve: String? {
        if transfer == Self.linearTransfer || isPlain || transfer == 1 && primaries <= 2 { return nil }
        return switch transfer {
        case Self.pqTransfer: "PQ"
        case Self.hlgTransfer: "HLG"
        default: "described by the code points \(primaries) and \(transfer)"
        }
    }

    /// Whether the code points describe sRGB or leave the colour space unspecified. Readers assume sRGB if the colour
    /// space is unspecified.
    var isPlain: Bool { primaries <= 2 && (transfer == 0 || transfer == 2 || transfer == 13) }
}

/// A text or time chunk of a PNG file: tEXt, zTXt, iTXt or tIME.
public struct PNGText: Sendable, Hashable {
    /// The names of the chunks.
    static let chunks: Set = ["tEXt", "zTXt", "iTXt", "tIME"]

    /// The name of the chunk: four letters.
    public var chunk: String
    /// The data of the chunk, including its keyword.
    public var bytes: [UInt8]

    /// Creates a chunk from its name and its data, both exactly as stored in the file.
    public init(chunk: String, bytes: [UInt8]) {
        self.chunk = chunk
        self.bytes = bytes
    }
}

/// The rendering intent: how to treat colours outside the gamut of a device. The raw values are those of ICC and PNG.
public enum RenderingIntent: UInt8, Sendable, Hashable, CaseIterable {
    /// The four rendering intents, in the order of their numbers.
    case perceptual, relativeColorimetric, saturation, absoluteColorimetric
}

/// The CIE x and y coordinates of the white point and of the primaries, times 100000.
public struct Chromaticities: Sendable, Hashable {
    /// A point of the CIE chromaticity diagram.
    public struct Point: Sendable, Hashable {
        /// The CIE x coordinate, times 100000.
        public var x: UInt32
        /// The CIE y coordinate, times 100000.
        public var y: UInt32

        /// Creates a point from CIE x and y, each times 100000.
        public init(x: UInt32, y: UInt32) {
            self.x = x
            self.y = y
        }
    }

    /// The chromaticity of the white point.
    public var white: Point
    /// The chromaticity of the red primary.
    public var red: Point
    /// The chromaticity of the green primary.
    public var green: Point
    /// The chromaticity of the blue primary.
    public var blue: Point

    /// Combines the white point and the three primaries.
    public init(white: Point, red: Point, green: Point, blue: Point) {
        self.white = white
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A pixel density: the number of pixels per unit of length, along rows and along columns.
public struct PixelDensity: Sendable, Hashable {
    /// The unit of length of a pixel density.
    public enum Unit: UInt8, Sendable, Hashable {
        /// The unit is unknown. Only the ratio of `x` to `y` has a meaning: the pixel's aspect ratio.
        case unknown
        /// The unit is one metre.
        case perMetre
    }

    /// The number of pixels per unit of length along a row.
    public var x: UInt32
    /// The number of pixels per unit of length along a column.
    public var y: UInt32
    /// The unit of length.
    public var unit: Unit

    /// Creates a density from the numbers of pixels per unit of length, and the unit.
    public init(x: UInt32, y: UInt32, unit: Unit) {
        self.x = x
        self.y = y
        self.unit = unit
    }
}
