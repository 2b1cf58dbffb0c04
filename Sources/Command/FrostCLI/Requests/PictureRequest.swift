package import Frost
package import FrostImages
package import FrostPipeline

/// The checked options of a request: an effect, and how to read and write the picture. A server makes it of each request; the
/// command makes the same of its command line.
package struct PictureRequest: Sendable {
    /// The format that the request names; nil if it names none.
    package let format: ImageFormat?
    /// Whether the result depends on the secret key.
    package let usesKey: Bool

    private let effect: Effect
    private let regions: RegionPlaces
    private let isLinear: Bool
    private let resizing: ResizeRequest?
    private let padding: PadRequest?
    private let pictures: PictureOptions
    private let content: EffectContent?

    /// Checks the options.
    ///
    /// - Parameters:
    ///   - limits: the server's limits on the picture.
    ///   - key: the secret key of effects such as `redact`.
    ///   - hasMask, hasContent: whether a mask, and a picture to draw over the effect, come with the request.
    package init(
        _ operation: RequestOperation, _ options: [RequestOption], limits: ImageLimits, key: SecretKey, hasMask: Bool,
        hasContent: Bool = false
    ) throws(RequestError) {
        let arguments = try Arguments(options, of: operation.options, remark: operation.remark)
        do throws(CommandError) {
            pictures = try PictureOptions(arguments, limits: limits)
            guard !pictures.keepsTimes else { throw .usage("--keep times applies to files") }
            format = arguments.value(.pictureFormat).flatMap { ImageFormat(named: $0) }
            if let format { try PictureOptions.check([format], arguments) }
            // A warning on standard error would not reach the client.
            var console = Console()
            console.quiet = true
            let effect: Effect =
                switch operation {
                case .blur: try arguments.blur(console)
                case .effect(let description):
                    try arguments.effect(description).dithered(by: try arguments.dither(byDefault: true))
                }
            let conflict = PicturePipeline.conflict(
                of: effect, hasMask: hasMask, hasCornerRadius: arguments.has(.cornerRadius),
                hasFeather: arguments.has(.feather), isInverted: arguments.has(.invertRects))
            if let conflict { throw .usage(conflict) }
            self.effect = effect.keyed(by: key, for: .pictures)
            usesKey = self.effect != effect
            regions = try RegionOptions(arguments).places(for: "-")
            isLinear = arguments.has(.linear)
            resizing = try arguments.resizing(for: effect)
            padding = try arguments.padding(for: effect)
            for (name, isGiven) in [("mask", hasMask), ("content", hasContent)] where isGiven && padding != nil {
                throw .usage("--pad cannot be combined with --\(name)")
            }
            if hasContent, case .blur = operation { throw .usage("--content does not apply to blur") }
            content = try EffectContent(ofRequest: arguments, over: self.effect, isGiven: hasContent)
        } catch {
            throw RequestError(error, operation.options)
        }
    }

    /// Returns the pipeline of the picture, and how to read it.
    ///
    /// - Parameters:
    ///   - mask, content: the pictures that come with the request; nil for none.
    ///   - jobs: the number of pictures that share the memory.
    /// - Throws: ``ImageError`` if the content does not fit into the memory.
    package func pipeline(
        with renderer: Renderer, mask: MaskImage?, content pixels: PixelBuffer?, jobs: Int
    ) throws(ImageError) -> (pipeline: PicturePipeline, reading: ImageReadOptions) {
        var reading = pictures.reading
        var pipeline = PicturePipeline(
            effect, with: renderer, mask: mask, regions: regions, isLinear: isLinear, writing: pictures.writing,
            limits: reading.limits)
        pipeline.encoderProgram = OwnProgram.path
        pipeline.reducesDepth = true
        pipeline.resizing = resizing
        pipeline.padding = padding
        pipeline.jobs = jobs
        if let content, let pixels {
            let picture = ContentPicture("content", pixels, reading.limits)
            var console = Console()
            console.quiet = true
            let silent = console
            pipeline.contentBytes = { picture.byteCount(in: $0) }
            pipeline.content = { [effect = pipeline.effect] (space) throws(ImageError) in
                content.layers(try picture.image(in: space, silent), over: effect)
            }
            pipeline.effect.outputStages.content =
                content.layers(try picture.image(in: .sRGB, silent), over: pipeline.effect)
        }
        reading.widening = pipeline.widening
        return (pipeline, reading)
    }

    /// Whether the request gives an opaque colour to put behind transparent pixels.
    package var hasBackground: Bool { pictures.writing.background != nil }
}
