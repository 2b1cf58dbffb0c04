import FrostGLES

/// Chooses the texture formats of an execution. The choice depends on the sample type of the images, on whether an
/// intermediate can have negative values, and on the device.
struct FormatChoice: Hashable {
    /// The formats that the device can render to and that the options allow.
    let available: Set<TextureFormat>
    /// Whether source and target both have 8-bit samples. The images are then transferred as bytes, and 16 bits are enough
    /// for intermediates.
    let isEightBit: Bool
    /// Whether the result has no alpha channel, so that two bits of alpha are enough for intermediates.
    let isOpaque: Bool
    /// Whether the output stages would enlarge the rounding errors of 16-bit intermediates beyond the remaining error
    /// budget.
    var wantsFloats = false

    /// The texture format of an intermediate, and a description of the loss of precision if the format is not the best one.
    struct Intermediate: Hashable {
        let format: TextureFormat
        let degradedPrecision: String?
    }

    /// Whether the output stages enlarge the rounding errors of intermediates beyond the remaining error budget.
    static func wantsFloats(intermediates: Int, _ amplification: Double) -> Bool {
        // Each intermediate adds an error of half a 16-bit step, which is 0.5 / 257 of an 8-bit step. The total error budget
        // is half an 8-bit step. The planner uses half of this budget, so a quarter of a step remains. Half of this quarter
        // (0.125) is for intermediates, and the other half is for other arithmetic.
        0.5 / 257 * Double(intermediates) * amplification > 0.125
    }

    /// The format of the source's texture and of the output's texture.
    var image: TextureFormat { isEightBit ? .rgba8 : .rgba32F }

    /// Returns the texture format for an intermediate.
    func intermediate(isSigned: Bool) throws(GPUError) -> Intermediate {
        guard let format = ranking(isSigned: isSigned).first(where: available.contains) else {
            throw .unsupportedFormat(
                "the device cannot render to \(isSigned || !isEightBit ? "float textures" : "8-bit textures")")
        }
        if wantsFloats, format == .rgba16 {
            return Intermediate(
                format: format,
                degradedPrecision: "intermediate images are rgba16, because the device cannot render to 32-bit floats; "
                    + "the output stages amplify their rounding errors")
        }
        return Intermediate(format: format, degradedPrecision: Self.cost(of: format))
    }

    /// Throws if the device has no texture format for the source and the output.
    func check() throws(GPUError) {
        if !isEightBit, !available.contains(.rgba32F) {
            throw .unsupportedFormat("the device cannot render to 32-bit float textures, which 16-bit images need")
        }
    }

    /// Returns the formats for intermediates, best first. RGBA16F is late in the list, because some drivers truncate values
    /// to the 11 bits of this format instead of rounding them.
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
            case .rgb10A2: "1/8 step"
            case .rgba16F: "up to 1/8 step, always in the same direction"
            case .rgba8: "1/2 step, which is visible as banding"
            }
        return loss.map {
            "intermediate images are \(format.rawValue), because the device cannot render to 16-bit textures; "
                + "each pass loses \($0)"
        }
    }
}
