/// A blur and what becomes of its result: an immutable value that both backends carry out.
public struct Effect: Sendable, Hashable {
    /// As `frost effects` lists it; "gaussian" for a plain blur.
    public let name: String
    public let kernel: Kernel
    public var outputStages: OutputStages
    /// By how many pixels the result is larger than the image, left and right alike, unless a region is asked for.
    public var growthX = 0
    /// Above and below.
    public var growthY = 0
    /// What light the image's numbers stand for, if it is light that is to be blurred; nil blurs the numbers as they are,
    /// as nearly all software does. ``outputStages`` works on numbers either way.
    public var decoding: TransferFunction?
    /// What the mask is stretched over, and in whose fractions it is given, in the image's pixels; nil for the whole image.
    public var maskBounds: Rect?
    /// Whether it is a light or a dark style, over which ``Vibrancy`` is known; nil for all other effects.
    public let appearance: Appearance?

    /// What is blurred with what.
    public enum Kernel: Sendable, Hashable {
        /// Sigma in pixels of the image. Effects of systems that blur a reduced image are described by what that amounts
        /// to at full size.
        case gaussian(GaussianBlur)
        /// Sigma as a part of the image's width or height; at most the largest that there is.
        case proportional(sigma: Double, of: Axis, edge: EdgeMode)
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
        /// A Gaussian whose sigma a mask scales. The effect's finish has then no mask.
        case variable(VariableBlur)

        /// What lies outside the image.
        public var edge: EdgeMode {
            switch self {
            case .gaussian(let blur): blur.edge
            case .proportional(_, _, let edge): edge
            case .box(let blur): blur.edge
            case .disc(let blur): blur.edge
            case .motion(let blur): blur.edge
            case .zoom(let blur): blur.edge
            case .mosaic: .clamp
            case .variable(let blur): blur.edge
            }
        }

        /// What the result's pixels look like: the input's format, with an alpha channel where transparent edges bleed in.
        public func outputFormat(for input: PixelFormat) -> PixelFormat {
            var output = input
            let bleeds: Bool
            switch self {
            case .gaussian(let blur): return blur.outputFormat(for: input)
            case .box(let blur): return blur.outputFormat(for: input)
            case .proportional: bleeds = true
            case .disc(let blur): bleeds = !blur.isIdentity
            case .motion(let blur): bleeds = !blur.isIdentity
            case .zoom(let blur): bleeds = !blur.isIdentity
            case .mosaic: bleeds = false
            case .variable(let blur): return blur.outputFormat(for: input)
            }
            if edge == .clear, bleeds { output.channels = input.channels.addingAlpha }
            return output
        }
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

    /// A blur whose result is only rounded.
    public init(_ blur: GaussianBlur) { self.init(name: "gaussian", kernel: .gaussian(blur)) }

    /// What content over the effect is made of; nil where the effect is no style that has some.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy? { appearance.map { Vibrancy(kind, over: $0) } }

    /// What lies outside the image.
    public var edge: EdgeMode { kernel.edge }

    /// For another picture: with new keys for noise whose key is secret.
    public func redrawn() -> Effect {
        var effect = self
        effect.outputStages.inside = outputStages.inside.map { stage in
            if case .scatter(let scatter) = stage { .scatter(scatter.redrawn()) } else { stage }
        }
        return effect
    }

    /// The growth on all sides alike; the larger where it differs.
    public var growth: Int {
        get { max(growthX, growthY) }
        set { (growthX, growthY) = (newValue, newValue) }
    }

    /// What is computed unless a region is asked for.
    public func region(extent: Rect) -> Rect {
        Rect(
            x: extent.x - growthX, y: extent.y - growthY, width: extent.width + 2 * growthX,
            height: extent.height + 2 * growthY)
    }

    /// What the result's pixels look like: the input's format, with an alpha channel where transparent edges bleed in, and
    /// with colour where a grey picture is tinted.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = kernel.outputFormat(for: input)
        if !outputStages.keepsGrey { output.channels = output.channels.addingColor }
        return output
    }

    /// The mask that there is: of the kernel or of the finish.
    public var mask: Mask? {
        if case .variable(let blur) = kernel { blur.mask } else { outputStages.mask }
    }

    /// Whether this is all that the effect's mask asks for.
    ///
    /// - Throws: ``ParameterError/maskImage(needed:)``, ``ParameterError/secondMask``.
    public func check(_ image: MaskImage?) throws(ParameterError) {
        if case .variable = kernel, outputStages.mask != nil { throw .secondMask }
        guard (mask == .image) == (image != nil) else { throw .maskImage(needed: image == nil) }
    }

    /// Plans the effect on an image: see ``GaussianBlur/plan(extent:region:accuracy:)``, ``BoxBlur/plan(extent:region:)``
    /// and ``VariableBlur/plan(extent:region:accuracy:mask:)``.
    ///
    /// - Parameters:
    ///   - accuracy: of the result, output stages included.
    ///   - image: for effects whose mask is an image, if it is at hand: spares a variable blur what the mask asks nowhere
    ///     for.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates beyond 2^40, bounds of content and mask among them, and
    ///   a second mask.
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
        func planned(_ kernel2D: Kernel2D) throws(ParameterError) -> Plan {
            try kernel2D.plan(extent: extent, region: region)
        }
        var plan =
            switch kernel {
            case .gaussian(let blur): try blur.plan(extent: extent, region: region, accuracy: blurAccuracy)
            case .proportional(let sigma, let axis, let edge):
                try GaussianBlur(sigma: sigma * Double(extent[axis].count), edge: edge)
                    .plan(extent: extent, region: region, accuracy: blurAccuracy)
            case .box(let blur): try blur.plan(extent: extent, region: region)
            case .disc(let blur): try planned(Kernel2D(.runs(blur.runs), edge: blur.edge))
            case .motion(let blur): try planned(Kernel2D(.runs(blur.runs), edge: blur.edge))
            case .zoom(let blur): try planned(Kernel2D(.zoom(blur.zoom(extent: extent)), edge: blur.edge))
            case .mosaic(let mosaic): try mosaic.plan(extent: extent, region: region)
            case .variable(let blur):
                try blur.plan(extent: extent, region: region, accuracy: blurAccuracy, mask: image, over: maskBounds)
            }
        if case .variable = kernel, outputStages.mask != nil { throw .secondMask }
        // What is only copied is not decoded either.
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
    /// As `check` names it: the blur as it was asked for, or the effect's name and what sigma it came to, rounded.
    public var description: String {
        switch kernel {
        case .gaussian(let blur): name == "gaussian" ? "\(blur)" : "\(name) (\(blur.description(decimals: 4)))"
        case .proportional(let sigma, let axis, _):
            "\(name) (sigma \(numberText(sigma, decimals: 4)) of the \(axis == .x ? "width" : "height"))"
        case .box(let blur): "\(name) (\(blur))"
        case .disc(let blur): "\(name) (\(blur))"
        case .motion(let blur): "\(name) (\(blur))"
        case .zoom(let blur): "\(name) (\(blur))"
        case .mosaic(let mosaic): "\(name) (\(mosaic))"
        case .variable(let blur): "\(name) (\(blur))"
        }
    }
}

extension Accuracy {
    /// For a blur whose error grows by a factor afterwards. Arithmetic noise grows with it, so that the blur gets only
    /// half of what rounding leaves, instead of four fifths; never less than floats can keep.
    func divided(by amplification: Double) -> Accuracy {
        guard amplification > 1 else { return self }
        let share = errorBudget * 0.625 / amplification
        return (try? Accuracy(errorBudget: max(share, Self.allowedBudgets.lowerBound))) ?? self
    }
}
