#if AVIF
    import CAVIF
    import FrostCore
    import Glibc

    /// libavif's decoder at the beginning of a file. The file is looked at again for the pixels, so that nothing has to
    /// outlive a call: that is quick beside them.
    enum AVIFDecoder {
        /// AVIF_DEFAULT_IMAGE_SIZE_LIMIT, which libavif takes no more than.
        static let mostPixels = 16384 * 16384

        /// - Parameter mostPixels: what AV1 may promise, whatever the header says.
        static func open<Result>(
            _ file: [UInt8], mostPixels: Int, name: String,
            _ body: (UnsafeMutablePointer<avifDecoder>) throws(ImageError) -> Result
        ) throws(ImageError) -> Result {
            // SAFETY: what libavif makes is given back on every way out, and the bytes outlive it.
            guard let decoder = unsafe avifDecoderCreate() else { throw .outOfMemory(path: name, bytes: 0) }
            defer { unsafe avifDecoderDestroy(decoder) }
            unsafe decoder.pointee.maxThreads = Int32(threads(for: mostPixels))
            unsafe decoder.pointee.imageSizeLimit = UInt32(min(mostPixels, Self.mostPixels))
            // Sides are held against the caller's limits.
            unsafe decoder.pointee.imageDimensionLimit = 0
            // What older encoders leave out is not needed.
            unsafe decoder.pointee.strictFlags = AVIF_STRICT_CLAP_VALID.rawValue
            return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageError) in
                try unsafe check(avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count), decoder, name)
                try unsafe check(avifDecoderParse(decoder), decoder, name)
                return try unsafe body(decoder)
            }
        }

        /// Small pictures are decoded before other threads have begun.
        static func threads(for pixels: Int) -> Int {
            min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), pixels >> 18 + 1)
        }

        static func check(
            _ result: avifResult, _ decoder: UnsafeMutablePointer<avifDecoder>, _ name: String
        ) throws(ImageError) {
            if result == AVIF_RESULT_OK { return }
            if result == AVIF_RESULT_OUT_OF_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
            // SAFETY: both end in zero and are copied.
            let detail = unsafe withUnsafeBytes(of: &decoder.pointee.diag.error) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let reason = unsafe detail.isEmpty ? String(cString: avifResultToString(result)) : detail
            // It may quote the file.
            let plain = String(reason.map { $0.isASCII && $0 >= " " ? $0 : "?" })
            throw .corrupt(path: name, format: .avif, reason: plain, offset: nil)
        }
    }
#endif
