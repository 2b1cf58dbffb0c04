#if AVIF
    import CAVIF
    import FrostCore
    import Glibc

    /// Opens libavif's decoder and parses the header of a file. The AVIF reader does this twice: once for the header
    /// and once for the pixels. Parsing is quick compared with decoding. Parsing twice also means that no decoder has
    /// to be kept between the two calls.
    enum AVIFDecoder {
        /// The highest limit on the number of pixels that libavif accepts: AVIF_DEFAULT_IMAGE_SIZE_LIMIT.
        static let maximumPixels = 16384 * 16384

        /// Calls `body` with libavif's functions and a decoder that has parsed the file's header.
        ///
        /// - Parameter maximumPixels: the maximum number of pixels of a frame. The decoder refuses AV1 data that
        ///   announce a larger frame, whatever size the file's header states.
        static func open<Result>(
            _ file: [UInt8], maximumPixels: Int, name: String,
            _ body: (frost_avif, UnsafeMutablePointer<avifDecoder>) throws(ImageError) -> Result
        ) throws(ImageError) -> Result {
            let avif = try AVIFLibrary.functions.toRead(name, .avif)
            // SAFETY: on every exit, this function frees the memory that libavif has allocated, and the bytes of the
            // file outlive the decoder.
            guard let decoder = unsafe avif.avifDecoderCreate() else { throw .outOfMemory(path: name, bytes: 0) }
            defer { unsafe avif.avifDecoderDestroy(decoder) }
            unsafe prepare(decoder, maximumPixels: maximumPixels)
            return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageError) in
                try unsafe check(
                    avif.avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count), avif, decoder, name)
                try unsafe check(avif.avifDecoderParse(decoder), avif, decoder, name)
                return try unsafe body(avif, decoder)
            }
        }

        /// Sets the limits and the threads of a decoder.
        @unsafe static func prepare(_ decoder: UnsafeMutablePointer<avifDecoder>, maximumPixels: Int) {
            unsafe decoder.pointee.maxThreads = Int32(threads(for: maximumPixels))
            unsafe decoder.pointee.imageSizeLimit = UInt32(min(maximumPixels, Self.maximumPixels))
            // The value 0 switches off libavif's own limit on width and height. The caller's limits are checked
            // instead.
            unsafe decoder.pointee.imageDimensionLimit = 0
            // Older encoders omit some items that AVIF requires. With these flags, the decoder accepts files without
            // these items, and crops at any pixel, which the reader checks itself.
            unsafe decoder.pointee.strictFlags = AVIF_STRICT_DISABLED.rawValue
        }

        /// Returns the number of decoding threads: 1, plus 1 for every 2^18 pixels, but at most 16 and at most the
        /// number of processors. A small picture is decoded in less time than it takes to start threads.
        static func threads(for pixels: Int) -> Int {
            min(16, Processors.byDefault, pixels >> 18 + 1)
        }

        static func check(
            _ result: avifResult, _ avif: frost_avif, _ decoder: UnsafeMutablePointer<avifDecoder>, _ name: String
        ) throws(ImageError) {
            if result == AVIF_RESULT_OK { return }
            if result == AVIF_RESULT_OUT_OF_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
            // SAFETY: both of libavif's strings end with a zero byte and are copied.
            let detail = unsafe withUnsafeBytes(of: &decoder.pointee.diag.error) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let reason = detail.isEmpty ? avif.reason(result) : detail
            // The message may quote bytes of the file, so every character that is not printable ASCII becomes "?".
            let plain = String(reason.map { $0.isASCII && $0 >= " " ? $0 : "?" })
            if result == AVIF_RESULT_TRUNCATED_DATA {
                throw .truncated(path: name, format: .avif, reason: plain, offset: nil)
            }
            throw .corrupt(path: name, format: .avif, reason: plain, offset: nil)
        }
    }
#endif
