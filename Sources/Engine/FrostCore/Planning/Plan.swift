/// A description of how an effect is computed on an image of a certain size. Every backend executes exactly this plan.
///
/// A plan holds no pixels and no machine state. Equal effects, extents, regions and accuracies give equal plans.
/// `description` is the text that `frost plan` prints.
public struct Plan: Sendable, Hashable {
    /// The image's rectangle in absolute pixels.
    public var extent: Rect
    /// The rectangle to compute, in absolute pixels. It may reach outside the extent.
    public var region: Rect
    /// How the region is computed from the image.
    public var work: Work
    /// The maximum difference between an output value and the exact effect, over all possible images. It is measured
    /// before the output is rounded to its format. The unit is an 8-bit step (1/255 of full scale). See
    /// docs/Accuracy.md.
    ///
    /// If ``outputStages`` amplify the blur's error, the bound includes the factor of this amplification.
    public var errorBound: Double
    /// The stages that each pixel of the result goes through before it is written. Empty for a copy.
    public var outputStages: OutputStages
    /// The rectangle over which the plan's mask is stretched; nil for the extent. The mask belongs to ``outputStages``
    /// or to a blend.
    public var maskBounds: Rect?
    /// The transfer function that decodes the source's numbers into light when they are read; nil if they are not
    /// decoded. If the numbers are decoded, ``outputStages`` begin with the inverse function.
    public var decoding: TransferFunction?

    /// The four ways to compute a region from an image.
    public enum Work: Sendable, Hashable {
        /// The region is copied from the source, which contains the region.
        case copy
        /// Separable filters that run one after the other.
        case passes(Passes)
        /// One non-separable filter from the source to the output.
        case kernel2D(Kernel2D)
        /// Several blurs of the source that a mask mixes.
        case blend(Blend)
    }

    /// Creates a plan from its parts. ``Effect/plan(extent:region:accuracy:mask:)`` creates the plan of an effect.
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
    /// Returns the rectangle of the samples at a place. Only plans that consist of passes have slots. If the place is a
    /// slot and the plan does not consist of passes, the function traps.
    public func window(of place: Place) -> Rect {
        switch place {
        case .source: extent
        case .output: region
        case .slot(let index):
            switch work {
            case .passes(let passes): passes.slots[index].window
            case .copy, .kernel2D, .blend: preconditionFailure("the plan has no slot \(index)")
            }
        }
    }

    /// The rectangle over which the mask is stretched: ``maskBounds``, or the extent if ``maskBounds`` is nil.
    public var maskExtent: Rect { maskBounds ?? extent }

    /// Returns the edge mode with which the plan reads outside the image along an axis.
    public func edge(along axis: Axis) -> EdgeMode {
        switch work {
        // A copy reads nothing outside the image.
        case .copy: .clamp
        // An axis without a pass is not filtered, so nothing outside the image is read along the axis.
        case .passes(let passes): passes.list.first { $0.axis == axis }?.edge.mode ?? .clamp
        case .kernel2D(let kernel): kernel.edge
        case .blend(let blend): blend.edge
        }
    }

    /// The rectangle of the source that the plan reads. For a blend this is the region, although the levels of the
    /// blend read more.
    public var sourceRead: Rect {
        switch work {
        // The levels of a blend read more than the region; the plan of each level has its own rectangle.
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
