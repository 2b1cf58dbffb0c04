import FrostGLES

/// Which formats the textures of an execution have: chosen by the images' samples, the slot's sign, and the device.
struct FormatChoice: Hashable {
    /// Renderable on the device and allowed by the options.
    let available: Set<TextureFormat>
    /// Both images have 8 bits: they are transferred as bytes, and 16 bits between passes are enough.
    let isEightBit: Bool
    /// The result has no alpha channel, so that two bits are enough for it.
    let isOpaque: Bool
    /// The output stages enlarge the rounding errors of 16 bits beyond the remaining error budget.
    var wantsFloats = false

    /// A format, and what it costs if it is not the best one.
    struct Intermediate: Hashable {
        let format: TextureFormat
        let degradedPrecision: String?
    }

    /// Whether the output stages enlarge the rounding errors of intermediates too much.
    static func wantsFloats(intermediates: Int, _ amplification: Double) -> Bool {
        // Half a step of 16 bits for each intermediate, in 8-bit steps. The planner uses half of the error budget of
        // half a step; of the other quarter, half is for intermediates and half for other arithmetic.
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

    /// Fails if the device has no textures for the images themselves.
    func check() throws(GPUError) {
        if !isEightBit, !available.contains(.rgba32F) {
            throw .unsupportedFormat("the device cannot render to 32-bit float textures, which 16-bit images need")
        }
    }

    /// Best first. RGBA16F comes late: some drivers truncate its 11 bits instead of rounding.
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
