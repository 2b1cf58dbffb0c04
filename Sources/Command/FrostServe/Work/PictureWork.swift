import Frost
import FrostCLI
import FrostImages
import FrostPipeline

/// The work on the picture of a request: decodes it, applies the effect, and encodes the result.
struct PictureWork: Sendable {
    /// Where the picture comes from.
    enum Source: Sendable {
        case bytes([UInt8])
        /// The bytes of a form, which has the picture, and may have a mask and more options.
        case form([UInt8], boundary: String)
        case file(SourceFile, tag: String)
    }

    let source: Source
    let operation: RequestOperation
    let options: [RequestOption]
    let result: RequestedResult
    let settings: ServiceSettings
    let memory: MemoryBudget
    let lengths: KnownLengths

    /// The picture's name in messages.
    private var name: String {
        switch source {
        case .bytes, .form: "picture"
        case .file(let file, _): file.name
        }
    }

    /// Does the work.
    ///
    /// - Parameter isAlone: whether no other picture is worked on, so that all threads are free.
    func run(_ job: Job, isAlone: Bool) -> Response {
        do throws(Refusal) { return try render(job, isAlone: isAlone) } catch {
            var response = Response(settings.explained(error))
            response.facts.effect = operation.name
            return response
        }
    }

    private func render(_ job: Job, isAlone: Bool) throws(Refusal) -> Response {
        let time = TimeLimit(settings.limits.maximumTime, cancellation: job.cancellation)
        let renderer = result.isExact ? settings.exact : isAlone ? settings.alone : settings.shared
        var problems: [String] = []
        var (options, mask, content) = (options, MaskImage?.none, PixelBuffer?.none)
        var bytes: [UInt8] = []
        switch source {
        case .file: break
        case .bytes(let body): bytes = body
        case .form(let body, let boundary):
            let form = try Multipart(body, boundary: boundary, files: ["picture", "mask", "content"])
            guard let picture = form.files["picture"] else {
                throw Refusal(400, "bad-form", "the form has no field picture", option: "picture")
            }
            bytes = picture
            try settings.check(form.options)
            options += form.options
            if let bytes = form.files["mask"] {
                let picture = try pixels(bytes, "mask", MemoryLayout<Float>.size, time, &problems)
                if let remark = MaskImage.remark(ofFile: picture) { problems.append("mask: \(remark)") }
                mask = MaskImage(ofFile: picture)
            }
            if let bytes = form.files["content"] {
                content = try pixels(bytes, "content", ContentPicture.bytesPerPixel, time, &problems)
            }
        }
        let request = try settings.request(operation, options, hasMask: mask != nil, hasContent: content != nil)
        do throws(PipelineError) {
            return try render(bytes, request, (mask, content), renderer, time, problems)
        } catch {
            throw Refusal(error, operation)
        }
    }

    private func render(
        _ bytes: [UInt8], _ request: PictureRequest, _ others: (mask: MaskImage?, content: PixelBuffer?),
        _ renderer: Renderer, _ time: TimeLimit, _ problems: [String]
    ) throws(PipelineError) -> Response {
        var warnings = problems
        let faults = ReadProblems()
        let (pipeline, reading) = try rethrow(
            request.pipeline(with: renderer, mask: others.mask, content: others.content, jobs: settings.workers),
            as: PipelineError.image)
        let opened = try rethrow(open(bytes, reading, faults, time), as: PipelineError.image)
        let reader = try pipeline.shaped(opened, name: name) { warnings.append($0) }
        let format = self.format(request, reader)
        let pictureJob = try pipeline.job(for: reader, as: format, name: name) { warnings.append($0) }
        let (need, budget) = (pictureJob.need, pictureJob.heldBudget)
        guard memory.take(need, unless: { time.isOver }) else { throw .image(time.error(name: name)) }
        defer { memory.giveBack(need) }
        var encoded: [UInt8] = []
        let result = try pictureJob.run(reader, time: time) {
            warnings.append($0)
        } open: { (_) throws(ImageError) in
            HeldSink(name: "result", budget)
        } complete: { (sink) throws(ImageError) in
            encoded = sink.bytes
        }
        warnings += faults.texts
        if let warning = result.report.warning { warnings.append(warning) }
        return response(encoded, format, result, warnings, isChosen: request.format == nil)
    }

    private func open(
        _ bytes: [UInt8], _ reading: ImageReadOptions, _ faults: ReadProblems, _ time: TimeLimit
    ) throws(ImageError) -> ImageReader {
        switch source {
        case .bytes, .form:
            return try ImageReader(bytes: bytes, name: name, options: reading, problems: faults, time: time)
        case .file(let file, _):
            let descriptor: Int32
            do throws(Errno) { descriptor = try file.duplicate() } catch {
                throw .cannotRead(path: name, errno: error.code)
            }
            return try ImageReader(
                file: descriptor, name: name, options: reading, problems: faults, time: time)
        }
    }

    /// Reads a picture of a form besides the main one.
    private func pixels(
        _ bytes: [UInt8], _ name: String, _ bytesPerPixel: Int, _ time: TimeLimit, _ problems: inout [String]
    ) throws(Refusal) -> PixelBuffer {
        do throws(ImageError) {
            let faults = ReadProblems()
            let options = ImageReadOptions(limits: settings.limits)
            let reader = try ImageReader(bytes: bytes, name: name, options: options, problems: faults, time: time)
            // The converted pixels then count for the work on the main picture.
            let need = reader.imageMemory + reader.layout.width * reader.layout.height * bytesPerPixel
            guard memory.take(need, unless: { time.isOver || need > memory.capacity }) else {
                try settings.limits.check(memory: need, name: name)
                throw time.error(name: name)
            }
            defer { memory.giveBack(need) }
            let picture = try reader.readPixels(convertedTo: bytesPerPixel, limits: settings.limits)
            problems += faults.texts.map { "\(name): \($0)" }
            return picture
        } catch {
            throw Refusal(error)
        }
    }

    /// The format of the result.
    private func format(_ request: PictureRequest, _ reader: borrowing ImageReader) -> ImageFormat {
        request.format
            ?? result.format(
                from: reader.format,
                isTransparent: reader.layout.format.channels.hasAlpha && !request.hasBackground, settings)
    }

    private func response(
        _ encoded: [UInt8], _ format: ImageFormat, _ result: PictureJob.Result, _ warnings: [String], isChosen: Bool
    ) -> Response {
        let work = FinishedWork(
            name: operation.name, width: result.width, height: result.height, report: result.report,
            decode: result.decode, encode: result.encode, warnings: warnings)
        var caching = FinishedWork.noCaching
        switch source {
        case .bytes, .form: break
        case .file(let file, let tag):
            if file.isUnchanged {
                caching = Self.caching(tag, settings)
                lengths.add(tag, encoded.count)
            }
        }
        return work.response(encoded, as: format.mediaType, isChosen: isChosen, caching)
    }

    /// The header fields for caches.
    static func caching(_ tag: String, _ settings: ServiceSettings) -> [Header] {
        let age = settings.maximumAge
        return [Header("ETag", tag), Header("Cache-Control", age == 0 ? "no-cache" : "public, max-age=\(age)")]
    }
}
