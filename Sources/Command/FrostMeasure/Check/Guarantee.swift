package import Frost

extension SampleType {
    /// The largest error that Frost guarantees for Gaussian blurs of images of this type, in 8-bit steps: one 8-bit
    /// step, or four 16-bit steps. 16-bit floats have 11 significant bits, so rounding values in 0...1 to them adds
    /// 2^-12.
    package var guaranteedError: Double {
        isEightBit ? 1 : 4 / 257.0 + (traits.rounding == .halves ? 255 * 0x1p-12 : 0)
    }
}
