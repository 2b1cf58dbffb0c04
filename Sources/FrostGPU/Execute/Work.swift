import FrostCore
import FrostGLES

/// What an execution works on, but for the pixels.
struct Work {
    let plan: DrawPlan
    let source: PixelFormat
    var mask: MaskImage?
    let target: PixelFormat
    let patience: Patience
    var ends = Ends()
    var output = ListEnd.result
    /// Passes are drawn texel by texel, even if the profile is fast.
    var isExact = false
    /// Whether intermediates are floats; nil if the output stages decide.
    var wantsFloats: Bool?

    /// The ends of an execution that are not textures of the pipeline's pool.
    struct Ends {
        var source: HostImage?
        var target: DrawTarget?
        /// A texture that takes the place of a slot.
        var kept: (place: Place, target: Target)?
    }
}

extension SampleType {
    /// Whether images of such samples travel as bytes, and 16 bits are enough between passes.
    fileprivate var isEightBit: Bool {
        switch self {
        case .u8: true
        case .u16, .f32: false
        }
    }
}

extension Work {
    /// Both images have 8 bits.
    var isEightBit: Bool { source.sample.isEightBit && target.sample.isEightBit }

    /// The source's colour has to be multiplied by its alpha when it is read. With output stages this holds for all
    /// samples, since the original may be needed as it is.
    var loadsStraight: Bool { (isEightBit || plan.outputStages != nil) && source.needsPremultiplication }

    /// How pixels travel that are not bytes: in the caller's alpha mode, 1.0 for full scale on the way in and in the
    /// samples' steps on the way out, if the shader does the rest; else premultiplied, in steps.
    var staging: FloatStaging {
        FloatStaging(
            keepsAlphaMode: plan.outputStages != nil,
            scale: plan.outputStages == nil ? 1 : Float(1 / source.sample.maximum))
    }

    /// How much larger the output stages can make an error.
    var amplification: Double { plan.outputStages.map(\.amplification) ?? 1 }

    /// The texel of the first row of the host's image; nil without one.
    var topRow: Int32? { ends.source.map { Int32(clamping: $0.height - 1) } }

    /// - Parameter available: the formats that the device has.
    func choice(of available: Set<TextureFormat>) -> FormatChoice {
        let wanted = plan.outputStages.map {
            FormatChoice.wantsFloats(intermediates: plan.intermediateCount, $0.amplification)
        }
        return FormatChoice(
            available: available, isEightBit: isEightBit, isOpaque: !target.channels.hasAlpha,
            wantsFloats: wantsFloats ?? wanted ?? false)
    }

    /// What becomes of the last draw's values.
    ///
    /// - Parameter source: the image, for output stages that read it.
    func result(source: DrawInput?) -> Output.Result {
        plan.outputStages.map { .outputStages($0, source: source) } ?? .encoded(OutputEncoding(target))
    }

    /// The size of the texture for an intermediate.
    func size(of window: Rect, _ format: TextureFormat, _ limits: DrawLimits) -> TargetKey {
        switch output {
        case .result: window.size(format)
        case .level: window.roomySize(format, limit: limits.textureSize)
        }
    }
}

extension Rect {
    func size(_ format: TextureFormat) -> TargetKey {
        TargetKey(format: format, width: width, height: height)
    }

    /// A size that holds it, out of few: so that parts of any size find a texture in the pool after some frames.
    fileprivate func roomySize(_ format: TextureFormat, limit: Int) -> TargetKey {
        func roomy(_ count: Int) -> Int {
            var size = 64
            while size < count { size *= 2 }
            // Three quarters of it, if that is enough.
            return min(count <= size / 4 * 3 ? size / 4 * 3 : size, limit)
        }
        return TargetKey(format: format, width: roomy(width), height: roomy(height))
    }
}
