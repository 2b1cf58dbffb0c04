/// A blur and its output stages: an immutable value that every backend renders.
public struct Effect: Sendable, Hashable {
    /// The name that `frost effects` lists; "gaussian" for a plain blur.
    public let name: String
    public let kernel: Kernel
    public var outputStages: OutputStages
    /// How many pixels larger than the image the result is, on the left and on the right, unless a region is given.
    public var growthX = 0
    /// The same above and below.
    public var growthY = 0
    /// How the image's numbers encode light, if light is to be blurred; nil blurs the numbers directly, as nearly all
    /// software does. ``outputStages`` works on the numbers in both cases.
    public var decoding: TransferFunction?
    /// The rectangle, in the image's pixels, that the mask is stretched over and that its fractions refer to; nil for
    /// the whole image.
    public var maskBounds: Rect?
    /// Whether it is a light or a dark style, for which ``Vibrancy`` is defined; nil for all other effects.
    public let appearance: Appearance?

    /// The kind of blur and its parameters.
    public enum Kernel: Sendable, Hashable {
        /// Sigma in pixels of the image. The effect of a system that blurs a reduced image is described by its
        /// equivalent at full size.
        case gaussian(GaussianBlur)
        /// Sigma as a fraction of the image's width or height.
        case proportional(ProportionalBlur)
        /// Averages of odd widths in pixels of the image.
        case box(BoxBlur)
        /// A disc with a radius in pixels of the image.
        case disc(DiscBlur)
        /// A segment with a radius in pixels of the image.
        case motion(MotionBlur)
        /// Copies scaled around a place in the image.
        case zoom(ZoomBlur)
        /// Means of square cells.
        case mosaic(Mosaic)
        /// A Gaussian whose sigma is scaled by a mask. The effect's output stages then have no mask.
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

        /// How the image is extended.
        public var edge: EdgeMode { blur.edge }

        /// The result's format: the input's, with an alpha channel if transparent edges are blurred in.
        public func outputFormat(for input: PixelFormat) -> PixelFormat { blur.outputFormat(for: input) }
    }

    public init(name: String, kernel: Kernel, outputStages: OutputStages = OutputStages()) {
        self.init(name: name, kernel: kernel, outputStages: outputStages, appearance: nil)
    }

    init(name: String, kernel: Kernel, outputStages: OutputStages, appearance: Appearance?) {
        self.name = name
        self.kernel = kernel
        self.outputStages = outputStages
        self.appearance = appearance
    }

    /// A plain blur, without output stages.
    public init(_ blur: GaussianBlur) { self.init(name: "gaussian", kernel: .gaussian(blur)) }

    /// The vibrancy of content over the effect; nil if the effect is not a style.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy? { appearance.map { Vibrancy(kind, over: $0) } }

    /// How the image is extended.
    public var edge: EdgeMode { kernel.edge }

    /// The effect for another picture: with new keys for scatter whose key is secret.
    public func redrawn() -> Effect {
        var effect = self
        effect.outputStages.inside = outputStages.inside.map { stage in
            if case .scatter(let scatter) = stage { .scatter(scatter.redrawn()) } else { stage }
        }
        return effect
    }

    /// A single growth for all sides: the larger of the two.
    public var growth: Int {
        get { max(growthX, growthY) }
        set { (growthX, growthY) = (newValue, newValue) }
    }

    /// The rectangle to compute if no region is given.
    public func region(extent: Rect) -> Rect {
        Rect(
            x: extent.x - growthX, y: extent.y - growthY, width: extent.width + 2 * growthX,
            height: extent.height + 2 * growthY)
    }

    /// The result's format: the input's, with an alpha channel if transparent edges are blurred in, and with colour if
    /// a grey picture is tinted.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = kernel.outputFormat(for: input)
        if !outputStages.keepsGrey { output.channels = output.channels.addingColor }
        return output
    }

    /// The mask of the kernel or of the output stages.
    public var mask: Mask? {
        if case .variable(let blur) = kernel { blur.mask } else { outputStages.mask }
    }

    /// Checks that a mask image is given exactly if the effect needs one.
    /// - Throws: ``ParameterError/maskImage(needed:)``, ``ParameterError/secondMask``.
    public func check(_ image: MaskImage?) throws(ParameterError) {
        if case .variable = kernel, outputStages.mask != nil { throw .secondMask }
        guard (mask == .image) == (image != nil) else { throw .maskImage(needed: image == nil) }
    }

    /// Plans the effect on an image: see ``GaussianBlur/plan(extent:region:accuracy:)``, ``BoxBlur/plan(extent:region:)``
    /// and ``VariableBlur/plan(extent:region:accuracy:mask:)``.
    ///
    /// - Parameters:
    /// - accuracy: of the result, including the output stages.
    /// - image: for effects whose mask is an image, if it is available: a variable blur then skips sigmas that the mask
    ///   nowhere needs.
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
        // A copy needs no decoding.
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
    /// The form that `check` prints: the blur as requested, or the effect's name and the resulting sigma, rounded.
    public var description: String {
        name == "gaussian" ? "\(kernel.blur)" : "\(name) (\(kernel.blur.roundedDescription))"
    }
}

extension Accuracy {
    /// The accuracy of a blur whose error is amplified afterwards. The arithmetic's rounding error is amplified too, so
    /// the blur gets only half of the remaining error budget instead of four fifths, but no less than floats can
    /// achieve.
    func divided(by amplification: Double) -> Accuracy {
        guard amplification > 1 else { return self }
        let share = errorBudget * 0.625 / amplification
        return (try? Accuracy(errorBudget: max(share, Self.allowedBudgets.lowerBound))) ?? self
    }
}
