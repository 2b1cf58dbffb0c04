#if AVIF
    import CAVIF
    import FrostCore

    /// Reads an AVIF file as grey or RGB, with or without alpha. The pixels have 8 bits per sample if the file has 8,
    /// and 16 bits per sample if the file has 10 or 12. libavif needs the whole file in memory, so the reader loads the
    /// file completely before it returns the first row.
    ///
    /// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
    struct AVIFReader: WholeReader, ~Copyable, Sendable {
        let name: String
        let layout: PixelLayout
        let metadata: ImageMetadata
        let memory: DecodingMemory
        var rowsRead = 0

        private let file: [UInt8]
        private let orientation: Orientation
        private let stored: PixelLayout
        /// The part of the stored picture that is shown.
        private let crop: Rect
        var whole: PixelBuffer?

        static func load(name: String) throws(ImageError) { _ = try AVIFLibrary.functions.toRead(name, .avif) }

        init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
            let name = source.name
            let file = try source.readWhole(options.limits)
            problems.leaveOutBoxes(of: file, except: ["ftyp", "mdat", "meta", "moov"])
            let found = try unsafe AVIFDecoder.open(file, maximumPixels: AVIFDecoder.maximumPixels, name: name) {
                (_, decoder) throws(ImageError) in
                guard unsafe decoder.pointee.imageCount == 1 || options.firstFrame else {
                    throw .animated(path: name, format: .avif)
                }
                return try unsafe AVIFHead(decoder, file, options, source, problems)
            }
            let cropped = try PixelLayout(
                reading: found.crop.width, found.crop.height, found.layout.format, name: name)
            // A picture that is cropped is in memory besides the result.
            let uncropped = cropped == found.layout ? 0 : found.layout.byteCount
            let memory = DecodingMemory.whole(
                decoder: file.count + Self.decoderBytes(found.layout) + uncropped, cropped, found.orientation)
            try options.limits.check(memory: memory.byRows, name: name)
            layout = try found.orientation.turned(cropped, name: name)
            crop = found.crop
            self.memory = memory
            stored = found.layout
            metadata = found.metadata
            orientation = found.orientation
            self.name = name
            self.file = file
        }

        /// Returns the memory that decoding takes besides the pixels of the result: the AV1 planes and the decoder's
        /// own data, and for grey pictures also the RGB pixels from which the grey pixels are taken.
        static func decoderBytes(_ layout: PixelLayout) -> Int {
            let planes = layout.format.channels.isGrey ? 2 + 4 : 4
            return layout.width * layout.height * layout.format.sample.size * planes
        }

        mutating func readPixels() throws(ImageError) -> PixelBuffer {
            try Memory.check(memory.byRows, for: name)
            let (name, stored) = (name, stored)
            let pixels = try unsafe AVIFDecoder.open(file, maximumPixels: stored.width * stored.height, name: name) {
                (avif, decoder) throws(ImageError) in
                try unsafe AVIFDecoder.check(avif.avifDecoderNextImage(decoder), avif, decoder, name)
                return try unsafe Self.pixels(avif, of: decoder.pointee.image, stored, name)
            }
            return orientation.upright(pixels.cropped(to: crop), layout)
        }

        /// Converts a decoded picture to pixels of the given layout.
        static func pixels(
            _ avif: frost_avif, of image: UnsafeMutablePointer<avifImage>, _ layout: PixelLayout, _ name: String
        ) throws(ImageError) -> PixelBuffer {
            let format = layout.format
            guard unsafe (Int(image.pointee.width), Int(image.pointee.height)) == (layout.width, layout.height),
                unsafe (image.pointee.depth == 8) == format.sample.isEightBit,
                unsafe !format.channels.isGrey || image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
            else {
                throw .corrupt(
                    path: name, format: .avif, reason: "its picture does not match its header", offset: nil)
            }
            var color = format
            color.channels = format.channels.addingColor
            let colored = try PixelLayout(reading: layout.width, layout.height, color, name: name)
            // SAFETY: libavif fills every row if it returns success; otherwise this closure throws.
            let pixels = try unsafe PixelBuffer(layout: colored) { bytes throws(ImageError) in
                var rgb = unsafe avifRGBImage()
                unsafe avif.avifRGBImageSetDefaults(&rgb, image)
                let depth = unsafe Int(image.pointee.depth)
                unsafe rgb.depth = UInt32(depth)
                unsafe rgb.format = color.channels.hasAlpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
                // The reader avoids libyuv, because the results of libyuv differ between processors. libavif's own code
                // rounds to the nearest value.
                unsafe rgb.avoidLibYUV = 1
                unsafe rgb.pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe rgb.rowBytes = UInt32(colored.rowByteCount)
                switch unsafe avif.avifImageYUVToRGB(image, &rgb) {
                case AVIF_RESULT_OK: break
                case AVIF_RESULT_OUT_OF_MEMORY: throw .outOfMemory(path: name, bytes: colored.byteCount)
                default:
                    let matrix = unsafe image.pointee.matrixCoefficients
                    throw .unsupported(
                        path: name, format: .avif, reason: "unsupported AVIF: matrix \(matrix)")
                }
                // Frost scales the samples to 16 bits itself. libavif could do this too, but it computes in floating
                // point, and for some 12-bit values its result differs by 1 from the nearest 16-bit value.
                guard depth > 8 else { return }
                let full = (1 << depth) - 1
                for at in stride(from: 0, to: bytes.count, by: 2) {
                    let value = unsafe Int(bytes.load(fromByteOffset: at, as: UInt16.self))
                    unsafe bytes.storeBytes(
                        of: UInt16(truncatingIfNeeded: (value * 65535 + full / 2) / full), toByteOffset: at,
                        as: UInt16.self)
                }
            }
            return format.channels.isGrey ? pixels.firstChannels(layout) : pixels
        }
    }

    extension PixelBuffer {
        /// Returns the pixels of a rectangle within the picture.
        func cropped(to rect: Rect) -> PixelBuffer {
            guard rect != layout.extent else { return self }
            guard let cropped = try? PixelLayout(width: rect.width, height: rect.height, format: format) else {
                return self
            }
            let (size, count) = (format.bytesPerPixel, cropped.rowByteCount)
            // SAFETY: each row of the result is a part of a row of the picture, and all rows are written.
            return unsafe PixelBuffer(layout: cropped) { out in
                unsafe withUnsafeBytes { bytes in
                    for y in 0..<rect.height {
                        let from = (rect.y + y) * layout.bytesPerRow + rect.x * size
                        unsafe UnsafeMutableRawBufferPointer(rebasing: out[(y * count)..<(y + 1) * count]).copyMemory(
                            from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + count]))
                    }
                }
            }
        }

        /// Converts pixels that were decoded as RGB to grey. Keeps the red channel as grey and, if the layout has
        /// alpha, the alpha channel.
        fileprivate func firstChannels(_ layout: PixelLayout) -> PixelBuffer {
            let size = layout.format.sample.size
            let (from, to) = (format.channels.count, layout.format.channels.count)
            // SAFETY: the closure writes every sample of the result, from a sample of the same pixel.
            return unsafe PixelBuffer(layout: layout) { out in
                unsafe withUnsafeBytes { bytes in
                    for i in 0..<layout.width * layout.height {
                        for c in 0..<to {
                            let source = (i * from + (c == 0 ? 0 : from - 1)) * size
                            for j in 0..<size { unsafe out[(i * to + c) * size + j] = bytes[source + j] }
                        }
                    }
                }
            }
        }
    }
#endif
