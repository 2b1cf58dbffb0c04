import FrostGLES

/// Which formats the textures of an execution have: by the images' samples, the slot's sign, and what the device has.
struct FormatChoice: Hashable {
    /// Renderable on the device and allowed by the options.
    let available: Set<TextureFormat>
    /// Both images have 8 bits: they travel as bytes, and 16 bits between passes are plenty.
    let isEightBit: Bool
    /// The result has no alpha channel, so that two bits for it do no harm.
    let isOpaque: Bool
    /// What follows enlarges the rounding of 16 bits beyond what is left for arithmetic.
    var wantsFloats = false

    /// A format, and what it costs if it is not the one wanted.
    struct Intermediate: Hashable {
        let format: TextureFormat
        let degradedPrecision: String?
    }

    /// Whether what follows a blur enlarges the rounding of its intermediates too much.
    static func wantsFloats(intermediates: Int, _ amplification: Double) -> Bool {
        // Half a step of 16 bits for each intermediate, in 8-bit steps. With the planner's half of what rounding leaves
        // there is a quarter of a step for it; other arithmetic has the rest.
        0.5 / 257 * Double(intermediates) * amplification > 0.125
    }

    /// Of the source's texture and of the output.
    var image: TextureFormat { isEightBit ? .rgba8 : .rgba32F }

    /// Of a slot.
    func intermediate(isSigned: Bool) throws(GPUError) -> Intermediate {
        guard let format = ranking(isSigned: isSigned).first(where: available.contains) else {
            throw .unsupportedFormat(
                "the device cannot render to \(isSigned || !isEightBit ? "float textures" : "textures of 8 bits")")
        }
        if wantsFloats, format == .rgba16 {
            return Intermediate(
                format: format,
                degradedPrecision: "intermediates are rgba16, for want of 32-bit float targets, and what follows "
                    + "enlarges their rounding")
        }
        return Intermediate(format: format, degradedPrecision: Self.cost(of: format))
    }

    /// Fails where the images themselves cannot be on the device.
    func check() throws(GPUError) {
        if !isEightBit, !available.contains(.rgba32F) {
            throw .unsupportedFormat("the device cannot render to 32-bit float textures, which 16-bit images need")
        }
    }

    /// Best first. RGBA16F comes late: its 11 bits are truncated, not rounded, by some drivers.
    private func ranking(isSigned: Bool) -> [TextureFormat] {
        if !isEightBit { return [.rgba32F] }
        if isSigned { return [.rgba32F, .rgba16F] }
        return (wantsFloats ? [.rgba32F, .rgba16] : [.rgba16, .rgba32F]) + (isOpaque ? [.rgb10A2] : []) + [
            .rgba16F, .rgba8,
        ]
    }

    private static func cost(of format: TextureFormat) -> String? {
        let loss: String? =
            switch format {
            case .rgba16, .rgba32F: nil
            case .rgb10A2: "1/8 step a pass"
            case .rgba16F: "up to 1/8 step a pass, in one direction"
            case .rgba8: "1/2 step a pass, which shows as banding"
            }
        return loss.map { "intermediates are \(format.rawValue), for want of 16-bit render targets: \($0) is lost" }
    }
}
