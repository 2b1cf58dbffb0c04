#if JPEGXL
    import CJXL
    import FrostCore
    import Glibc

    /// Runs libjxl's decoder over a whole file and reports the decoder's events.
    @safe struct JXLDecoder: ~Copyable {
        let jxl: frost_jxl
        let decoder: OpaquePointer
        private let runner: JXLThreads?
        private let name: String

        /// Creates a decoder. The decoder uses threads only if the picture is large enough to benefit from threads.
        ///
        /// - Parameter pixels: the number of pixels to decode; 0 to decode only the header.
        init(name: String, pixels: Int) throws(ImageError) {
            let jxl = try JXLLibrary.functions.toRead(name, .jxl)
            // SAFETY: here and below, this struct owns the decoder and frees it once, before its threads.
            guard let decoder = unsafe jxl.JxlDecoderCreate(nil) else { throw .outOfMemory(path: name, bytes: 0) }
            self.jxl = jxl
            unsafe self.decoder = unsafe decoder
            runner = JXLThreads(jxl, pixels: pixels)
            self.name = name
            if let runner {
                _ = unsafe jxl.JxlDecoderSetParallelRunner(decoder, jxl.JxlThreadParallelRunner, runner.runner)
            }
        }

        deinit { unsafe jxl.JxlDecoderDestroy(decoder) }

        /// Decodes the file until `event` returns true or the file ends. Calls `event` for each of the `events` that
        /// occurs, and each time the decoder requests memory for its output.
        ///
        /// - Throws: ``ImageError/corrupt(path:format:reason:offset:)`` or
        ///   ``ImageError/truncated(path:format:reason:offset:)`` for a damaged file, and every error of `event`.
        func run(
            _ file: [UInt8], events: [JxlDecoderStatus], _ event: (JxlDecoderStatus) throws(ImageError) -> Bool
        ) throws(ImageError) {
            let wanted = events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) }
            // SAFETY: the bytes of the file outlive the decoder's input, which is released when this call ends.
            try unsafe file.withUnsafeBufferPointer { bytes throws(ImageError) in
                _ = unsafe jxl.JxlDecoderSubscribeEvents(decoder, wanted)
                _ = unsafe jxl.JxlDecoderSetUnpremultiplyAlpha(decoder, 1)
                _ = unsafe jxl.JxlDecoderSetDecompressBoxes(decoder, 1)
                _ = unsafe jxl.JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count)
                // If the input is already closed, the decoder reports a truncated file as invalid. So the input is
                // closed only after the decoder has asked for more bytes.
                var isClosed = false
                defer { _ = unsafe jxl.JxlDecoderReleaseInput(decoder) }
                while true {
                    let status = unsafe jxl.JxlDecoderProcessInput(decoder)
                    switch status {
                    case JXL_DEC_SUCCESS: return
                    case JXL_DEC_NEED_MORE_INPUT where !isClosed:
                        unsafe jxl.JxlDecoderCloseInput(decoder)
                        isClosed = true
                    case JXL_DEC_ERROR where !isClosed: throw corrupt("its data are not valid")
                    case JXL_DEC_ERROR, JXL_DEC_NEED_MORE_INPUT:
                        throw .truncated(path: name, format: .jxl, reason: "the file ends early", offset: nil)
                    default: if try event(status) { return }
                    }
                }
            }
        }

        func corrupt(_ reason: String) -> ImageError {
            .corrupt(path: name, format: .jxl, reason: reason, offset: nil)
        }
    }

    /// Owns a pool of threads for libjxl.
    @safe final class JXLThreads {
        private let jxl: frost_jxl
        let runner: UnsafeMutableRawPointer

        /// Creates one thread for every 2^16 pixels, but at most 16 threads and at most one thread for each processor.
        /// Returns nil for small pictures, which are decoded in less time than threads take to start.
        init?(_ jxl: frost_jxl, pixels: Int) {
            let count = min(16, Processors.byDefault, pixels >> 16)
            // SAFETY: this object is the only owner of the thread pool and frees it once.
            guard count > 1, let runner = unsafe jxl.JxlThreadParallelRunnerCreate(nil, count) else { return nil }
            self.jxl = jxl
            unsafe self.runner = unsafe runner
        }

        deinit { unsafe jxl.JxlThreadParallelRunnerDestroy(runner) }
    }
#endif
