import CJPEGShim
public import FrostCore

/// Reads a JPEG row by row, as grey or RGB of 8 bits; or as CMYK in four channels, 255 for no ink, see
/// ``ImageMetadata/colorModel``. What EXIF says of the orientation is done to the pixels. What libjpeg would fill up
/// with made-up pixels, in files that are cut or damaged, is an error.
///
/// A picture that EXIF turns, or that comes in several scans (a progressive one), is read whole for the first row.
///
/// Thread-safety: may be handed from thread to thread, used by one at a time.
public struct JPEGReader: RowReader, ~Copyable, Sendable {
    /// The path, or what the input is called instead.
    public let name: String
    /// The pixels that come out, upright, in rows without padding.
    public let layout: PixelLayout
    /// What the file says besides.
    public let metadata: ImageMetadata
    /// How many rows have been read.
    public private(set) var rowsRead = 0

    private let handle: JPEGReadHandle
    private let orientation: Orientation
    /// As the file has them.
    private let stored: PixelLayout
    private let isInverted: Bool
    /// What has been read whole, upright.
    private var whole: PixelBuffer?

    /// Opens a file and reads up to the first scan.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(source: ByteSource(path: path), limits: limits)
    }

    init(source: ByteSource, limits: ImageLimits) throws(ImageError) {
        // A value that cannot be copied is made whole at once: nothing may throw between its parts.
        let handle = try JPEGReadHandle(source: source)
        let found = try handle.open()
        let (width, height) = (Int(found.width), Int(found.height))
        try limits.check(width: width, height: height, name: source.name)
        if let size = source.size, found.least_bytes > size {
            throw .corrupt(
                path: source.name, format: .jpeg, reason: "the file is too short for \(width)x\(height) pixels",
                offset: UInt64(size))
        }
        let (metadata, orientation) = ImageMetadata.reading(found, handle.segments)
        if found.has_several_scans {
            // Coefficients of 16 bits, all of them at once.
            try Memory.check(width * height * Int(found.channels) * 2, for: source.name)
        }
        let format =
            switch found.channels {
            case 1: PixelFormat(.grey, colorSpace: metadata.colorSpace)
            case 3: PixelFormat(.rgb, colorSpace: metadata.colorSpace)
            // Four channels of which none is multiplied with another.
            default: PixelFormat(.rgba, alpha: .premultiplied, colorSpace: metadata.colorSpace)
            }
        let stored = try PixelLayout(reading: width, height, format, name: source.name)
        layout = try orientation.turned(stored, name: source.name)
        self.stored = stored
        precondition(stored.rowByteCount == found.row_bytes, "libjpeg and Frost disagree about the rows' size")
        name = source.name
        self.metadata = metadata
        self.orientation = orientation
        isInverted = found.channels == 4 && !found.is_adobe
        self.handle = handle
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. With the last row the rest of the file is
    /// read and checked too.
    ///
    /// After an error the reader is of no more use.
    ///
    /// - Precondition: there is a next row, and room for it.
    public mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        if orientation == .upright {
            if rowsRead == 0 { try handle.start() }
            try readStoredRow(into: &row)
            if rowsRead + 1 == layout.height { try handle.end() }
        } else {
            let pixels: PixelBuffer
            if let whole { pixels = whole } else { pixels = try readPixels() }
            whole = pixels
            pixels.copyRow(rowsRead, into: &row)
        }
        rowsRead += 1
        if rowsRead == layout.height { whole = nil }
    }

    /// Reads all of the image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(stored.byteCount * (orientation == .upright ? 1 : 2), for: name)
        try handle.start()
        let stored = stored
        // SAFETY: every row is filled by its read, or this throws.
        let pixels = try unsafe PixelBuffer(layout: stored) { bytes throws(ImageError) in
            for y in 0..<stored.height {
                let start = y * stored.rowByteCount
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + stored.rowByteCount])
                var row = unsafe part.mutableBytes
                try readStoredRow(into: &row)
            }
        }
        try handle.end()
        return orientation.upright(pixels, layout)
    }

    private borrowing func readStoredRow(into row: inout MutableRawSpan) throws(ImageError) {
        let count = stored.rowByteCount
        let isInverted = isInverted
        // SAFETY: the row has room for the bytes.
        try unsafe row.withUnsafeMutableBytes { out throws(ImageError) in
            try unsafe handle.readRow(into: out)
            if isInverted { for i in 0..<count { unsafe out[i] = ~out[i] } }
        }
    }
}

extension PixelBuffer {
    /// Copies a row's pixels.
    func copyRow(_ y: Int, into row: inout MutableRawSpan) {
        let start = y * layout.bytesPerRow
        let count = layout.rowByteCount
        // SAFETY: the row has room for the bytes, and the buffer holds `height` rows.
        unsafe withUnsafeBytes { bytes in
            unsafe row.withUnsafeMutableBytes { out in
                unsafe out.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
        }
    }
}
