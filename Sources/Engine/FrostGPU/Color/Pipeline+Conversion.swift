import FrostCore
import FrostGLES

extension Work {
    /// A source of the host whose colours are converted before they are drawn.
    struct InputConversion {
        let image: HostImage
        /// The encoding of the numbers that are blurred.
        let blurred: ColorEncoding
        /// The encoding of the original that masks and clips show, if it differs.
        let original: ColorEncoding?
        /// Whether the draws read the numbers that are blurred. They do not if they begin with an image that was kept,
        /// unless masks and clips show these numbers.
        var readsBlurred = true

        /// The encodings to which the source is converted.
        var encodings: [ColorEncoding] { [readsBlurred ? blurred : nil, original].compactMap { $0 } }

        /// - Returns: nil if the source has the encoding that is blurred, and can be read directly.
        init?(_ image: HostImage, blurred: ColorEncoding, original: ColorEncoding? = nil) {
            if image.encoding.hasSameNumbers(as: blurred), original == nil { return nil }
            self.image = image
            self.blurred = blurred
            self.original = original
        }
    }

    /// A target of the host for which the result's colours are converted after they were drawn.
    struct OutputConversion {
        let target: HostTarget
        /// The encoding of the result.
        let result: ColorEncoding
        let dither: Dither?
        /// The rectangle of the result.
        let region: Rect
    }

    /// The pixel format of converted sources, and of results that are to be converted.
    static let convertedFormat = PixelFormat(.rgba, .f32, alpha: .premultiplied)

    /// The conversions that the work needs.
    var conversions: [ConversionDraw] {
        var draws: [ConversionDraw] = []
        if let input = ends.input {
            for encoding in input.encodings {
                draws.append(ConversionDraw(input.image, to: encoding, window: plan.sourceWindow))
            }
        }
        if let output = ends.output { draws.append(ConversionDraw(output)) }
        return draws
    }
}

extension ConversionDraw {
    fileprivate init(_ output: Work.OutputConversion) {
        self.init(output.result, to: output.target, dither: output.dither, region: output.region)
    }
}

extension Pipeline {
    /// Throws if the device cannot render to the textures of converted colours.
    func checkConversions(_ work: Work) throws(GPUError) {
        guard work.ends.input != nil || work.ends.output != nil, !formats.contains(.rgba32F) else { return }
        throw .unsupportedFormat(
            "the device cannot render to 32-bit float textures, which conversions of colours and 10-bit targets need")
    }

    /// Converts a source of the host into a texture of the pool.
    func converted(
        _ input: Work.InputConversion, to encoding: ColorEncoding, window: Rect, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        try limits.check(window, "the image")
        let target = try take(window.size(.rgba32F), in: gl)
        do throws(GPUError) {
            try convert(
                ConversionDraw(input.image, to: encoding, window: window), from: .host(input.image), to: .own(target),
                patience, in: gl)
        } catch {
            pool.giveBack(target)
            throw error
        }
        return target
    }

    /// Converts a result and writes it to a target of the host.
    func convert(
        _ result: Target, to output: Work.OutputConversion, _ patience: Patience, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try convert(ConversionDraw(output), from: .own(result), to: .host(output.target), patience, in: gl)
    }

    private func convert(
        _ draw: ConversionDraw, from input: DrawInput, to target: DrawTarget, _ patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            try input.bind(unit: .inputImage, in: gl)
            try begin(target, covers: true, in: gl)
            try conversionPrograms.use(draw, from: &programs.binaries, in: gl)
        }
        let whole = DrawPart(columns: 0..<draw.width, rows: 0..<draw.height, hasEdges: false)
        let parts = bands(of: [whole], patience, hasStages: true, isForHost: true).parts
        for (index, part) in parts.enumerated() {
            if index > 0 { try patience.wait(for: fromGL { () throws(GLError) in try Fence(in: gl) }, in: gl) }
            try fromGL { () throws(GLError) in
                let place = target.placement?.place(part.columns, part.rows) ?? (part.columns, part.rows)
                try gl.drawTriangle(columns: place.0, rows: place.1, vertexArray)
            }
        }
        try fromGL { () throws(GLError) in try gl.checkErrors(after: "converting colours") }
    }
}
