extension PixelBuffer {
    /// Converts integer samples to a sample type with more bits. The values stay the same fractions of full scale.
    ///
    /// - Parameter sample: a type that represents every value of the image's own type. The image is returned unchanged if
    ///   the types are equal.
    /// - Throws: ``PixelError/tooLarge(width:height:)``.
    /// - Precondition: `sample` represents every value of the image's sample type.
    package func widened(to sample: SampleType) throws(PixelError) -> PixelBuffer {
        guard sample != format.sample else { return self }
        precondition(
            sample.size > format.sample.size && (sample.isFloat || !format.sample.isFloat),
            "\(format.sample) cannot be widened to \(sample)")
        var wide = format
        wide.sample = sample
        let (from, own) = (layout, format.sample)
        let target = try PixelLayout(width: width, height: height, format: wide)
        let (count, scale) = (width * format.channels.count, sample.maximum / own.maximum)
        return unsafe PixelBuffer(layout: target) { out in
            // SAFETY: every row of both layouts has `count` samples of its type, aligned to the type.
            unsafe withUnsafeBytes { bytes in
                guard let source = bytes.baseAddress, let base = out.baseAddress else { return }
                for y in 0..<from.height {
                    let (row, to) = unsafe (source + y * from.bytesPerRow, base + y * target.bytesPerRow)
                    for i in 0..<count {
                        let number = unsafe own.number(row, at: i)
                        let value = sample.isFloat ? Double(Float(number) / Float(own.maximum)) : number * scale
                        unsafe sample.store(value, to, at: i)
                    }
                }
            }
        }
    }

    /// Returns 8-bit RGB as premultiplied RGBA that is opaque.
    ///
    /// - Throws: ``PixelError`` if the pixels cannot be addressed.
    package func addingOpaqueAlpha() throws(PixelError) -> PixelBuffer {
        precondition(format.channels == .rgb && format.sample.isEightBit, "\(format) is not 8-bit RGB")
        var opaque = format
        (opaque.channels, opaque.alpha) = (.rgba, .premultiplied)
        let (from, target) = (layout, try PixelLayout(width: width, height: height, format: opaque))
        return unsafe PixelBuffer(layout: target) { out in
            // SAFETY: every row of both layouts has `width` pixels.
            unsafe withUnsafeBytes { bytes in
                guard let source = bytes.baseAddress, let base = out.baseAddress else { return }
                for y in 0..<from.height {
                    let (row, to) = unsafe (source + y * from.bytesPerRow, base + y * target.bytesPerRow)
                    unsafe from.format.channels.expand(
                        row.assumingMemoryBound(to: UInt8.self), count: from.width, opaque: 255,
                        into: to.assumingMemoryBound(to: UInt8.self))
                }
            }
        }
    }
}
