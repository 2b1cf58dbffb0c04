/// The stages that each pixel goes through after the blur, in this order:
///
/// 0. ``lens`` moves what the pixel shows of the blurred image, along the edges of ``shapes``.
/// 1. ``inside`` changes the pixel's colour.
/// 2. Where ``mask`` is below 1, the original is mixed in; with ``mixesBlur``, the pixel as it was before ``inside``.
/// 3. ``over`` changes the colour of the mixture, and ``edge`` lights and shades the edges of ``shapes``. A stage of `over` that
///    guarantees a contrast is the last of them.
/// 4. ``content`` is drawn over the result, layer by layer.
/// 5. The result covers a part of each pixel: the area within ``clip``, or what ``clipRule`` makes of it, times ``opacity``.
///    The pixel becomes a mixture of the result and the original, over which the ``shadow`` of ``clip`` is drawn. Where the
///    part is 0 and no shadow falls, it keeps the bytes of the original.
/// 6. ``dither`` decides how the result is rounded.
///
/// Colours are mixed premultiplied. All stages run in one pass with the precision of the blur, and the result is
/// rounded once.
public struct OutputStages: Sendable, Hashable {
    /// The lens through which the blurred image is seen; nil for none.
    public var lens: Lens?
    /// Light and shade along the edges of ``shapes``; nil for none.
    public var edge: EdgeLight?
    /// The shapes along whose edges the lens refracts and the light lies. If the array is empty, they are those of ``clip``, or the whole image if
    /// that is empty too.
    public var shapes: [RoundedRect] = []
    /// The colour stages that are applied before the mask blends the result with the original image.
    public var inside: [ColorStage] { didSet { measureGrowth() } }
    /// The strength of the effect at each pixel; nil for full strength everywhere.
    public var mask: Mask?
    /// Whether the mask mixes the colours with the blur, and not with the original. It is then the mask of a
    /// ``VariableBlur`` too, so that colours and sigma grow together, and nothing sharp shines through. A stage that encodes
    /// light is applied before.
    public var mixesBlur: Bool
    /// The colour stages that are applied after the mask has blended the result with the original image.
    public var over: [ColorStage] { didSet { measureGrowth() } }
    /// The layers that are drawn over the result, from bottom to top.
    public var content: [ContentLayer] { didSet { measureGrowth() } }
    /// The rectangles in which the effect is visible. If the array is empty, the effect is visible everywhere. If
    /// several rectangles cover parts of a pixel, their areas add up, unless they ``join``.
    public var clip: [RoundedRect]
    /// How the shapes of ``clip`` become the part of each pixel that the result covers.
    public var clipRule = ClipRule()
    /// The radius in pixels within which the shapes of ``clip`` and ``shapes`` flow together, like drops that meet; 0 for shapes that
    /// do not. Content and shadows keep to the single shapes.
    public var join = 0.0
    /// The part of the result in the final mixture with the original, from 0 to 1. ``Effect/plan(extent:region:accuracy:mask:)``
    /// checks the range.
    public var opacity: Double
    /// The shadow that the shapes of ``clip`` throw on the original; nil for none.
    public var shadow: DropShadow?
    /// The offsets that are added before the final rounding; nil for none.
    public var dither: Dither?
    /// A minimum contrast for black or white content, whichever suits the picture. It must be decided before planning: see
    /// ``Effect/decidingContent(for:after:)``. Renderers of pixels in memory decide it themselves.
    public var automaticContrast: AutomaticContrast?
    /// The maximum factor by which the stages amplify an error of the blur. It is at least 1, even if the stages reduce
    /// errors. It is stored, because it is needed for every image.
    public private(set) var amplification = 1.0
    /// The same for the error of a blur's filter, without a lens.
    private var filterGrowth = 1.0

    /// Creates output stages from their parts. All parts are empty by default.
    public init(
        inside: [ColorStage] = [], mask: Mask? = nil, mixesBlur: Bool = false, over: [ColorStage] = [],
        content: [ContentLayer] = [], clip: [RoundedRect] = [], opacity: Double = 1, shadow: DropShadow? = nil,
        dither: Dither? = nil, automaticContrast: AutomaticContrast? = nil
    ) {
        self.inside = inside
        self.mask = mask
        self.mixesBlur = mixesBlur
        self.over = over
        self.content = content
        self.clip = clip
        self.opacity = opacity
        self.shadow = shadow
        self.dither = dither
        self.automaticContrast = automaticContrast
        measureGrowth()
    }

    private mutating func measureGrowth() {
        let (stages, maps) = (inside + over, content.compactMap(\.derivatives))
        amplification = max(1, ErrorGrowth.bound(of: stages, then: maps))
        guard case .vivid(let first)? = stages.first else { return filterGrowth = amplification }
        filterGrowth = max(1, first.growthOfFilters * ErrorGrowth.bound(of: Array(stages.dropFirst()), then: maps))
    }

