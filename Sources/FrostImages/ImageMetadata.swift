public import FrostCore

/// What a file says about its pixels besides the pixels, with the numbers as they stand in the file.
public struct ImageMetadata: Sendable, Hashable {
    /// PNG's iCCP chunk.
    public var iccProfile: ICCProfile?
    /// PNG's sRGB chunk. Not written beside an ICC profile: PNG allows one of the two.
    public var renderingIntent: RenderingIntent?
    /// PNG's gAMA chunk: 100000 times the exponent that light was raised to, 45455 for 1 / 2.2.
    public var gamma: UInt32?
    /// PNG's cHRM chunk.
    public var chromaticities: Chromaticities?
    /// PNG's pHYs chunk.
    public var pixelDensity: PixelDensity?

    /// Nothing was said.
    public init() {}

    /// States a colour space and nothing else.
    public init(colorSpace: ColorSpace) {
        switch colorSpace {
        case .unspecified: break
        case .sRGB: renderingIntent = .perceptual
        case .linear: gamma = 100_000
        case .gamma(let exponent):
            // Outside PNG's range there is nothing true to write.
            let value = (100_000 / exponent).rounded()
            if value >= 1, value <= 0x7FFF_FFFF { gamma = UInt32(value) }
        case .icc(let bytes): iccProfile = ICCProfile(name: "ICC profile", bytes: bytes)
        }
    }

    /// What the numbers of the pixels mean: an ICC profile counts before sRGB, and that before a bare gamma.
    public var colorSpace: ColorSpace {
        if let iccProfile { return .icc(iccProfile.bytes) }
        if renderingIntent != nil { return .sRGB }
        if let gamma, gamma > 0 { return .gamma(exponent: 100_000 / Double(gamma)) }
        return .unspecified
    }

    /// Whether anything is said about colour.
    var statesColor: Bool {
        iccProfile != nil || renderingIntent != nil || gamma != nil || chromaticities != nil
    }
}

/// An ICC profile and the name it goes by in the file.
public struct ICCProfile: Sendable, Hashable {
    /// PNG keeps up to 79 characters of Latin-1.
    public var name: String
    /// The profile, uncompressed.
    public var bytes: [UInt8]

    /// A profile that is not checked here: the encoder refuses one that is malformed or made for other channels.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// How colours outside a device's range are to be treated, numbered as in ICC and PNG.
public enum RenderingIntent: UInt8, Sendable, Hashable, CaseIterable {
    case perceptual, relativeColorimetric, saturation, absoluteColorimetric
}

/// The CIE x and y of white and of the primaries, times 100000.
public struct Chromaticities: Sendable, Hashable {
    /// A point of the chromaticity diagram.
    public struct Point: Sendable, Hashable {
        /// 100000 times the CIE x.
        public var x: UInt32
        /// 100000 times the CIE y.
        public var y: UInt32

        /// - Parameters: 100000 times the coordinates.
        public init(x: UInt32, y: UInt32) {
            self.x = x
            self.y = y
        }
    }

    /// The white point.
    public var white: Point
    /// The red primary.
    public var red: Point
    /// The green primary.
    public var green: Point
    /// The blue primary.
    public var blue: Point

    /// The white point and the three primaries.
    public init(white: Point, red: Point, green: Point, blue: Point) {
        self.white = white
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// How many pixels there are to a unit of length.
public struct PixelDensity: Sendable, Hashable {
    /// What the numbers count.
    public enum Unit: UInt8, Sendable, Hashable {
        /// Only the ratio of the two means something: the pixels' shape.
        case unknown
        case perMetre
    }

    /// Pixels per unit along a row.
    public var x: UInt32
    /// Pixels per unit along a column.
    public var y: UInt32
    /// The unit.
    public var unit: Unit

    /// - Parameters: pixels per unit, and the unit.
    public init(x: UInt32, y: UInt32, unit: Unit) {
        self.x = x
        self.y = y
        self.unit = unit
    }
}
