/// An effect: a blur with its output stages. It is an immutable value that every backend renders.
public struct Effect: Sendable, Hashable {
    /// The effect's name as `frost effects` lists it; "gaussian" for a plain blur.
    public let name: String
    /// The kind of blur and its parameters.
    public let kernel: Kernel
    /// The stages that each pixel goes through after the blur.
    public var outputStages: OutputStages
    /// The number of pixels by which the result is larger than the image on the left and on the right, if no region is
    /// given.
    public var growthX = 0
    /// The number of pixels by which the result is larger than the image above and below, if no region is given.
    public var growthY = 0
    /// The transfer function with which the image's numbers encode light, if light is to be blurred. With nil the
    /// numbers are blurred directly, as nearly all software does. ``outputStages`` works on the numbers in both cases.
    public var decoding: TransferFunction?
    /// The rectangle that the mask is stretched over and that its fractions refer to, in the image's pixels; nil for
    /// the whole image.
    public var maskBounds: Rect?
    /// The appearance of a UIBlurEffect style, light or dark, for which ``Vibrancy`` is defined; nil for all other
    /// effects.
    public let appearance: Appearance?

    /// The kind of blur and its parameters.
    public enum Kernel: Sendable, Hashable {
        /// A Gaussian with a sigma in pixels of the image. For an effect of a system that blurs a reduced image, this
        /// is the equivalent blur at full size.
        case gaussian(GaussianBlur)
        /// A Gaussian with a sigma that is a fraction of the image's width or height.
        case proportional(ProportionalBlur)
        /// Averages of boxes with odd widths in pixels of the image.
        case box(BoxBlur)
        /// The mean of a disc with a radius in pixels of the image.
        case disc(DiscBlur)
        /// The mean along a segment with a radius in pixels of the image.
        case motion(MotionBlur)
        /// The mean of copies that are scaled around a position in the image.
        case zoom(ZoomBlur)
        /// The means of square cells.
        case mosaic(Mosaic)
        /// A Gaussian with a sigma that a mask scales. The effect's output stages then have no mask.
        case variable(VariableBlur)

        /// The blur with its parameters.
        public var blur: any Blur {
            switch self {
            case .gaussian(let blur): blur
            case .proportional(let blur): blur
            case .box(let blur): blur
            case .disc(let blur): blur
            case .motion(let blur): blur
            case .zoom(let blur): blur
            case .mosaic(let mosaic): mosaic
            case .variable(let blur): blur
            }
        }

        /// The edge mode, which extends the image for reads outside it.
        public var edge: EdgeMode { blur.edge }

        /// Returns the result's format: the input's format, with an alpha channel if transparent edges are blurred in.
        public func outputFormat(for input: PixelFormat) -> PixelFormat { blur.outputFormat(for: input) }
    }

    /// Creates an effect from a name, a kernel and output stages.
    public init(name: String, kernel: Kernel, outputStages: OutputStages = OutputStages()) {
        self.init(name: name, kernel: kernel, outputStages: outputStages, appearance: nil)
    }

    init(name: String, kernel: Kernel, outputStages: OutputStages, appearance: Appearance?) {
        self.name = name
        self.kernel = kernel
        self.outputStages = outputStages
        self.appearance = appearance
    }

    /// Creates a plain Gaussian blur without output stages.
    public init(_ blur: GaussianBlur) { self.init(name: "gaussian", kernel: .gaussian(blur)) }

    /// Returns the vibrancy of content over the effect; nil if the effect is not a style.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy? { appearance.map { Vibrancy(kind, over: $0) } }

    /// The edge mode, which extends the image for reads outside it.
    public var edge: EdgeMode { kernel.edge }

    /// Returns the effect for another picture. Scatter with a secret key gets a new key.
    public func redrawn() -> Effect {
        var effect = self
        effect.outputStages.inside = outputStages.inside.map { stage in
            if case .scatter(let scatter) = stage { .scatter(scatter.redrawn()) } else { stage }
        }
        return effect
    }

    /// The larger of ``growthX`` and ``growthY``. Setting it sets both.
    public var growth: Int {
        get { max(growthX, growthY) }
        set { (growthX, growthY) = (newValue, newValue) }
    }

