extension PixelBuffer {
    /// Converts integer samples to a sample type with more bits. The values stay the same fractions of full scale.
    ///
    /// - Parameter sample: a type that represents every value of the image's own type. The image is returned unchanged if
    ///   the types are equal.
    /// - Throws: ``PixelError/tooLarge(width:height:)``.
    /// - Precondition: `sample` represents every value of the image's sample type.
    package func widened(to sample: SampleType) throws(PixelError) -> PixelBuffer {
        precondition(sample.size >= format.sample.size, "\(format.sample) cannot be widened to \(sample)")
        guard sample != format.sample else { return self }
        var wide = format
        wide.sample = sample
        let (from, own) = (layout, format.sample)
        let target = try PixelLayout(width: width, height: height, format: wide)
        let count = width * format.channels.count
        return unsafe PixelBuffer(layout: target) { out in
            // SAFETY: every row of both layouts has `count` samples of its type, aligned to the type.
            unsafe withUnsafeBytes { bytes in
                guard let source = bytes.baseAddress, let base = out.baseAddress else { return }
                for y in 0..<from.height {
                    let (row, to) = unsafe (source + y * from.bytesPerRow, base + y * target.bytesPerRow)
                    for i in 0..<count {
                        switch (own, sample) {
                        case (.u8, .u16):
                            let value = UInt16(unsafe row.load(fromByteOffset: i, as: UInt8.self))
                            unsafe to.storeBytes(of: value * 257, toByteOffset: 2 * i, as: UInt16.self)
                        case (.u8, .f32):
                            let value = Float(unsafe row.load(fromByteOffset: i, as: UInt8.self))
                            unsafe to.storeBytes(of: value / 255, toByteOffset: 4 * i, as: Float.self)
                        case (.u16, .f32):
                            let value = Float(unsafe row.load(fromByteOffset: 2 * i, as: UInt16.self))
                            unsafe to.storeBytes(of: value / 65535, toByteOffset: 4 * i, as: Float.self)
                        case (.f16, .f32):
                            let value = Float(unsafe row.load(fromByteOffset: 2 * i, as: Float16.self))
                            unsafe to.storeBytes(of: value, toByteOffset: 4 * i, as: Float.self)
                        case (.u8, .f16), (.u16, .f16), (.f16, .u16), (.u8, .u8), (.u16, .u16), (.f16, .f16),
                            (.f32, .f32), (.u16, .u8), (.f16, .u8), (.f32, .u8), (.f32, .u16), (.f32, .f16):
                            preconditionFailure("\(own) is not widened to \(sample)")
                        }
                    }
                }
            }
        }
    }
}
