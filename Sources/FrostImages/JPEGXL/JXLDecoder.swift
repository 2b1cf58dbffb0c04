#if JPEGXL
    import CJXL
    import FrostCore
    import Glibc

    /// Runs libjxl's decoder over a whole file and reports its events.
    @safe struct JXLDecoder: ~Copyable {
        let decoder: OpaquePointer
        private let runner: JXLThreads?
        private let name: String

        /// Uses threads only if the picture is large enough to be worth it.
        init(name: String, pixels: Int) throws(ImageError) {
            // SAFETY: here and below, a decoder that this value owns and frees once, before its threads.
            guard let decoder = unsafe JxlDecoderCreate(nil) else { throw .outOfMemory(path: name, bytes: 0) }
            unsafe self.decoder = unsafe decoder
            runner = JXLThreads(pixels: pixels)
            self.name = name
            if let runner {
                _ = unsafe JxlDecoderSetParallelRunner(decoder, JxlThreadParallelRunner, runner.runner)
            }
        }

        deinit { unsafe JxlDecoderDestroy(decoder) }

        /// Decodes the file and calls `event` for each subscribed event, until `event` returns true or the file ends.
        ///
        /// - Throws: ``ImageError/corrupt(path:format:reason:offset:)``, and what `event` throws.
        func run(
            _ file: [UInt8], events: [JxlDecoderStatus], _ event: (JxlDecoderStatus) throws(ImageError) -> Bool
        ) throws(ImageError) {
            let wanted = events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) }
            // SAFETY: the bytes outlive the decoder's input, which is released when the call ends.
            try unsafe file.withUnsafeBufferPointer { bytes throws(ImageError) in
                _ = unsafe JxlDecoderSubscribeEvents(decoder, wanted)
                _ = unsafe JxlDecoderSetUnpremultiplyAlpha(decoder, 1)
                _ = unsafe JxlDecoderSetDecompressBoxes(decoder, 1)
                _ = unsafe JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count)
                unsafe JxlDecoderCloseInput(decoder)
                defer { _ = unsafe JxlDecoderReleaseInput(decoder) }
                while true {
                    let status = unsafe JxlDecoderProcessInput(decoder)
                    switch status {
                    case JXL_DEC_SUCCESS: return
                    case JXL_DEC_ERROR: throw corrupt("its data are not valid")
                    case JXL_DEC_NEED_MORE_INPUT: throw corrupt("the file ends early")
                    default: if try event(status) { return }
                    }
                }
            }
        }

        func corrupt(_ reason: String) -> ImageError {
            .corrupt(path: name, format: .jxl, reason: reason, offset: nil)
        }
    }

    /// Threads for libjxl.
    @safe final class JXLThreads {
        let runner: UnsafeMutableRawPointer

        /// nil for pictures that are decoded in less time than threads take to start.
        init?(pixels: Int) {
            let count = min(16, sysconf(Int32(_SC_NPROCESSORS_ONLN)), pixels >> 16)
            // SAFETY: the only owner frees it once.
            guard count > 1, let runner = unsafe JxlThreadParallelRunnerCreate(nil, count) else { return nil }
            unsafe self.runner = unsafe runner
        }

        deinit { unsafe JxlThreadParallelRunnerDestroy(runner) }
    }
#endif
