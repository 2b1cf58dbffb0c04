#if HEIC
    import CHEIF
    import FrostCore

    /// A picture of a HEIC file that libheif has opened: that which the file shows, or its depths.
    // SAFETY: the handles exist while the closure of `open` runs, to which the decoder is given.
    @safe struct HEICDecoder {
        let heif: frost_heif
        let name: String
        /// The picture to read.
        private let handle: OpaquePointer
        /// Whether larger depths are nearer: they are inverse distances, or disparities.
        private let isNearerLarger: Bool
        private let part: ImageReadOptions.Part

        /// Calls `body` with a picture of the file. libheif parses all boxes and decodes nothing.
        ///
        /// - Parameter maximumSide: the maximum side of a picture and of its tiles.
        static func open<Result>(
            _ file: [UInt8], _ part: ImageReadOptions.Part, maximumSide: Int, name: String,
            _ body: (HEICDecoder) throws(ImageError) -> Result
        ) throws(ImageError) -> Result {
            let heif = try HEICLibrary.functions.toRead(name, .heic)
            // SAFETY: on every exit, this function frees the memory that libheif has allocated, and the bytes of the
            // file outlive the context.
            guard let context = unsafe heif.heif_context_alloc() else { throw .outOfMemory(path: name, bytes: 0) }
            defer { unsafe heif.heif_context_free(context) }
            unsafe heif.heif_context_set_maximum_image_size_limit(context, Int32(clamping: maximumSide))
            unsafe heif.heif_context_set_max_decoding_threads(context, Int32(min(16, Processors.byDefault)))
            return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageError) in
                let read = unsafe heif.heif_context_read_from_memory_without_copy(
                    context, bytes.baseAddress, bytes.count, nil)
                try unsafe check(read, name)
                var shown: OpaquePointer?
                try unsafe check(heif.heif_context_get_primary_image_handle(context, &shown), name)
                guard let shown = unsafe shown else { throw .outOfMemory(path: name, bytes: 0) }
                defer { unsafe heif.heif_image_handle_release(shown) }
                guard part == .depth else {
                    return try body(
                        unsafe HEICDecoder(
                            heif: heif, name: name, handle: shown, isNearerLarger: false, part: part))
                }
                var id: heif_item_id = 0
                guard unsafe heif.heif_image_handle_get_list_of_depth_image_IDs(shown, &id, 1) == 1 else {
                    throw .unsupported(path: name, format: .heic, reason: ImageReadOptions.Part.noDepth)
                }
                var depth: OpaquePointer?
                try unsafe check(heif.heif_image_handle_get_depth_image_handle(shown, id, &depth), name)
                guard let depth = unsafe depth else { throw .outOfMemory(path: name, bytes: 0) }
                defer { unsafe heif.heif_image_handle_release(depth) }
                return try body(
                    unsafe HEICDecoder(
                        heif: heif, name: name, handle: depth,
                        isNearerLarger: Self.isNearerLarger(heif, shown, id), part: part))
            }
        }

        /// Whether larger depths are nearer. Files that do not tell have disparities, as telephones write them.
        private static func isNearerLarger(_ heif: frost_heif, _ shown: OpaquePointer, _ id: heif_item_id) -> Bool {
            var info: UnsafePointer<heif_depth_representation_info>?
            // SAFETY: libheif allocates the description, and this function frees it.
            guard unsafe heif.heif_image_handle_get_depth_image_representation_info(shown, id, &info) != 0,
                let info = unsafe info
            else { return true }
            defer { unsafe heif.heif_depth_representation_info_free(info) }
            return unsafe info.pointee.depth_representation_type != heif_depth_representation_type_uniform_Z
        }

        // SAFETY: here and below, the handles live as long as the call of `body`, and the functions read only them.
        var width: Int { unsafe Int(heif.heif_image_handle_get_width(handle)) }
        var height: Int { unsafe Int(heif.heif_image_handle_get_height(handle)) }
        var bits: Int { unsafe Int(heif.heif_image_handle_get_luma_bits_per_pixel(handle)) }
        var hasAlpha: Bool { unsafe part == .picture && heif.heif_image_handle_has_alpha_channel(handle) != 0 }
        var isPremultiplied: Bool { unsafe hasAlpha && heif.heif_image_handle_is_premultiplied_alpha(handle) != 0 }

        /// The ICC profile; nil if there is none.
        func profile() throws(ImageError) -> [UInt8]? {
            let size = unsafe heif.heif_image_handle_get_raw_color_profile_size(handle)
            guard size > 0 else { return nil }
            return try unsafe bytes(size) { unsafe heif.heif_image_handle_get_raw_color_profile(handle, $0) }
        }

        /// The code points; nil if there are none.
        var codePoints: CodePoints? {
            var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard unsafe heif.heif_image_handle_get_nclx_color_profile(handle, &profile).code == heif_error_Ok,
                let profile = unsafe profile
            else { return nil }
            defer { unsafe heif.heif_nclx_color_profile_free(profile) }
            return unsafe CodePoints(
                primaries: UInt16(truncatingIfNeeded: profile.pointee.color_primaries.rawValue),
                transfer: UInt16(truncatingIfNeeded: profile.pointee.transfer_characteristics.rawValue))
        }

        /// A block of EXIF or XMP.
        enum Block {
            case exif([UInt8])
            case xmp([UInt8])
        }

        /// The blocks of metadata that belong to the picture, at most 16.
        func blocks() throws(ImageError) -> [Block] {
            var ids = [heif_item_id](repeating: 0, count: 16)
            let count = unsafe heif.heif_image_handle_get_list_of_metadata_block_IDs(handle, nil, &ids, 16)
            var blocks: [Block] = []
            for id in ids.prefix(max(0, Int(count))) {
                let type = unsafe text(heif.heif_image_handle_get_metadata_type(handle, id))
                let content = unsafe text(heif.heif_image_handle_get_metadata_content_type(handle, id))
                guard type == "Exif" || type == "mime" && content == "application/rdf+xml" else { continue }
                let size = unsafe heif.heif_image_handle_get_metadata_size(handle, id)
                guard size > 0 else { continue }
                let block = try unsafe bytes(size) { unsafe heif.heif_image_handle_get_metadata(handle, id, $0) }
                guard type == "Exif" else {
                    blocks.append(.xmp(block))
                    continue
                }
                // The first four bytes tell how many bytes precede the TIFF header.
                guard block.count > 4 else { continue }
                blocks.append(.exif(Array(block.dropFirst(4 + block.word(0)))))
            }
            return blocks
        }

        private func text(_ constant: UnsafePointer<CChar>?) -> String {
            // SAFETY: libheif's strings end with a zero byte and are copied before the next call.
            unsafe constant.map { unsafe String(cString: $0) } ?? ""
        }

        private static let longestMetadata = 16 << 20

        private func bytes(_ count: Int, _ read: (UnsafeMutableRawPointer?) -> heif_error) throws(ImageError) -> [UInt8]
        {
            guard count <= Self.longestMetadata else {
                throw .tooComplex(path: name, reason: "its metadata exceed \(Self.longestMetadata) bytes")
            }
            var bytes = [UInt8](repeating: 0, count: count)
            // SAFETY: libheif fills as many bytes as it has announced.
            let result = unsafe bytes.withUnsafeMutableBytes { unsafe read($0.baseAddress) }
            try unsafe Self.check(result, name)
            return bytes
        }

        /// Decodes the picture.
        ///
        /// - Parameters:
        ///   - layout: the layout of the result.
        ///   - failOn: the least serious fault for which libheif refuses the file.
        func decode(_ layout: PixelLayout, _ failOn: FailOn, _ problems: ReadProblems) throws(ImageError) -> PixelBuffer
        {
            let options = unsafe heif.heif_decoding_options_alloc()
            guard let options = unsafe options else { throw .outOfMemory(path: name, bytes: 0) }
            defer { unsafe heif.heif_decoding_options_free(options) }
            unsafe options.pointee.strict_decoding = failOn.refuses(.damage) ? 1 : 0
            let (isEightBit, hasAlpha) = (layout.format.sample.isEightBit, layout.format.channels.hasAlpha)
            let chroma =
                switch (isEightBit, hasAlpha) {
                case (true, false): heif_chroma_interleaved_RGB
                case (true, true): heif_chroma_interleaved_RGBA
                case (false, false): heif_chroma_interleaved_RRGGBB_LE
                case (false, true): heif_chroma_interleaved_RRGGBBAA_LE
                }
            var image: OpaquePointer?
            try ClearedMemory.during { () throws(ImageError) in
                try unsafe Self.check(
                    heif.heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, options), name)
            }
            guard let image = unsafe image else { throw .outOfMemory(path: name, bytes: 0) }
            defer { unsafe heif.heif_image_release(image) }
            unsafe warn(of: image, problems)
            let channel = heif_channel_interleaved
            var stride: Int32 = 0
            let depth = unsafe Int(heif.heif_image_get_bits_per_pixel_range(image, channel))
            // Depths are grey, which libheif returns as RGB as well. Of these, red is enough.
            let count = part == .depth ? 3 : layout.format.channels.count
            guard let plane = unsafe heif.heif_image_get_plane_readonly(image, channel, &stride),
                unsafe Int(heif.heif_image_get_width(image, channel)) == layout.width,
                unsafe Int(heif.heif_image_get_height(image, channel)) == layout.height,
                isEightBit ? depth == 8 : (9...16).contains(depth),
                Int(stride) >= layout.width * count * layout.format.sample.size
            else {
                throw .corrupt(
                    path: name, format: .heic, reason: "its picture does not match its header", offset: nil)
            }
            let rows = unsafe UnsafeRawBufferPointer(start: plane, count: Int(stride) * layout.height)
            let source = unsafe Source(
                bytes: rows, stride: Int(stride), channels: count, maximum: (1 << depth) - 1, isInverted: isNearerLarger
            )
            return isEightBit ? source.pixels(UInt8.self, layout) : source.pixels(UInt16.self, layout)
        }

        /// The interleaved samples of a decoded picture.
        // SAFETY: the pixels exist as long as the picture, which outlives this value.
        @safe private struct Source {
            let bytes: UnsafeRawBufferPointer
            let stride: Int
            let channels: Int
            let maximum: Int
            let isInverted: Bool

            /// Returns the first channels of each pixel, scaled to the full range of the samples.
            func pixels<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
                _: Sample.Type, _ layout: PixelLayout
            ) -> PixelBuffer {
                let (kept, full) = (layout.format.channels.count, Int(Sample.max))
                // SAFETY: the bytes have `stride` for each row, and the loops write every sample of the result.
                return unsafe PixelBuffer(layout: layout) { out in
                    let to = unsafe out.bindMemory(to: Sample.self)
                    for y in 0..<layout.height {
                        let row = unsafe UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...])
                        let from = unsafe row.bindMemory(to: Sample.self)
                        for x in 0..<layout.width {
                            for c in 0..<kept {
                                var value = unsafe min(maximum, Int(from[x * channels + c]))
                                if isInverted { value = maximum - value }
                                if maximum != full { value = (value * full + maximum / 2) / maximum }
                                unsafe to[(y * layout.width + x) * kept + c] = Sample(truncatingIfNeeded: value)
                            }
                        }
                    }
                }
            }
        }

        /// Reports the faults that libheif has found in a picture and tolerated.
        private func warn(of image: OpaquePointer, _ problems: ReadProblems) {
            var warning = unsafe heif_error()
            var index: Int32 = 0
            while index < 16, unsafe heif.heif_image_get_decoding_warnings(image, index, &warning, 1) == 1 {
                unsafe problems.add(Self.reason(warning))
                index += 1
            }
        }

        /// libheif's text of an error, in which every character that is not printable ASCII becomes "?".
        private static func reason(_ error: heif_error) -> String {
            // SAFETY: the text ends with a zero byte, and is copied.
            let text = unsafe error.message.map { unsafe String(cString: $0) } ?? "no reason given"
            // Some texts end with a line feed.
            return String(text.prefix(500).filter { $0 != "\n" }.map { $0.isASCII && $0 >= " " ? $0 : "?" })
        }

        private static func check(_ error: heif_error, _ name: String) throws(ImageError) {
            let reason = unsafe reason(error)
            switch unsafe error.code {
            case heif_error_Ok: return
            case heif_error_Memory_allocation_error:
                guard unsafe error.subcode == heif_suberror_Security_limit_exceeded else {
                    throw .outOfMemory(path: name, bytes: 0)
                }
                throw .tooComplex(path: name, reason: reason)
            case heif_error_Unsupported_filetype, heif_error_Unsupported_feature:
                throw .unsupported(path: name, format: .heic, reason: "unsupported HEIC: \(reason)")
            case _ where unsafe error.subcode == heif_suberror_End_of_data:
                throw .truncated(path: name, format: .heic, reason: reason, offset: nil)
            default: throw .corrupt(path: name, format: .heic, reason: reason, offset: nil)
            }
        }
    }
#endif
