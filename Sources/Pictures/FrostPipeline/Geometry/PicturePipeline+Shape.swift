import Frost
package import FrostImages

// The size of pictures, and what the effect is applied to.

extension PicturePipeline {
    /// Returns how a picture is resized before the effect; nil if it is not.
    ///
    /// - Parameter warn: receives a text for the user if something cannot be done as asked.
    func resize(
        _ layout: PixelLayout, _ metadata: ImageMetadata, name: String, warn: (String) -> Void
    ) throws(PipelineError) -> PictureResize? {
        guard let resizing else { return nil }
        let (width, height, part) = resizing.placed(width: layout.width, height: layout.height)
        do throws(ImageError) {
            try limits.check(width: width, height: height, name: name)
            return try PictureResize(
                layout, to: width, height, part: part,
                light: isLinear
                    ? layout.format.colorSpace.light(name: name, limits: limits, warn: warn) : nil,
                isCMYK: metadata.colorModel == .cmyk, name: name)
        } catch {
            throw .image(error)
        }
    }

    /// Returns a reader of the picture as the effect is applied to it: resized, if this is asked for.
    ///
    /// - Parameter warn: receives a text for the user if something cannot be done as asked.
    package func shaped(
        _ reader: consuming ImageReader, name: String, warn: (String) -> Void
    ) throws(PipelineError) -> ImageReader {
        guard let resize = try resize(reader.layout, reader.metadata, name: name, warn: warn) else { return reader }
        do throws(ImageError) { return try reader.resized(by: resize) } catch { throw .image(error) }
    }

    /// Returns how pictures are padded; nil if they are not.
    func padPlan(_ layout: PixelLayout, _ effect: Effect, name: String) throws(PipelineError) -> PadPlan? {
        do throws(ImageError) {
            return try padding.map { (request) throws(ImageError) in
                try PadPlan(layout, request, light: isLinear ? effect.decoding : nil, name: name)
            }
        } catch {
            throw .image(error)
        }
    }

    /// Returns the parts of a picture that is padded; nil if it is not.
    private func parts(
        of picture: PixelBuffer, _ plan: PadPlan?, name: String
    ) throws(PipelineError) -> PaddedPicture? {
        do throws(ImageError) {
            return try plan.map { (plan) throws(ImageError) in try plan.parts(of: picture, name: name) }
        } catch {
            throw .image(error)
        }
    }

    /// Returns the effect with the colour of its content decided for the pixels to which
    /// ``render(_:_:in:_:time:name:)`` applies it. Nothing is decided for a picture without rectangles.
    func decidingContent(
        of effect: Effect, for picture: PixelBuffer, in regions: EffectRegions, _ plan: PadPlan?, name: String
    ) throws(PipelineError) -> Effect {
        if effect.outputStages.automaticContrast == nil || regions.isNothing { return effect }
        let background = try parts(of: picture, plan, name: name)?.background ?? picture
        return try rethrow(regions.decidingContent(of: effect, on: background), as: PipelineError.frost)
    }

    /// Applies the effect to a picture, or to the background of the larger picture in which it is placed.
    ///
    /// - Parameters:
    ///   - plan: the ``padPlan(_:_:name:)`` of the picture's layout.
    ///   - time: measures the time of the work; the effect ends when it is over.
    func render(
        _ picture: PixelBuffer, _ effect: Effect, in regions: EffectRegions, _ plan: PadPlan?, time: TimeLimit,
        name: String
    ) throws(PipelineError) -> Rendered {
        let padded = try parts(of: picture, plan, name: name)
        do throws(FrostError) {
            let cancellation = Cancellation { time.isOver }
            guard let padded else {
                return try regions.render(picture, effect, mask: mask, with: renderer, cancellation: cancellation)
            }
            // The result keeps its size, also if the effect makes pictures larger.
            var rendered = try renderer.render(
                padded.background, effect, region: padded.background.layout.extent, cancellation: cancellation)
            rendered.image = try padded.placed(on: rendered.image, with: renderer)
            return rendered
        } catch {
            if case .cancelled = error { throw .image(time.error(name: name)) }
            throw .frost(error)
        }
    }
}
