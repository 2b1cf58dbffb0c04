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

    /// Checks the options.
    ///
    /// - Parameters:
    ///   - limits: the server's limits on the picture.
    ///   - key: the secret key of effects such as `redact`.
    ///   - hasMask: whether a mask comes with the request.
    package init(
        _ operation: RequestOperation, _ options: [RequestOption], limits: ImageLimits, key: SecretKey, hasMask: Bool
    ) throws(RequestError) {
        let arguments = try Arguments(options, for: operation)
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
            if padding != nil, hasMask { throw .usage("--pad cannot be combined with --mask") }
        } catch {
            throw RequestError(error, operation.options)
        }
    }

    /// Returns the pipeline of the picture, and how to read it.
    ///
    /// - Parameters:
    ///   - mask: the mask that comes with the request.
    ///   - jobs: the number of pictures that share the memory.
    package func pipeline(
        with renderer: Renderer, mask: MaskImage?, jobs: Int
    ) -> (pipeline: PicturePipeline, reading: ImageReadOptions) {
        var reading = pictures.reading
        var pipeline = PicturePipeline(
            effect, with: renderer, mask: mask, regions: regions, isLinear: isLinear, writing: pictures.writing,
            limits: reading.limits)
        pipeline.encoderProgram = OwnProgram.path
        pipeline.reducesDepth = true
        pipeline.resizing = resizing
        pipeline.padding = padding
        pipeline.jobs = jobs
        reading.widening = pipeline.widening
        return (pipeline, reading)
    }

    /// Whether the request gives an opaque colour to put behind transparent pixels.
    package var hasBackground: Bool { pictures.writing.background != nil }
}
