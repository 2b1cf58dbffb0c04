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
    /// docs/internals/Accuracy.md.
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

    /// The five ways to compute a region from an image.
    public enum Work: Sendable, Hashable {
        /// The region is copied from the source, which contains the region.
        case copy
        /// Separable filters that run one after the other.
        case passes(Passes)
        /// One non-separable filter from the source to the output.
        case kernel2D(Kernel2D)
        /// Several blurs of the source that a mask mixes.
        case blend(Blend)
        /// Separable filters whose result is seen through lenses.
        case refraction(Refraction)

        /// The work as a value that gives the answers of its kind.
        package var kind: any PlanWork {
            switch self {
            case .copy: CopyWork()
            case .passes(let passes): passes
            case .kernel2D(let kernel): kernel
            case .blend(let blend): blend
            case .refraction(let refraction): refraction
            }
        }
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
    /// The passes of a plan that consists of passes; otherwise empty.
    package var passes: [Pass] { work.kind.passes }
    /// The images between ``passes``.
    package var slots: [Slot] { work.kind.slots }

    /// Returns the rectangle of the samples at a place. Only plans that consist of passes have slots. Traps for a slot
    /// that the plan does not have.
    public func window(of place: Place) -> Rect {
        switch place {
        case .source: extent
        case .output: region
        case .slot(let index): slots[index].window
        }
    }

    /// Returns the level of a place's grid along an axis; see ``Passes/level(of:along:)``.
    package func level(of place: Place, along axis: Axis) -> Int {
        Passes(passes, slots: slots).level(of: place, along: axis)
    }

    /// The rectangle over which the mask is stretched: ``maskBounds``, or the extent if ``maskBounds`` is nil.
    public var maskExtent: Rect { maskBounds ?? extent }

    /// Returns the edge mode with which the plan reads outside the image along an axis.
    public func edge(along axis: Axis) -> EdgeMode { work.kind.edge(along: axis) }

    /// Returns the samples along an axis of the last pass that are needed for samples of the result.
    package func lastRead(for samples: Range<Int>, along axis: Axis) -> Range<Int> {
        var rect = region
        rect[axis] = samples
        return work.kind.lastRead(for: rect)[axis]
    }

    /// The edge mode for rows outside the image.
    public var rowEdge: EdgeMode { edge(along: .y) }

    /// The edge mode that output stages use when they read the original image outside its extent.
    package var imageEdge: EdgeMode { work.kind.edge }

    /// The rectangle of the source that the plan reads. For a blend this is the region, although the levels of the
    /// blend read more.
    public var sourceRead: Rect { work.kind.sourceRead(in: self) }

    /// The number of filters that the plan executes. A 2-D kernel counts as one filter. For a blend, the filters of all
    /// levels are added.
    public var passCount: Int { work.kind.passCount }

    /// The total number of samples that the filters read, if each filter reads each of its input samples once. A
    /// backend that runs every pass separately reads at least this number.
    ///
    /// The type is Double, because the largest plans have more samples than an Int can count.
    public var samplesRead: Double { work.kind.samples(in: self).read }

    /// The total number of samples that the filters write.
    public var samplesWritten: Double { work.kind.samples(in: self).written }

    /// The plan's steps in words: its passes, or the levels of a blend and their mixture.
    public var steps: [String] { work.kind.steps(in: self).map(\.words) }

    /// Checks that the layouts of source and target fit the plan. The source must have the extent's size, and the
    /// target the region's size. Both must have the same sample type and the same colour channels. The target must have
    /// alpha if the source has alpha. Channel order and alpha mode may differ. If the plan has output stages, the
    /// target of a grey source may have colour.
    ///
    /// - Throws: ``PixelError/mismatch(property:first:second:)``.
    public func check(source: PixelLayout, target: PixelLayout) throws(PixelError) {
        func fit(_ layout: PixelLayout, _ rect: Rect, _ name: String) throws(PixelError) {
            guard layout.width == rect.width, layout.height == rect.height else {
                throw .mismatch(
                    property: "size of the \(name)", first: "\(layout.width)x\(layout.height)",
                    second: "\(rect.width)x\(rect.height) in the plan")
            }
        }
        try fit(source, extent, "source")
        try fit(target, region, "target")
        let from = source.format.channels
        let to = target.format.channels
        // Output stages may turn grey into colour.
        let sameColor = from.isGrey == to.isGrey || (from.isGrey && !outputStages.isEmpty)
        guard source.format.sample == target.format.sample, sameColor, to.hasAlpha || !from.hasAlpha else {
            throw .mismatch(
                property: "format", first: "\(source.format) in the source", second: "\(target.format) in the target")
        }
    }
}

extension Plan: CustomStringConvertible {
    /// The text that `frost plan` prints: one line for each pass or for each level of a blend, then the totals.
    public var description: String {
        if isCopy {
            return "copy \(region.width)x\(region.height) at \(region.x),\(region.y)\nerror bound 0"
        }
        var lines = steps.enumerated().map { "\($0 + 1). \($1)" }
        let mega = { (count: Double) in count < 1e15 ? "\(Int((count / 1e6).rounded()))" : "\(count / 1e6)" }
        lines.append(
            "reads \(mega(samplesRead)) million samples and writes \(mega(samplesWritten)) million: "
                + "\(mega((samplesRead + samplesWritten) * 8)) MB as RGBA with 16 bits per channel")
        let hundredths = errorBound < 1e15 ? Int((errorBound * 100).rounded(.up)) : .max
        let fraction = hundredths % 100
        lines.append(
            "error bound \(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) of an 8-bit step before rounding")
        return lines.joined(separator: "\n")
    }
}
