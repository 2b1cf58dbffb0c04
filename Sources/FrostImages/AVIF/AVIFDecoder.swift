#if AVIF
    import CAVIF
    import FrostCore
    import Glibc

    /// Opens libavif's decoder and parses a file's header. The reader does this twice, for the header and again for the
    /// pixels: parsing is quick compared with decoding, and no decoder has to outlive a call.
    enum AVIFDecoder {
        /// AVIF_DEFAULT_IMAGE_SIZE_LIMIT: the highest limit, in pixels, that libavif accepts.
        static let maximumPixels = 16384 * 16384

        /// - Parameter maximumPixels: the largest frame that the AV1 data may announce, whatever the file's header
        ///   says.
        static func open<Result>(
            _ file: [UInt8], maximumPixels: Int, name: String,
            _ body: (frost_avif, UnsafeMutablePointer<avifDecoder>) throws(ImageError) -> Result
        ) throws(ImageError) -> Result {
            let avif = try AVIFLibrary.functions.toRead(name, .avif)
            // SAFETY: every way out frees what libavif allocates, and the bytes outlive it.
            guard let decoder = unsafe avif.avifDecoderCreate() else { throw .outOfMemory(path: name, bytes: 0) }
            defer { unsafe avif.avifDecoderDestroy(decoder) }
            unsafe decoder.pointee.maxThreads = Int32(threads(for: maximumPixels))
            unsafe decoder.pointee.imageSizeLimit = UInt32(min(maximumPixels, Self.maximumPixels))
            // 0: no limit of libavif's own on the sides. The caller's limits are checked instead.
            unsafe decoder.pointee.imageDimensionLimit = 0
            // Accepts files without the items that older encoders leave out.
            unsafe decoder.pointee.strictFlags = AVIF_STRICT_CLAP_VALID.rawValue
            return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageError) in
                try unsafe check(
                    avif.avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count), avif, decoder, name)
                try unsafe check(avif.avifDecoderParse(decoder), avif, decoder, name)
                return try unsafe body(avif, decoder)
            }
        }

        /// A small picture is decoded in less time than it takes to start threads.
        static func threads(for pixels: Int) -> Int {
            min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), pixels >> 18 + 1)
        }

        static func check(
            _ result: avifResult, _ avif: frost_avif, _ decoder: UnsafeMutablePointer<avifDecoder>, _ name: String
        ) throws(ImageError) {
            if result == AVIF_RESULT_OK { return }
            if result == AVIF_RESULT_OUT_OF_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
            // SAFETY: both strings end in zero and are copied.
            let detail = unsafe withUnsafeBytes(of: &decoder.pointee.diag.error) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let reason = detail.isEmpty ? avif.reason(result) : detail
            // The message may quote the file.
            let plain = String(reason.map { $0.isASCII && $0 >= " " ? $0 : "?" })
            throw .corrupt(path: name, format: .avif, reason: plain, offset: nil)
        }
    }
#endif
