import FrostCore

extension PixelFormat {
    /// Returns whether all pixels of a row are opaque.
    ///
    /// - Parameter row: the bytes of whole pixels, without padding.
    func isOpaque(_ row: RawSpan) -> Bool {
        guard let place = channels.order.alpha else { return true }
        return switch sample {
        case .u8: row.holds(UInt8.max, place, of: channels.count)
        case .u16: row.holds(UInt16.max, place, of: channels.count)
        case .f16: row.holds(Float16(1), place, of: channels.count)
        case .f32: row.holds(Float(1), place, of: channels.count)
        }
    }
}

extension PixelBuffer {
    /// Whether all pixels are opaque.
    var isOpaque: Bool {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let source = unsafe bytes.span.bytes
        return (0..<height).allSatisfy { y in
            let start = y * layout.bytesPerRow
            return format.isOpaque(source.extracting(start..<start + layout.rowByteCount))
        }
    }
}

extension RawSpan {
    /// Returns whether the sample at a place of each pixel is at least a value.
    fileprivate func holds<Sample: Comparable & BitwiseCopyable>(_ least: Sample, _ place: Int, of count: Int) -> Bool {
        // SAFETY: every bit pattern of the sample types is a valid number. A row holds whole pixels, so the last sample of
        // each pixel is within it.
        unsafe withUnsafeBytes { bytes in
            var isHeld = true
            let size = MemoryLayout<Sample>.size
            for at in stride(from: place * size, to: bytes.count, by: count * size) {
                isHeld = unsafe isHeld && bytes.loadUnaligned(fromByteOffset: at, as: Sample.self) >= least
            }
            return isHeld
        }
    }
}
