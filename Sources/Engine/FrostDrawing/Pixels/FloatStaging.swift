import FrostCore

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

    private func conversion(_ format: PixelFormat) -> RowConversion {
        var format = format
        if keepsAlphaMode { format.alpha = .premultiplied }
        return RowConversion(format: format, addingAlpha: true)
    }

    /// Fills `out` with rows of RGBA pixels of 4 floats. Colour is premultiplied, unless the alpha mode is kept.
    func load(
        _ source: PixelSource, columns: Range<Int>, rows: Range<Int>, into out: UnsafeMutableRawBufferPointer
    ) {
        guard var to = unsafe out.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        let format = unsafe source.layout.format
        let conversion = self.conversion(format)
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
            if scale != 1 {
                for i in 0..<4 * columns.count { unsafe to[i] *= scale }
            }
            unsafe to += 4 * columns.count
        }
    }

    /// Writes whole rows of the target from RGBA pixels of 4 floats. Colour is premultiplied, unless the alpha mode
    /// is kept.
    func store(_ pixels: UnsafeRawBufferPointer, rows: Range<Int>, to target: PixelTarget) {
        guard var from = unsafe pixels.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        let width = unsafe target.layout.width
        let conversion = unsafe self.conversion(target.layout.format)
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
