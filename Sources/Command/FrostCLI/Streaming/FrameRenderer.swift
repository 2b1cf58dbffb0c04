import Frost
import FrostImages
import FrostPipeline
import Synchronization

/// Applies one effect to all frames of a video stream. Dither and secret keys are the same in all frames.
///
/// Thread-safety: may be used from any thread.
final class FrameRenderer: Sendable {
    private let sizing: FrameSizing
    /// The format of the frames to which the effect is applied.
    private let format: VideoFormat
    /// The effect. The colour of its content may be undecided.
    private let given: Effect
    /// The effect with the colour of its content decided by the first frame, which all frames share.
    private let decided = Mutex<Effect?>(nil)
    private let mask: MaskImage?
    private let regions: RegionOptions
    /// The rectangles of the stream, with all boxes of its frames.
    private let places: RegionPlaces
    private let renderer: Renderer
    private let input: FilePath
    private let method: Method
    /// The mosaic that frames share; nil if each frame shows its own result.
    private let held: Mutex<HeldMosaic>?
    /// Colour conversions that no frame is using at the moment.
    private let conversions = Mutex<[ColorConversion]>([])

    private enum Method {
        /// A frame is one image whose pixels contain all channels. The effect is applied to this image.
        case whole
        /// The planes of a frame are blurred independently. This is possible because a Gaussian is linear, so it may be
        /// applied to luma and chroma instead of colours. If a plane is smaller than the frame, its sigma is smaller by
        /// the same factor.
        case planes([PlaneEffect])
        /// A frame is converted to RGB before the effect is applied. The result is converted back to planes.
        case colors(YUVCoding)
    }

    /// The effect for a plane, and by which factors the plane is smaller than the frame.
    private struct PlaneEffect {
        let effect: Effect
        let x, y: Double
    }

    /// Prepares the effect for a stream.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if the result of the effect does not fit into the frames of the stream,
    ///   because it is larger, or because it has alpha or colour that the frames cannot hold.
    init(_ sizing: FrameSizing, _ rendering: Rendering, input: FilePath) throws(CommandError) {
        let format = sizing.result
        (self.sizing, self.format, self.input) = (sizing, format, input)
        (mask, renderer) = (rendering.pipeline.mask, rendering.pipeline.renderer)
        regions = rendering.regions
        places = regions.places(for: input)
        let first = try regions.placed(
            places, in: input, width: format.width, height: format.height, resized: sizing.resize)
        let effect = try rendering.effect(for: .unspecified, input)
        given = effect
        held = HeldMosaic(effect, frames: rendering.pipeline.heldFrames).map { Mutex($0) }
        let layout: PixelLayout
        var isOpaque = false
        switch format.coding {
        case .pixels:
            method = .whole
            layout = format.planes[0]
        case .yuv(let coding):
            if let planes = try Self.planes(format, coding, effect, first) {
                method = .planes(planes)
                layout = format.planes[0]
            } else {
                method = .colors(coding)
                // The conversion is created here, so that a conversion that is not possible fails before anything is
                // written.
                let conversion = try Self.conversion(format, coding, input)
                layout = conversion.layout
                isOpaque = !coding.hasAlpha
                conversions.withLock { $0.append(conversion) }
            }
        }
        let result = effect.outputFormat(for: layout.format)
        guard result.channels == layout.format.channels, !(isOpaque && effect.edge == .clear) else {
            throw .usage(
                result.channels.isGrey == layout.format.channels.isGrey
                    ? "\(effect.name) makes edges transparent, but these frames have no alpha; use --edge clamp or "
                        + "frames with alpha"
                    : "\(effect.name) adds colour, but these frames are grey; use --format rgb24")
        }
        guard effect.region(extent: layout.extent) == layout.extent else {
            throw .usage(
                "\(effect.name) cannot be applied to video: it makes pictures larger, but frames keep their size")
        }
    }

    /// Returns the effect for each plane of a frame. Returns nil if the effect may not be applied to the planes,
    /// because the result would differ from that of applying it to the pixels.
    private static func planes(
        _ format: VideoFormat, _ coding: YUVCoding, _ effect: Effect, _ regions: EffectRegions
    ) throws(CommandError) -> [PlaneEffect]? {
        guard let blur = effect.gaussian, blur.edge != .clear, effect.decoding == nil,
            effect.outputStages.inside.isEmpty, effect.outputStages.over.isEmpty, effect.outputStages.content.isEmpty,
            effect.outputStages.automaticContrast == nil,
            effect.outputStages.mask == nil || effect.outputStages.mask == .image,
            effect.region(extent: format.planes[0].extent) == format.planes[0].extent
        else { return nil }
        let isCopy = blur.effectiveSigma(.x) == 0 && blur.effectiveSigma(.y) == 0
        // Colours with alpha must be premultiplied before a blur, so the planes cannot be blurred independently.
        guard !coding.hasAlpha || isCopy else { return nil }
        // The width of a feather would differ along x and y.
        guard !regions.isFeathered || coding.shiftX == coding.shiftY else { return nil }
        return try format.planes.indices.map { (index) throws(CommandError) in
            let (x, y) = index == 0 ? (1.0, 1.0) : (Double(1 << coding.shiftX), Double(1 << coding.shiftY))
            do throws(ParameterError) {
                var scaled = Effect(
                    try GaussianBlur(sigmaX: blur.sigmaX / x, sigmaY: blur.sigmaY / y, edge: blur.edge))
                scaled.outputStages = effect.outputStages
                return PlaneEffect(effect: scaled, x: x, y: y)
            } catch {
                throw .frost(.parameter(error))
            }
        }
    }

