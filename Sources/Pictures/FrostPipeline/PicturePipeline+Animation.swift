import Frost
package import FrostImages

extension PicturePipeline {
    /// Applies the effect to each frame of an animation, and writes the results with the times of the frames. The colour of
    /// content that follows the picture is decided by the first frame that has a rectangle, so that it does not flicker. The
    /// output appears when it is complete.
    ///
    /// - Parameters:
    ///   - reader: a reader of all frames, of which none has been read.
    ///   - format: the format of the result: an animation in a single file.
    ///   - final: the format into which another program converts the result, and whose limits count; nil for none.
    ///   - time: measures the time of the work on all frames.
    ///   - name: the name of the animation, for errors.
    ///   - warn: receives a text for the user if something cannot be done as asked.
    package func animate(
        _ reader: consuming ImageReader, as format: SequenceFormat, for final: ImageFormat? = nil,
        to target: SequenceTarget,
        _ file: AtomicFile.Options,
        time: TimeLimit, name: String, warn: (String) -> Void
    ) throws(PipelineError) -> PictureJob.Result {
        var source = reader
        let clock = ContinuousClock()
        let (metadata, layout) = (source.metadata, source.frameLayout)
        let picture = final ?? format.metadataFormat ?? .png
        warnOfLosses(metadata, in: picture, warn)
        warnOfCurve(of: source, warn)
        if effect.name == "redact", writing.keep == .all, let warning = metadata.unreadWarning { warn(warning) }
        var effect = try effect(for: layout.format.colorSpace, name: name, warn: warn)
        var writing = writing
        reduceDepth(of: source, to: picture, &writing, warn)
        if let final {
            try rethrow(checkDepth(of: source, for: final, name: target.name()), as: PipelineError.image)
            writing.keep = .none
        }
        if source.isWidened { roundInWriter(of: source, &effect, &writing) }
        let resize = try resize(layout, metadata, name: name, warn: warn)
        guard let timing = metadata.timing else {
            throw .image(.unsupported(path: name, format: source.format, reason: "it is not read as an animation"))
        }
        let frames = timing.durations.count
        if let missing = regions.missingFrame(of: frames) { throw .regions(.box(missing)) }
        if let padding {
            try rethrow(limits.check(width: padding.width, height: padding.height, name: name), as: PipelineError.image)
        }
        if format == .avif, timing.plays != 0 {
            warn(
                "an animated AVIF is played endlessly, and not \(timing.plays == 1 ? "once" : "\(timing.plays) times")")
        }
        var options: SequenceOptions
        do throws(ParameterError) {
            options = try SequenceOptions(picture: writing, plays: timing.plays, threads: min(16, renderer.threads))
        } catch {
            throw .frost(.parameter(error))
        }
        let need = animationMemory(source, format)
        try rethrow(limits.check(memory: need, name: name), as: PipelineError.image)
        options.limit = SequenceLimit(
            available: limits.maximumMemory ?? ImageLimits.availableMemory(), need: need)
        var decode = Duration.zero
        func read(_ source: inout ImageReader) throws(PipelineError) -> PixelBuffer {
            let start = clock.now
            defer { decode += clock.now - start }
            do throws(ImageError) {
                let frame = try source.readFrame()
                return try resize.map { (resize) throws(ImageError) in try resize.run(frame, name: name) } ?? frame
            } catch {
                throw .image(error)
            }
        }
        func placed(_ number: Int) throws(PipelineError) -> EffectRegions {
            try rethrow(
                regions.placed(width: layout.width, height: layout.height, frame: number, resized: resize),
                as: PipelineError.regions)
        }
        let first = try read(&source)
        let plan = try padPlan(first.layout, effect, name: name)
        var held = HeldMosaic(effect, frames: heldFrames)
        func mosaic(of frame: PixelBuffer) throws(PipelineError) -> Rendered {
            let whole = try rethrow(
                RegionPlaces().placed(width: frame.width, height: frame.height), as: PipelineError.regions)
            return try self.render(frame, effect, in: whole, nil, time: time, name: name)
        }
        func render(_ frame: PixelBuffer, _ number: Int) throws(PipelineError) -> Rendered {
            let regions = try placed(number)
            effect = try decidingContent(of: effect, for: frame, in: regions, plan, name: name)
            guard held != nil, !regions.isNothing,
                let mosaic = try held?.mosaic(
                    for: number, render: { () throws(PipelineError) in try mosaic(of: frame) })
            else { return try self.render(frame, effect, in: regions, plan, time: time, name: name) }
            return try rethrow(regions.showing(mosaic, in: frame), as: PipelineError.frost)
        }
        let rendered = try render(first, 0)
        let size = (rendered.image.width, rendered.image.height)
        var report = rendered.report
        var encode = Duration.zero
        var failure: PipelineError?
        do throws(ImageError) {
            if let encoderProgram {
                options.encodeApart(
                    limits, need: need, as: format, rendered.image.layout, frames: frames, program: encoderProgram)
            }
            var writer = try SequenceWriter(
                to: target, as: format, layout: rendered.image.layout, frames: frames, durations: timing.durations,
                metadata: metadata, options: options, file: file)
            try writer.write(rendered.image)
            for number in 1..<frames {
                let next: Rendered
                do throws(PipelineError) { next = try render(try read(&source), number) } catch {
                    failure = error
                    break
                }
                var sum = next.report
                sum.add(report)
                report = sum
                let start = clock.now
                try writer.write(next.image)
                encode += clock.now - start
            }
            let start = clock.now
            // Without its end, the output does not appear.
            if failure == nil {
                try time.check(name: name)
                try writer.finish()
            }
            encode += clock.now - start
        } catch {
            throw .image(error)
        }
        if let failure { throw failure }
        return PictureJob.Result(width: size.0, height: size.1, report: report, decode: decode, encode: encode)
    }

    /// Returns the memory, in bytes, that ``animate(_:as:for:to:_:time:name:warn:)`` takes.
    package func animationMemory(_ reader: borrowing ImageReader, _ format: SequenceFormat) -> Int {
        let layout = reader.frameLayout
        let resident = (mask?.byteCount(over: layout) ?? 0) + (contentBytes?(layout.format.colorSpace) ?? 0)
        let result = resultLayout(layout)
        let held = HeldMosaic(effect, frames: heldFrames) == nil ? 0 : result.byteCount
        let resized =
            resizing == nil
            ? 0
            : (layout.width * layout.height + result.width * result.height) * layout.format.channels.count * 4
        let working =
            reader.rowMemory + layout.byteCount + result.byteCount + workingBytes(result) + resident + resized + held
            + (padding?.memory(layout) ?? 0)
        guard let options = try? SequenceOptions(picture: writing, threads: min(16, renderer.threads)) else {
            return working
        }
        let frames = reader.metadata.timing?.durations.count ?? 1
        return working + format.encodingMemory(for: result, frames: frames, options: options)
    }
}
