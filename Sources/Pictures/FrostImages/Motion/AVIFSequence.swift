#if AVIF
    import CAVIF
    import FrostCore

    /// Writes an AVIF sequence. libavif stores what changes between frames, and plays the sequence endlessly: it cannot store
    /// the number of plays.
    struct AVIFSequence: SequenceEncoder, ~Copyable {
        private let encoder: AVIFSequenceHandle
        private let sequence: SequenceDescription
        private let fit: RowFit
        private let depth: Int
        private let name: String
        private var sink: StreamSink?
        private var framesAdded = 0
        private var memory: SequenceGuard

        init(
            _ target: SequenceTarget, _ sequence: SequenceDescription, _ file: AtomicFile.Options
        ) throws(ImageError) {
            let (name, options) = (target.name(), sequence.options.picture)
            let fit = try RowFit(sequence.layout, .light, to: .avif, options: options, name: name)
            try sequence.checkProfile(for: fit.output.format, name: name)
            let depth = try AVIFEncoder.depth(fit.output.format.sample, sequence.metadata, options, name: name)
            let encoder = try AVIFSequenceHandle(fit.output, options.avif, name: name)
            sink = try target.open(file)
            memory = SequenceGuard(sequence.options.limit, .workingMemory, name: name)
            self.encoder = encoder
            self.sequence = sequence
            self.fit = fit
            self.depth = depth
            self.name = name
        }

        mutating func write(_ frame: PixelBuffer) throws(ImageError) {
            try memory.check()
            let (layout, pixels) = (fit.output, fit.convert(frame))
            let planes = try AVIFPlanes(encoder.avif, layout, depth: depth, name: name)
            try planes.prepare(sequence.metadata, isLossless: sequence.options.picture.avif.isLossless)
            var reduced = [UInt16](repeating: 0, count: depth > 8 ? layout.rowByteCount / 2 : 0)
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            let bytes = unsafe pixels.bytes.span.bytes
            for y in 0..<layout.height {
                let start = y * pixels.layout.bytesPerRow
                try planes.writeRow(bytes.extracting(start..<start + layout.rowByteCount), y, &reduced)
            }
            let duration = sequence.start(of: framesAdded + 1) - sequence.start(of: framesAdded)
            try encoder.add(planes, duration: max(1, duration))
            framesAdded += 1
        }

        mutating func finish() throws(ImageError) {
            guard var open = sink.take() else { return }
            var failure: ImageError?
            try encoder.finish { bytes in
                do throws(ImageError) { try open.write(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            try open.commit()
        }
    }

    /// Owns libavif's encoder of a sequence.
    @safe private final class AVIFSequenceHandle {
        let avif: frost_avif
        private let encoder: UnsafeMutablePointer<avifEncoder>
        private let name: String

        init(_ layout: PixelLayout, _ options: LossyWriteOptions, name: String) throws(ImageError) {
            avif = try AVIFLibrary.functions.toWrite(name, .avif)
            // SAFETY: this object owns the encoder, and frees it once.
            guard let encoder = unsafe avif.avifEncoderCreate() else { throw .outOfMemory(path: name, bytes: 0) }
            unsafe self.encoder = unsafe encoder
            self.name = name
            unsafe AVIFEncoder.prepare(encoder, avif, layout, options)
            // A unit of time is a millisecond.
            unsafe encoder.pointee.timescale = 1000
        }

        deinit { unsafe avif.avifEncoderDestroy(encoder) }

        func add(_ planes: borrowing AVIFPlanes, duration: Int) throws(ImageError) {
            try AVIFEncoder.check(unsafe planes.add(to: encoder, duration: duration), avif, name: name)
        }

        func finish(_ body: (RawSpan) -> Void) throws(ImageError) {
            var file = unsafe avifRWData()
            // SAFETY: libavif allocates the bytes, which are freed here.
            defer { unsafe avif.avifRWDataFree(&file) }
            try AVIFEncoder.check(unsafe avif.avifEncoderFinish(encoder, &file), avif, name: name)
            body(unsafe UnsafeRawBufferPointer(start: file.data, count: file.size).bytes)
        }
    }
#endif
