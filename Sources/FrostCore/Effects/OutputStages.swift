/// What becomes of a pixel after the blur, in this order:
///
/// 1. ``inside`` changes its colour.
/// 2. Where ``mask`` is below 1, the original shows through.
/// 3. ``over`` changes the colour of the mixture.
/// 4. ``content`` is drawn over it, layer by layer.
/// 5. Outside of ``clip`` the pixel is the original, byte for byte; where it is covered in part, a mixture.
/// 6. ``dither`` decides how the result is rounded.
///
/// Mixtures are of premultiplied colour. All of it is done in one go, with the precision of the blur, and rounded once.
public struct OutputStages: Sendable, Hashable {
    public var inside: [ColorStage] { didSet { amplification = growth } }
    public var mask: Mask?
    public var over: [ColorStage] { didSet { amplification = growth } }
    /// From bottom to top.
    public var content: [ContentLayer] { didSet { amplification = growth } }
    /// Empty: everywhere. Where several cover a pixel in part, their areas add up.
    public var clip: [RoundedRect]
    public var dither: Dither?
    /// How much larger an error of the blur can become, at worst. Never below 1, for where the mask is. Kept, since it is
    /// asked for with every image.
    public private(set) var amplification = 1.0

    public init(
        inside: [ColorStage] = [], mask: Mask? = nil, over: [ColorStage] = [], content: [ContentLayer] = [],
        clip: [RoundedRect] = [], dither: Dither? = nil
    ) {
        self.inside = inside
        self.mask = mask
        self.over = over
        self.content = content
        self.clip = clip
        self.dither = dither
        amplification = growth
    }

    private var growth: Double {
        max(1, ErrorGrowth.bound((inside + over).map(\.derivatives) + content.compactMap(\.derivatives)))
    }

    /// Whether the blur's result is only rounded.
    public var isEmpty: Bool { self == OutputStages() }

    /// Whether the original is needed, too.
    public var readsOriginal: Bool { mask != nil || !clip.isEmpty }

    /// Whether grey images stay grey.
    public var keepsGrey: Bool { (inside + over).allSatisfy(\.keepsGrey) && content.allSatisfy(\.keepsGrey) }
}

/// Noise of nearly a step of the output, added to colours before the last rounding: it breaks the contours that a smooth
/// gradient of 8 bits shows, and is fixed to the picture. The same for all colours of a pixel, so that a grey stays grey.
/// Alpha has none, so that what is opaque stays so, and floats, which are not rounded, have none.
public struct Dither: Sendable, Hashable {
    public var seed: UInt32

    public init(seed: UInt32 = 0) { self.seed = seed }

    /// A row of offsets repeats after so many pixels: few enough to be looked up instead of computed. Each row begins
    /// at another of them, so that no pattern shows.
    public static let period = 256

    /// Where row `y` begins: pixel x has offset `(x + start) % period`.
    public func start(y: Int) -> UInt32 { PixelHash(seed: seed).row(y) }

    /// One period, in 64ths of a step, 4...59: `floor(value + (offset + 0.5) / 64)` is what is written, and no colour above
    /// its alpha.
    ///
    /// A sixteenth of a step is left out at either end: a flat surface, whose values the arithmetic has not quite left
    /// whole, stays flat.
    public var offsets: [UInt32] {
        let row = PixelHash(seed: ~seed).row(0)
        return (0..<Self.period).map { place in
            let bits = PixelHash.bits(x: place, row: row)
            return ((bits &- (bits >> 3)) >> 26) + 4
        }
    }
}
