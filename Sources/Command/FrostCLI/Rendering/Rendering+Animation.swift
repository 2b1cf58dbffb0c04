import Frost
import FrostImages
import FrostPipeline
import Glibc

extension Rendering {
    /// Returns the format in which the frames of an animated input become an animated output; nil if the output is a single
    /// picture.
    func animation(of item: BatchItem, from format: ImageFormat) -> SequenceFormat? {
        guard format.hasReadableFrames, !item.input.path.isReadOnce, !printsDataURI else { return nil }
        if writesAnimatedPNG || ImageFormat.suffix(of: item.output)?.lowercased() == SequenceFormat.apng.suffix {
            return .apng
        }
        return switch item.format ?? format {
        case .webp: .webp
        case .avif: .avif
        case .png, .jpeg, .qoi, .ppm, .pgm, .pnm, .pam, .pfm, .tiff, .jxl, .bmp, .gif, .heic: nil
        }
    }

    /// Applies the effect to all frames of an animated picture, and writes an animated picture.
    func animate(_ item: BatchItem, as format: SequenceFormat, _ time: TimeLimit) throws(CommandError) {
        let (input, output) = (item.input.path, item.output)
        let (start, problems) = (ContinuousClock.now, ReadProblems())
        if usesDepth { throw .usage("--mask depth does not work with an animation") }
        var file = replacement
        do throws(ImageError) { if pictures.keepsTimes { file.times = try FileTimes(of: input) } } catch {
            throw .image(error)
        }
        var reading = reading
        reading.part = .frames
        let reader = try Self.open(input, reading, problems, time)
        let replaces = !output.isStream && output.exists
        var warnings: [String] = []
        func warn(_ text: String) {
            warnings.append(text)
            console.warn("\(input.shownName): \(text)")
        }
        let lost = reader.metadata.lost(by: pictures.writing.keep).map(\.rawValue)
        var pipeline = pipeline
        pipeline.regions = regions.places(for: input)
        if pipeline.regions.isNothing { warn("--rects has no box for this picture, so nothing was changed") }
        let result: PictureJob.Result
        let need = pipeline.animationMemory(reader, format)
        time.pause { memory.enter(need) }
        defer {
            memory.leave(need)
            Interruption.setTemporaryFile(nil)
        }
        if item.makesFolders {
            do throws(ImageError) { try OutputNames.createFolders(for: output) } catch { throw .writing(error) }
        }
        // ffmpeg makes a GIF of the animated PNG.
        var gif: GIFProcess?
        if item.format == .gif, let timing = reader.metadata.timing { gif = try GIFProcess(output, file, timing) }
        let target: SequenceTarget =
            if let input = gif?.input {
                .descriptor(input, name: output.text)
            } else if output == "-" {
                .descriptor(STDOUT_FILENO, name: "standard output")
            } else {
                .file(path: output)
            }
        do throws(PipelineError) {
            result = try pipeline.animate(
                reader, as: format, for: gif == nil ? nil : .gif, to: target, file, time: time, name: input.text,
                warn: warn)
        } catch {
            throw commandError(error, of: input)
        }
        do throws(ImageError) { try gif?.finish(time, name: input.text) } catch { throw .writing(error) }
        let held = HeldMosaic(pipeline.effect, frames: pipeline.heldFrames)?.frames
        report(
            result, item, problems, start: start, replaces: replaces, lost: lost, heldFrames: held, &warnings)
    }
}
