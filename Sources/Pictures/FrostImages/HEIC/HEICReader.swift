#if HEIC
    import FrostCore

    /// Reads a HEIC file, or another HEIF file without AVIF's brand, as RGB with or without alpha. The pixels have 8 bits per
    /// sample if the file has 8, and 16 if it has more. libheif rotates, mirrors and crops the picture as the file states.
    ///
    /// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
    struct HEICReader: WholeReader, ~Copyable, Sendable {
        let name: String
        let layout: PixelLayout
        let metadata: ImageMetadata
        let memory: DecodingMemory
        var rowsRead = 0

        private let file: [UInt8]
        private let part: ImageReadOptions.Part
        private let isPremultiplied: Bool
        private let failOn: FailOn
        private let problems: ReadProblems
        var whole: PixelBuffer?

        static func load(name: String) throws(ImageError) { _ = try HEICLibrary.functions.toRead(name, .heic) }

        init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
            let name = source.name
            let file = try source.readWhole(options.limits)
            // The brands of sequences.
            let brand = String(decoding: file.dropFirst(8).prefix(4), as: UTF8.self)
            guard !["hevc", "hevx", "hevm", "hevs", "msf1"].contains(brand) || options.firstFrame else {
                throw .animated(path: name, format: .heic)
            }
            try options.limits.check(HEICCoding.all(in: file), name: name)
            problems.leaveOutBoxes(of: file, except: ["ftyp", "mdat", "meta", "moov", "free"])
            let found = try HEICDecoder.open(file, options.part, maximumSide: Int(Int32.max), name: name) {
                (decoder) throws(ImageError) in
                let (width, height, bits) = (decoder.width, decoder.height, decoder.bits)
                guard width > 0, height > 0 else {
                    throw .corrupt(path: name, format: .heic, reason: "invalid size \(width)x\(height)", offset: nil)
                }
                try options.limits.check(width: width, height: height, name: name)
                try options.limits.check(width: width, height: height, of: source)
                guard (8...16).contains(bits) else {
                    throw .unsupported(path: name, format: .heic, reason: "unsupported HEIC: it has \(bits) bits")
                }
                let metadata = try options.part == .depth ? ImageMetadata() : ImageMetadata(decoder, problems)
                if options.part == .picture {
                    for name in ISOItems(file).leftOut(hasAlpha: decoder.hasAlpha) { problems.leaveOut(name) }
                }
                let channels: ChannelLayout = options.part == .depth ? .grey : decoder.hasAlpha ? .rgba : .rgb
                let format = PixelFormat(channels, bits == 8 ? .u8 : .u16, colorSpace: metadata.colorSpace)
                return try (
                    layout: PixelLayout(reading: width, height, format, name: name), metadata: metadata,
                    isPremultiplied: decoder.isPremultiplied
                )
            }
            let memory = DecodingMemory.whole(decoder: file.count + Self.decoderBytes(found.layout), found.layout)
            try options.limits.check(memory: memory.byRows, name: name)
            layout = found.layout
            metadata = found.metadata
            isPremultiplied = found.isPremultiplied
            self.memory = memory
            self.name = name
            self.file = file
            part = options.part
            failOn = options.failOn
            self.problems = problems
        }

        /// Returns the memory that decoding takes besides the pixels of the result: the planes of the picture, those of a
        /// tile, alpha, and the RGB pixels of libheif.
        private static func decoderBytes(_ layout: PixelLayout) -> Int {
            layout.width * layout.height * layout.format.sample.size * 10
        }

        mutating func readPixels() throws(ImageError) -> PixelBuffer {
            try Memory.check(memory.byRows, for: name)
            let (layout, failOn, problems) = (layout, failOn, problems)
            // Tiles may extend past the picture, and a picture may be cropped.
            let side = 2 * max(layout.width, layout.height) + 1024
            let pixels = try HEICDecoder.open(file, part, maximumSide: side, name: name) {
                (decoder) throws(ImageError) in
                try decoder.decode(layout, failOn, problems)
            }
            return isPremultiplied ? pixels.divided() : pixels
        }
    }

    extension ImageMetadata {
        /// Collects the metadata of a picture.
        fileprivate init(_ decoder: HEICDecoder, _ problems: ReadProblems) throws(ImageError) {
            self.init()
            if let profile = try decoder.profile() { take(ICCProfile(bytes: profile), for: .rgb, problems) }
            if iccProfile == nil, let points = decoder.codePoints {
                if points == .sRGB { renderingIntent = .perceptual }
                if !points.isPlain { codePoints = points }
            }
            for block in try decoder.blocks() {
                switch block {
                // libheif has turned the pixels as the file states. An orientation in EXIF only repeats this.
                case .exif(let bytes): _ = take(exif: bytes, problems)
                case .xmp(let bytes): take(xmp: bytes, problems)
                }
            }
            if decoder.bits == 10 || decoder.bits == 12 { significantBits = decoder.bits }
        }
    }

    extension PixelBuffer {
        /// Divides the colours by alpha, because readers return straight alpha.
        fileprivate func divided() -> PixelBuffer {
            format.sample.isEightBit ? divided(UInt8.self) : divided(UInt16.self)
        }

        private func divided<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
            _: Sample.Type
        ) -> PixelBuffer {
            let maximum = Int(Sample.max)
            // SAFETY: the closure writes every sample of the result, from the samples of the same pixel. Rows have no
            // padding.
            return unsafe PixelBuffer(layout: layout) { out in
                unsafe withUnsafeBytes { bytes in
                    let (from, to) = unsafe (bytes.bindMemory(to: Sample.self), out.bindMemory(to: Sample.self))
                    for first in stride(from: 0, to: layout.width * layout.height * 4, by: 4) {
                        let alpha = unsafe Int(from[first + 3])
                        for c in first..<first + 3 {
                            let value = unsafe (Int(from[c]) * maximum + alpha / 2) / max(1, alpha)
                            unsafe to[c] = alpha == 0 ? 0 : Sample(clamping: value)
                        }
                        unsafe to[first + 3] = Sample(clamping: alpha)
                    }
                }
            }
        }
    }
#endif
