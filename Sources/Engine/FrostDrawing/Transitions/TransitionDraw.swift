package import FrostCore

/// The draw of a frame of a transition.
package struct TransitionDraw {
    package let plan: TransitionPlan
    /// The parameters of the frame, as the kind's shader names them.
    let parameters: [Double]
    package let key: TransitionProgramKey
    /// The images that the shader reads.
    package let inputs: [TransitionTexture: Input]
    /// The region of the layers; nil if the shader reads no layers.
    package let layersRegion: Rect?
    package let output: PixelFormat

    /// An image, as its texture holds it.
    package struct Input: Hashable, Sendable {
        /// The image's width in pixels.
        let width: Int
        /// The image's height in pixels.
        let height: Int
        /// The part of the image that the texture holds.
        package let window: Rect
        /// Whether the texture's colour is straight.
        let isStraight: Bool
    }

    /// Checks the images against a plan, and chooses the parts that are uploaded.
    ///
    /// - Throws: ``DrawingError/invalidPlan(_:)`` if the plan draws nothing or does not fit the images, and
    ///   ``DrawingError/imageTooLarge(what:side:limit:)`` before anything is allocated.
    package init(
        _ plan: TransitionPlan, images: TransitionImages, layers: TransitionLayers?, target: PixelTarget,
        limits: DrawLimits
    ) throws(DrawingError) {
        let kind: any TransitionKind.Type
        switch plan.work {
        case .source: throw .invalidPlan("the frame is a copy of the source")
        case .target: throw .invalidPlan("the frame is a copy of the target image")
        case .drawing(let drawn, let frame):
            kind = type(of: drawn.value)
            parameters = drawn.value.drawing(frame).parameters
        }
        do throws(PixelError) {
            try unsafe plan.check(images, target: target)
        } catch {
            throw .invalidPlan(error.description)
        }
        self.plan = plan
        output = unsafe target.layout.format
        try limits.check(plan.region, "the output")
        var inputs: [TransitionTexture: Input] = [:]
        for texture in TransitionTexture.allCases where texture.isRead(by: kind) {
            guard let image = unsafe texture.image(of: images) else { continue }
            let layout = unsafe image.layout
            let window = texture.window(of: layout.extent, kind, region: plan.region)
            try limits.check(window, texture.name)
            inputs[texture] = Input(
                width: layout.width, height: layout.height, window: window,
                isStraight: layout.format.sample.isEightBit && layout.format.needsPremultiplication)
        }
        self.inputs = inputs
        layersRegion = try Self.layersRegion(kind, plan, layers, limits)
        key = TransitionProgramKey(
            kind: TransitionCatalog.index(of: kind), decodes: plan.decoding != nil,
            hasBackside: inputs[.backsideImage] != nil, hasShading: inputs[.shadingImage] != nil)
    }

    private static func layersRegion(
        _ kind: any TransitionKind.Type, _ plan: TransitionPlan, _ layers: TransitionLayers?, _ limits: DrawLimits
    ) throws(DrawingError) -> Rect? {
        // Outside the canvas the result is transparent.
        guard TransitionTexture.layersImage.isRead(by: kind), let drawn = plan.region.intersection(plan.canvas) else {
            return nil
        }
        guard let layers else { throw .invalidPlan("the transition needs layers") }
        guard layers.region.contains(drawn) else {
            throw .invalidPlan("the layers at \(layers.region) do not cover \(drawn)")
        }
        try limits.check(layers.region, TransitionTexture.layersImage.name)
        return layers.region
    }

    /// Whether the images have 8-bit samples, and are transferred as bytes.
    var isEightBit: Bool { output.sample.isEightBit }

    /// How the pixels of the images are transferred. Deeper images are uploaded premultiplied, with 1.0 as full scale.
    package var uploads: StagedPixels {
        isEightBit ? .bytes : .floats(FloatStaging(scale: Float(1 / output.sample.maximum)))
    }

    /// How the pixels of the result are transferred. The shader writes sample steps of deeper images.
    package var readback: StagedPixels { isEightBit ? .bytes : .floats(FloatStaging()) }

    /// How the shader writes the result.
    var encoding: OutputEncoding { OutputEncoding(readBack: output) }

    /// The number of sample steps that stands for 1.0.
    var fullScale: Float { Float(output.sample.maximum) }
}

/// The textures of a transition's shader. The cases have the samplers' names, and their values are the texture units.
package enum TransitionTexture: Int, CaseIterable, Sendable {
    case sourceImage, targetImage, backsideImage, shadingImage, layersImage

    /// Whether the shader of a kind reads the texture if it holds an image. The layers are computed from the mask.
    func isRead(by kind: any TransitionKind.Type) -> Bool {
        switch self {
        case .sourceImage, .targetImage: true
        case .backsideImage: kind.extraImages.contains(.backside)
        case .shadingImage: kind.extraImages.contains(.shading)
        case .layersImage: kind.extraImages.contains(.mask)
        }
    }

    /// The name of the texture's content, for error messages.
    var name: String {
        switch self {
        case .sourceImage: "the source"
        case .targetImage: "the target image"
        case .backsideImage: "the backside image"
        case .shadingImage: "the shading image"
        case .layersImage: "the mask's region"
        }
    }

    /// Returns the image that the texture holds; nil if there is none.
    package func image(of images: TransitionImages) -> PixelSource? {
        switch self {
        case .sourceImage: unsafe images.source
        case .targetImage: unsafe images.target
        case .backsideImage: unsafe images.backside
        case .shadingImage: unsafe images.shading
        case .layersImage: nil
        }
    }

    /// Returns the part of an image that the texture has to hold.
    fileprivate func window(of image: Rect, _ kind: any TransitionKind.Type, region: Rect) -> Rect {
        let isMoved =
            switch self {
            case .sourceImage: kind.movesSource
            case .targetImage: kind.movesTarget
            case .backsideImage, .shadingImage, .layersImage: true
            }
        // A texture must have at least one texel.
        return isMoved ? image : image.intersection(region) ?? Rect(x: 0, y: 0, width: 1, height: 1)
    }
}
