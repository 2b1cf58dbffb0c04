/// How an effect is computed on an image of a certain size: data that every backend carries out as it stands.
///
/// A plan holds no pixels and no machine state. The same effect, extent, region and accuracy give an equal plan.
/// `description` prints it as `frost plan` does.
public struct Plan: Sendable, Hashable {
    /// The image's extent in absolute pixels.
    public var extent: Rect
    /// What is computed, in the same pixels. May reach beyond the extent.
    public var region: Rect
    /// Carried out in this order. Empty means: copy `region` out of the source, which then contains it.
    public var passes: [Pass]
    public var slots: [Slot]
    /// How far any output value may be from the exact effect, in 8-bit steps (1/255 of full scale), before the
    /// output is rounded to its format: the worst case over every possible image. See docs/Accuracy.md.
    ///
    /// It counts what ``finish`` makes of the blur's error.
    public var errorBound: Double
    /// What becomes of the last pass's result before it is written. Not empty only if there are passes.
    public var finish: Finish
    /// What the source's numbers become as they are read; ``finish`` then begins with the way back.
    public var decoding: TransferFunction?

    /// A plan made by hand. ``GaussianBlur/plan(extent:region:accuracy:)`` makes those for effects.
    public init(
        extent: Rect, region: Rect, passes: [Pass], slots: [Slot], errorBound: Double, finish: Finish = Finish()
    ) {
        self.extent = extent
        self.region = region
        self.passes = passes
        self.slots = slots
        self.errorBound = errorBound
        self.finish = finish
    }
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
}
