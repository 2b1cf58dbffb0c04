package import FrostCore

/// How the last draw stores the result of the output stages.
package struct OutputStagesEncoding: Hashable, Sendable {
    /// The sample type of the images.
    private let sample: SampleType
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

    /// How output stages round samples. The values are the shader's constants SETTLE_….
    enum Settling: Int, CaseIterable, Sendable {
        /// To whole numbers of steps.
        case steps
        /// To floats of 16 bits.
        case halves
        /// Floats of 32 bits are not rounded.
        case floats
    }

    /// How samples are rounded.
    var settling: Settling {
        switch sample {
        case .u8, .u16: .steps
        case .f16: .halves
        case .f32: .floats
        }
    }

    /// The shader's uniform `storing`: the number of sample steps that correspond to 1.0, the value of one step in the
    /// target's texture, and a flag. In byte textures, 1.0 corresponds to 255 steps. In float textures, it corresponds
    /// to as many steps as the image's samples have; floats have no steps.
    var vector: SIMD4<Float> {
        let (steps, step): (Float, Float) =
            switch sample {
            case .u8: (255, 1 / 255)
            case .u16: (65535, 1)
            case .f16, .f32: (1, 1)
            }
        return SIMD4(steps, step, 0, keepsOriginal ? 1 : 0)
    }
}
