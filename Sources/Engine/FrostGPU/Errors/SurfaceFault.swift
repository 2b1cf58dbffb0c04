public import FrostCore

/// Describes why a texture or framebuffer of the embedding program cannot be used. Nothing was drawn.
public struct SurfaceFault: Sendable, Hashable {
    /// The reason why a surface cannot be used.
    public enum Reason: Sendable, Hashable {
        /// The current context has no such object, or the object has another kind.
        case missing
        /// The size of the surface differs from the description. Both are sizes of the picture as it is seen, under the
        /// transform of the description.
        case size(width: Int, height: Int)
        /// The GL converts the surface's values from sRGB when it reads them, or to sRGB when it writes them. A view of
        /// the same memory without the conversion can be used.
        case convertsSRGB
        /// The description has a pixel format that surfaces cannot have. They can have RGB and RGBA with samples of 8
        /// bits or 16-bit floats.
        case format(PixelFormat)
        /// The description has integer samples, but the surface does not hold normalised values as rgba8 and rgb8 do.
        case notNormalized
        /// The description has samples of 16-bit floats, but the surface does not hold floats as rgba16f does.
        case notFloats
        /// The description has 10 bits per colour, but the surface has this number of bits.
        case notTenBits(bits: Int)
        /// The description has 10 bits per colour, but its samples are floats.
        case floatsOfTenBits
        /// The description has alpha, but the surface stores no alpha.
        case hasNoAlpha
        /// The rectangle to be drawn is not within the surface.
        case outside(Rect)
        /// The target is also the source's texture.
        case isSource
        /// The framebuffer has no first draw buffer, or nothing is attached to it.
        case drawsNowhere
    }

    /// The kind and name of the surface, for example "source texture 5".
    public var surface: String
    /// The width in pixels, from the caller's description.
    public var width: Int
    /// The height in pixels, from the caller's description.
    public var height: Int
    /// The reason why the surface cannot be used.
    public var reason: Reason
}

extension SurfaceFault: CustomStringConvertible {
    /// The fault as one line of text, for example "source texture 5 of 70x53 pixels: its actual size is 64x64".
    public var description: String { "\(surface) of \(width)x\(height) pixels: \(reason)" }
}

extension SurfaceFault.Reason: CustomStringConvertible {
    /// The reason as text. In messages this text follows the name and the size of the surface.
    public var description: String {
        switch self {
        case .missing: "it does not exist in the current context, or has another type"
        case .size(let width, let height): "its actual size is \(width)x\(height)"
        case .convertsSRGB: "the GL converts its values from and to sRGB; pass a texture view without this conversion"
        case .format(let format):
            "its format is \(format), but it must be RGB or RGBA with samples of 8 bits or 16-bit floats"
        case .notNormalized: "it is described as u8, but does not hold normalised values, as rgba8 and rgb8 do"
        case .notFloats: "it is described as f16, but does not hold floats, as rgba16f does"
        case .notTenBits(let bits): "it is described with 10 bits per colour, but has \(bits)"
        case .floatsOfTenBits: "it is described with 10 bits per colour, which floats cannot have"
        case .hasNoAlpha: "it stores no alpha; describe it as rgb"
        case .outside(let rect): "\(rect) lies outside it"
        case .isSource: "it is also the source"
        case .drawsNowhere: "its first draw buffer is GL_NONE or has no attachment"
        }
    }
}
