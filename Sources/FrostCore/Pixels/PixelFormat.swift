/// Which channels a pixel has, and in which order they lie in memory.
public enum ChannelLayout: String, Sendable, Hashable, CaseIterable {
    case grey, greyAlpha, rgb, rgba, bgra

    /// Samples per pixel.
    public var count: Int { (isGrey ? 1 : 3) + (hasAlpha ? 1 : 0) }

    public var hasAlpha: Bool { order.alpha != nil }

    /// The same channels in the order in which filters see them: RGBA for BGRA, else the layout itself.
    public var canonical: ChannelLayout {
        switch self {
        case .grey, .greyAlpha, .rgb, .rgba: self
        case .bgra: .rgba
        }
    }

    /// The same colour channels, and alpha after them.
    public var addingAlpha: ChannelLayout {
        switch self {
        case .grey: .greyAlpha
        case .rgb: .rgba
        case .greyAlpha, .rgba, .bgra: self
        }
    }

    /// The layout with red, green and blue in place of grey.
    public var addingColor: ChannelLayout {
        switch self {
        case .grey: .rgb
        case .greyAlpha: .rgba
        case .rgb, .rgba, .bgra: self
        }
    }

    /// Whether there is only one colour channel.
    public var isGrey: Bool { order.red == order.green }
}

/// The type of one sample. Integers are normalised: their largest value means 1.0. All are in the
/// machine's byte order.
public enum SampleType: String, Sendable, Hashable, CaseIterable {
    case u8, u16, f32

    /// Bytes per sample.
    public var size: Int {
        switch self {
        case .u8: 1
        case .u16: 2
        case .f32: 4
        }
    }

    /// The value that stands for 1.0.
    public var maximum: Double {
        switch self {
        case .u8: 255
        case .u16: 65535
        case .f32: 1
        }
    }
}

/// How colour relates to alpha. Ignored for layouts without alpha.
public enum AlphaMode: String, Sendable, Hashable, CaseIterable {
    /// Colour is independent of alpha, as in PNG files.
    case straight
    /// Colour is already multiplied by alpha, as in render targets.
    case premultiplied
}

/// The meaning of the colour numbers. Frost passes the tag on; only effects that work in linear light read it.
public enum ColorSpace: Sendable, Hashable {
    /// Not stated; treated as sRGB if a transfer function is needed.
    case unspecified
    case sRGB
    /// Linear light with sRGB's primaries.
    case linear
    /// Encoded value = light ^ (1 / exponent), as PNG's gAMA chunk states it.
    case gamma(exponent: Double)
    /// An ICC profile, byte for byte.
    case icc([UInt8])
}

/// Everything needed to read a pixel's bytes, apart from where they lie.
public struct PixelFormat: Sendable, Hashable {
    public var channels: ChannelLayout
    public var sample: SampleType
    public var alpha: AlphaMode
    public var colorSpace: ColorSpace

    public init(
        _ channels: ChannelLayout, _ sample: SampleType = .u8, alpha: AlphaMode = .straight,
        colorSpace: ColorSpace = .unspecified
    ) {
        self.channels = channels
        self.sample = sample
        self.alpha = alpha
        self.colorSpace = colorSpace
    }

    /// Bytes from one pixel to the next.
    public var bytesPerPixel: Int { channels.count * sample.size }

    /// Whether colour has to be multiplied by alpha before it may be averaged.
    public var needsPremultiplication: Bool { channels.hasAlpha && alpha == .straight }
}

extension PixelFormat: CustomStringConvertible {
    /// For people: "rgba u8 straight".
    public var description: String {
        "\(channels.rawValue) \(sample.rawValue)" + (channels.hasAlpha ? " \(alpha.rawValue)" : "")
    }
}
