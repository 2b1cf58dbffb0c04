package import FrostCore

/// The colours that a texture or framebuffer of the embedding program stores.
package struct SurfaceColors: Hashable, Sendable {
    package let encoding: ColorEncoding
    package let format: PixelFormat
    /// Whether normalised colours have 10 bits, and alpha has 2 bits.
    let hasTenBits: Bool

    package init(encoding: ColorEncoding, format: PixelFormat, hasTenBits: Bool = false) {
        self.encoding = encoding
        self.format = format
        self.hasTenBits = hasTenBits
    }

    /// The number of steps from 0 to 1 in colour and alpha; nil for floats.
    var steps: (color: Int, alpha: Int)? {
        format.sample.isFloat ? nil : hasTenBits ? (1023, 3) : (255, 255)
    }

    /// Whether every effect is drawn without conversions: source and target have sRGB numbers of the same light, and
    /// the target is not rounded to 10 bits.
    package func sharesSRGB(with source: ColorEncoding) -> Bool { source.isSRGB && keepsNumbers(of: source) }

    /// Whether results with a source's numbers can be written without a conversion.
    func keepsNumbers(of source: ColorEncoding) -> Bool { source.hasSameNumbers(as: encoding) && !hasTenBits }
}

extension ColorEncoding {
    /// Whether numbers are sRGB numbers, whatever the light of white.
    var isSRGB: Bool { hasSameNumbers(as: stageColors) }

    /// Whether numbers are proportional to light.
    var isLinear: Bool {
        switch transfer {
        case .linear, .scRGB: true
        case .sRGB, .gamma22, .pq, .hlg: false
        }
    }
}
