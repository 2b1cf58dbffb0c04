/// An effect: a blur together with the output stages that follow it. An effect is a value that every backend can
/// render.
///
/// ```swift
/// let glass = try EffectCatalog.effect("material-thin-light").make(["scale": .number(2)])
/// let light = Effect(try GaussianBlur(sigma: 12))  // a plain blur is an effect too
/// let result = try renderer.render(picture, glass)
/// ```
///
/// Creating and comparing effects is cheap. What an effect costs to render follows from its plan, whose description
/// ``plan(extent:region:accuracy:mask:)`` gives without reading a pixel.
public struct Effect: Sendable, Hashable {
    /// The effect's name as `frost effects` lists it; "gaussian" for a plain blur.
    public let name: String
    /// The blur: a value of its kind with its parameters.
    public package(set) var blur: any Blur {
        get { box.blur }
        set { box = Box(blur: newValue) }
    }
    private var box: Box
    /// The stages that each pixel goes through after the blur.
    public var outputStages: OutputStages
    /// The number of pixels by which the result extends beyond the image on the left, and also on the right, if no
    /// region is given.
    public var growthX = 0
    /// The number of pixels by which the result extends beyond the image at the top, and also at the bottom, if no
    /// region is given.
    public var growthY = 0
    /// The transfer function that decodes the image's numbers into light, so that light is blurred. If it is nil, the
    /// numbers are blurred directly, as nearly all software does. In both cases, ``outputStages`` work on encoded
    /// numbers, not on light.
    ///
    /// A host's image with a ``ColorEncoding`` is decoded by the function of its encoding instead.
    public var decoding: TransferFunction?
    /// The rectangle over which the mask is stretched, in the image's pixels; nil for the whole image. Fractions in the
    /// mask's parameters are fractions of this rectangle.
    public var maskBounds: Rect?
    /// Whether the effect is a light or a dark style of UIBlurEffect; nil for all other effects. ``Vibrancy`` is
    /// defined only for these styles.
    public let appearance: Appearance?
    /// Whether a mask image scales sigma and the colours, and does not mix the result with the original: see ``masked()``.
    let growsWithMask: Bool

    /// Creates an effect from a name, a blur and output stages.
    public init(name: String, blur: any Blur, outputStages: OutputStages = OutputStages()) {
        self.init(name: name, blur: blur, outputStages: outputStages, appearance: nil)
    }

    init(
        name: String, blur: any Blur, outputStages: OutputStages, appearance: Appearance?, growsWithMask: Bool = false
    ) {
        self.name = name
        self.growsWithMask = growsWithMask
        box = Box(blur: blur)
        self.outputStages = outputStages
        self.appearance = appearance
    }

    /// Creates a plain Gaussian blur without output stages.
    public init(_ blur: GaussianBlur) { self.init(name: "gaussian", blur: blur) }

    /// Returns the vibrancy of content over the effect; nil if the effect is not a style.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy? { appearance.map { Vibrancy(kind, over: $0) } }

    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public var edge: EdgeMode { blur.edge }

    /// Returns the effect with a key in every scatter stage that has none. Everything that renders calls this; later calls
    /// change nothing. Call it yourself to choose the key.
    ///
    /// - Parameters:
    ///   - key: the key. Pictures with the same content should have the same key: see ``Scatter``.
    ///   - use: whether the effect is for still pictures or for the frames of a stream.
    public func keyed(by key: SecretKey = .process, for use: Scatter.Use) -> Effect {
        mappingScatters { $0.keyed(by: key, for: use) }
    }

    /// Returns the effect with keys for a rectangle of a picture, which depend on its upper left corner.
    package func keyed(at rect: Rect) -> Effect {
        mappingScatters { $0.keyed(at: rect) }
    }

    private func mappingScatters(_ map: (Scatter) -> Scatter) -> Effect {
        var effect = self
        effect.outputStages.mapScatters(map)
        return effect
    }

    /// The larger of ``growthX`` and ``growthY``. Assigning a value sets both of them.
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