    /// Whether the effect or a background is computed in R'G'B', which needs the matrix of the stream.
    var convertsColors: Bool {
        switch method {
        case .whole, .planes: sizing.hasColor
        case .colors: true
        }
    }

    /// How many frames show the mosaic of the same frame; nil if each frame shows its own result.
    var heldFrames: Int? { held?.withLock(\.frames) }

    private var effect: Effect { decided.withLock { $0 } ?? given }

    /// Returns the rectangles of a frame.
    private func regions(_ number: Int) throws(CommandError) -> EffectRegions {
        try regions.placed(
            places, in: input, width: format.width, height: format.height, frame: number, resized: sizing.resize)
    }

    /// Returns the error for a box of a frame that the stream does not have.
    ///
    /// - Parameter count: the number of frames.
    func missingFrame(of count: Int) -> CommandError? {
        places.missingFrame(of: count).map { .boxes($0) }
    }

    /// Prepares a frame. Must be called for the frames in their order, before they are rendered.
    ///
    /// Decides the colour of content by the first frame that has a rectangle. Later frames are not known, and the colour must not
    /// change from frame to frame.
    ///
    /// - Parameter number: the number of the frame, counted from 0.
    /// - Returns: the mosaic that the frame shows; nil if the effect is applied to the frame itself.
    func prepare(_ source: VideoFrame, _ number: Int) throws(CommandError) -> Rendered? {
        let needsContent = effect.outputStages.automaticContrast != nil
        guard needsContent || held != nil else { return nil }
        let regions = try regions(number)
        if regions.isNothing { return nil }
        func pixels() throws(CommandError) -> PixelBuffer {
            let frame = try rethrow(sizing.background(of: source), as: CommandError.image)
            switch method {
            case .whole, .planes: return frame.planes[0]
            case .colors(let coding): return try Self.conversion(format, coding, input).pixels(of: frame)
            }
        }
        if needsContent {
            let (given, pixels) = (given, try pixels())
            let effect = try rethrow(regions.decidingContent(of: given, on: pixels), as: CommandError.frost)
            decided.withLock { $0 = effect }
        }
        return try held?.withLock { (held) throws(CommandError) in
            try held.mosaic(for: number) { () throws(CommandError) in
                let pixels = try pixels()
                return try rethrow(renderer.render(pixels, effect, mask: nil), as: CommandError.frost)
            }
        }
    }

    /// Gives a frame its size, and applies the effect to it or to its background.
    ///
    /// - Parameters:
    ///   - number: the number of the frame, counted from 0.
    ///   - mosaic: what ``prepare(_:_:)`` returned for the frame.
    /// - Returns: the resulting frame, and a report about the rendering; nil if the frame has no rectangle.
    func render(
        _ source: VideoFrame, _ number: Int, _ mosaic: Rendered?
    ) throws(CommandError) -> (frame: VideoFrame, report: RenderReport?) {
        let regions = try regions(number)
        let frame = try rethrow(sizing.background(of: source), as: CommandError.image)
        if regions.isNothing { return (frame, nil) }
        let (rendered, report) = try render(frame, regions, mosaic)
        return (try rethrow(sizing.finished(rendered, from: source, frame), as: CommandError.image), report)
    }

