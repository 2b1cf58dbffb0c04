/// The definition of rows in files, pixel by pixel, with the rounding of the standard library. It is independent of how Frost
/// converts rows.
package enum RowRounding {
    /// Returns the samples of an integer type for pixels over a background.
    ///
    /// - Parameters:
    ///   - pixels: red, green, blue and straight alpha of each pixel. 1.0 is full scale.
    ///   - background: the opaque colour behind the pixels; nil keeps alpha.
    ///   - offsets: one for each pixel, which is added to the colours before they are rounded down, as 0.5 is to alpha; nil
    ///     rounds to nearest.
    /// - Returns: red, green and blue, and alpha if it is kept.
    package static func samples(
        _ pixels: [SIMD4<Float>], over background: SIMD4<Float>?, maximum: Float, offsets: [Float]? = nil
    ) -> [UInt16] {
        var samples: [UInt16] = []
        samples.reserveCapacity(pixels.count * 4)
        for (index, pixel) in pixels.enumerated() {
            for channel in 0..<(background == nil ? 4 : 3) {
                var value = pixel[channel]
                if let background { value = background[channel] + (value - background[channel]) * pixel.w }
                let steps = (value > 0 ? min(value, 1) : 0) * maximum
                if let offsets {
                    let offset = channel < 3 ? offsets[index] : 0.5
                    samples.append(UInt16((steps + offset).rounded(.down)))
                } else {
                    samples.append(UInt16(steps.rounded(.toNearestOrAwayFromZero)))
                }
            }
        }
        return samples
    }
}
