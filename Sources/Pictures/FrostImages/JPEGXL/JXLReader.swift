#if JPEGXL
    import CJXL
    import CLCMS
    import FrostCore

    /// Reads a JPEG XL file. The pixels are upright, and grey or RGB, with or without alpha. The samples are integers
    /// of 8 or 16 bits, or floats. libjxl blends the layers of a file and returns only whole pictures, so the reader
    /// decodes the complete file before it returns the first row.
    ///
    /// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
    struct JXLReader: WholeReader, ~Copyable, Sendable {
        let name: String
        let layout: PixelLayout
        let metadata: ImageMetadata
        let memory: DecodingMemory
        var rowsRead = 0

        private let file: [UInt8]
        private let isLight: Bool
        private let firstFrame: Bool
        var whole: PixelBuffer?

        static func load(name: String) throws(ImageError) { _ = try JXLLibrary.functions.toRead(name, .jxl) }

        init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
            let file = try source.readWhole(options.limits)
            let header = try JXLHeader(file, options, source, problems)
            let memory = DecodingMemory.whole(
                decoder: file.count + Self.decoderBytes(header), header.layout)
            try options.limits.check(memory: memory.byRows, name: source.name)
            self.memory = memory
            name = source.name
            self.file = file
            layout = header.layout
            metadata = header.metadata
            isLight = header.isLight
            firstFrame = options.firstFrame
        }

        mutating func readPixels() throws(ImageError) -> PixelBuffer {
            guard isLight else { return try decode(layout) }
            var format = layout.format
            format.sample = .f32
            format.colorSpace = .linear
            let light = try decode(PixelLayout(reading: layout.width, layout.height, format, name: name))
            // libjxl does not interpret profiles, so its caller must do this conversion.
            guard let pixels = try light.converted(to: layout, name: name) else {
                throw .corrupt(path: name, format: .jxl, reason: "its profile cannot be applied", offset: nil)
            }
            return pixels
        }

        /// Returns the memory that decoding takes besides the pixels of the result. libjxl computes in floats: 16 bytes per
        /// pixel were measured, and 48 for lossy pictures with alpha, of which it keeps all channels. Linear light takes a
        /// float per sample until it is converted.
        private static func decoderBytes(_ header: JXLHeader) -> Int {
            let (layout, channels) = (header.layout, header.layout.format.channels)
            let light = header.isLight ? channels.count * MemoryLayout<Float>.size : 0
            return layout.width * layout.height * ((header.isXYB && channels.hasAlpha ? 48 : 16) + light)
        }

        /// Decodes the pixels in the format of the given layout.
        private borrowing func decode(_ layout: PixelLayout) throws(ImageError) -> PixelBuffer {
            try Memory.check(memory.byRows, for: name)
            let decoder = try JXLDecoder(name: name, pixels: layout.width * layout.height)
            let (file, firstFrame) = (file, firstFrame)
            // SAFETY: libjxl reports when it has filled the whole buffer, and it does not use the buffer after the
            // decoder is destroyed.
            return try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
                var format = JxlPixelFormat(
                    num_channels: UInt32(layout.format.channels.count), data_type: layout.format.sample.jxl,
                    endianness: JXL_NATIVE_ENDIAN, align: 0)
                var isWhole = false
                try decoder.run(file, events: [JXL_DEC_FULL_IMAGE]) { (event) throws(ImageError) in
                    if event == JXL_DEC_NEED_IMAGE_OUT_BUFFER {
                        guard
                            unsafe decoder.jxl.JxlDecoderSetImageOutBuffer(
                                decoder.decoder, &format, bytes.baseAddress, bytes.count) == JXL_DEC_SUCCESS
                        else { throw decoder.corrupt("its picture does not match its header") }
                    }
                    if event == JXL_DEC_FULL_IMAGE { isWhole = true }
                    // If only the first frame is wanted, decoding stops when this frame is complete.
                    return isWhole && firstFrame
                }
                guard isWhole else {
                    throw .truncated(path: name, format: .jxl, reason: "the file ends early", offset: nil)
                }
            }
        }
    }

    extension SampleType {
        var jxl: JxlDataType {
            switch self {
            case .u8: JXL_TYPE_UINT8
            case .u16: JXL_TYPE_UINT16
            case .f16: JXL_TYPE_FLOAT16
            case .f32: JXL_TYPE_FLOAT
            }
        }
    }
#endif
