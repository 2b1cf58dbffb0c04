#if AVIF
    import CAVIF
    import FrostCore

    /// Writes an AVIF file. The pixels are grey or RGB, with or without alpha, and have 8, 10 or 12 bits per sample.
    /// Chroma has full resolution (4:4:4). libavif can encode only a whole picture, so the encoder converts each row
    /// and keeps it until the end.
    struct AVIFEncoder: FormatEncoder, ~Copyable {
        private let avif: frost_avif
        private let picture: AVIFPlanes
        private let output: EncodedBytes
        private let layout: PixelLayout
        private let options: LossyWriteOptions
        /// The current row, with its samples reduced to the bits of the file.
        private var reduced: [UInt16]
        private var y = 0

        static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
            // These numbers of bytes per pixel were measured, with pictures of noise. Each thread takes about 0.6 MiB more.
            var perPixel = options.avif.isLossless ? 50 : 40
            if layout.format.channels.hasAlpha { perPixel += perPixel / 6 }
            if layout.storedByteCount(options) > layout.sampleCount { perPixel += perPixel / 2 }
            let pixels = layout.width * layout.height
            return pixels * perPixel + threads(for: pixels) << 20
        }

        /// Returns the number of threads. With one thread, libaom writes another file than with several, whose number
        /// changes nothing. So that a file does not depend on the machine, pictures above 2^18 pixels get at least two.
        static func threads(for pixels: Int) -> Int { max(AVIFDecoder.threads(for: pixels), min(2, pixels >> 18 + 1)) }

        init(
            _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
            to output: EncodedBytes
        ) throws(ImageError) {
            let depth = try Self.depth(layout.format.sample, metadata, options, name: output.name)
            let avif = try AVIFLibrary.functions.toWrite(output.name, .avif)
            let picture = try AVIFPlanes(avif, layout, depth: depth, name: output.name)
            try picture.prepare(metadata, isLossless: options.avif.isLossless)
            self.avif = avif
            self.picture = picture
            self.output = output
            self.layout = layout
            self.options = options.avif
            reduced = [UInt16](repeating: 0, count: depth > 8 ? layout.rowByteCount / 2 : 0)
        }

        /// Returns the number of bits per sample in the file. For an 8-bit picture this is 8. For other pictures it is
        /// 10 or 12: the smaller number that holds all significant bits, after the reduction that the options ask for.
        /// Throws if more than 12 bits remain.
        static func depth(
            _ sample: SampleType, _ metadata: ImageMetadata, _ options: ImageWriteOptions, name: String
        ) throws(ImageError) -> Int {
            if sample.isEightBit { return 8 }
            let bits = min(options.depth ?? 16, metadata.significantBits ?? 16)
            if bits <= 10 { return 10 }
            if bits <= 12 { return 12 }
            throw .cannotHold(
                path: name, format: .avif, what: "\(bits) bits per sample", remedy: ImageFormat.avif.depthRemedy)
        }

        mutating func writeRow(_ row: RawSpan) throws(ImageError) {
            defer { y += 1 }
            try picture.writeRow(row, y, &reduced)
        }

        /// Throws the error of a result of libavif's encoder.
        static func check(_ result: avifResult, _ avif: frost_avif, name: String) throws(ImageError) {
            // libaom fails on a valid picture only if memory runs out.
            let outOfMemory = [
                AVIF_RESULT_OUT_OF_MEMORY, AVIF_RESULT_ENCODE_COLOR_FAILED, AVIF_RESULT_ENCODE_ALPHA_FAILED,
            ]
            if outOfMemory.contains(result) { throw .outOfMemory(path: name, bytes: 0) }
            guard result == AVIF_RESULT_OK else {
                throw .cannotEncode(
                    path: name,
                    reason: "libavif failed: \(avif.reason(result))")
            }
        }

        /// Sets the quality and the threads of an encoder.
        @unsafe static func prepare(
            _ encoder: UnsafeMutablePointer<avifEncoder>, _ avif: frost_avif, _ layout: PixelLayout,
            _ options: LossyWriteOptions
        ) {
            unsafe encoder.pointee.codecChoice = AVIF_CODEC_CHOICE_AOM
            unsafe encoder.pointee.speed = 6
            unsafe encoder.pointee.maxThreads = Int32(threads(for: layout.width * layout.height))
            // Alpha is always lossless: this costs few bytes, and errors at the edges of transparent areas are easy to
            // see.
            unsafe encoder.pointee.minQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS
            unsafe encoder.pointee.maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS
            unsafe encoder.pointee.minQuantizer = AVIF_QUANTIZER_BEST_QUALITY
            unsafe encoder.pointee.maxQuantizer =
                options.isLossless ? AVIF_QUANTIZER_LOSSLESS : AVIF_QUANTIZER_WORST_QUALITY
            // For intra block copy, libaom keeps a table of all blocks, which takes 80 bytes per pixel and most of the time.
            // It uses the table if it takes a picture for a screenshot, as smooth pictures of few colours are.
            unsafe avif.avifEncoderSetCodecSpecificOption(encoder, "enable-intrabc", "0")
            if !options.isLossless {
                // This formula maps a quality of 0...100 to AV1's quantizers in the same way as later versions of
                // libavif.
                let level = ((100 - options.quality) * Int(AVIF_QUANTIZER_WORST_QUALITY) + 50) / 100
                unsafe avif.avifEncoderSetCodecSpecificOption(encoder, "color:end-usage", "q")
                unsafe avif.avifEncoderSetCodecSpecificOption(encoder, "color:cq-level", String(level))
            }
        }

        mutating func end() throws(ImageError) {
            // SAFETY: on every exit, this function frees the memory that libavif has allocated.
            guard let encoder = unsafe avif.avifEncoderCreate() else {
                throw .outOfMemory(path: output.name, bytes: 0)
            }
            var file = unsafe avifRWData()
            defer {
                unsafe avif.avifRWDataFree(&file)
                unsafe avif.avifEncoderDestroy(encoder)
            }
            unsafe Self.prepare(encoder, avif, layout, options)
            try Self.check(unsafe picture.encode(encoder, &file), avif, name: output.name)
            output.write(unsafe UnsafeRawBufferPointer(start: file.data, count: file.size).bytes)
        }
    }

    /// Converts the rows of a picture, and owns the luma, chroma and alpha planes that hold the result.
    @safe struct AVIFPlanes: ~Copyable, @unchecked Sendable {
        // The struct is Sendable because it cannot be copied and nothing else holds its pointers.
        private let avif: frost_avif
        private let image: UnsafeMutablePointer<avifImage>
        /// A libavif image that refers to one row of `image`.
        private let view: UnsafeMutablePointer<avifImage>
        private let layout: PixelLayout
        private let depth: Int
        private let name: String

        init(_ avif: frost_avif, _ layout: PixelLayout, depth: Int, name: String) throws(ImageError) {
            // SAFETY: here and below, libavif allocates the image, this struct owns it from here on, and `deinit` frees
            // it once.
            let image = unsafe avif.avifImageCreate(
                UInt32(layout.width), UInt32(layout.height), UInt32(depth),
                layout.format.channels.isGrey ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV444)
            guard let image = unsafe image, let view = unsafe avif.avifImageCreateEmpty() else {
                throw .outOfMemory(path: name, bytes: 0)
            }
            self.avif = avif
            unsafe self.image = unsafe image
            unsafe self.view = unsafe view
            self.layout = layout
            self.depth = depth
            self.name = name
        }

        deinit {
            unsafe avif.avifImageDestroy(view)
            unsafe avif.avifImageDestroy(image)
        }

        /// Sets the colour description and the metadata of the image, and allocates its planes.
        func prepare(_ metadata: ImageMetadata, isLossless: Bool) throws(ImageError) {
            let channels = layout.format.channels
            let points = metadata.codePoints ?? .sRGB
            unsafe image.pointee.yuvRange = AVIF_RANGE_FULL
            unsafe image.pointee.colorPrimaries = points.primaries
            unsafe image.pointee.transferCharacteristics = points.transfer
            unsafe image.pointee.matrixCoefficients = avifMatrixCoefficients(
                isLossless && !channels.isGrey ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601)
            if let profile = metadata.iccProfile?.bytes ?? layout.format.colorSpace.iccBytes {
                unsafe avif.avifImageSetProfileICC(image, profile, profile.count)
            }
            if let exif = metadata.exif { unsafe avif.avifImageSetMetadataExif(image, exif, exif.count) }
            if let xmp = metadata.xmp { unsafe avif.avifImageSetMetadataXMP(image, xmp, xmp.count) }
            let planes = channels.hasAlpha ? AVIF_PLANES_ALL : AVIF_PLANES_YUV
            guard unsafe avif.avifImageAllocatePlanes(image, planes.rawValue) == AVIF_RESULT_OK else {
                throw .outOfMemory(path: name, bytes: 0)
            }
        }

        /// Converts one row of 8 or 16 bits to luma and chroma and stores it in the planes.
        ///
        /// - Parameter reduced: memory for a row with the bits of the planes; empty if these are 8.
        func writeRow(_ row: RawSpan, _ y: Int, _ reduced: inout [UInt16]) throws(ImageError) {
            guard depth > 8 else { return try writeRow(row, y) }
            let full = (1 << depth) - 1
            for i in reduced.indices {
                // SAFETY: every bit pattern is a valid UInt16, and the span checks its bounds.
                let value = unsafe Int(row.unsafeLoadUnaligned(fromByteOffset: 2 * i, as: UInt16.self))
                reduced[i] = UInt16((value * full + 32767) / 65535)
            }
            try writeRow(unsafe reduced.span.bytes, y)
        }

        /// Converts one row to luma and chroma and stores it in the planes.
        ///
        /// - Parameter row: the samples of the row, with the same number of bits per sample as the planes.
        private func writeRow(_ row: RawSpan, _ y: Int) throws(ImageError) {
            if layout.format.channels.isGrey { return writeGrey(row, y) }
            var part = avifCropRect(x: 0, y: UInt32(y), width: UInt32(layout.width), height: 1)
            var rgb = unsafe avifRGBImage()
            // SAFETY: libavif reads the bytes of the row during the call and writes into planes that `image` owns.
            let result = unsafe row.withUnsafeBytes { bytes in
                let isPlaced = unsafe avif.avifImageSetViewRect(view, image, &part)
                guard isPlaced == AVIF_RESULT_OK else { return isPlaced }
                unsafe avif.avifRGBImageSetDefaults(&rgb, view)
                unsafe rgb.depth = UInt32(depth)
                unsafe rgb.format = layout.format.channels.hasAlpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
                unsafe rgb.avoidLibYUV = 1
                unsafe rgb.pixels = UnsafeMutablePointer(
                    mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
                unsafe rgb.rowBytes = UInt32(layout.rowByteCount)
                // libavif marks the view as the owner of the planes. This code clears the marks, because `image` owns
                // the planes.
                defer {
                    unsafe view.pointee.imageOwnsYUVPlanes = 0
                    unsafe view.pointee.imageOwnsAlphaPlane = 0
                }
                return unsafe avif.avifImageRGBToYUV(view, &rgb)
            }
            guard result == AVIF_RESULT_OK else {
                throw .cannotEncode(path: name, reason: "libavif cannot convert its colours")
            }
        }

        /// Copies the grey samples of a row to the luma plane, and any alpha samples to the alpha plane. No conversion
        /// is necessary, because grey samples equal luma.
        private func writeGrey(_ row: RawSpan, _ y: Int) {
            let count = layout.format.channels.count
            let planes = unsafe [
                (image.pointee.yuvPlanes.0, Int(image.pointee.yuvRowBytes.0)),
                (image.pointee.alphaPlane, Int(image.pointee.alphaRowBytes)),
            ]
            for c in 0..<count {
                // SAFETY: each plane has as many rows, and as many samples in a row, as the layout.
                guard let plane = unsafe planes[c].0 else { continue }
                let line = unsafe UnsafeMutableRawPointer(plane + y * planes[c].1)
                for x in 0..<layout.width {
                    let i = x * count + c
                    if depth == 8 {
                        let value = unsafe row.unsafeLoad(fromByteOffset: i, as: UInt8.self)
                        unsafe line.storeBytes(of: value, toByteOffset: x, as: UInt8.self)
                    } else {
                        let value = unsafe row.unsafeLoadUnaligned(fromByteOffset: 2 * i, as: UInt16.self)
                        unsafe line.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
                    }
                }
            }
        }

        @unsafe func encode(
            _ encoder: UnsafeMutablePointer<avifEncoder>, _ file: UnsafeMutablePointer<avifRWData>
        ) -> avifResult { unsafe avif.avifEncoderWrite(encoder, image, file) }

        /// Adds the picture to a sequence.
        @unsafe func add(to encoder: UnsafeMutablePointer<avifEncoder>, duration: Int) -> avifResult {
            unsafe avif.avifEncoderAddImage(encoder, image, UInt64(duration), AVIF_ADD_IMAGE_FLAG_NONE.rawValue)
        }
    }
#endif
