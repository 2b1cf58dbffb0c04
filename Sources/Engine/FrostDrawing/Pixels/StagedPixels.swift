package import FrostCore

/// The form in which the pixels of an image are transferred: always four channels, without padding. If source
/// and target have 8-bit samples, the pixels are bytes in the caller's alpha mode. Otherwise they are floats, which are
/// premultiplied unless ``FloatStaging`` keeps the alpha mode.
package enum StagedPixels: Hashable, Sendable {
    /// Bytes, in the caller's alpha mode.
    case bytes
    case floats(FloatStaging)

    /// Fills `memory` with rows of a window of an image.
    ///
    /// - Parameters:
    ///   - window: the window, counted from the image's first pixel.
    ///   - rows: the rows to load, counted from the window's first row.
    package func load(
        _ source: PixelSource, window: Rect, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer
    ) {
        let rows = window.y + rows.lowerBound..<window.y + rows.upperBound
        switch self {
        case .bytes: unsafe Self.loadBytes(source, columns: window.columns, rows: rows, into: memory)
        case .floats(let staging): unsafe staging.load(source, columns: window.columns, rows: rows, into: memory)
        }
    }

    /// Converts rows and writes them to an image.
    package func store(_ pixels: UnsafeRawBufferPointer, rows: Range<Int>, to target: PixelTarget) {
        switch self {
        case .bytes: unsafe Self.storeBytes(pixels, rows: rows, to: target)
        case .floats(let staging): unsafe staging.store(pixels, rows: rows, to: target)
        }
    }

    /// Fills `out` with rows of RGBA pixels of 4 bytes.
    private static func loadBytes(
        _ source: PixelSource, columns: Range<Int>, rows: Range<Int>, into out: UnsafeMutableRawBufferPointer
    ) {
        guard var to = unsafe out.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let channels = unsafe source.layout.format.channels
        let bytesPerPixel = unsafe source.layout.format.bytesPerPixel
        for y in rows {
            // SAFETY: rows and columns lie in the image, and `out` has 4 bytes for each of their pixels.
            let from = unsafe (source.row(y) + columns.lowerBound * bytesPerPixel).assumingMemoryBound(to: UInt8.self)
            unsafe channels.expand(from, count: columns.count, opaque: 255, into: to)
            unsafe to += 4 * columns.count
        }
    }

    /// Writes whole rows of the target from RGBA pixels of 4 bytes.
    private static func storeBytes(
        _ pixels: UnsafeRawBufferPointer, rows: Range<Int>, to target: PixelTarget
    ) {
        guard var from = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let channels = unsafe target.layout.format.channels
        let width = unsafe target.layout.width
        for y in rows {
            // SAFETY: the rows lie in the image, and `pixels` has 4 bytes for each of their pixels.
            let to = unsafe target.row(y).assumingMemoryBound(to: UInt8.self)
            unsafe channels.narrow(from, count: width, into: to)
            unsafe from += 4 * width
        }
    }
}
