package import Frost
package import FrostImages

/// The work of a ``PicturePipeline`` on one picture.
package struct PictureJob {
    let pipeline: PicturePipeline
    let effect: Effect
    let format: ImageFormat
    let writing: ImageWriteOptions
    let name: String
    /// The plan that processes the picture row by row; nil if the whole picture is needed.
    let rows: RowPlan?
    /// Whether the picture is converted from CMYK to sRGB.
    let converts: Bool
    /// Whether the inks of a CMYK picture get 16 bits for the effect.
    let widensInks: Bool
    /// How the picture was resized, which moves its rectangles; nil if it was not.
    let resize: PictureResize?
    /// The estimate of the memory, in bytes, that the work takes.
    let estimate: Int
    /// The memory, in bytes, that the work may take.
    package let need: Int

    /// The size, the report and the times of a finished picture.
    package struct Result {
        package let width: Int
        package let height: Int
        package let report: RenderReport
        /// The times of decoding and encoding.
        package let decode, encode: Duration
    }

    /// The memory that is left for the encoded bytes of the picture.
    package var heldBudget: HeldBudget { HeldBudget(limits: pipeline.limits, need: estimate, name: name) }

    /// Decodes the picture, applies the effect, and encodes the result. If possible, all three work row by row at the same
    /// time.
    ///
    /// - Parameters:
    ///   - reader: the reader for which this job was made.
    ///   - time: measures the time of the work on the picture.
    ///   - warn: receives a text for the user if something cannot be done as asked.
    ///   - open: opens the output. It gets whether the whole result is ready to be encoded. Otherwise the input may still
    ///     turn out to be damaged.
    ///   - complete: receives the output with the complete picture.
    package consuming func run<Sink: ByteSink & ~Copyable>(
        _ reader: consuming ImageReader, time: TimeLimit, warn: (String) -> Void,
        open: (_ isReady: Bool) throws(ImageError) -> Sink, complete: (consuming Sink) throws(ImageError) -> Void
    ) throws(PipelineError) -> Result {
        guard let plan = rows else {
            return try runWhole(reader, time: time, warn: warn, open: open, complete: complete)
        }
        let rows = try rethrow(plan.makeRenderer(), as: PipelineError.frost)
        let sink: Sink
        do throws(ImageError) { sink = try open(false) } catch { throw .image(error) }
        let times = try RowPipeline.run(
            reader, through: rows, to: sink, as: format, options: writing, threads: pipeline.renderer.threads,
            time: time, name: name, complete: complete)
        return Result(
            width: rows.output.width, height: rows.output.height, report: rows.report, decode: times.decode,
            encode: times.encode)
    }

    private func runWhole<Sink: ByteSink & ~Copyable>(
        _ reader: consuming ImageReader, time: TimeLimit, warn: (String) -> Void,
        open: (Bool) throws(ImageError) -> Sink, complete: (consuming Sink) throws(ImageError) -> Void
    ) throws(PipelineError) -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        var image: DecodedImage
        do throws(ImageError) {
            image = try reader.readImage()
            if converts { image = try converted(image, warn) }
        } catch {
            throw .image(error)
        }
        let decode = clock.now - start
        let regions: EffectRegions
        do throws(ImageError) {
            try time.check(name: name)
            try Memory.check(pipeline.workingBytes(image.pixels.layout), for: name)
        } catch {
            throw .image(error)
        }
        regions = try rethrow(
            pipeline.regions.placed(width: image.pixels.width, height: image.pixels.height, resized: resize),
            as: PipelineError.regions)
        // A box of a frame that the picture does not have would hide nothing.
        if let missing = pipeline.regions.missingFrame(of: 1) { throw .regions(.box(missing)) }
        func pixels(_ change: () throws(PixelError) -> PixelBuffer) throws(PipelineError) -> PixelBuffer {
            do throws(PixelError) { return try change() } catch { throw .frost(.pixels(error)) }
        }
        let given = image.pixels
        let source = try widensInks ? pixels { () throws(PixelError) in try given.widened(to: .u16) } : given
        let plan = try pipeline.padPlan(source.layout, effect, name: name)
        var rendered = try pipeline.render(source, effect, in: regions, plan, time: time, name: name)
        if widensInks {
            let wide = rendered.image
            rendered.image = try pixels { () throws(PixelError) in try wide.inEightBits() }
        }
        image.pixels = rendered.image
        let blurred = clock.now
        try rethrow(
            complete(try ImageFile.encode(image, as: format, to: try open(true), options: writing)),
            as: PipelineError.image)
        return Result(
            width: image.pixels.width, height: image.pixels.height, report: rendered.report, decode: decode,
            encode: clock.now - blurred)
    }

    /// Converts a CMYK picture to sRGB.
    private func converted(_ image: DecodedImage, _ warn: (String) -> Void) throws(ImageError) -> DecodedImage {
        let converted = try image.convertedFromCMYK(
            to: PicturePipeline.convertedSample, name: name, limits: pipeline.limits)
        switch converted.by {
        case .profile: warn("CMYK was converted to sRGB with the picture's profile")
        case .plain: warn("CMYK without a usable profile was converted to RGB by the plain formula")
        }
        pipeline.warnOfLosses(converted.image.metadata, in: format, warn)
        return converted.image
    }
}

extension PixelBuffer {
    /// Rounds samples of 16 bits to 8.
    fileprivate func inEightBits() throws(PixelError) -> PixelBuffer {
        var format = format
        format.sample = .u8
        let layout = try PixelLayout(width: width, height: height, format: format)
        var out: [UInt8] = []
        out.reserveCapacity(layout.byteCount)
        for y in 0..<height {
            let start = y * self.layout.bytesPerRow
            for at in stride(from: start, to: start + 2 * layout.rowByteCount, by: 2) {
                // A step of 8 bits has 257 of 16 bits.
                let sample = Int(bytes[at]) | Int(bytes[at + 1]) << 8
                out.append(UInt8((sample + 128) / 257))
            }
        }
        return try PixelBuffer(layout: layout, bytes: out)
    }
}
