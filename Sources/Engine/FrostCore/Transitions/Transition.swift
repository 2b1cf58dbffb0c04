/// A transition from a source image to a target image. A transition is a value that every backend can render, at any time
/// from 0 to 1.
///
/// At time 0 the result is the source, and at time 1 it is the target, to the bit. Between them, each kind of transition
/// follows the formulas of its type, for example ``Swipe``. ``TransitionCatalog`` creates transitions by name.
///
/// **Coordinates.** Both images lie with their top left corners at the origin. The *canvas* is the smallest rectangle that
/// contains both, and what lies outside an image is transparent. Coordinates are in pixels with y downwards, and the centre
/// of pixel (x, y) is (x + ½, y + ½). Angles are measured clockwise from the x axis.
///
/// **Formulas.** The types of the kinds, for example ``Swipe``, state their formulas in these terms:
///
///     t                the time
///     p                the centre of a pixel
///     unit(v)          v, limited to 0...1
///     mix(a, b, s)     a + (b - a) s
///     u                the distance of p from the extent's centre along the angle, limited to its range u0...u1 over the
///                      extent
///     m                the target's share: the result is mix(source, target, m) at p
///     c                the weight with which the transition's own colour is then drawn over it
///
/// ```swift
/// let flash = try TransitionCatalog.transition("flash").make(["fade-threshold": .number(0.8)])
/// let middle = try renderer.render(flash, at: 0.5, from: first, to: second)
/// ```
///
/// Cost: proportional to the number of pixels of the canvas, at every time. Times 0 and 1 only copy.
public struct Transition: Sendable, Hashable {
    /// The transition's name as `frost transitions` lists it.
    public let name: String
    /// The kind of transition and its parameters.
    public let kind: Kind
    /// The rectangle in which the transition takes place, in pixels; nil for the source's rectangle. Directions, centres and
    /// distances refer to this rectangle. Positions outside it behave like the nearest position on its border.
    public var extent: Rect?
    /// The rectangle to which the shadow of a page curl is limited, in pixels; nil for the extent.
    public var shadowExtent: Rect?
    /// The transfer function that decodes both images to linear light, in which they are mixed. If it is nil, the numbers
    /// are mixed directly, as nearly all software does. Colours of parameters are encoded numbers in both cases.
    public var decoding: TransferFunction?

    init(name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension Transition {
    /// An image that a transition uses in addition to its source and its target.
    public enum ExtraImage: String, Sendable, Hashable, CaseIterable {
        /// A mask, which is stretched over the extent.
        case mask
        /// A picture of a shaded sphere that fills the picture. It gives the colour of the light for each direction of a
        /// surface.
        case shading
        /// The back of a page, which is stretched over the source's rectangle.
        case backside
    }

    /// The extra images that the transition can use.
    public var extraImages: Set<ExtraImage> { type(of: kind.value).extraImages }

    /// Whether the result depends on the ``extent``.
    public var usesExtent: Bool { type(of: kind.value).usesExtent }

    /// Whether the result depends on the ``shadowExtent``.
    public var usesShadowExtent: Bool { kind.value.usesShadowExtent }

    /// Returns the format of the result for two images: all channels that either of them has, with the sample type, the
    /// alpha mode and the colour space of the source. Alpha is added if the images differ in size, because each is
    /// transparent outside its rectangle. Colour channels are added if the transition draws a colour that is not grey.
    ///
    /// - Parameter extraFormats: the formats of the extra images that are drawn.
    /// - Throws: ``PixelError/mismatch(property:first:second:)`` if the sample types differ.
    public func outputFormat(
        from source: PixelLayout, to target: PixelLayout, extraFormats: [PixelFormat] = []
    ) throws(PixelError) -> PixelFormat {
        var format = source.format
        for other in [target.format] + extraFormats {
            guard other.sample == format.sample else {
                throw .mismatch(property: "sample type", first: "\(source.format) of the source", second: "\(other)")
            }
            if !other.channels.isGrey { format.channels = format.channels.addingColor }
        }
        if let color = kind.value.ownColor, Set([color.red, color.green, color.blue]).count > 1 {
            format.channels = format.channels.addingColor
        }
        if target.format.channels.hasAlpha, !format.channels.hasAlpha {
            format.alpha = target.format.alpha
            format.channels = format.channels.addingAlpha
        }
        if source.extent != target.extent { format.channels = format.channels.addingAlpha }
        return format
    }
}
