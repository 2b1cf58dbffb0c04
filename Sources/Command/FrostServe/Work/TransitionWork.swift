import Frost
import FrostCLI
import FrostImages
import FrostPipeline

/// The work on a request for a transition: decodes the pictures of the form, renders one frame or those of an animation, and
/// encodes the result.
struct TransitionWork: Sendable {
    let description: TransitionDescription
    /// The form, which has the pictures, and may have more options.
    let body: [UInt8]
    let boundary: String
    /// The options of the query.
    let options: [RequestOption]
    let result: RequestedResult
    let settings: ServiceSettings
    let memory: MemoryBudget
    /// Has room for one. A transition that waits for memory keeps that of the pictures that it has read, so two of them could
    /// wait for each other.
    let turn: MemoryBudget

    /// Does the work.
    ///
    /// - Parameter isAlone: whether nothing else is worked on, so that all threads are free.
    func run(_ job: Job, isAlone: Bool) -> Response {
        var response: Response
        do throws(Refusal) { response = try render(job, isAlone: isAlone) } catch {
            response = Response(settings.explained(error))
        }
        response.facts.effect = description.name
        return response
    }

    private func render(_ job: Job, isAlone: Bool) throws(Refusal) -> Response {
        let form = try Multipart(body, boundary: boundary, files: TransitionRole.allCases.map(\.rawValue))
        var files: [TransitionRole: [UInt8]] = [:]
        for role in TransitionRole.allCases {
            guard let bytes = form.files[role.rawValue] else {
                guard role.extraImage != nil else {
                    throw Refusal(400, "bad-form", "the form has no field \(role)", option: role.rawValue)
                }
                continue
            }
            files[role] = bytes
        }
        try settings.check(form.options)
        let request = try settings.request(description, options + form.options, with: Set(files.keys))
        let renderer = result.isExact ? settings.exact : isAlone ? settings.alone : settings.shared
        let time = TimeLimit(settings.limits.maximumTime, cancellation: job.cancellation)
        let animation = request.isAnimation && request.format == nil ? try result.animation() : nil
        do throws(CommandError) { return try render(files, request, animation, renderer, time) } catch {
            throw Refusal(error, description)
        }
    }

    private func render(
        _ files: [TransitionRole: [UInt8]], _ request: TransitionRequest, _ animation: SequenceFormat?,
        _ renderer: Renderer, _ time: TimeLimit
    ) throws(CommandError) -> Response {
        let problems = ReadProblems()
        let reservation = Reservation(memory, time)
        defer { reservation.end() }
        let start = ContinuousClock.now
        let (work, output, layout, format, options) = try prepared(
            files, request, animation, renderer, reservation, time, problems)
        let decoded = ContinuousClock.now
        func opened() throws(ImageError) -> SequenceWriter {
            try SequenceWriter(
                to: .memory(output), as: format, layout: layout, rate: work.rate, frames: work.times.count,
                metadata: work.metadata, options: options)
        }
        var writer = try rethrow(opened(), as: CommandError.image)
        let cancellation = Cancellation { time.isOver }
        var sum: RenderReport?
        for instant in work.times {
            let frame = try work.frame(at: instant, cancellation)
            sum.append(frame.report)
            try rethrow(writer.write(frame.image), as: CommandError.image)
        }
        do throws(ImageError) { try writer.finish() } catch { throw .image(error) }
        guard let report = sum else { throw .usage("the transition has no frames") }
        // Frames are encoded while others are rendered, so this is the time that rendering does not hide.
        let encode = ContinuousClock.now - decoded - .seconds(report.blurMilliseconds / 1000)
        return FinishedWork(
            name: work.name, width: layout.width, height: layout.height, report: report, decode: decoded - start,
            encode: max(.zero, encode), warnings: problems.texts
        ).response(output.bytes, as: format.mediaType, isChosen: request.format == nil)
    }

    /// Reads the pictures, and takes the memory of all further work.
    private func prepared(
        _ files: [TransitionRole: [UInt8]], _ request: TransitionRequest, _ animation: SequenceFormat?,
        _ renderer: Renderer, _ reservation: Reservation, _ time: TimeLimit, _ problems: ReadProblems
    ) throws(CommandError) -> (PreparedTransition, MemoryOutput, PixelLayout, SequenceFormat, SequenceOptions) {
        guard turn.take(1, unless: { time.isOver }) else { throw .image(time.error(name: "from")) }
        defer { turn.giveBack(1) }
        var console = Console()
        console.onWarning = { problems.add($0) }
        let inputs = self.inputs(files, reservation, time, problems)
        let work = try PreparedTransition(request.settings, inputs, with: renderer, console)
        let layout = try work.layout()
        let format = self.format(request, animation, files[.from] ?? [], hasAlpha: layout.format.channels.hasAlpha)
        var options = try request.writing(format, threads: renderer.threads)
        let need = try work.prepare(&options, as: format, console)
        try rethrow(reservation.change(to: need, for: "result"), as: CommandError.image)
        // An array that grows is in memory twice.
        let output = MemoryOutput(name: "result", capacity: (settings.memoryShare - need) / 2)
        return (work, output, layout, format, options)
    }

    /// The pictures of the form. Their memory is taken before they are decoded.
    private func inputs(
        _ files: [TransitionRole: [UInt8]], _ reservation: Reservation, _ time: TimeLimit, _ problems: ReadProblems
    ) -> TransitionInputs {
        func read<Picture>(
            _ role: TransitionRole, _ options: ImageReadOptions, size: (Picture) -> Int,
            _ body: (consuming ImageReader) throws(ImageError) -> Picture
        ) throws(CommandError) -> Picture {
            let (name, faults) = (role.rawValue, ReadProblems())
            do throws(ImageError) {
                let reader = try ImageReader(
                    bytes: files[role] ?? [], name: name, options: options, problems: faults, time: time)
                let need = reader.imageMemory
                try options.limits.check(memory: need, name: name)
                try reservation.add(need, for: name)
                let picture = try body(reader)
                reservation.giveBack(need - size(picture))
                for text in faults.texts { problems.add("\(name): \(text)") }
                return picture
            } catch {
                throw .image(error)
            }
        }
        let names = files.keys.map { ($0, FilePath($0.rawValue)) }
        return TransitionInputs(Dictionary(uniqueKeysWithValues: names)) { (role, options) throws(CommandError) in
            try read(role, options, size: { $0.pixels.layout.byteCount }) { (reader) throws(ImageError) in
                try reader.readLight(limits: options.limits)
            }
        } mask: { (options) throws(CommandError) in
            let picture = try read(.mask, options, size: { $0.layout.byteCount }) { (reader) throws(ImageError) in
                try reader.readPixels(convertedTo: MemoryLayout<Float>.size, limits: options.limits)
            }
            if let remark = MaskImage.remark(ofFile: picture) { problems.add("mask: \(remark)") }
            return MaskImage(ofFile: picture)
        }
    }

    /// The format of the result.
    ///
    /// - Parameter animation: the format of an animation that the client accepts; nil if the request decides.
    private func format(
        _ request: TransitionRequest, _ animation: SequenceFormat?, _ from: [UInt8], hasAlpha: Bool
    ) -> SequenceFormat {
        if let format = request.format { return format }
        guard let animation else {
            let source = ImageFormat(firstBytes: Array(from.prefix(ImageFormat.signatureByteCount)))
            return .pictures(
                result.format(from: source, isTransparent: hasAlpha && !request.hasBackground, settings))
        }
        return animation
    }
}
