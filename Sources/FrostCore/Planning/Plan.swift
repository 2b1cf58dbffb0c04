/// How an effect is computed on an image of a certain size: data that every backend carries out as it stands.
///
/// A plan holds no pixels and no machine state. The same effect, extent, region and accuracy give an equal plan.
/// `description` prints it as `frost plan` does.
public struct Plan: Sendable, Hashable {
    /// The image's extent in absolute pixels.
    public var extent: Rect
    /// What is computed, in the same pixels. May reach outside the extent.
    public var region: Rect
    /// How the region is made from the image.
    public var work: Work
    /// How far any output value may be from the exact effect, in 8-bit steps (1/255 of full scale), before the
    /// output is rounded to its format: the worst case over every possible image. See docs/Accuracy.md.
    ///
    /// It includes the factor by which ``outputStages`` amplify the blur's error.
    public var errorBound: Double
    /// What is done to each pixel of the result before it is written. Empty for a copy.
    public var outputStages: OutputStages
    /// What the mask, of ``outputStages`` or of a blend, is stretched over; nil for the extent.
    public var maskBounds: Rect?
    /// The transfer function that turns the source's numbers into light as they are read; ``outputStages`` then begins
    /// with its inverse.
    public var decoding: TransferFunction?

    /// The four ways to make a region from an image.
    public enum Work: Sendable, Hashable {
        /// The region is cut out of the source, which contains it.
        case copy
        /// Separable filters, one after the other.
        case passes(Passes)
        /// One filter that is not separable, from the source to the output.
        case kernel2D(Kernel2D)
        /// Several blurs of the source, mixed by a mask.
        case blend(Blend)
    }

    /// A plan made by hand. ``Effect/plan(extent:region:accuracy:mask:)`` makes those of effects.
    public init(
        extent: Rect, region: Rect, work: Work, errorBound: Double, outputStages: OutputStages = OutputStages()
    ) {
        self.extent = extent
        self.region = region
        self.work = work
        self.errorBound = errorBound
        self.outputStages = outputStages
    }
}

extension Plan {
    /// The samples that lie at a place. Only plans of passes have slots.
    public func window(of place: Place) -> Rect {
        switch place {
        case .source: extent
        case .output: region
        case .slot(let index):
            switch work {
            case .passes(let passes): passes.slots[index].window
            case .copy, .kernel2D, .blend: preconditionFailure("slot \(index) of a plan without slots")
            }
        }
    }

    /// The rectangle in whose fractions the mask is given.
    public var maskExtent: Rect { maskBounds ?? extent }

    /// How the image is read beyond its ends along an axis.
    public func edge(along axis: Axis) -> EdgeMode {
        switch work {
        // Nothing outside the image is read.
        case .copy: .clamp
        // An axis without a pass is not filtered: nothing outside is read along it.
        case .passes(let passes): passes.list.first { $0.axis == axis }?.edge ?? .clamp
        case .kernel2D(let kernel): kernel.edge
        case .blend(let blend): blend.edge
        }
    }

    /// The part of the source that is read.
    public var sourceRead: Rect {
        switch work {
        // The levels of a blend read more: each says what.
        case .copy, .blend: return region
        case .kernel2D(let kernel):
            return Rect(
                columns: kernel.input(for: region.columns, of: extent.columns, along: .x),
                rows: kernel.input(for: region.rows, of: extent.rows, along: .y))
        case .passes(let passes):
            guard let first = passes.list.first else { return region }
            var read = window(of: first.to)
            read[first.axis] = first.input(for: read[first.axis], of: extent[first.axis])
            return read
        }
    }
}
