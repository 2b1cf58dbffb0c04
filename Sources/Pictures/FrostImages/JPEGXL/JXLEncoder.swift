#if JPEGXL
    import CJXL
    import FrostCore
    import Glibc

    /// Writes a JPEG XL file. The pixels are grey or RGB, with or without alpha. The samples are integers of 8 or 16
    /// bits, or floats. libjxl can encode only a whole picture, so the encoder keeps the rows until the end.
    struct JXLEncoder: FormatEncoder, ~Copyable {
        private let jxl: frost_jxl
        private let output: EncodedBytes
        private let layout: PixelLayout
        private let metadata: ImageMetadata
        private let options: LossyWriteOptions
        private var pixels: [UInt8] = []

        static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
            // libjxl computes in floats, and holds the results of several stages. These numbers of bytes per pixel were
            // measured, with pictures of noise.
            let perPixel = options.jxl.isLossless ? 76 : 64
            return layout.width * layout.height * perPixel * max(3, layout.format.channels.count) / 3
        }

        init(
            _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
            to output: EncodedBytes
        ) throws(ImageError) {
            let jxl = try JXLLibrary.functions.toWrite(output.name, .jxl)
            self.jxl = jxl
            self.output = output
            self.layout = layout
            self.metadata = metadata
            self.options = options.jxl
            pixels.reserveCapacity(layout.byteCount)
        }

        mutating func writeRow(_ row: RawSpan) {
            // SAFETY: bytes are trivial values, and the call copies them.
            unsafe row.extracting(0..<layout.rowByteCount).withUnsafeBytes { bytes in
                unsafe pixels.append(contentsOf: bytes)
            }
        }

        mutating func end() throws(ImageError) {
            let handle = try JXLWriteHandle(jxl, name: output.name, pixels: layout.width * layout.height)
            try handle.describe(layout, metadata, options)
            try handle.add(pixels, layout, options)
            pixels = []
            try handle.drain(into: output)
        }
    }

    /// Owns libjxl's encoder.
    @safe private struct JXLWriteHandle: ~Copyable {
        private let jxl: frost_jxl
        private let encoder: OpaquePointer
        private let threads: JXLThreads?
        private let name: String

        init(_ jxl: frost_jxl, name: String, pixels: Int) throws(ImageError) {
            // SAFETY: here and below, this struct owns the encoder and frees it once, before its threads.
            guard let encoder = unsafe jxl.JxlEncoderCreate(nil) else {
                throw .outOfMemory(path: name, bytes: 0)
            }
            self.jxl = jxl
            unsafe self.encoder = unsafe encoder
            threads = JXLThreads(jxl, pixels: pixels)
            self.name = name
            if let threads {
                _ = unsafe jxl.JxlEncoderSetParallelRunner(encoder, jxl.JxlThreadParallelRunner, threads.runner)
            }
        }

        deinit { unsafe jxl.JxlEncoderDestroy(encoder) }

        /// Sets the header, the colour space and the metadata boxes of the file.
        func describe(
            _ layout: PixelLayout, _ metadata: ImageMetadata, _ options: LossyWriteOptions
        ) throws(ImageError) {
            let (channels, sample) = (layout.format.channels, layout.format.sample)
            var info = JxlBasicInfo()
            // SAFETY: here and below, libjxl reads or fills the struct only during the call.
            unsafe jxl.JxlEncoderInitBasicInfo(&info)
            info.xsize = UInt32(layout.width)
            info.ysize = UInt32(layout.height)
            info.bits_per_sample = UInt32(sample.size * 8)
            info.exponent_bits_per_sample = sample.isFloat ? 8 : 0
            info.num_color_channels = channels.isGrey ? 1 : 3
            if channels.hasAlpha {
                info.num_extra_channels = 1
                info.alpha_bits = info.bits_per_sample
                info.alpha_exponent_bits = info.exponent_bits_per_sample
            }
            info.uses_original_profile = options.isLossless ? 1 : 0
            try check(unsafe jxl.JxlEncoderSetBasicInfo(encoder, &info))
            if unsafe jxl.JxlEncoderGetRequiredCodestreamLevel(encoder) == 10 {
                try check(unsafe jxl.JxlEncoderSetCodestreamLevel(encoder, 10))
            }
            if let profile = metadata.iccProfile?.bytes ?? layout.format.colorSpace.iccBytes {
                try check(unsafe jxl.JxlEncoderSetICCProfile(encoder, profile, profile.count))
            } else {
                var encoding = JxlColorEncoding(jxl, metadata, isGrey: channels.isGrey)
                try check(unsafe jxl.JxlEncoderSetColorEncoding(encoder, &encoding))
            }
            guard metadata.exif != nil || metadata.xmp != nil else { return }
            try check(unsafe jxl.JxlEncoderUseContainer(encoder, 1))
            try check(unsafe jxl.JxlEncoderUseBoxes(encoder))
            // The Exif box begins with four bytes: the number of bytes to skip before the EXIF data.
            if let exif = metadata.exif { try addBox("Exif", [0, 0, 0, 0] + exif) }
            if let xmp = metadata.xmp { try addBox("xml ", xmp) }
            unsafe jxl.JxlEncoderCloseBoxes(encoder)
        }

        private func addBox(_ name: String, _ bytes: [UInt8]) throws(ImageError) {
            let letters = name.utf8.map { CChar(bitPattern: $0) }
            // SAFETY: libjxl copies the four letters and `bytes.count` bytes during the call.
            try check(unsafe jxl.JxlEncoderAddBox(encoder, letters, bytes, bytes.count, 0))
        }

        func add(_ pixels: [UInt8], _ layout: PixelLayout, _ options: LossyWriteOptions) throws(ImageError) {
            // SAFETY: the settings belong to the encoder, and libjxl copies the pixels during the call.
            guard let settings = unsafe jxl.JxlEncoderFrameSettingsCreate(encoder, nil) else {
                throw .outOfMemory(path: name, bytes: 0)
            }
            if options.isLossless {
                try check(unsafe jxl.JxlEncoderSetFrameLossless(settings, 1))
            } else {
                try check(unsafe jxl.JxlEncoderSetFrameDistance(settings, options.distance))
            }
            try check(unsafe jxl.JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 4))
            // This option keeps the colours of fully transparent pixels.
            try check(unsafe jxl.JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_KEEP_INVISIBLE, 1))
            var format = JxlPixelFormat(
                num_channels: UInt32(layout.format.channels.count), data_type: layout.format.sample.jxl,
                endianness: JXL_NATIVE_ENDIAN, align: 0)
            try check(unsafe jxl.JxlEncoderAddImageFrame(settings, &format, pixels, pixels.count))
            unsafe jxl.JxlEncoderCloseInput(encoder)
        }

        /// Encodes the picture and passes the bytes to `output`.
        func drain(into output: EncodedBytes) throws(ImageError) {
            var block = [UInt8](repeating: 0, count: 1 << 18)
            while true {
                var left = block.count
                var span = block.mutableSpan
                // SAFETY: libjxl writes within the block and reports how many bytes of room are left.
                let status = unsafe span.withUnsafeMutableBufferPointer { bytes in
                    var next = bytes.baseAddress
                    return unsafe jxl.JxlEncoderProcessOutput(encoder, &next, &left)
                }
                // SAFETY: an array of bytes contains no padding, so every byte is initialised.
                output.write(unsafe block.span.bytes.extracting(0..<block.count - left))
                if status == JXL_ENC_SUCCESS { return }
                guard status == JXL_ENC_NEED_MORE_OUTPUT else { return try check(status) }
            }
        }

        private func check(_ status: JxlEncoderStatus) throws(ImageError) {
            if status == JXL_ENC_SUCCESS { return }
            let error = unsafe jxl.JxlEncoderGetError(encoder)
            // The ICC profile is the only input that libjxl checks. libjxl rejects a profile without a white point or
            // primaries.
            let reason =
                error == JXL_ENC_ERR_BAD_INPUT
                ? "JPEG XL cannot hold its colour profile; --keep none drops it"
                : "libjxl failed: code \(error.rawValue)"
            throw .cannotEncode(path: name, reason: reason)
        }
    }

    extension LossyWriteOptions {
        /// The quality, converted to libjxl's distance. At a distance of 1, the loss is just not visible. The formula
        /// is the one with which the program cjxl converts JPEG qualities.
        fileprivate var distance: Float {
            quality >= 30 ? 0.1 + Float(100 - quality) * 0.09 : 6.4 + pow(2.5, Float(30 - quality) / 5) / 6.25
        }
    }

    extension JxlColorEncoding {
        /// Creates the colour encoding that the metadata describe. The ICC profile is ignored. If the metadata contain
        /// no other description, the encoding is sRGB.
        fileprivate init(_ jxl: frost_jxl, _ metadata: ImageMetadata, isGrey: Bool) {
            self.init()
            // SAFETY: libjxl fills the struct during the call.
            unsafe jxl.JxlColorEncodingSetToSRGB(&self, isGrey ? 1 : 0)
            if let intent = metadata.renderingIntent {
                rendering_intent = JxlRenderingIntent(UInt32(intent.rawValue))
                return
            }
            if let value = metadata.gamma, value > 0 {
                transfer_function = value == 100_000 ? JXL_TRANSFER_FUNCTION_LINEAR : JXL_TRANSFER_FUNCTION_GAMMA
                gamma = Double(value) / 100_000
            }
            guard let points = metadata.chromaticities else { return }
            func xy(_ point: Chromaticities.Point) -> (Double, Double) {
                (Double(point.x) / 100_000, Double(point.y) / 100_000)
            }
            white_point = JXL_WHITE_POINT_CUSTOM
            white_point_xy = xy(points.white)
            primaries = JXL_PRIMARIES_CUSTOM
            primaries_red_xy = xy(points.red)
            primaries_green_xy = xy(points.green)
            primaries_blue_xy = xy(points.blue)
        }
    }
#endif
