#if AVIF
    import CAVIF
    import FrostCore

    /// Decodes the frames of an AVIF sequence, or the picture of a still AVIF. libavif does not tell how often a sequence is
    /// played, so it is played endlessly.
    struct AVIFFrames: FrameSource, ~Copyable, @unchecked Sendable {
        // The value is Sendable because it cannot be copied and nothing else uses its decoder.
        let head: FrameHead
        private let decoder: AVIFFrameDecoder
        private let stored: PixelLayout
        private let crop: Rect

        init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
            let name = source.name
            let file = try source.readWhole(options.limits)
            problems.leaveOutBoxes(of: file, except: ["ftyp", "mdat", "meta", "moov"])
            let decoder = try AVIFFrameDecoder(file, name: name)
            let found = try unsafe AVIFHead(decoder.decoder, file, options, source, problems)
            let shown = try PixelLayout(reading: found.crop.width, found.crop.height, found.layout.format, name: name)
            let durations = decoder.durations(atMost: AnimationTiming.maximumFrames)
            let memory = 2 * file.count + AVIFReader.decoderBytes(found.layout) + found.layout.byteCount
            try options.limits.check(memory: memory, name: name)
            try Memory.check(memory, for: name)
            head = FrameHead(
                layout: shown, orientation: found.orientation, metadata: found.metadata,
                timing: AnimationTiming(durations: durations, plays: 0), memory: memory)
            self.decoder = decoder
            stored = found.layout
            crop = found.crop
        }

        mutating func next() throws(ImageError) -> PixelBuffer { try decoder.next(stored).cropped(to: crop) }
    }

    /// Owns a decoder of libavif, and the file that it reads.
    @safe private final class AVIFFrameDecoder {
        let decoder: UnsafeMutablePointer<avifDecoder>
        private let avif: frost_avif
        private let file: UnsafeMutableBufferPointer<UInt8>
        private let name: String

        init(_ bytes: [UInt8], name: String) throws(ImageError) {
            let avif = try AVIFLibrary.functions.toRead(name, .avif)
            // SAFETY: the copy of the file is freed with this object, after the decoder that reads it.
            guard let decoder = unsafe avif.avifDecoderCreate() else { throw .outOfMemory(path: name, bytes: 0) }
            let file = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = unsafe file.initialize(from: bytes)
            unsafe self.decoder = unsafe decoder
            self.avif = avif
            unsafe self.file = unsafe file
            self.name = name
            unsafe AVIFDecoder.prepare(decoder, maximumPixels: AVIFDecoder.maximumPixels)
            try unsafe AVIFDecoder.check(
                avif.avifDecoderSetIOMemory(decoder, file.baseAddress, file.count), avif, decoder, name)
            try unsafe AVIFDecoder.check(avif.avifDecoderParse(decoder), avif, decoder, name)
        }

        deinit {
            // SAFETY: this object holds the only references.
            unsafe avif.avifDecoderDestroy(decoder)
            unsafe file.deallocate()
        }

        /// The durations of the frames, in milliseconds, of one frame more than the maximum if there are more.
        func durations(atMost maximum: Int) -> [Int] {
            let count = unsafe max(1, Int(decoder.pointee.imageCount))
            return (0..<min(count, maximum + 1)).map { index in
                var timing = avifImageTiming()
                // SAFETY: libavif fills the structure.
                let isKnown = unsafe avif.avifDecoderNthImageTiming(decoder, UInt32(index), &timing) == AVIF_RESULT_OK
                let seconds = timing.duration
                return isKnown && seconds.isFinite ? Int(min(max(seconds * 1000, 0), 1e9).rounded()) : 0
            }
        }

        func next(_ layout: PixelLayout) throws(ImageError) -> PixelBuffer {
            try unsafe AVIFDecoder.check(avif.avifDecoderNextImage(decoder), avif, decoder, name)
            return try unsafe AVIFReader.pixels(avif, of: decoder.pointee.image, layout, name)
        }
    }
#endif