    /// The allowed values of ``join``, in pixels.
    public static let joinRange = 0.0...4096.0

    /// The maximum factor by which the stages amplify the error of a blur's filter. It is less than ``amplification`` if the first stage
    /// is vivid; see ``Vividness/growthOfFilters``. But colours that a lens disperses come from other places than alpha.
    var filterAmplification: Double { (lens?.dispersion ?? 0) > 0 ? amplification : filterGrowth }

    /// Replaces the scatters. Any change of ``inside`` computes ``amplification`` again, which takes a millisecond.
    mutating func mapScatters(_ map: (Scatter) -> Scatter) {
        for (index, stage) in inside.enumerated() {
            if case .scatter(let scatter) = stage { inside[index] = .scatter(map(scatter)) }
        }
    }

    /// Numbers the cells of scatters as a mosaic shows them: only those within a rectangle have numbers of their own.
    package mutating func numberCells(within cells: Rect) {
        mapScatters { scatter in
            var scatter = scatter
            scatter.bounds = cells
            return scatter
        }
    }

    /// Whether there are no stages, so that the blur's result is only rounded.
    public var isEmpty: Bool { self == OutputStages() }

    /// Whether the stages only mix the blur's result with the original.
    package var onlyMix: Bool {
        lens == nil && inside.isEmpty && over.isEmpty && edge == nil && content.isEmpty && dither == nil
            && shadow == nil && automaticContrast == nil
    }

    /// Whether the stages read the original image.
    public var readsOriginal: Bool { mask != nil && !mixesBlur || endsInMixture }

    /// The number of stages in ``inside`` that encode light. They come first, and ``mixesBlur`` does not concern them.
    package var encodingCount: Int { inside.prefix { if case .encode = $0 { true } else { false } }.count }

    /// The number of stages in ``over`` that come before ``edge``: all but those that guarantee a contrast.
    package var countBeforeEdge: Int { over.prefix { !$0.guaranteesContrast }.count }

    /// Whether the result of all other stages is mixed with the original.
    package var endsInMixture: Bool { !clip.isEmpty || opacity < 1 }

    /// Whether the stages depend on ``shapes``.
    package var followsShapes: Bool { lens != nil || edge != nil }

    /// Returns the shapes along whose edges the lens refracts and the light lies.
    ///
    /// - Parameter extent: the image's rectangle.
    package func lensShapes(in extent: Rect) throws(ParameterError) -> [RoundedRect] {
        if !shapes.isEmpty { return shapes }
        return clip.isEmpty ? [try RoundedRect(extent)] : clip
    }

    /// Whether the output stages keep grey images grey. A scatter changes red, green and blue by different amounts; a grey image
    /// keeps only one of them, unless a contrast depends on all three.
    public var keepsGrey: Bool {
        let hasContrast = automaticContrast != nil || over.contains(where: \.guaranteesContrast)
        if hasContrast, inside.contains(where: \.scatters) { return false }
        return (inside + over).allSatisfy(\.keepsGrey) && content.allSatisfy(\.keepsGrey) && shadow?.keepsGrey ?? true
    }
}

/// Pseudo-random offsets of less than one output step, which are added to colours before the final rounding. Without
/// them, smooth gradients in 8 bits show contours. The offset of a pixel depends only on the pixel's position in the
/// picture. All colours of a pixel have the same offset, so grey stays grey. Alpha has no offset, so opaque pixels stay
/// opaque. Floats are not rounded and have no offset.
public struct Dither: Sendable, Hashable {
    /// The seed of the pseudo-random offsets.
    public var seed: UInt32

    /// Creates dither with a seed.
    public init(seed: UInt32 = 0) { self.seed = seed }

    /// The number of pixels after which the offsets of a row repeat. It is small, so that the offsets fit in a table.
    /// Each row begins at its own pseudo-random position in the table, so no pattern is visible.
    public static let period = 256

    /// Returns `start`, the position in the table at which row `y` begins. Pixel x of the row has the offset at index
    /// `(x + start) % period`.
    public func start(y: Int) -> UInt32 { PixelHash(seed: seed).row(y) }

    /// The table: the offsets of one period, as integers from 4 to 59. The unit is 1/64 of an output step. The output
    /// is `floor(value + (offset + 0.5) / 64)`, and no colour exceeds its alpha.
    ///
    /// The offsets avoid the lowest and the highest sixteenth of a step. So a surface of one colour keeps one colour,
    /// even if rounding errors move its values slightly away from integers.
    public var offsets: [UInt32] {
        let row = PixelHash(seed: ~seed).row(0)
        return (0..<Self.period).map { place in
            let bits = PixelHash.bits(x: place, row: row)
            return ((bits &- (bits >> 3)) >> 26) + 4
        }
    }
}
