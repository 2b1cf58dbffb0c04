package import FrostCore

/// The draw of a frame of a transition.
package struct TransitionDraw {
    package let plan: TransitionPlan
    /// The parameters of the frame, as the kind's shader names them.
    let parameters: [Double]
    package let key: TransitionProgramKey
    /// The images that the shader reads.
    package let inputs: [TransitionTexture: Input]
    /// The part of the layers that the shader reads; nil if it reads none.
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
        let windows = unsafe Self.windows(plan, kind, images, limits)
        // No smaller region needs less of the shading image, so this error is thrown before that of the output.
        if let shading = windows[.shadingImage] { try limits.check(shading, TransitionTexture.shadingImage.name) }
        try limits.check(plan.region, "the output")
        var inputs: [TransitionTexture: Input] = [:]
        for texture in TransitionTexture.allCases {
            guard let window = windows[texture], let image = unsafe texture.image(of: images) else { continue }
            try limits.check(window, texture.name)
            let layout = unsafe image.layout
            inputs[texture] = Input(
                width: layout.width, height: layout.height, window: window,
                isStraight: layout.format.sample.isEightBit && layout.format.needsPremultiplication)
        }
        self.inputs = inputs
        layersRegion = try Self.layersRegion(kind, plan, layers)
        key = TransitionProgramKey(
            kind: TransitionCatalog.index(of: kind), decodes: plan.decoding != nil,
            hasSecond: inputs[.secondImage] != nil, hasBackside: inputs[.backsideImage] != nil,
            hasShading: inputs[.shadingImage] != nil)
    }

    /// Returns the parts of the images that the textures hold.
    private static func windows(
        _ plan: TransitionPlan, _ kind: any TransitionKind.Type, _ images: TransitionImages, _ limits: DrawLimits
    ) -> [TransitionTexture: Rect] {
        func extent(of extra: Transition.ExtraImage, _ texture: TransitionTexture) -> Rect? {
            kind.extraImages.contains(extra) ? unsafe texture.image(of: images)?.layout.extent : nil
        }
        let read = plan.windows(backside: extent(of: .backside, .backsideImage))
        var windows = [TransitionTexture.targetImage: read.target]
        windows[.backsideImage] = read.backside
        windows[.shadingImage] = extent(of: .shading, .shadingImage)
        let source = read.source.dropFirst().reduce(read.source[0]) { $0.hull($1) }
        if max(source.width, source.height) <= limits.textureSize {
            windows[.sourceImage] = source
        } else {
            for (texture, window) in zip([TransitionTexture.sourceImage, .secondImage], read.source) {
                windows[texture] = window
            }
        }
        return windows
    }

    private static func layersRegion(
        _ kind: any TransitionKind.Type, _ plan: TransitionPlan, _ layers: TransitionLayers?
    ) throws(DrawingError) -> Rect? {
        // Outside the canvas the result is transparent.
        guard kind.extraImages.contains(.mask), let drawn = plan.region.intersection(plan.canvas) else { return nil }
        guard let layers else { throw .invalidPlan("the transition needs layers") }
        guard layers.region.contains(drawn) else {
            throw .invalidPlan("the layers at \(layers.region) do not cover \(drawn)")
        }
        return drawn
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
    /// The second image is another part of the source, if a texture cannot hold all that is read of it.
    case sourceImage, targetImage, backsideImage, shadingImage, layersImage, secondImage

    /// The name of the texture's content, for error messages.
    var name: String {
        switch self {
        case .sourceImage, .secondImage: "the part of the source that is read"
        case .targetImage: "the part of the target image that is read"
        case .backsideImage: "the part of the backside image that is read"
        case .shadingImage: "the shading image"
        case .layersImage: "the mask's region"
        }
    }

    /// Returns the image that the texture holds; nil if there is none.
    package func image(of images: TransitionImages) -> PixelSource? {
        switch self {
        case .sourceImage, .secondImage: unsafe images.source
        case .targetImage: unsafe images.target
        case .backsideImage: unsafe images.backside
        case .shadingImage: unsafe images.shading
        case .layersImage: nil
        }
    }
}
