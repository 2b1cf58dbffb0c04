import CJPEG
import FrostCore

/// Writes a JPEG row by row, with 8 bits per sample. The pixels are grey or RGB, or CMYK if
/// ``ImageMetadata/colorModel`` is `cmyk`.
struct JPEGEncoder: FormatEncoder, ~Copyable {
    private let handle: JPEGWriteHandle
    private let output: EncodedBytes

    static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
        // The coefficients of the whole picture, with two bytes each.
        let keepsCoefficients = options.jpeg.isProgressive || options.jpeg.isOptimized
        return keepsCoefficients ? layout.sampleCount * 2 : layout.rowByteCount * 64
    }

    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes
    ) throws(ImageError) {
        let handle = try JPEGWriteHandle(name: output.name)
        try handle.start(layout, options.jpeg, density: metadata.pixelDensity?.jfif)
        for (marker, bytes) in metadata.segments { try handle.writeSegment(marker, bytes) }
        if let profile = metadata.iccProfile?.bytes ?? layout.format.colorSpace.iccBytes {
            try handle.writeProfile(profile)
        }
        handle.drain(into: output)
        self.handle = handle
        self.output = output
    }

    mutating func writeRow(_ row: RawSpan) throws(ImageError) {
        try handle.writeRow(row)
        handle.drain(into: output)
    }

    mutating func end() throws(ImageError) {
        try handle.end()
        handle.drain(into: output)
    }
}

/// Owns the writer of the C module CJPEG.
@safe private struct JPEGWriteHandle: ~Copyable, @unchecked Sendable {
    // The struct is Sendable because it cannot be copied and nothing else holds its reference.
    private let writer: OpaquePointer
    private let name: String

    init(name: String) throws(ImageError) {
        // SAFETY: the call creates a writer that this struct owns.
        guard let writer = unsafe frost_jpeg_writer_create() else {
            throw .outOfMemory(path: name, bytes: 0)
        }
        unsafe self.writer = unsafe writer
        self.name = name
    }

    deinit {
        // SAFETY: this struct holds the only reference to the writer.
        unsafe frost_jpeg_writer_destroy(writer)
    }

    func start(
        _ layout: PixelLayout, _ options: JPEGWriteOptions, density: frost_jpeg_density?
    ) throws(ImageError) {
        let subsampling = options.chosenSubsampling
        var settings = frost_jpeg_settings(
            width: UInt32(layout.width), height: UInt32(layout.height), channels: UInt32(layout.format.channels.count),
            quality: Int32(options.quality), subsampling_x: subsampling == .none ? 1 : 2,
            subsampling_y: subsampling == .both ? 2 : 1, progressive: options.isProgressive,
            optimized: options.isOptimized, has_density: density != nil, density: density ?? frost_jpeg_density())
        // SAFETY: the shim reads the settings only during the call.
        try check(unsafe frost_jpeg_writer_start(writer, &settings))
    }

    func writeSegment(_ marker: UInt32, _ bytes: [UInt8]) throws(ImageError) {
        // SAFETY: here and below, the shim copies the bytes during the call.
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return FROST_JPEG_OK }
            return unsafe frost_jpeg_writer_segment(
                writer, frost_jpeg_segment(marker: marker, size: bytes.count, bytes: base))
        }
        try check(status)
    }

    func writeProfile(_ bytes: [UInt8]) throws(ImageError) {
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, bytes.count > 0 else { return FROST_JPEG_OK }
            return unsafe frost_jpeg_writer_profile(writer, base, bytes.count)
        }
        try check(status)
    }

    func writeRow(_ row: RawSpan) throws(ImageError) {
        // SAFETY: libjpeg reads the row only during the call. The row is not empty, because no layout has a width of 0.
        let status = unsafe row.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe frost_jpeg_writer_row(writer, $0) } ?? FROST_JPEG_INVALID
        }
        try check(status)
    }

    func end() throws(ImageError) {
        // SAFETY: the writer exists as long as this struct.
        try check(unsafe frost_jpeg_writer_end(writer))
    }

    /// Moves the bytes that libjpeg has encoded to `output`.
    func drain(into output: EncodedBytes) {
        var count = 0
        // SAFETY: the shim returns `count` bytes, which stay valid until the next call for the writer. That call is
        // below.
        guard let bytes = unsafe frost_jpeg_writer_pending(writer, &count), count > 0 else { return }
        output.write(unsafe UnsafeRawBufferPointer(start: bytes, count: count).bytes)
        unsafe frost_jpeg_writer_clear(writer)
    }

    private func check(_ status: frost_jpeg_status) throws(ImageError) {
        if status == FROST_JPEG_OK { return }
        if status == FROST_JPEG_NO_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
        // SAFETY: the shim's message ends with a zero byte and is copied.
        throw .cannotEncode(path: name, reason: unsafe String(cString: frost_jpeg_writer_message(writer)))
    }
}

extension ColorSpace {
    /// The bytes of the ICC profile, or nil if this colour space is not described by a profile.
    var iccBytes: [UInt8]? { if case .icc(let bytes) = self { bytes } else { nil } }
}
