import FrostCore
import Glibc

/// What happens to the samples of deep images during transfers.
struct FloatStaging: Hashable {
    /// Straight colour is not converted, in both directions.
    var keepsAlphaMode = false
    /// What samples are multiplied by during uploads.
    var scale: Float = 1

    fileprivate func conversion(_ format: PixelFormat) -> RowConversion {
        var format = format
        if keepsAlphaMode { format.alpha = .premultiplied }
        return RowConversion(format: format, addingAlpha: true)
    }
}

/// Between the caller's rows and the rows of a texture, which always have four channels: bytes in the caller's own
/// alpha mode for 8-bit work, else premultiplied floats.
enum PixelStaging {
    /// Fills `out` with rows of RGBA, 4 bytes a pixel.
    static func loadBytes(
        _ source: PixelSource, columns: Range<Int>, rows: Range<Int>, into out: UnsafeMutableRawBufferPointer
    ) {
        guard var to = unsafe out.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let channels = unsafe source.layout.format.channels
        let bytesPerPixel = unsafe source.layout.format.bytesPerPixel
        for y in rows {
            // SAFETY: rows and columns lie in the image, and `out` has 4 bytes for each of their pixels.
            let from = unsafe (source.row(y) + columns.lowerBound * bytesPerPixel).assumingMemoryBound(to: UInt8.self)
            switch channels {
            case .rgba:
                unsafe memcpy(to, from, 4 * columns.count)
            case .bgra:
                unsafe swapRedAndBlue(from, to, columns.count)
            case .rgb:
                for x in 0..<columns.count {
                    unsafe to[4 * x] = from[3 * x]
                    unsafe to[4 * x + 1] = from[3 * x + 1]
                    unsafe to[4 * x + 2] = from[3 * x + 2]
                    unsafe to[4 * x + 3] = 255
                }
            case .grey, .greyAlpha:
                let step = channels.count
                for x in 0..<columns.count {
                    let grey = unsafe from[step * x]
                    unsafe to[4 * x] = grey
                    unsafe to[4 * x + 1] = grey
                    unsafe to[4 * x + 2] = grey
                    unsafe to[4 * x + 3] = step == 2 ? from[step * x + 1] : 255
                }
            }
            unsafe to += 4 * columns.count
        }
    }

    /// Writes whole rows from RGBA, 4 bytes a pixel.
    static func storeBytes(
        _ pixels: UnsafeRawBufferPointer, rows: Range<Int>, to target: PixelTarget
    ) {
        guard var from = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let channels = unsafe target.layout.format.channels
        let width = unsafe target.layout.width
        for y in rows {
            // SAFETY: the rows lie in the image, and `pixels` has 4 bytes for each of their pixels.
            let to = unsafe target.row(y).assumingMemoryBound(to: UInt8.self)
            switch channels {
            case .rgba:
                unsafe memcpy(to, from, 4 * width)
            case .bgra:
                unsafe swapRedAndBlue(from, to, width)
            case .rgb:
                for x in 0..<width {
                    unsafe to[3 * x] = from[4 * x]
                    unsafe to[3 * x + 1] = from[4 * x + 1]
                    unsafe to[3 * x + 2] = from[4 * x + 2]
                }
            case .grey:
                for x in 0..<width { unsafe to[x] = from[4 * x] }
            case .greyAlpha:
                for x in 0..<width {
                    unsafe to[2 * x] = from[4 * x]
                    unsafe to[2 * x + 1] = from[4 * x + 3]
                }
            }
            unsafe from += 4 * width
        }
    }

    private static func swapRedAndBlue(
        _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        for x in 0..<count {
            // SAFETY: `count` pixels of 4 bytes on both sides.
            unsafe to[4 * x] = from[4 * x + 2]
            unsafe to[4 * x + 1] = from[4 * x + 1]
            unsafe to[4 * x + 2] = from[4 * x]
            unsafe to[4 * x + 3] = from[4 * x + 3]
        }
    }

    /// Fills `out` with rows of RGBA, 4 floats a pixel, premultiplied unless `staging` says otherwise.
    static func loadFloats(
        _ source: PixelSource, _ staging: FloatStaging = FloatStaging(), columns: Range<Int>, rows: Range<Int>,
        into out: UnsafeMutableRawBufferPointer
    ) {
        guard var to = unsafe out.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        let format = unsafe source.layout.format
        let conversion = staging.conversion(format)
        let isGrey = conversion.working == .greyAlpha
        for y in rows {
            // SAFETY: rows and columns lie in the image, and `out` has 4 floats for each of their pixels.
            let from = unsafe source.row(y) + columns.lowerBound * format.bytesPerPixel
            unsafe conversion.load(from, count: columns.count, into: to)
            if isGrey {
                // Spread in place from the end: a pixel is read before anything is written where it lies.
                for x in (0..<columns.count).reversed() {
                    let grey = unsafe to[2 * x]
                    let alpha = unsafe to[2 * x + 1]
                    unsafe to[4 * x] = grey
                    unsafe to[4 * x + 1] = grey
                    unsafe to[4 * x + 2] = grey
                    unsafe to[4 * x + 3] = alpha
                }
            }
            if staging.scale != 1 {
                for i in 0..<4 * columns.count { unsafe to[i] *= staging.scale }
            }
            unsafe to += 4 * columns.count
        }
    }

    /// Writes whole rows from RGBA, 4 floats a pixel, premultiplied unless `staging` says otherwise.
    static func storeFloats(
        _ pixels: UnsafeRawBufferPointer, _ staging: FloatStaging = FloatStaging(), rows: Range<Int>,
        to target: PixelTarget
    ) {
        guard var from = unsafe pixels.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        let width = unsafe target.layout.width
        let conversion = unsafe staging.conversion(target.layout.format)
        let isGrey = conversion.working == .greyAlpha
        var grey = [Float](repeating: 0, count: isGrey ? 2 * width : 0)
        for y in rows {
            // SAFETY: the rows lie in the image, and `pixels` has 4 floats for each of their pixels.
            if isGrey {
                for x in 0..<width {
                    grey[2 * x] = unsafe from[4 * x]
                    grey[2 * x + 1] = unsafe from[4 * x + 3]
                }
                unsafe conversion.store(grey, count: width, into: target.row(y))
            } else {
                unsafe conversion.store(from, count: width, into: target.row(y))
            }
            unsafe from += 4 * width
        }
    }
}