    /// Returns the rectangle to compute if no region is given: the extent, enlarged by the effect's growth.
    public func region(extent: Rect) -> Rect {
        Rect(
            x: extent.x - growthX, y: extent.y - growthY, width: extent.width + 2 * growthX,
            height: extent.height + 2 * growthY)
    }

    /// Returns the result's format: the input's format, with an alpha channel if transparent edges are blurred in, and
    /// with colour if a grey picture is tinted.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = kernel.outputFormat(for: input)
        if !outputStages.keepsGrey { output.channels = output.channels.addingColor }
        return output
    }

    /// The mask of the kernel or of the output stages.
    public var mask: Mask? {
        if case .variable(let blur) = kernel { blur.mask } else { outputStages.mask }
    }

    /// Checks that a mask image is given if and only if the effect needs one.
    ///
    /// - Throws: ``ParameterError/maskImage(needed:)``, ``ParameterError/secondMask``.
    public func check(_ image: MaskImage?) throws(ParameterError) {
        if case .variable = kernel, outputStages.mask != nil { throw .secondMask }
        guard (mask == .image) == (image != nil) else { throw .maskImage(needed: image == nil) }
    }

    /// Plans the effect on an image: see ``GaussianBlur/plan(extent:region:accuracy:)``,
    /// ``BoxBlur/plan(extent:region:)`` and ``VariableBlur/plan(extent:region:accuracy:mask:over:)``.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: the rectangle to compute, in absolute pixels; nil for the extent enlarged by the effect's growth.
    ///   - accuracy: the accuracy of the result, including the output stages.
    ///   - image: the mask's picture, if the mask is an image and available. A variable blur then skips sigmas that the
    ///     mask does not need anywhere.
    /// - Throws: ``ParameterError`` for empty rectangles, for coordinates beyond 2^40 (also in the bounds of content
    ///   and mask), and for a second mask.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit, mask image: MaskImage? = nil
    ) throws(ParameterError) -> Plan {
        var outputStages = outputStages
        if let decoding { outputStages.inside.insert(.encode(decoding), at: 0) }
        let amplification = outputStages.amplification
        for bounds in outputStages.content.compactMap(\.bounds) + [maskBounds].compactMap({ $0 }) {
            try bounds.checkForPlanning()
        }
        let region = region ?? self.region(extent: extent)
        let blurAccuracy = accuracy.divided(by: amplification)
        var plan = try kernel.blur.plan(
            PlanRequest(extent: extent, region: region, accuracy: blurAccuracy, mask: image, maskBounds: maskBounds))
        if case .variable = kernel, outputStages.mask != nil { throw .secondMask }
        // A plan that only copies needs no decoding.
        if case .copy = plan.work, self.outputStages.isEmpty { return plan }
        plan.outputStages = outputStages
        plan.maskBounds = maskBounds
        plan.decoding = decoding
        if case .blend(var blend) = plan.work {
            for index in blend.levels.indices { blend.levels[index].plan.decoding = decoding }
            plan.work = .blend(blend)
        }
        plan.errorBound *= amplification
        return outputStages.isEmpty ? plan : plan.replacingCopy(edge)
    }
}

extension Effect: CustomStringConvertible {
    /// The effect as the command `check` prints it: a plain blur as requested, any other effect with its name and its
    /// rounded parameters.
    public var description: String {
        name == "gaussian" ? "\(kernel.blur)" : "\(name) (\(kernel.blur.roundedDescription))"
    }
}

extension Accuracy {
    /// Returns the accuracy of a blur whose error is amplified afterwards. An 8-bit result that is at most one step off
    /// leaves half a step for all errors before the final rounding. A blur normally gets four fifths of this half step.
    /// An amplified blur gets only half of it, because the arithmetic's rounding error is amplified, too. The budget is
    /// never below the smallest budget that floats can keep.
    func divided(by amplification: Double) -> Accuracy {
        guard amplification > 1 else { return self }
        let share = errorBudget * 0.625 / amplification
        return (try? Accuracy(errorBudget: max(share, Self.allowedBudgets.lowerBound))) ?? self
    }
}
