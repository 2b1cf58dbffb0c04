/// How an effect is computed on an image of a certain size: data that every backend carries out as it stands.
///
/// A plan holds no pixels and no machine state. The same effect, extent, region and accuracy give an equal plan.
/// `description` prints it as `frost plan` does.
public struct Plan: Sendable, Hashable {
    /// The image's extent in absolute pixels.
    public var extent: Rect
    /// What is computed, in the same pixels. May reach beyond the extent.
    public var region: Rect
    /// Carried out in this order. Where they are empty and there is neither ``kernel2D`` nor ``blend``, `region` is copied out of
    /// the source, which then contains it: see ``isCopy``.
    public var passes: [Pass]
    public var slots: [Slot]
    /// What a kernel that is not separable takes instead of passes.
    public var kernel2D: Kernel2D?
    /// How far any output value may be from the exact effect, in 8-bit steps (1/255 of full scale), before the
    /// output is rounded to its format: the worst case over every possible image. See docs/Accuracy.md.
    ///
    /// It counts what ``outputStages`` makes of the blur's error.
    public var errorBound: Double
    /// What becomes of the last result before it is written. Empty for a copy.
    public var outputStages: OutputStages
    /// What the mask, of ``outputStages`` or ``blend``, is stretched over; nil for the extent.
    public var maskBounds: Rect?
    /// What the source's numbers become as they are read; ``outputStages`` then begins with the way back.
    public var decoding: TransferFunction?
    /// In place of passes and slots, of which there are then none: several blurs, mixed.
    public var blend: Blend?

    /// A plan made by hand. ``GaussianBlur/plan(extent:region:accuracy:)`` makes those for effects.
    public init(
        extent: Rect, region: Rect, passes: [Pass], slots: [Slot], errorBound: Double,
        outputStages: OutputStages = OutputStages(),
        blend: Blend? = nil
    ) {
        self.extent = extent
        self.region = region
        self.passes = passes
        self.slots = slots
        self.errorBound = errorBound
        self.outputStages = outputStages
        self.blend = blend
    }

    /// Whether the region is only copied.
    public var isCopy: Bool { passes.isEmpty && kernel2D == nil && blend == nil }
}

extension Plan {
    /// The cells that lie at a place.
    public func window(of place: Place) -> Rect {
        switch place {
        case .source: extent
        case .output: region
        case .slot(let index): slots[index].window
        }
    }

    /// The rectangle in whose fractions the mask is given.
    public var maskExtent: Rect { maskBounds ?? extent }

    /// How the image is read beyond its ends along an axis.
    public func edge(along axis: Axis) -> EdgeMode {
        kernel2D?.edge ?? blend?.edge ?? passes.first { $0.axis == axis }?.edge ?? .clamp
    }

    /// The part of the source that the first pass reads.
    public var sourceRead: Rect {
        if let kernel2D {
            return Rect(
                columns: kernel2D.input(for: region.columns, of: extent.columns, along: .x),
                rows: kernel2D.input(for: region.rows, of: extent.rows, along: .y))
        }
        guard let first = passes.first else { return region }
        var read = window(of: first.to)
        let along = first.input(for: read[first.axis], of: extent[first.axis])
        read = first.axis == .x ? Rect(columns: along, rows: read.rows) : Rect(columns: read.columns, rows: along)
        return read
    }
}
