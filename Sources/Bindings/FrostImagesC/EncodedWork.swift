import CFrostImages
import Frost
import FrostCSupport
import FrostImages
import FrostPipeline

/// A call for an encoded picture, with all options checked.
struct EncodedWork {
    /// The name of the caller's picture in messages.
    static let name = "picture"

    private let pipeline: PicturePipeline
    private let reading: ImageReadOptions
    /// The format of the result; nil for that of the source.
    private let format: ImageFormat?
    private let encoding: EncodingOptions
    private let time: TimeLimit
    /// The faults of the mask that the options accept.
    private let maskProblems = ReadProblems()

    /// Checks the caller's options, and reads the mask.
    init(_ effect: Effect, _ options: frost_encoded_options) throws(Failure) {
        var reading = try unsafe options.reading()
        format = try unsafe options.outputFormat()
        encoding = try unsafe options.encoding()
        if let format, let misfit = encoding.misfit(in: [format]) {
            throw .argument(Failure.withOptionNames(misfit))
        }
        let regions = try unsafe options.regions()
        let isLinear = try unsafe Constants.decoding(options.light) != nil
        var effect = effect
        effect.outputStages.dither =
            try unsafe Constants.dither(options.dither, byDefault: effect.outputStages.dither)
        let hasMask = unsafe options.mask != nil
        let conflict = unsafe PicturePipeline.conflict(
            of: effect, hasMask: hasMask, hasCornerRadius: options.corner_radius != 0, hasFeather: options.feather != 0,
            isInverted: options.invert_rects != 0)
        if let conflict { throw Failure(FROST_ERROR_PARAMETER, Failure.withOptionNames(conflict)) }
        let renderer = try unsafe SharedRenderers.renderer(threads: Int(options.threads))
        time = TimeLimit(reading.limits.maximumTime)
        let mask: MaskImage? =
            unsafe hasMask
            ? try Self.mask(
                bytes(options.mask, options.mask_byte_count, "mask"), reading, maskProblems, time) : nil
        var pipeline = PicturePipeline(
            effect, with: renderer, mask: mask, regions: regions, isLinear: isLinear, writing: encoding.writing,
            limits: reading.limits)
        pipeline.encoderProgram = reading.limits.sandbox?.program
        self.pipeline = pipeline
        reading.widening = pipeline.widening
        self.reading = reading
    }

    private static func mask(
        _ bytes: [UInt8], _ options: ImageReadOptions, _ problems: ReadProblems, _ time: TimeLimit
    ) throws(Failure) -> MaskImage {
        try failing { () throws(ImageError) in
            let reader = try ImageReader(bytes: bytes, name: "mask", options: options, problems: problems, time: time)
            let picture = try reader.readPixels(convertedTo: MemoryLayout<Float>.size, limits: options.limits)
            if let remark = MaskImage.remark(ofFile: picture) { problems.add(remark) }
            return MaskImage(ofFile: picture)
        }
    }

    /// An encoded result.
    struct Encoded {
        let bytes: [UInt8]
        let width, height: Int
        let format: ImageFormat
        let errorBound: Double
        let warnings: [String]
    }

    /// Decodes the picture, applies the effect, and encodes the result.
    func run(_ bytes: [UInt8]) throws(Failure) -> Encoded {
        let problems = ReadProblems()
        let reader = try failing { () throws(ImageError) in
            try ImageReader(bytes: bytes, name: Self.name, options: reading, problems: problems, time: time)
        }
        let format = format ?? reader.format.ofResult
        var warnings: [String] = []
        // A caller may give the same options for pictures of several formats.
        if self.format == nil, let misfit = encoding.misfit(in: [format]) {
            warnings.append(Failure.withOptionNames(misfit))
        }
        var encoded: [UInt8] = []
        let result: PictureJob.Result
        // A closure could not consume the reader.
        do throws(PipelineError) {
            let job = try pipeline.job(for: reader, as: format, name: Self.name) { warnings.append($0) }
            let budget = job.heldBudget
            result = try job.run(reader, time: time) {
                warnings.append($0)
            } open: { (_) throws(ImageError) in
                HeldSink(name: Self.name, budget)
            } complete: { (sink) throws(ImageError) in
                encoded = sink.bytes
            }
        } catch {
            throw Failure(error)
        }
        warnings += problems.texts + maskProblems.texts.map { "mask: \($0)" }
        if let warning = result.report.warning { warnings.append(warning) }
        return Encoded(
            bytes: encoded, width: result.width, height: result.height, format: format,
            errorBound: result.report.errorBound, warnings: warnings.map(Failure.withOptionNames))
    }
}
