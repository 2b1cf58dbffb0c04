import FrostCore
import FrostDrawing
import FrostGLES

/// The kind of values that the last draw of a list writes.
enum ListEnd {
    /// The final result, after the output stages were applied.
    case result
    /// The values of a level. No output stages are applied, because later draws still read these values.
    case level

    /// The name of the work, for error messages.
    var description: String {
        switch self {
        case .result: "drawing"
        case .level: "drawing a level"
        }
    }
}

/// The inputs of an execution, except for the pixels.
struct Execution {
    let plan: DrawPlan
    let source: PixelFormat
    let mask: MaskImage?
    let target: PixelFormat
    let patience: Patience
    var ends = Ends()
    var output = ListEnd.result
    /// Whether intermediates are float textures; nil if the output stages decide.
    var wantsFloats: Bool?

    /// The textures and surfaces that an execution uses instead of new textures from the pipeline's pool.
    struct Ends {
        /// A texture of the host that the draws read directly.
        var source: HostImage?
        /// The conversion of a source of the host whose colours the draws do not read directly.
        var input: InputConversion?
        /// The image that masks and clips show, if it is not the one that is blurred.
        var original: Target?
        var target: DrawTarget?
        /// The conversion of the result, which is then drawn into a texture of the pool.
        var output: OutputConversion?
        /// A stored texture that replaces an intermediate of the plan.
        var kept: (place: Place, target: Target)?
        /// The texture of a content layer that stands for a texture.
        var content: Target?

        /// Whether textures or surfaces of a host are read or written.
        var areOfHost: Bool { source != nil || input != nil || target != nil || output != nil }
    }
}

extension Execution {
    /// Checks a plan and prepares it for drawing from memory into memory, without calling the GL.
    init(
        _ plan: Plan, source: PixelLayout, mask: MaskImage?, target: PixelLayout, limits: DrawLimits, patience: Patience
    ) throws(GPUError) {
        let draws = try fromDrawing { () throws(DrawingError) in
            try DrawPlan(plan.suited(to: source.format.channels), limits: limits)
        }
        self.init(plan: draws, source: source.format, mask: mask, target: target.format, patience: patience)
        try rethrow(plan.check(source: source, target: target), as: GPUError.init)
    }

    /// The part of the source that is uploaded, counted from the source's first pixel.
    var uploadedWindow: Rect {
        var window = plan.sourceWindow
        window.x -= plan.extent.x
        window.y -= plan.extent.y
        return window
    }

    /// Fills `memory` with rows of the part of the source that is uploaded.
    func load(_ source: PixelSource, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer) {
        unsafe pixels.load(source, window: uploadedWindow, rows: rows, into: memory)
    }
}

extension Execution {
    /// Whether source and target both have 8-bit samples.
    var isEightBit: Bool { source.sample.isEightBit && target.sample.isEightBit }

    /// Whether the shader has to multiply the source's colour by alpha when it reads the source. Images of more than 8
    /// bits are premultiplied while they are uploaded, unless there are output stages, which may need the original
    /// pixels exactly as they are stored. Textures of the host are not uploaded.
    var loadsStraight: Bool {
        (isEightBit || plan.outputStages != nil || ends.source != nil) && source.needsPremultiplication
    }

    /// How pixels of more than 8 bits are transferred. With output stages, the pixels keep the caller's alpha mode.
    /// Uploaded values are then scaled so that full scale is 1.0, and values that are read back are numbers of sample
    /// steps (0 to 65535 for 16 bits). Without output stages, the pixels are premultiplied, and values are numbers of
    /// sample steps in both directions.
    private var staging: FloatStaging {
        FloatStaging(
            keepsAlphaMode: plan.outputStages != nil,
            scale: plan.outputStages == nil ? 1 : Float(1 / source.sample.maximum))
    }

    /// How the pixels of source and target are transferred.
    var pixels: StagedPixels { isEightBit ? .bytes : .floats(staging) }

    /// The map from the pixels of the host's image to the texels of its texture; nil if the source is not a texture of the
    /// host.
    var sourceMap: PixelMap? { ends.source?.map }

    /// Chooses the texture formats for the source and the intermediates.
    ///
    /// - Parameter available: the formats that the device has.
    func choice(of available: Set<TextureFormat>) -> FormatChoice {
        let wanted = plan.outputStages.map {
            FormatChoice.wantsFloats(intermediates: plan.intermediateCount, $0.amplification)
        }
        return FormatChoice(
            available: available, isEightBit: isEightBit, isOpaque: !target.channels.hasAlpha,
            wantsFloats: wantsFloats ?? wanted ?? false)
    }

    /// Returns how the program of a draw converts its input.
    ///
    /// - Parameter texture: the kind of the input's texture.
    func programInput(of draw: PlaceDraw, texture: ProgramKey.TextureKind) -> ProgramKey.Input {
        ProgramKey.Input(
            texture: texture, premultiplies: draw.from == .source && loadsStraight, decodes: draw.decodes)
    }

    /// Returns how the last draw's values become the result.
    ///
    /// - Parameter source: the source image, for output stages that read it.
    func result(source: DrawInput?) -> Output.Result {
        plan.outputStages.map { .outputStages($0, stagesEncoding, source: source) } ?? .encoded(encoding)
    }

    /// How the last draw stores the result of the output stages.
    var stagesEncoding: OutputStagesEncoding {
        OutputStagesEncoding(source: source, target: target, premultipliesOriginal: loadsStraight)
    }

    private var encoding: OutputEncoding {
        switch ends.target {
        case nil, .own: OutputEncoding(readBack: target)
        case .part, .host: OutputEncoding(surface: target)
        }
    }
}

/// An execution whose draws have all been submitted. It is finished or given back once.
struct Drawn {
    /// The texture with the result; nil if the pixels are already on their way to a buffer.
    var output: Target?
    var report: GPUReport
    /// The timer of the execution, whose result is read later; nil if the driver has no timers.
    var stopwatch: Stopwatch?
}
