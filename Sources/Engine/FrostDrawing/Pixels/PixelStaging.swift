package import FrostCore

/// How the samples of images with more than 8 bits are converted during transfers.
package struct FloatStaging: Hashable, Sendable {
    /// Whether straight colour stays straight in uploads and readbacks.
    let keepsAlphaMode: Bool
    /// The factor by which uploads multiply samples.
    let scale: Float

    package init(keepsAlphaMode: Bool = false, scale: Float = 1) {
        self.keepsAlphaMode = keepsAlphaMode
        self.scale = scale
    }

    fileprivate func conversion(_ format: PixelFormat) -> RowConversion {
        var format = format
        if keepsAlphaMode { format.alpha = .premultiplied }
        return RowConversion(format: format, addingAlpha: true)
    }
}

/// The form in which the pixels of an image are transferred: see ``PixelStaging``.
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
        case .bytes: unsafe PixelStaging.loadBytes(source, columns: window.columns, rows: rows, into: memory)
        case .floats(let staging):
            unsafe PixelStaging.loadFloats(source, staging, columns: window.columns, rows: rows, into: memory)
        }
    }

    /// Converts rows and writes them to an image.
    package func store(_ pixels: UnsafeRawBufferPointer, rows: Range<Int>, to target: PixelTarget) {
        switch self {
        case .bytes: unsafe PixelStaging.storeBytes(pixels, rows: rows, to: target)
        case .floats(let staging): unsafe PixelStaging.storeFloats(pixels, staging, rows: rows, to: target)
        }
    }
}

/// Converts between the caller's rows and the rows of a texture, which always have four channels. If source and target have
/// 8-bit samples, the texture's rows are bytes in the caller's alpha mode. Otherwise the rows are floats, which are
/// premultiplied unless ``FloatStaging`` keeps the alpha mode.
enum PixelStaging {
    /// Fills `out` with rows of RGBA pixels of 4 bytes.
    static func loadBytes(
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
    static func storeBytes(
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

    /// Fills `out` with rows of RGBA pixels of 4 floats. Colour is premultiplied, unless `staging` keeps the alpha mode.
    static func loadFloats(
        _ source: PixelSource, _ staging: FloatStaging = FloatStaging(), columns: Range<Int>, rows: Range<Int>,
        into out: UnsafeMutableRawBufferPointer
    ) {
        guard var to = unsafe out.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        let format = unsafe source.layout.format
        let conversion = staging.conversion(format)
        let working = conversion.working
        var plain = [Float](repeating: 0, count: working.isGrey ? working.count * columns.count : 0)
        for y in rows {
            // SAFETY: rows and columns lie in the image, and `out` has 4 floats for each of their pixels.
            let from = unsafe source.row(y) + columns.lowerBound * format.bytesPerPixel
            if working.isGrey {
                unsafe conversion.load(from, count: columns.count, into: &plain)
                unsafe working.expand(plain, count: columns.count, opaque: Float(format.sample.maximum), into: to)
            } else {
                unsafe conversion.load(from, count: columns.count, into: to)
            }
            if staging.scale != 1 {
                for i in 0..<4 * columns.count { unsafe to[i] *= staging.scale }
            }
            unsafe to += 4 * columns.count
        }
    }

    /// Writes whole rows of the target from RGBA pixels of 4 floats. Colour is premultiplied, unless `staging` keeps the
    /// alpha mode.
    static func storeFloats(
        _ pixels: UnsafeRawBufferPointer, _ staging: FloatStaging = FloatStaging(), rows: Range<Int>,
        to target: PixelTarget
    ) {
        guard var from = unsafe pixels.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        let width = unsafe target.layout.width
        let conversion = unsafe staging.conversion(target.layout.format)
        let working = conversion.working
        var plain = [Float](repeating: 0, count: working.isGrey ? working.count * width : 0)
        for y in rows {
            // SAFETY: the rows lie in the image, and `pixels` has 4 floats for each of their pixels.
            if working.isGrey {
                unsafe working.narrow(from, count: width, into: &plain)
                unsafe conversion.store(plain, count: width, into: target.row(y))
            } else {
                unsafe conversion.store(from, count: width, into: target.row(y))
            }
            unsafe from += 4 * width
        }
    }
}
