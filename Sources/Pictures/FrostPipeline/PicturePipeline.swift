package import Frost
package import FrostImages

/// Reads pictures, applies an effect to them, and writes the results. The command and the C library for encoded pictures
/// share this type, so they make the same bytes.
///
/// The work on a picture has two steps. ``job(for:as:name:warn:)`` uses only the header of the file, and checks the memory
/// of the work. ``PictureJob/run(_:time:open:complete:)`` then processes the pixels.
///
/// Thread-safety: may be used from any thread.
package struct PicturePipeline: Sendable {
    /// The effect. Its content is replaced by ``content`` for each picture.
    package var effect: Effect
    /// The mask, for effects whose mask is an image.
    package var mask: MaskImage?
    /// The rectangles to which the effect is applied.
    package var regions: RegionPlaces
    /// How pictures are resized before the effect; nil if they are not.
    package var resizing: ResizeRequest?
    /// The larger picture in which pictures are placed; nil if there is none. Then there are no rectangles, masks and
    /// contents, and pictures are not resized.
    package var padding: PadRequest?
    /// How many frames of an animation show the same mosaic: see ``HeldMosaic``.
    package var heldFrames = HeldMosaic.usualFrames
    /// Whether to blur linear light.
    package var isLinear: Bool
    /// Returns the content that is drawn over the effect, in a colour space; nil if there is none.
    package var content: (@Sendable (ColorSpace) throws(ImageError) -> [ContentLayer])?
    /// Returns the memory, in bytes, of the content in a colour space; nil if there is none.
    package var contentBytes: (@Sendable (ColorSpace) -> Int)?
    /// The command `frost` of the same version, which encodes formats whose libraries take unforeseen memory; nil to encode
    /// them in this process.
    package var encoderProgram: FilePath?
    /// The number of pictures that share the memory at a time.
    package var jobs = 1
    /// How to write the results.
    package var writing: ImageWriteOptions
    /// Whether samples with more bits than the format of the result holds are reduced, with a warning, instead of refused.
    package var reducesDepth = false
    /// The limits on memory.
    package var limits: ImageLimits
    package let renderer: Renderer

    /// Prepares an effect.
    ///
    /// - Precondition: there is no ``conflict(of:hasMask:hasCornerRadius:hasFeather:isInverted:)``.
    package init(
        _ effect: Effect, with renderer: Renderer, mask: MaskImage? = nil, regions: RegionPlaces = RegionPlaces(),
        isLinear: Bool = false, writing: ImageWriteOptions, limits: ImageLimits
    ) {
        self.effect = mask == nil ? effect : effect.masked()
        self.renderer = renderer
        self.mask = mask
        self.regions = regions
        self.isLinear = isLinear
        self.writing = writing
        self.limits = limits
        self.writing.png.threads = renderer.threads
    }

    /// Returns why an effect cannot be used with a mask or without one, or with rounded or soft corners; nil if it can.
    package static func conflict(
        of effect: Effect, hasMask: Bool, hasCornerRadius: Bool, hasFeather: Bool, isInverted: Bool
    ) -> String? {
        if hasMask, let own = effect.mask, own != .image { return "--mask: \(effect.name) already has its own mask" }
        let openings: [(isUsed: Bool, opening: Effect.Opening, option: String, hint: String)] = [
            (hasMask, .mask, "mask", "; use --rect"), (hasCornerRadius, .corners, "corner-radius", ""),
            (hasFeather, .feather, "feather", ""),
        ]
        for (isUsed, opening, option, hint) in openings where isUsed {
            guard let reason = effect.refusal(of: opening) else { continue }
            return "--\(option) cannot be combined with \(effect.name): \(reason)\(hint)"
        }
        if hasFeather || isInverted, let part = effect.outputStages.outlinePart {
            let option = hasFeather ? "feather" : "invert-rects"
            return "--\(option) cannot be combined with \(effect.name), which has \(part)"
        }
        if !hasMask, effect.mask == .image { return "\(effect.name) needs --mask FILE" }
        return nil
    }

    /// Returns a copy of the effect for one picture. Its content is converted to the colour space of the picture. If
    /// ``isLinear`` is set, the copy decodes with the transfer function of that colour space.
    ///
    /// - Parameters:
    ///   - name: the name of the picture, for errors.
    ///   - warn: receives a text for the user if something cannot be done as asked.
    package func effect(
        for space: ColorSpace, name: String, warn: (String) -> Void
    ) throws(PipelineError) -> Effect {
        var effect = effect
        do throws(ImageError) {
            if let content { effect.outputStages.content = try content(space) }
            if isLinear { effect.decoding = try space.light(name: name, limits: limits, warn: warn) }
        } catch {
            throw .image(error)
        }
        return effect
    }

    /// Whether the effect blurs each channel independently, so that the meaning of the channels does not matter.
    private var isPlainBlur: Bool {
        effect.blur.cellSide == nil && effect.edge != .clear && !isLinear && effect.decoding == nil
            && effect.outputStages.onlyMix
    }

    /// Whether the result is mixed with the original. The inks of CMYK stand in the place of premultiplied colours, which a
    /// mixture of 8 bits limits to their alpha; one of 16 bits does not.
    private var isMixed: Bool { effect.outputStages.opacity < 1 || mask != nil || !regions.isEmpty }

    /// The pixels to read with more bits than the file has, so that the background is put behind them before they are
    /// rounded. Clear edges make pixels transparent. The cells of a redaction are opaque, so that nothing is mixed with
    /// them.
    package var widening: ImageReadOptions.Widening {
        guard writing.background != nil, effect.blur.cellSide == nil else { return .none }
        return effect.edge == .clear ? .all : .alpha
    }

    /// The samples of a picture that is converted from CMYK. They have more bits than the result, which is rounded once.
    static let convertedSample = SampleType.u16

    /// Reduces the bits of the result to those that the format holds, with a warning, unless the caller has chosen a number.
    func reduceDepth(
        of reader: borrowing ImageReader, to format: ImageFormat, _ writing: inout ImageWriteOptions,
        _ warn: (String) -> Void
    ) {
        guard reducesDepth, writing.depth == nil, !reader.storedSample.isFloat else { return }
        let bits = reader.metadata.significantBits ?? 8 * reader.storedSample.size
        format.reduceDepth(of: bits, &writing, warn)
    }

    /// Checks that a format that another program writes holds the bits of the samples, or that they may be reduced.
    func checkDepth(of reader: borrowing ImageReader, for format: ImageFormat, name: String) throws(ImageError) {
        guard !reducesDepth, writing.depth == nil else { return }
        let bits = reader.metadata.significantBits ?? 8 * reader.storedSample.size
        guard bits > format.maximumDepth else { return }
        throw .cannotHold(
            path: name, format: format, what: "\(bits) bits per sample", remedy: "use --depth \(format.maximumDepth)")
    }

    /// Lets the writer round and dither pixels that have more bits than the file.
    func roundInWriter(of reader: borrowing ImageReader, _ effect: inout Effect, _ writing: inout ImageWriteOptions) {
        writing.depth = reader.storedSample.isEightBit ? 8 : writing.depth ?? 16
        writing.dither = effect.outputStages.dither
        effect.outputStages.dither = nil
    }

    /// Warns of a picture whose transfer curve Frost does not decode, if something asks for its light or its colours.
    func warnOfCurve(of reader: borrowing ImageReader, _ warn: (String) -> Void) {
        let stages = effect.outputStages
        let hasColors =
            !stages.inside.isEmpty || !stages.over.isEmpty || stages.automaticContrast != nil
            || stages.edge?.isIdentity == false || stages.shadow?.isIdentity == false
        let mayBeClear = reader.layout.format.channels.hasAlpha || effect.edge == .clear && effect.blur.cellSide == nil
        let asked = [
            (isLinear || effect.decoding != nil, "--linear"),
            (hasColors, "the colours of the effect"), (!stages.content.isEmpty, "--content"),
            (padding?.hasColor == true, "--pad-with"),
            (writing.background != nil && mayBeClear, "--background"),
        ].filter(\.0).map(\.1)
        if let warning = reader.metadata.curveWarning(for: asked) { warn(warning) }
    }

    /// Prepares the work on a picture, and checks its memory. Decodes nothing.
    ///
    /// - Parameters:
    ///   - reader: a reader from which no row has been read.
    ///   - format: the format of the result.
    ///   - name: the name of the picture, for errors.
    ///   - warn: receives a text for the user if something cannot be done as asked.
    package func job(
        for reader: borrowing ImageReader, as format: ImageFormat, name: String, warn: (String) -> Void
    ) throws(PipelineError) -> PictureJob {
        if let padding {
            try rethrow(
                limits.check(width: padding.width, height: padding.height, name: name), as: PipelineError.image)
        }
        // A plain blur keeps CMYK if the format of the output can hold it. All other effects and formats need RGB, and so do
        // backgrounds.
        let holdsInks = format.traits.holdsCMYK && format.traits.samples.contains(reader.storedSample)
        let converts = reader.metadata.colorModel == .cmyk && !(holdsInks && isPlainBlur && padding == nil)
        if !converts { warnOfLosses(reader.metadata, in: format, warn) }
        warnOfCurve(of: reader, warn)
        if effect.name == "redact", writing.keep == .all, let warning = reader.metadata.unreadWarning { warn(warning) }
        let space = converts ? ColorSpace.sRGB : reader.layout.format.colorSpace
        let resident = (mask?.byteCount(over: reader.layout) ?? 0) + (contentBytes?(space) ?? 0)
        try rethrow(limits.check(memory: resident, name: name), as: PipelineError.image)
        var effect = try effect(for: space, name: name, warn: warn)
        var writing = writing
        reduceDepth(of: reader, to: format, &writing, warn)
        if reader.isWidened || converts { roundInWriter(of: reader, &effect, &writing) }
        let widensInks =
            reader.metadata.colorModel == .cmyk && !converts && reader.layout.format.sample.isEightBit && isMixed
        let rows = try converts || widensInks ? nil : rows(of: reader.layout, effect)
        let converted: PixelLayout?
        do throws(ImageError) {
            converted =
                try converts
                ? DecodedImage.layoutConvertedFromCMYK(reader.layout, to: Self.convertedSample, name: name) : nil
        } catch {
            throw .image(error)
        }
        // The memory is judged here, before the first row is decoded.
        var memory =
            rows.map { self.memory(of: reader, through: $0, format, writing) }
            ?? self.memory(of: reader, converted: converted, format, writing)
        memory.add(resident + (padding?.memory(converted ?? reader.layout) ?? 0))
        // The picture and the result with 16 bits.
        if widensInks { memory.add(4 * reader.layout.byteCount) }
        let estimate = memory.need
        try rethrow(limits.check(memory: estimate, name: name), as: PipelineError.image)
        let isolation = limits.sandbox?.isolation ?? Isolation.none
        if let encoderProgram, format.isEncodedApart(memory.encoder, isolation) {
            let share = (limits.maximumMemory ?? ImageLimits.availableMemory()) / max(1, jobs)
            let most = max(memory.encoder, share - memory.besideEncoder)
            // Nobody can foresee whether the encoder takes all of that.
            if format.isEncodedApart(memory.encoder, .none) { memory.encoder = most }
            writing.encoderProcess = EncoderProcess(
                program: encoderProgram, memory: most, time: limits.maximumTime, isolation: isolation)
        }
        return PictureJob(
            pipeline: self, effect: effect, format: format, writing: writing, name: name, rows: rows,
            converts: converts, widensInks: widensInks, resize: reader.resize,
            estimate: estimate, need: memory.need)
    }

    /// Returns a plan that processes the picture row by row, or nil if the effect needs the whole picture.
    private func rows(of layout: PixelLayout, _ effect: Effect) throws(PipelineError) -> RowPlan? {
        // The contrast is measured on the whole result.
        guard regions.isEmpty, effect.contrast == nil, padding == nil else { return nil }
        return try rethrow(renderer.rows(of: layout, effect, mask: mask), as: PipelineError.frost)
    }

    /// Warns about metadata that should be kept but is lost: an unusable profile, and metadata that the format cannot
    /// store.
    func warnOfLosses(_ metadata: ImageMetadata, in format: ImageFormat, _ warn: (String) -> Void) {
        if let warning = metadata.profileWarning { warn(warning) }
        if let warning = metadata.lossWarning(in: format, named: format.traits.title, keep: writing.keep) {
            warn(warning)
        }
    }
}

extension ImageFormat {
    /// Reduces the bits of samples to those that the format holds, with a warning. Formats that hold only floats keep all bits.
    package func reduceDepth(of bits: Int, _ writing: inout ImageWriteOptions, _ warn: (String) -> Void) {
        let held = maximumDepth
        guard bits > held, traits.samples.contains(where: { !$0.isFloat }) else { return }
        writing.depth = held
        warn(
            "the \(bits) bits per sample are reduced to the \(held) that \(traits.title) holds; --depth \(held) "
                + "asks for this")
    }
}
