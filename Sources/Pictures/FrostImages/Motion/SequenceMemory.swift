package import FrostCore

extension SequenceFormat {
    /// Returns an estimate of the memory, in bytes, that writing an animation takes at most: the frames that are being
    /// encoded, their conversions, and what the encoder needs. The encoded frames of an animated WebP file, which libwebp holds
    /// until the end, do not count.
    ///
    /// - Parameters:
    ///   - layout: the layout of the frames.
    ///   - frames: the number of frames.
    ///   - options: how to write the frames.
    package func encodingMemory(for layout: PixelLayout, frames: Int, options: SequenceOptions) -> Int {
        let frame = layout.byteCount
        // The caller renders into its own copy while earlier frames are being encoded.
        let held = frames == 1 ? 0 : frame
        let tasks = FrameTasks<Void>.maximumCount(layout, frames: frames, threads: options.threads)
        switch self {
        // For each frame the RGBA pixels, zimg's planes of RGB and of luma and chroma, and the finished planes. One more frame is
        // being written.
        case .y4m: return tasks * (held + layout.width * layout.height * 13) + layout.width * layout.height * 3
        // libwebp keeps three canvases of four bytes per pixel.
        case .webp:
            return held + layout.width * layout.height * 12
                + ImageFormat.webp.encodingMemory(for: layout, options: options.picture)
        // libaom looks up to 35 frames ahead, and keeps their planes.
        case .avif:
            return held + min(frames, 35) * 2 * frame
                + ImageFormat.avif.encodingMemory(for: layout, options: options.picture)
        // The last frame, and for each frame its compressed bytes twice and, if an option changes the pixels, the converted ones.
        case .apng:
            let isConverted = options.picture.background != nil || options.picture.depth != nil
            return held + tasks * (held + (isConverted ? 3 : 2) * frame)
        // The encoded file is complete before it is written.
        case .pictures(let format):
            var picture = options.picture
            picture.png.threads = PictureSequence.threadsPerPicture(frames: frames, options)
            return tasks * (held + frame + format.encodingMemory(for: layout, options: picture))
        }
    }
}

extension SequenceOptions {
    /// Limits the memory of the animation, which is checked while frames are written, and encodes it in other processes if
    /// necessary; see ``encodeApart(_:need:as:_:frames:program:)``.
    ///
    /// - Parameters:
    ///   - need: the estimate of all memory of the animation, ``SequenceFormat/encodingMemory(for:frames:options:)`` included.
    ///   - layout: the layout of the frames.
    ///   - frames: the number of frames.
    ///   - program: the path of the command `frost`.
    package mutating func limitMemory(
        _ limits: ImageLimits, need: Int, as format: SequenceFormat, _ layout: PixelLayout, frames: Int,
        program: FilePath
    ) {
        limit = limits.maximumMemory.map { SequenceLimit(available: $0, need: need) }
        encodeApart(limits, need: need, as: format, layout, frames: frames, program: program)
    }

    /// If nobody can foresee the memory that an encoder takes, or if the limits have a sandbox, lets a process of its own encode
    /// each frame, and one process an animation in a single file. The kernel limits the memory of these processes: together they
    /// have what the limit leaves. The parameters are those of ``limitMemory(_:need:as:_:frames:program:)``.
    package mutating func encodeApart(
        _ limits: ImageLimits, need: Int, as format: SequenceFormat, _ layout: PixelLayout, frames: Int,
        program: FilePath
    ) {
        let isolation = limits.sandbox?.isolation ?? Isolation.none
        let free = max(0, (limits.maximumMemory ?? ImageLimits.availableMemory()) - need)
        let memory: Int
        switch format {
        case .y4m, .webp, .apng, .avif:
            guard format.isEncodedApart(isolation) else { return }
            memory = format.encodingMemory(for: layout, frames: frames, options: self) + free
        case .pictures(let format):
            let estimate = format.encodingMemory(for: layout, options: picture)
            guard format.isEncodedApart(estimate, isolation) else { return }
            let tasks = FrameTasks<Void>.maximumCount(layout, frames: frames, threads: threads)
            memory = estimate + free / tasks
        }
        picture.encoderProcess = EncoderProcess(
            program: program, memory: memory, time: limits.maximumTime, isolation: isolation)
    }
}

extension SequenceFormat {
    /// Whether a process that has given up its rights writes an animation in a single file. Frost itself writes Y4M.
    func isEncodedApart(_ isolation: Isolation) -> Bool {
        switch self {
        case .webp, .apng, .avif: isolation != .none
        case .y4m, .pictures: false
        }
    }
}