    /// Returns the result's format: the input's format. An alpha channel is added if the blur mixes in transparent
    /// pixels from outside the image, and if the result is larger and contains them. Colour channels are added if the output stages colour a grey picture.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = blur.outputFormat(for: input)
        if growth > 0, edge == .clear { output.channels = output.channels.addingAlpha }
        if !outputStages.keepsGrey { output.channels = output.channels.addingColor }
        return output
    }

    /// The mask of the blur, if the blur is a variable one; otherwise the mask of the output stages.
    public var mask: Mask? { blur.ownMask ?? outputStages.mask }

    /// Checks that a mask image is given if and only if the effect needs one.
    ///
    /// - Throws: ``ParameterError/maskImage(needed:)``, ``ParameterError/secondMask``.
    public func check(_ image: MaskImage?) throws(ParameterError) {
        try checkMasks()
        guard (mask == .image) == (image != nil) else { throw .maskImage(needed: image == nil) }
    }

    /// Checks that the masks of blur and output stages fit each other.
    private func checkMasks() throws(ParameterError) {
        if outputStages.mixesBlur ? outputStages.mask != blur.ownMask : blur.ownMask != nil && outputStages.mask != nil
        {
            throw .secondMask
        }
    }

    /// Plans the effect on an image: see ``GaussianBlur/plan(extent:region:accuracy:)``,
    /// ``BoxBlur/plan(extent:region:)`` and ``VariableBlur/plan(extent:region:accuracy:mask:over:)``.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: the rectangle to compute, in absolute pixels; nil for the extent enlarged by the effect's growth.
    ///   - accuracy: the accuracy of the result, including the output stages.
    ///   - image: the mask's picture; nil if the mask is not an image or the picture is not available. With the
    ///     picture, the plan of a variable blur can omit sigmas that the mask does not need anywhere.
    /// - Throws: ``ParameterError`` for empty rectangles, for coordinates beyond 2^40 (also in the bounds of content
    ///   and mask), for an ``OutputStages/automaticContrast``, for a region that reaches more than 2^20 pixels outside the extent (16384 for kernels that are not
    ///   separable), and for a second mask.
    public func plan(
        extent: Rect, region: Rect? = nil, accuracy: Accuracy = .eightBit, mask image: MaskImage? = nil
    ) throws(ParameterError) -> Plan {
        var outputStages = outputStages
        if let decoding { outputStages.inside.insert(.encode(decoding), at: 0) }
        try outputStages.checkClip()
        if outputStages.opacity < 1, isRedaction {
            throw .malformed(
                parameter: "opacity", value: "\(outputStages.opacity)",
                expected: "1, because a redaction hides everything")
        }
        guard outputStages.automaticContrast == nil else { throw .undecidedContent }
        // The error of a Gaussian's plan is that of its filter. Other blurs' errors may be roundings.
        let amplification = blur is GaussianBlur ? outputStages.filterAmplification : outputStages.amplification
        for bounds in outputStages.content.compactMap(\.bounds) + [maskBounds].compactMap({ $0 }) {
            try bounds.checkForPlanning()
        }
        let region = region ?? self.region(extent: extent)
        let blurAccuracy = accuracy.divided(by: amplification)
        func blurred(_ region: Rect) throws(ParameterError) -> Plan {
            try blur.plan(
                PlanRequest(
                    extent: extent, region: region, accuracy: blurAccuracy, mask: image, maskBounds: maskBounds))
        }
        var plan: Plan
        if let lens = outputStages.lens, !lens.isIdentity {
            plan = try .refracted(
                region, of: extent, by: lens, along: outputStages.lensShapes(in: maskBounds ?? extent),
                join: outputStages.join,
                sigma: (blur as? GaussianBlur).map { min($0.sigmaX, $0.sigmaY) }, blurred)
        } else {
            plan = try blurred(region)
        }
        if let mosaic = blur as? Mosaic { outputStages.numberCells(within: mosaic.cells(in: extent)) }
        outputStages.lens = nil
        if outputStages.shadow?.isIdentity == true || outputStages.clip.isEmpty { outputStages.shadow = nil }
        if outputStages.edge?.isIdentity == true { outputStages.edge = nil }
        outputStages.shapes = outputStages.edge == nil ? [] : try outputStages.lensShapes(in: maskBounds ?? extent)
        try checkMasks()
        // A copy needs no decoding, and the mixture of a pixel with itself is the pixel.
        if plan.isCopy, self.outputStages.onlyMix { return plan }
        plan.outputStages = outputStages
        plan.maskBounds = maskBounds
        plan.decoding = decoding
        plan.errorBound *= amplification
        return outputStages.isEmpty ? plan : plan.replacingCopy(edge)
    }

    /// Returns by how many pixels a host must enlarge a changed rectangle of the image to get the part of the result
    /// that changes. The rectangle grows by `x` pixels to the left and to the right, and by `y` pixels upwards and
    /// downwards. The numbers are at most the image's width and height. A zoom always has this maximum. A blur with the
    /// edge mode `repeat` has it, too, because a change at one edge of the image reaches the opposite edge.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle.
    ///   - accuracy: the accuracy of the rendering.
    /// - Throws: the errors of ``plan(extent:region:accuracy:mask:)``.
    /// - Complexity: the complexity of planning, plus up to a millisecond for the largest sigmas.
    public func damageExpansion(
        extent: Rect, accuracy: Accuracy = .eightBit
    ) throws(ParameterError) -> (x: Int, y: Int) {
        let plan = try plan(extent: extent, region: extent, accuracy: accuracy)
        // Pixels beside the cells that a mosaic shows get the colours of these cells.
        let cells = (blur as? Mosaic)?.cells(in: extent) ?? extent
        func expansion(_ axis: Axis) -> Int {
            let (pixels, shown) = (extent[axis], cells[axis])
            let beside = max(0, shown.lowerBound - pixels.lowerBound, pixels.upperBound - shown.upperBound)
            return min(plan.work.kind.damageExpansion(along: axis, in: plan) + beside, pixels.count)
        }
        return (expansion(.x), expansion(.y))
    }
}

extension Effect {
    /// A blur of any kind, which can be compared.
    private struct Box: Hashable {
        let blur: any Blur

        static func == (a: Box, b: Box) -> Bool { AnyHashable(a.blur) == AnyHashable(b.blur) }
        func hash(into hasher: inout Hasher) { blur.hash(into: &hasher) }
    }
}

extension Effect: CustomStringConvertible {
    /// The effect as the command `check` prints it. A plain blur is described exactly as it was requested. Any other
    /// effect is described by its name and its rounded parameters.
    public var description: String {
        name == "gaussian" ? "\(blur)" : "\(name) (\(blur.roundedDescription))"
    }
}

extension Accuracy {
    /// Returns the accuracy with which to blur if the output stages amplify the blur's error. An 8-bit result may be
    /// off by at most one step. The final rounding uses half of this step, and the other half is left for all earlier
    /// errors. If nothing is amplified, the blur gets four fifths of this half step. If the error is amplified, the
    /// blur gets only half of it, divided by the amplification, because the arithmetic's rounding error is amplified,
    /// too. The budget is never below the smallest budget that floats can keep.
    func divided(by amplification: Double) -> Accuracy {
        guard amplification > 1 else { return self }
        let share = errorBudget * 0.625 / amplification
        return (try? Accuracy(errorBudget: max(share, Self.allowedBudgets.lowerBound))) ?? self
    }
}