    private func render(
        _ frame: VideoFrame, _ regions: EffectRegions, _ mosaic: Rendered?
    ) throws(CommandError) -> (frame: VideoFrame, report: RenderReport) {
        var frame = frame
        var report: RenderReport?
        let effect = effect
        func result(of pixels: PixelBuffer, in regions: EffectRegions) throws(CommandError) -> PixelBuffer {
            guard let mosaic else { return try render(pixels, effect, regions, &report) }
            let shown = try rethrow(regions.showing(mosaic, in: pixels), as: CommandError.frost)
            report.append(shown.report)
            return shown.image
        }
        switch method {
        case .whole: frame.planes[0] = try result(of: frame.planes[0], in: regions)
        case .planes(let planes):
            for (index, plane) in planes.enumerated() {
                let part = try rethrow(regions.divided(by: plane.x, plane.y), as: CommandError.refused)
                frame.planes[index] = try render(frame.planes[index], plane.effect, part, &report)
            }
        case .colors(let coding):
            let regions = regions.reaching(by: effect)
            let conversion: ColorConversion
            if let kept = conversions.withLock({ $0.popLast() }) {
                conversion = kept
            } else {
                conversion = try Self.conversion(format, coding, input)
            }
            var pixels = try result(of: conversion.pixels(of: frame), in: regions)
            if let outside = pixelsOutside(frame, coding, conversion, regions) {
                pixels = outside.with(regions, of: pixels)
            }
            let planes = conversion.planes(of: pixels)
            defer { conversions.withLock { $0.append(conversion) } }
            // Only the pixels inside the rectangles of the effect are replaced. All other pixels keep their original
            // values exactly, because converting them to RGB and back could change them.
            for index in planes.indices {
                let plane = frame.planes[index].layout.extent
                let isChroma = (1...2).contains(index)
                let bounds =
                    isChroma ? regions.chromaBounds(coding, in: plane) : regions.bounds(shiftedBy: 0, 0, in: plane)
                for rect in bounds {
                    frame.planes[index].copy(rect, from: planes[index])
                }
            }
            // Chroma is stored for several pixels, so the frame is measured as it will be decoded.
            if let contrast = report?.contrast {
                report?.contrast =
                    effect.outputStages.content.isEmpty && effect.outputStages.opacity == 1
                    ? regions.contrast(
                        of: conversion.pixels(of: frame), to: contrast.content, minimum: contrast.minimum)
                    : nil
            }
        }
        // The place would be that of one of many frames.
        report?.contrast?.place = nil
        guard let report else { throw .frost(.pixels(.emptyImage(width: format.width, height: format.height))) }
        return (frame, report)
    }

    /// Returns the pixels of a frame as they are without the chroma in the rectangles of a redaction; nil if they do not depend on
    /// it. Chroma is interpolated, so pixels beside a rectangle contain a part of the hidden chroma. They become a part of the
    /// samples on the border when the frame is converted back.
    private func pixelsOutside(
        _ frame: VideoFrame, _ coding: YUVCoding, _ conversion: ColorConversion, _ regions: EffectRegions
    ) -> PixelBuffer? {
        guard effect.blur.cellSide != nil, !regions.coverAll, !coding.isGrey,
            coding.shiftX + coding.shiftY + coding.copiesX + coding.copiesY > 0
        else { return nil }
        var frame = frame
        for index in 1...2 {
            let plane = frame.planes[index].layout.extent
            for rect in regions.chromaBounds(coding, in: plane) {
                frame.planes[index].fill(rect, with: 1 << (coding.depth - 1))
            }
        }
        return conversion.pixels(of: frame)
    }

    private func render(
        _ image: PixelBuffer, _ effect: Effect, _ regions: EffectRegions, _ report: inout RenderReport?
    ) throws(CommandError) -> PixelBuffer {
        do throws(FrostError) {
            let rendered = try regions.render(image, effect, mask: mask, with: renderer)
            report.append(rendered.report)
            return rendered.image
        } catch {
            throw .frost(error)
        }
    }

    private static func conversion(
        _ format: VideoFormat, _ coding: YUVCoding, _ input: FilePath
    ) throws(CommandError) -> ColorConversion {
        return try rethrow(ColorConversion(format, coding, name: input.text), as: CommandError.image)
    }
}

extension EffectRegions {
    /// Returns the rectangles of a plane of chroma with all samples that have a part in the rectangles.
    fileprivate func chromaBounds(_ coding: YUVCoding, in plane: Rect) -> [Rect] {
        let (x, y) = (coding.copiesX, coding.copiesY)
        return bounds(shiftedBy: coding.shiftX + x, coding.shiftY + y, in: plane).map { rect in
            rect == plane
                ? plane
                : Rect(x: rect.x << x, y: rect.y << y, width: rect.width << x, height: rect.height << y)
        }
    }
}

extension PixelBuffer {
    /// Returns these pixels with those of another image in rectangles.
    fileprivate func with(_ regions: EffectRegions, of other: PixelBuffer) -> PixelBuffer {
        var result = self
        for rect in regions.bounds(shiftedBy: 0, 0, in: layout.extent) { result.copy(rect, from: other) }
        return result
    }

    /// Sets the samples of a plane in a rectangle. Parts of the rectangle outside the plane are ignored.
    fileprivate mutating func fill(_ rect: Rect, with sample: Int) {
        guard let rect = rect.intersection(layout.extent) else { return }
        let (stride, size) = (layout.bytesPerRow, format.bytesPerPixel)
        let digits = [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        unsafe withUnsafeMutableBytes { bytes in
            // SAFETY: the rectangle lies within the plane, whose samples have one or two bytes.
            for y in rect.rows {
                for x in rect.columns {
                    for digit in 0..<size { unsafe bytes[y * stride + x * size + digit] = digits[digit] }
                }
            }
        }
    }
}
