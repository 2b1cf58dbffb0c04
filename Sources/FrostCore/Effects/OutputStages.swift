/// What happens to a pixel after the blur, in this order:
///
/// 1. ``inside`` changes its colour.
/// 2. If ``mask`` is below 1, the original is mixed in.
/// 3. ``over`` changes the colour of the mixture.
/// 4. ``content`` is drawn over it, layer by layer.
/// 5. Outside ``clip`` the pixel is the original, byte for byte; a partly covered pixel is a mixture.
/// 6. ``dither`` decides how the result is rounded.
///
/// Colours are mixed premultiplied. All stages run in one pass with the precision of the blur, and the result is
/// rounded once.
public struct OutputStages: Sendable, Hashable {
    public var inside: [ColorStage] { didSet { amplification = growth } }
    public var mask: Mask?
    public var over: [ColorStage] { didSet { amplification = growth } }
    /// From bottom to top.
    public var content: [ContentLayer] { didSet { amplification = growth } }
    /// If empty, the effect is visible everywhere. If several rectangles partly cover a pixel, their areas add up.
    public var clip: [RoundedRect]
    public var dither: Dither?
    /// The maximum factor by which an error of the blur can grow. At least 1, because the mask may be 1 somewhere.
    /// Stored, because every image needs it.
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

    /// Whether there are no stages: the blur's result is only rounded.
    public var isEmpty: Bool { self == OutputStages() }

    /// Whether the original is needed.
    public var readsOriginal: Bool { mask != nil || !clip.isEmpty }

    /// Whether grey images stay grey.
    public var keepsGrey: Bool { (inside + over).allSatisfy(\.keepsGrey) && content.allSatisfy(\.keepsGrey) }
}

/// Pseudo-random offsets of almost one output step, added to colours before the last rounding. They break up the
/// contours that 8 bits show in a smooth gradient, and are fixed to the picture. All colours of a pixel have the same
/// offset, so grey stays grey. Alpha has none, so opaque pixels stay opaque. Floats are not rounded and have none.
public struct Dither: Sendable, Hashable {
    public var seed: UInt32

    public init(seed: UInt32 = 0) { self.seed = seed }

    /// The offsets of a row repeat after this many pixels: few enough for a table. Each row begins at a different place
    /// in the table, so no pattern is visible.
    public static let period = 256

    /// The place at which row `y` begins: pixel x has offset `(x + start) % period`.
    public func start(y: Int) -> UInt32 { PixelHash(seed: seed).row(y) }

    /// One period, in 64ths of a step, 4...59. The output is `floor(value + (offset + 0.5) / 64)`, and no colour
    /// exceeds its alpha.
    ///
    /// A sixteenth of a step is left out at either end, so that a flat surface stays flat even if rounding errors shift
    /// its values slightly from integers.
    public var offsets: [UInt32] {
        let row = PixelHash(seed: ~seed).row(0)
        return (0..<Self.period).map { place in
            let bits = PixelHash.bits(x: place, row: row)
            return ((bits &- (bits >> 3)) >> 26) + 4
        }
    }
}
