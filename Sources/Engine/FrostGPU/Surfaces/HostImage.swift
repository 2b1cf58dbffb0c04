public import FrostCore
import FrostDrawing
public import FrostGLES

/// A texture of the embedding program that is used as the source of an effect.
public struct HostImage: Sendable, Hashable {
    /// The texture.
    public var texture: HostTexture
    /// The width of the image as it is seen, in pixels. The image is the whole of the texture's level 0.
    public var width: Int
    /// The height of the image as it is seen, in pixels.
    public var height: Int
    /// The pixel format: RGB or RGBA. Normalised textures of any depth count as samples of 8 bits (``SampleType/u8``),
    /// and float textures as 16-bit floats (``SampleType/f16``). Use ``ChannelLayout/rgb`` if alpha should count as 1,
    /// whatever alpha values the texture stores.
    public var format: PixelFormat
    /// Whether the texture stores rows bottom-up, as GL's own drawing does. Its first row is then the image's bottom
    /// row.
    public var rises: Bool
    /// How the texture stores the image. With ``rises``, the transform describes the rows in the order from the last to the
    /// first.
    public var transform: SurfaceTransform
    /// The meaning of the colour numbers. The numbers of ``PixelFormat/colorSpace`` are not used.
    public var encoding: ColorEncoding

    /// Describes a texture. Drawing checks the description, as far as GL can report the texture's properties.
    public init(
        _ texture: HostTexture, width: Int, height: Int, format: PixelFormat, rises: Bool = false,
        encoding: ColorEncoding = .sRGB, transform: SurfaceTransform = .normal
    ) {
        self.texture = texture
        self.width = width
        self.height = height
        self.format = format
        self.rises = rises
        self.encoding = encoding
        self.transform = transform
    }

    /// The image's rectangle. Its top left pixel is the origin of all coordinates.
    public var extent: Rect { Rect(x: 0, y: 0, width: width, height: height) }
}

/// The place to which the result of an effect is written: a part of a texture or framebuffer of the embedding program.
public struct HostTarget: Sendable, Hashable {
    /// The texture or framebuffer.
    public var surface: HostSurface
    /// The width of the surface as it is seen, in pixels.
    public var width: Int
    /// The height of the surface as it is seen, in pixels.
    public var height: Int
    /// The pixel format of the surface: see ``HostImage/format``. Its sample type may differ from the source's.
    public var format: PixelFormat
    /// The column of the surface in which the left edge of the result lies, counted from the surface's left edge.
    public var x: Int
    /// The row of the surface in which the top edge of the result lies, counted from the surface's top edge.
    public var y: Int
    /// Whether the surface stores rows bottom-up, so that its first row is the bottom row.
    public var rises: Bool
    /// How the surface stores the picture that is seen: see ``HostImage/transform``. All coordinates are those of the picture
    /// as it is seen.
    public var transform: SurfaceTransform
    /// The meaning of the colour numbers. If it differs from the source's, the result is converted.
    public var encoding: ColorEncoding
    /// The number of bits per colour of a normalised surface.
    public var depth: Depth

    /// The number of bits per colour of a normalised surface, to which results are rounded.
    public enum Depth: Sendable, Hashable, CaseIterable {
        /// 8 bits of colour and alpha. Normalised surfaces of other depths can be written too, in steps of 1/255.
        /// Surfaces of floats always have this depth.
        case eight
        /// 10 bits of colour and 2 bits of alpha, as in RGB10_A2. Premultiplied colour is multiplied by the alpha that
        /// is stored, which is a multiple of 1/3.
        case ten
    }

    /// Describes a surface. Drawing checks the description, as far as GL can report the surface's properties.
    public init(
        _ surface: HostSurface, width: Int, height: Int, format: PixelFormat, x: Int = 0, y: Int = 0,
        rises: Bool = false, encoding: ColorEncoding = .sRGB, depth: Depth = .eight,
        transform: SurfaceTransform = .normal
    ) {
        self.surface = surface
        self.width = width
        self.height = height
        self.format = format
        self.x = x
        self.y = y
        self.rises = rises
        self.encoding = encoding
        self.depth = depth
        self.transform = transform
    }
}

extension HostImage {
    /// The map from the image's pixels to the texture's texels.
    var map: PixelMap { PixelMap(transform, width: width, height: height, rises: rises) }

    /// The image's colours.
    var colors: SurfaceColors { SurfaceColors(encoding: encoding, format: format) }

    /// The properties of the texture that determine the shader program.
    var kind: ProgramKey.TextureKind {
        let isExternal =
            switch texture.kind {
            case .texture2D: false
            case .external: true
            }
        return ProgramKey.TextureKind(
            isExternal: isExternal, order: ProgramKey.TexelOrder(map), isOpaque: !format.channels.hasAlpha)
    }
}

extension HostTarget {
    /// The surface's colours.
    var colors: SurfaceColors { SurfaceColors(encoding: encoding, format: format, hasTenBits: depth == .ten) }

    /// The position of a result in the surface.
    var placement: TargetPlacement {
        TargetPlacement(x: x, y: y, on: PixelMap(transform, width: width, height: height, rises: rises))
    }

    /// The format that a texture of this description usually has; nil for framebuffers.
    var expectedFormat: TextureFormat? {
        switch surface {
        case .framebuffer: nil
        case .texture where format.sample.isFloat: .rgba16F
        case .texture:
            switch depth {
            case .eight: .rgba8
            case .ten: .rgb10A2
            }
        }
    }

    /// Lets compute shaders store to the surface, which must be a texture.
    func beginStoring(_ format: TextureFormat?, in gl: borrowing CurrentContext) throws(GLError) {
        switch (surface, format) {
        case (.texture(let name), let format?): try gl.beginStoring(into: name, format)
        case (.texture, nil), (.framebuffer, _): throw .unsupported("storing to a surface of the host")
        }
    }

    /// Whether every effect is drawn without conversions: source and target have sRGB numbers of the same light, and
    /// the target is not rounded to 10 bits.
    package func sharesSRGB(with source: ColorEncoding) -> Bool { colors.sharesSRGB(with: source) }
}
