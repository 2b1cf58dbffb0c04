package import FrostCore

/// How the last draw stores the result of the output stages.
package struct OutputStagesEncoding: Hashable, Sendable {
    /// The sample type of the images.
    let sample: SampleType
    /// Whether the target stores straight colour, which is divided by alpha.
    let isStraight: Bool
    /// Whether the source texture holds straight colour, which the shader multiplies by alpha.
    let premultipliesOriginal: Bool
    /// Whether source and target represent equal colours by equal numbers.
    private let keepsOriginal: Bool

    package init(source: PixelFormat, target: PixelFormat, premultipliesOriginal: Bool) {
        sample = target.sample
        isStraight = target.needsPremultiplication
        self.premultipliesOriginal = premultipliesOriginal
        keepsOriginal = !source.channels.hasAlpha || source.alpha == target.alpha
    }

    /// Returns the shader's uniform `storing`: the number of sample steps that correspond to 1.0, the value of one step in the
    /// target's texture, the opacity, and a flag. In byte textures, 1.0 corresponds to 255 steps. In float textures, it corresponds
    /// to as many steps as the image's samples have; floats have no steps.
    func vector(opacity: Double) -> SIMD4<Float> {
        let steps = Float(sample.maximum)
        let step = sample.isEightBit ? 1 / steps : 1
        return SIMD4(steps, step, Float(opacity), keepsOriginal ? 1 : 0)
    }
}
