#if JPEGXL
    import CJXL
    import FrostCore

    /// The header and the metadata of a JPEG XL file.
    struct JXLHeader: Sendable {
        let layout: PixelLayout
        let metadata: ImageMetadata
        /// Whether the decoder returns the pixels as linear light, to which Frost must then apply the ICC profile. This
        /// is so if the file stores the pixels in XYB, a perceptual colour space, and describes their colours by a
        /// profile.
        let isLight: Bool
        /// Whether the file stores the pixels in XYB, as lossy files do.
        let isXYB: Bool

        /// The maximum size, in bytes, of an ICC profile or of a decompressed metadata box. No genuine file contains a
        /// larger one.
        private static let longestBox = 16 << 20

        init(
            _ file: [UInt8], _ options: ImageReadOptions, _ source: ByteSource, _ problems: ReadProblems
        ) throws(ImageError) {
            let name = source.name
            let decoder = try JXLDecoder(name: name, pixels: 0)
            var layout: PixelLayout?
            var metadata = ImageMetadata()
            var (isLight, isXYB) = (false, false)
            var boxes = Boxes(name: name, longest: Self.longestBox)
            try decoder.run(file, events: [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_BOX]) {
                (event) throws(ImageError) in
                switch event {
                case JXL_DEC_BASIC_INFO:
                    let info = try Self.info(decoder)
                    isXYB = info.uses_original_profile == 0
                    layout = try Self.layout(info, options, source)
                case JXL_DEC_COLOR_ENCODING:
                    isLight = try Self.readColor(decoder, into: &metadata, layout?.format.channels ?? .rgb, problems)
                case JXL_DEC_BOX: try boxes.begin(decoder)
                case JXL_DEC_BOX_NEED_MORE_OUTPUT: try boxes.grow(decoder)
                default: break
                }
                return false
            }
            boxes.end(decoder)
            guard let layout else { throw decoder.corrupt("it has no picture") }
            if let exif = boxes.found["Exif"], exif.count > 4 {
                // The Exif box begins with four bytes: the number of bytes to skip before the EXIF data.
                let start = 4 + exif[..<4].reduce(0) { $0 << 8 | Int($1) }
                // libjxl rotates the pixels by the orientation of the codestream, and EXIF only repeats it.
                if start < exif.count { _ = metadata.take(exif: Array(exif[start...]), problems) }
            }
            if let packet = boxes.found["xml "] { metadata.take(xmp: packet, problems) }
            if file.starts(with: [0, 0, 0, 12]) {
                let used: Set = ["Exif", "JXL ", "brob", "ftyp", "jxlc", "jxli", "jxll", "jxlp", "xml "]
                problems.leaveOutBoxes(of: file, except: used)
            }
            var format = layout.format
            format.colorSpace = metadata.colorSpace
            self.layout = try PixelLayout(reading: layout.width, layout.height, format, name: name)
            self.metadata = metadata
            self.isLight = isLight
            self.isXYB = isXYB
        }

        private static func info(_ decoder: borrowing JXLDecoder) throws(ImageError) -> JxlBasicInfo {
            var info = JxlBasicInfo()
            // SAFETY: libjxl fills `info` during the call.
            guard unsafe decoder.jxl.JxlDecoderGetBasicInfo(decoder.decoder, &info) == JXL_DEC_SUCCESS else {
                throw decoder.corrupt("its header is not valid")
            }
            return info
        }

        private static func layout(
            _ info: JxlBasicInfo, _ options: ImageReadOptions, _ source: ByteSource
        ) throws(ImageError) -> PixelLayout {
            let name = source.name
            func unsupported(_ what: String) -> ImageError {
                .unsupported(path: name, format: .jxl, reason: "unsupported JPEG XL: \(what)")
            }
            let (width, height) = (Int(info.xsize), Int(info.ysize))
            try options.limits.check(width: width, height: height, name: name)
            try options.limits.check(width: width, height: height, of: source)
            guard info.have_animation == 0 || options.firstFrame else { throw .animated(path: name, format: .jxl) }
            let hasAlpha = info.alpha_bits > 0
            guard info.num_extra_channels == (hasAlpha ? 1 : 0) else {
                throw unsupported("\(info.num_extra_channels) extra channels")
            }
            let bits = max(info.bits_per_sample, info.alpha_bits)
            let isFloat = info.exponent_bits_per_sample > 0 || info.alpha_exponent_bits > 0
            guard isFloat || bits <= 16 else { throw unsupported("\(bits) bits per sample") }
            let color: ChannelLayout = info.num_color_channels == 1 ? .grey : .rgb
            let format = PixelFormat(hasAlpha ? color.addingAlpha : color, isFloat ? .f32 : bits <= 8 ? .u8 : .u16)
            return try PixelLayout(reading: width, height, format, name: name)
        }

        /// Reads the colour description into `metadata`.
        ///
        /// - Returns: the value for ``isLight``.
        private static func readColor(
            _ decoder: borrowing JXLDecoder, into metadata: inout ImageMetadata, _ channels: ChannelLayout,
            _ problems: ReadProblems
        ) throws(ImageError) -> Bool {
            let info = try info(decoder)
            var encoding = JxlColorEncoding()
            // SAFETY: here and below, libjxl fills the structs during the calls.
            let isStated = unsafe decoder.jxl.JxlDecoderGetColorAsEncodedProfile(
                decoder.decoder, nil, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding)
            if isStated == JXL_DEC_SUCCESS, encoding.white_point == JXL_WHITE_POINT_D65,
                channels.isGrey || encoding.primaries == JXL_PRIMARIES_SRGB
            {
                switch encoding.transfer_function {
                case JXL_TRANSFER_FUNCTION_SRGB:
                    metadata.renderingIntent =
                        RenderingIntent(rawValue: UInt8(truncatingIfNeeded: encoding.rendering_intent.rawValue))
                        ?? .perceptual
                    return false
                case JXL_TRANSFER_FUNCTION_LINEAR:
                    metadata.gamma = 100_000
                    return false
                case JXL_TRANSFER_FUNCTION_GAMMA where encoding.gamma > 0 && encoding.gamma <= 1:
                    metadata.gamma = UInt32((encoding.gamma * 100_000).rounded())
                    return false
                default: break
                }
            }
            var size = 0
            guard
                unsafe decoder.jxl.JxlDecoderGetICCProfileSize(
                    decoder.decoder, nil, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &size)
                    == JXL_DEC_SUCCESS
            else { return false }
            guard size <= longestBox else {
                throw decoder.corrupt("its ICC profile of \(size) bytes is over the limit of \(longestBox)")
            }
            var profile = [UInt8](repeating: 0, count: size)
            guard
                unsafe decoder.jxl.JxlDecoderGetColorAsICCProfile(
                    decoder.decoder, nil, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &profile, size) == JXL_DEC_SUCCESS
            else { throw decoder.corrupt("its profile is not valid") }
            metadata.take(ICCProfile(bytes: profile), for: channels, problems)
            if isStated == JXL_DEC_SUCCESS { metadata.codePoints = CodePoints(encoding) ?? metadata.codePoints }
            let isLight = isStated != JXL_DEC_SUCCESS && info.uses_original_profile == 0
            // If the file has no usable profile, Frost later converts the linear light to sRGB.
            if isLight, metadata.iccProfile == nil { metadata.renderingIntent = .perceptual }
            return isLight
        }
    }

    extension CodePoints {
        /// The code points of a picture with high dynamic range; nil for all others, which their profile describes.
        fileprivate init?(_ encoding: JxlColorEncoding) {
            switch encoding.transfer_function {
            case JXL_TRANSFER_FUNCTION_PQ: self.init(primaries: 0, transfer: Self.pqTransfer)
            case JXL_TRANSFER_FUNCTION_HLG: self.init(primaries: 0, transfer: Self.hlgTransfer)
            default: return nil
            }
            guard encoding.white_point == JXL_WHITE_POINT_D65 else { return nil }
            switch encoding.primaries {
            case JXL_PRIMARIES_SRGB: primaries = 1
            case JXL_PRIMARIES_2100: primaries = 9
            case JXL_PRIMARIES_P3: primaries = 12
            default: return nil
            }
        }
    }

    /// Collects the contents of the metadata boxes of a JPEG XL file.
    private struct Boxes {
        private(set) var found: [String: [UInt8]] = [:]
        private var current: String?
        private var buffer: Buffer?
        private let name: String
        private let longest: Int

        private static let wanted = ["Exif", "xml "]

        init(name: String, longest: Int) {
            self.name = name
            self.longest = longest
        }

        /// Memory that does not move while libjxl writes to it.
        @safe private final class Buffer {
            let bytes: UnsafeMutableBufferPointer<UInt8>

            init(_ count: Int) {
                unsafe bytes = .allocate(capacity: count)
                unsafe bytes.initialize(repeating: 0)
            }

            deinit { unsafe bytes.deallocate() }
        }

        /// Handles the start of a box. The previous box ends at this point.
        mutating func begin(_ decoder: borrowing JXLDecoder) throws(ImageError) {
            end(decoder)
            var type: JxlBoxType = (0, 0, 0, 0)
            // SAFETY: libjxl writes four letters to `type`.
            guard unsafe decoder.jxl.JxlDecoderGetBoxType(decoder.decoder, &type, 1) == JXL_DEC_SUCCESS else { return }
            let letters = [type.0, type.1, type.2, type.3].map { UInt8(bitPattern: $0) }
            let word = String(decoding: letters, as: UTF8.self)
            guard Self.wanted.contains(word), found[word] == nil else { return }
            current = word
            found[word] = []
            give(decoder, 1 << 16)
        }

        /// Provides more memory for the current box, because its content does not fit in the buffer.
        mutating func grow(_ decoder: borrowing JXLDecoder) throws(ImageError) {
            guard let current else { return }
            take(decoder)
            let count = found[current]?.count ?? 0
            guard count < longest else {
                throw .tooComplex(path: name, reason: "its \(current) has over \(longest) bytes")
            }
            give(decoder, max(count, 1 << 16))
        }

        mutating func end(_ decoder: borrowing JXLDecoder) {
            take(decoder)
            current = nil
            buffer = nil
        }

        private mutating func give(_ decoder: borrowing JXLDecoder, _ count: Int) {
            let buffer = Buffer(count)
            // SAFETY: the buffer exists until `take` releases it from libjxl.
            _ = unsafe decoder.jxl.JxlDecoderSetBoxBuffer(decoder.decoder, buffer.bytes.baseAddress, count)
            self.buffer = buffer
        }

        private mutating func take(_ decoder: borrowing JXLDecoder) {
            guard let current, let buffer else { return }
            // SAFETY: libjxl reports the number of bytes that it did not write. All other bytes of the buffer are
            // initialised.
            let rest = unsafe decoder.jxl.JxlDecoderReleaseBoxBuffer(decoder.decoder)
            found[current]? += unsafe buffer.bytes.dropLast(rest)
        }
    }
#endif
