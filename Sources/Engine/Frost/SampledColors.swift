import FrostCore

extension PixelSource {
    /// Returns the colours of the samples of a grid: premultiplied RGBA of encoded numbers, in 0...1 unless the samples are
    /// floats.
    ///
    /// - Parameter grid: a grid within the picture, whose first pixel has the coordinates 0, 0.
    func colors(at grid: SampleGrid) -> [SIMD4<Float>] {
        let layout = unsafe layout
        let conversion = RowConversion(format: layout.format, addingAlpha: true)
        let (count, size) = (conversion.working.count, layout.format.bytesPerPixel)
        let factor = 1 / Float(layout.format.sample.maximum)
        var colors: [SIMD4<Float>] = []
        colors.reserveCapacity(grid.count)
        // SAFETY: the memory has room for a working pixel, and all samples lie within the picture.
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { pixel in
            guard let out = pixel.baseAddress else { return }
            for part in grid.parts {
                for index in 0..<part.columns * part.rows {
                    let (row, column) = index.quotientAndRemainder(dividingBy: part.columns)
                    let from = unsafe self.row(part.y + row * grid.step) + (part.x + column * grid.step) * size
                    unsafe conversion.load(from, count: 1, into: out)
                    let grey = unsafe out[0]
                    let color =
                        count == 2
                        ? unsafe SIMD4(grey, grey, grey, out[1]) : unsafe SIMD4(grey, out[1], out[2], out[3])
                    colors.append(color * factor)
                }
            }
        }
        return colors
    }
}

extension PixelBuffer {
    /// Returns the colours of the samples of a grid: see ``PixelSource/colors(at:)``.
    func colors(at grid: SampleGrid) -> [SIMD4<Float>] {
        // SAFETY: the buffer has all bytes of its layout.
        unsafe withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe PixelSource($0, layout: layout).colors(at: grid) } ?? []
        }
    }
}
