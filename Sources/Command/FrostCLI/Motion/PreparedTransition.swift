package import Frost
package import FrostImages
import FrostMotion
import FrostPipeline

/// A transition whose pictures have been read, and which is ready to render frames.
package struct PreparedTransition: Sendable {
    private let transition: Transition
    private let pictures: TransitionPictures
    private let renderer: Renderer
    private let settings: TransitionSettings
    /// The name of the first picture.
    private let from: FilePath

    /// Reads the pictures.
    ///
    /// - Parameter isForY4M: whether the output is a Y4M stream. It states no colour space, and players read its colours as
    ///   sRGB's.
    package init(
        _ settings: TransitionSettings, _ inputs: TransitionInputs, with renderer: Renderer,
        isForY4M: Bool = false, _ console: Console
    ) throws(CommandError) {
        var transition = settings.transition
        let picture = settings.picture
        from = inputs.name(.from)
        let asked = [
            (settings.isLinear, "--linear"), (isForY4M, "Y4M output"),
            (transition.kind.value.ownColor != nil, "the colour of the transition"),
        ].filter(\.0).map(\.1)
        pictures = try TransitionPictures(
            inputs, picture.reading, in: isForY4M ? .sRGB : nil, asked: asked,
            hasBackground: picture.writing.background != nil, addsAlpha: isForY4M, console)
        let source = pictures.source.pixels
        let canvas = pictures.canvas
        func rect(_ place: RectPlace?, _ option: Option) throws(CommandError) -> Rect? {
            guard let rect = place?.rect(width: source.width, height: source.height) else { return nil }
            guard rect.intersection(canvas) != nil else {
                throw .usage(
                    "--\(option.name): the rectangle \(rect) lies outside both pictures, which are "
                        + "\(canvas.width)x\(canvas.height) pixels large together")
            }
            return rect
        }
        transition.extent = try rect(settings.extent, .extent)
        transition.shadowExtent = try rect(settings.shadowExtent, .shadowExtent)
        if settings.isLinear {
            transition.decoding = try source.format.colorSpace.light(from, settings.picture.reading.limits, console)
        }
        (self.transition, self.renderer, self.settings) = (transition, renderer, settings)
    }

    /// The name of the transition.
    package var name: String { transition.name }
    /// The times of the frames, and the number of frames per second.
    package var times: [Double] { settings.times.values }
    package var rate: FrameRate { settings.times.rate }
    /// The metadata of the first picture.
    package var metadata: ImageMetadata { pictures.source.metadata }

    /// Returns the layout of the frames.
    package func layout() throws(CommandError) -> PixelLayout {
        let extra = [pictures.extraImages.shading, pictures.extraImages.backside].compactMap { $0?.format }
        do throws(PixelError) {
            var format = try transition.outputFormat(
                from: pictures.source.pixels.layout, to: pictures.target.layout, extraFormats: extra)
            // Opaque pixels are the same with straight alpha, which the writers of frames expect.
            if pictures.hasAddedAlpha { format.alpha = .straight }
            return try PixelLayout(width: pictures.canvas.width, height: pictures.canvas.height, format: format)
        } catch {
            throw .frost(.pixels(error))
        }
    }

    /// Completes the options for writing the frames, and checks the memory of the pictures, of a frame and of what writes the
    /// frames. Warns of metadata that the output cannot hold.
    ///
    /// - Returns: that memory, in bytes.
    package func prepare(
        _ options: inout SequenceOptions, as format: SequenceFormat, _ console: Console
    ) throws(CommandError) -> Int {
        if let file = format.metadataFormat,
            let warning = metadata.lossWarning(in: file, named: format.title, keep: options.picture.keep)
        {
            console.warn("\(from.shownName): \(warning)")
        }
        let frames = times.count
        let limits = settings.picture.reading.limits
        // Only files with more than 8 bits need --depth 8. A conversion of colours has more bits, too.
        let isWidened = settings.picture.writing.background != nil && options.picture.depth == nil
        if format == .y4m || isWidened, pictures.deep == nil { options.picture.depth = 8 }
        let (source, target) = (pictures.source.pixels.layout, pictures.target.layout)
        let layout = try layout()
        if let file = format.metadataFormat, options.picture.depth == nil, !layout.format.sample.isFloat {
            file.reduceDepth(of: 8 * layout.format.sample.size, &options.picture) { text in
                if let deep = pictures.deep { console.warn("\(deep.shownName): \(text)") }
            }
        }
        let drawing = try rethrow(
            renderer.memory(of: transition, from: source, to: target, extraImages: pictures.extraImages),
            as: { (error: ParameterError) in CommandError.frost(.parameter(error)) })
        let need =
            pictures.byteCount + layout.byteCount + drawing
            + format.encodingMemory(for: layout, frames: frames, options: options)
        do throws(ImageError) {
            try limits.check(memory: need, name: from.text)
            try Memory.check(need - pictures.byteCount, for: from.text)
        } catch {
            throw .image(error)
        }
        options.limitMemory(limits, need: need, as: format, layout, frames: frames, program: OwnProgram.path)
        return need
    }

    /// Renders a frame.
    package func frame(at time: Double, _ cancellation: Cancellation? = nil) throws(CommandError) -> Rendered {
        var frame = try rethrow(
            renderer.render(
                transition, at: time, from: pictures.source.pixels, to: pictures.target,
                extraImages: pictures.extraImages, cancellation: cancellation),
            as: CommandError.frost)
        guard pictures.hasAddedAlpha else { return frame }
        let layout = try layout()
        do throws(PixelError) {
            frame.image = try PixelBuffer(layout: layout, bytes: frame.image.bytes)
        } catch {
            throw .frost(.pixels(error))
        }
        return frame
    }
}
