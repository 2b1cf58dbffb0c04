#if TIFF
    import CTIFF
    import FrostCore

    /// Writes a TIFF file with lossless compression. The pixels are grey or RGB, with or without alpha, or CMYK. The
    /// samples are integers of 8 or 16 bits, or floats; CMYK has 8 bits. libtiff writes the list of strips last, and
    /// stores the position of this list in the first bytes of the file. The encoder therefore keeps the whole file in
    /// memory until the end.
    struct TIFFEncoder: FormatEncoder, ~Copyable {
        private let handle: TIFFWriteHandle
        private let output: EncodedBytes
        private let isCMYK: Bool
        private var inverted: [UInt8]

        static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
            // libtiff completes the first bytes of the file last. The memory of the file grows by doubling.
            layout.storedByteCount(options) * 2
        }

        init(
            _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
            to output: EncodedBytes
        ) throws(ImageError) {
            let handle = try TIFFWriteHandle(name: output.name)
            try handle.start(layout, metadata)
            self.handle = handle
            self.output = output
            isCMYK = metadata.colorModel == .cmyk
            inverted = [UInt8](repeating: 0, count: isCMYK ? layout.rowByteCount : 0)
        }

        mutating func writeRow(_ row: RawSpan) throws(ImageError) {
            guard isCMYK else { return try handle.writeRow(row) }
            // In Frost's CMYK pixels, 255 means no ink. In a TIFF file, 255 means full ink. SAFETY: every byte is a
            // valid value, and the span checks its bounds.
            for i in inverted.indices { inverted[i] = unsafe ~row.unsafeLoad(fromByteOffset: i, as: UInt8.self) }
            try handle.writeRow(unsafe inverted.span.bytes)
        }

        mutating func end() throws(ImageError) { try handle.end(into: output) }
    }

    /// Owns the writer of the C module CTIFF.
    @safe private struct TIFFWriteHandle: ~Copyable, @unchecked Sendable {
        // The struct is Sendable because it cannot be copied and nothing else holds its reference.
        private let writer: OpaquePointer
        private let name: String

        init(name: String) throws(ImageError) {
            try TIFFLibrary.isLoaded.toWrite(name, .tiff)
            // SAFETY: the call creates a writer that this struct owns.
            guard let writer = unsafe frost_tiff_writer_create() else {
                throw .outOfMemory(path: name, bytes: 0)
            }
            unsafe self.writer = unsafe writer
            self.name = name
        }

        deinit {
            // SAFETY: this struct holds the only reference to the writer.
            unsafe frost_tiff_writer_destroy(writer)
        }

        func start(_ layout: PixelLayout, _ metadata: ImageMetadata) throws(ImageError) {
            let profile = metadata.iccProfile?.bytes ?? layout.format.colorSpace.iccBytes ?? []
            let xmp = metadata.xmp ?? []
            let density = metadata.pixelDensity?.tiff
            // SAFETY: during the call, the shim reads the settings and copies the bytes.
            let status = unsafe profile.withUnsafeBufferPointer { profile in
                unsafe xmp.withUnsafeBufferPointer { xmp in
                    var settings = unsafe frost_tiff_settings(
                        width: UInt32(layout.width), height: UInt32(layout.height),
                        channels: UInt16(layout.format.channels.count), is_cmyk: metadata.colorModel == .cmyk,
                        bits: UInt16(layout.format.sample.size * 8), has_density: density != nil,
                        density: density ?? frost_tiff_density(),
                        profile: frost_tiff_bytes(start: profile.baseAddress, size: UInt32(profile.count)),
                        xmp: frost_tiff_bytes(start: xmp.baseAddress, size: UInt32(xmp.count)))
                    return unsafe frost_tiff_writer_start(writer, &settings)
                }
            }
            try check(status)
        }

        func writeRow(_ row: RawSpan) throws(ImageError) {
            // SAFETY: libtiff reads the row only during the call. The row is not empty, because no layout has a width
            // of 0.
            let status = unsafe row.withUnsafeBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe frost_tiff_writer_row(writer, $0) } ?? FROST_TIFF_INVALID
            }
            try check(status)
        }

        /// Ends the file and moves all of its bytes to `output`.
        func end(into output: EncodedBytes) throws(ImageError) {
            // SAFETY: here and below, the writer exists as long as this struct.
            try check(unsafe frost_tiff_writer_end(writer))
            var count = 0
            guard let bytes = unsafe frost_tiff_writer_file(writer, &count) else { return }
            output.write(unsafe UnsafeRawBufferPointer(start: bytes, count: count).bytes)
        }

        private func check(_ status: frost_tiff_status) throws(ImageError) {
            if status == FROST_TIFF_OK { return }
            if status == FROST_TIFF_NO_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
            // SAFETY: the shim's message ends with a zero byte and is copied.
            throw .cannotEncode(path: name, reason: unsafe String(cString: frost_tiff_writer_message(writer)))
        }
    }
#endif
