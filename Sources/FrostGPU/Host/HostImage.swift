public import FrostCore
public import FrostGLES

/// A texture of the embedding program as the source of an effect.
public struct HostImage: Sendable, Hashable {
    public var texture: HostTexture
    /// In pixels. The whole of level 0 is the image.
    public var width: Int
    public var height: Int
    /// Samples of 8 bits; ``ChannelLayout/rgb`` for textures whose alpha counts as 1, whatever is stored.
    public var format: PixelFormat
    /// Whether the texture's first row is the image's lowest, as after GL's own drawing.
    public var rises: Bool

    public init(_ texture: HostTexture, width: Int, height: Int, format: PixelFormat, rises: Bool = false) {
        self.texture = texture
        self.width = width
        self.height = height
        self.format = format
        self.rises = rises
    }

    /// The image's rectangle, whose top left pixel is the origin of all places.
    public var extent: Rect { Rect(x: 0, y: 0, width: width, height: height) }
}

/// Where the result of an effect goes: pixels of a texture or framebuffer of the embedding program.
public struct HostTarget: Sendable, Hashable {
    public var surface: HostSurface
    /// Of the surface, in pixels.
    public var width: Int
    public var height: Int
    /// How the surface's pixels are interpreted: samples of 8 bits.
    public var format: PixelFormat
    /// Where the region's top left pixel goes, counted from the surface's top left.
    public var x: Int
    public var y: Int
    /// Whether the surface's first row is its lowest.
    public var rises: Bool

    public init(
        _ surface: HostSurface, width: Int, height: Int, format: PixelFormat, x: Int = 0, y: Int = 0,
        rises: Bool = false
    ) {
        self.surface = surface
        self.width = width
        self.height = height
        self.format = format
        self.x = x
        self.y = y
        self.rises = rises
    }
}
