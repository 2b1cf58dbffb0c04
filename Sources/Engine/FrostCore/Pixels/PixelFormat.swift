/// The channels of a pixel and their order in memory.
public enum ChannelLayout: String, Sendable, Hashable, CaseIterable {
    /// The channels in memory order: `grey` has one sample per pixel, `greyAlpha` two, `rgb` three, `rgba` and `bgra`
    /// four.
    case grey, greyAlpha, rgb, rgba, bgra

    /// The number of samples per pixel.
    public var count: Int { (isGrey ? 1 : 3) + (hasAlpha ? 1 : 0) }

    /// Whether pixels have an alpha channel.
    public var hasAlpha: Bool { order.alpha != nil }

    /// The same channels in the order in which filters process them. For BGRA this is RGBA. For all other layouts it is
    /// the layout itself.
    public var canonical: ChannelLayout {
        switch self {
        case .grey, .greyAlpha, .rgb, .rgba: self
        case .bgra: .rgba
        }
    }

    /// The layout that has the same colour channels, and also alpha.
    public var addingAlpha: ChannelLayout {
        switch self {
        case .grey: .greyAlpha
        case .rgb: .rgba
        case .greyAlpha, .rgba, .bgra: self
        }
    }

    /// The layout with red, green and blue instead of grey.
    public var addingColor: ChannelLayout {
        switch self {
        case .grey: .rgb
        case .greyAlpha: .rgba
        case .rgb, .rgba, .bgra: self
        }
    }

    /// Whether the layout has only one colour channel.
    public var isGrey: Bool { order.red == order.green }
}

/// Whether colour is multiplied by alpha. The alpha mode is ignored for layouts without alpha.
public enum AlphaMode: String, Sendable, Hashable, CaseIterable {
    /// Colour is independent of alpha, as in PNG files.
    case straight
    /// Colour is already multiplied by alpha, as in render targets.
    case premultiplied
}

/// The meaning of the colour numbers. Frost copies the colour space from input to output. Only effects that are
/// computed in linear light make use of it.
public enum ColorSpace: Sendable, Hashable {
    /// The image states no colour space. If a transfer function is needed, that of sRGB is used.
    case unspecified
    /// The sRGB colour space.
    case sRGB
    /// Linear light with sRGB's primaries.
    case linear
    /// Numbers encoded by a power: encoded value = light ^ (1 / exponent), as in PNG's gAMA chunk.
    case gamma(exponent: Double)
    /// An ICC profile, byte for byte.
    case icc([UInt8])
}

/// The format of a pixel: its channels, sample type, alpha mode and colour space.
public struct PixelFormat: Sendable, Hashable {
    /// The channels and their order.
    public var channels: ChannelLayout
    /// The type of each sample.
    public var sample: SampleType
    /// Whether colour is multiplied by alpha.
    public var alpha: AlphaMode
    /// The meaning of the colour numbers.
    public var colorSpace: ColorSpace

    /// Creates a pixel format. The defaults are 8-bit samples, straight alpha and an unspecified colour space.
    public init(
        _ channels: ChannelLayout, _ sample: SampleType = .u8, alpha: AlphaMode = .straight,
        colorSpace: ColorSpace = .unspecified
    ) {
        self.channels = channels
        self.sample = sample
        self.alpha = alpha
        self.colorSpace = colorSpace
    }

    /// 8 bits per sample, straight alpha, no stated colour space: the formats of most pictures.
    public static let rgba8 = PixelFormat(.rgba)
    /// As ``rgba8``, with blue first.
    public static let bgra8 = PixelFormat(.bgra)
    /// As ``rgba8``, without alpha.
    public static let rgb8 = PixelFormat(.rgb)
    /// As ``rgba8``, with one channel.
    public static let grey8 = PixelFormat(.grey)

    /// The number of bytes from one pixel to the next.
    public var bytesPerPixel: Int { channels.count * sample.size }

    /// Whether colour must be multiplied by alpha before pixels are averaged.
    public var needsPremultiplication: Bool { channels.hasAlpha && alpha == .straight }
}

extension PixelFormat: CustomStringConvertible {
    /// The format in words, for example "rgba u8 straight".
    public var description: String {
        "\(channels.rawValue) \(sample.rawValue)" + (channels.hasAlpha ? " \(alpha.rawValue)" : "")
    }
}
