import FrostCore
import FrostDrawing
import FrostGLES

extension Execution {
    /// A source of the host whose colours are converted before they are drawn.
    struct InputConversion {
        let image: HostImage
        /// The encoding of the numbers that are blurred.
        let blurred: ColorEncoding
        /// The encoding of the original that masks and clips show, if it differs.
        let original: ColorEncoding?
        /// Whether the draws read the numbers that are blurred. They do not if they begin with an image that was kept,
        /// unless masks and clips show these numbers.
        var readsBlurred = true

        /// The encodings to which the source is converted.
        var encodings: [ColorEncoding] { [readsBlurred ? blurred : nil, original].compactMap { $0 } }

        /// - Returns: nil if the source has the encoding that is blurred, and can be read directly.
        init?(_ image: HostImage, blurred: ColorEncoding?, original: ColorEncoding? = nil) {
            guard let blurred else { return nil }
            if image.encoding.hasSameNumbers(as: blurred), original == nil { return nil }
            self.image = image
            self.blurred = blurred
            self.original = original
        }

        /// Returns the draw that converts a part of the source.
        func draw(to encoding: ColorEncoding, window: Rect) -> ConversionDraw {
            ConversionDraw(
                image.colors, texture: image.kind, map: image.map, to: encoding, window: window)
        }
    }

    /// A target of the host for which the result's colours are converted after they were drawn.
    struct OutputConversion {
        let target: HostTarget
        /// The rectangle of the result.
        let region: Rect
        let draw: ConversionDraw

        /// - Parameter result: the encoding of the result.
        init(_ target: HostTarget, result: ColorEncoding, dither: Dither?, region: Rect) {
            self.target = target
            self.region = region
            draw = ConversionDraw(
                result, to: target.colors, placement: target.placement, dither: dither, region: region)
        }
    }

    /// The conversions that the work needs.
    var conversions: [ConversionDraw] {
        (ends.input.map(conversions(of:)) ?? []) + (ends.output.map { [$0.draw] } ?? [])
    }

    /// Returns the conversions of a source.
    func conversions(of input: InputConversion) -> [ConversionDraw] {
        input.encodings.map { input.draw(to: $0, window: plan.sourceWindow) }
    }

    /// Checks a plan and prepares it for drawing from a source into a target of the host, without calling the GL.
    ///
    /// - Parameter given: a place of the plan that already has a texture.
    init(
        _ plan: Plan, source: HostImage, mask: MaskImage?, target: HostTarget, given: Place? = nil, limits: DrawLimits,
        patience: Patience
    ) throws(GPUError) {
        let route = ColorRoute(plan, source: source.encoding, target: target.colors)
        try self.init(
            route.plan, source: source,
            input: InputConversion(source, blurred: route.level.blurred, original: route.original), mask: mask,
            target: route.level.format, given: given, limits: limits, patience: patience)
        ends.output = route.result.map {
            OutputConversion(target, result: $0, dither: route.dither, region: route.plan.region)
        }
        ends.target = ends.output == nil ? .host(target, stored: nil) : nil
    }

    /// Checks a plan and prepares it for drawing from a source, without its target and without calling the GL.
    ///
    /// - Parameters:
    ///   - input: the conversion of the source; nil if it is read directly.
    ///   - target: the format of the values that the last draw writes.
    init(
        _ plan: Plan, source: HostImage, input: InputConversion?, mask: MaskImage?, target: PixelFormat,
        given: Place? = nil, limits: DrawLimits, patience: Patience
    ) throws(GPUError) {
        let draws = try fromDrawing { () throws(DrawingError) in
            try DrawPlan(
                plan.suited(to: source.format.channels), limits: limits, stored: input == nil ? plan.extent : nil,
                given: given)
        }
        self.init(
            plan: draws, source: input == nil ? source.format : ColorRoute.convertedFormat, mask: mask, target: target,
            patience: patience)
        if var input {
            let showsBlurred = input.original == nil && draws.outputStages?.original != nil
            input.readsBlurred = given == nil || showsBlurred
            ends.input = input
        } else {
            ends.source = source
        }
    }
}
