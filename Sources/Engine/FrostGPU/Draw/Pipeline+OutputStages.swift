import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Writes the values of the output stages into their uniform buffer, and uploads the mask and the content into
    /// textures.
    func prepareOutputStages(
        _ outputStages: PreparedOutputStages, _ execution: Execution, in gl: borrowing CurrentContext
    )
        throws(GPUError)
    {
        let window = try prepareMask(outputStages, execution, in: gl)
        let atlas = try prepareContent(outputStages, given: execution.ends.content, in: gl)
        let uniforms = try fromDrawing { () throws(DrawingError) in
            try OutputStagesUniforms(
                outputStages, storing: execution.stagesEncoding, source: execution.plan.sourceWindow, mask: window,
                content: atlas)
        }
        try fromGL { () throws(GLError) in
            try self.uniforms.write(uniforms.words, to: .outputStages, size: OutputStagesUniforms.size, in: gl)
        }
    }

    private func prepareMask(
        _ outputStages: PreparedOutputStages, _ execution: Execution, in gl: borrowing CurrentContext
    ) throws(GPUError) -> MaskWindow? {
        switch outputStages.mask {
        case .image: break
        case .band, .circle, .ramp, nil: return nil
        }
        guard let image = execution.mask?.fitted(to: outputStages.maskExtent) else {
            throw .invalidPlan("it needs a mask image, but there is none")
        }
        let window = MaskWindow(image, region: outputStages.region, extent: outputStages.maskExtent)
        // The comparison is fast if the image is the same: both values then share one array, so its elements are not
        // compared.
        if let mask, mask.window == window, mask.image == image { return window }
        let (width, height) = (window.window.width, window.window.height)
        if let old = mask { pool.giveBack(old.target) }
        mask = nil
        let target = try upload(window.bytes(image), "the mask", width, height, in: gl)
        mask = MaskTexture(image, window, target)
        return window
    }

    private func prepareContent(
        _ outputStages: PreparedOutputStages, given: Target?, in gl: borrowing CurrentContext
    ) throws(GPUError) -> ContentAtlas? {
        guard outputStages.readsContent else { return nil }
        if let given {
            boundContent = given
            return ContentAtlas(outputStages)
        }
        if let content, content.atlas.isOf(outputStages) {
            boundContent = content.target
            return content.atlas
        }
        if let old = content { pool.giveBack(old.target) }
        content = nil
        let atlas = ContentAtlas(outputStages)
        let target = try upload(atlas.bytes(), "the content", 2 * atlas.width, atlas.height, in: gl)
        content = ContentTexture(atlas, target)
        boundContent = target
        return atlas
    }

    /// Uploads bytes into a texture with four bytes per texel.
    private func upload(
        _ bytes: [UInt8], _ what: String, _ width: Int, _ height: Int, in gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        guard max(width, height) <= limits.textureSize else {
            throw .imageTooLarge(what: what, side: max(width, height), limit: limits.textureSize)
        }
        let target = try take(TargetKey(format: .rgba8, width: width, height: height, isKept: true), in: gl)
        var failure: GLError?
        unsafe bytes.withUnsafeBytes { memory in
            do throws(GLError) {
                try unsafe target.texture.upload(columns: width, rows: 0..<height, from: memory, in: gl)
            } catch let error {
                failure = error
            }
        }
        if let failure {
            pool.giveBack(target)
            throw .gl(failure)
        }
        return target
    }

    /// Binds the uniform buffer and the textures that ``prepareOutputStages(_:_:in:)`` prepared.
    ///
    /// - Parameter source: the source's texture.
    func bindOutputStages(_ outputStages: PreparedOutputStages, source: DrawInput?, in gl: borrowing CurrentContext)
        throws(GLError)
    {
        try uniforms.bind(.outputStages, 0..<OutputStagesUniforms.size, in: gl)
        if outputStages.readsContent { try boundContent?.bind(unit: .contentImage, in: gl) }
        if let source, outputStages.original != nil { try source.bind(unit: .originalImage, in: gl) }
        switch outputStages.mask {
        case .image: try mask?.target.bind(unit: .maskImage, in: gl)
        // With these masks no draw reads the mask's texture, but some texture must be bound for the sampler.
        case .band, .circle, .ramp: try source?.bind(unit: .maskImage, in: gl)
        case nil: if outputStages.original != nil { try source?.bind(unit: .maskImage, in: gl) }
        }
    }
}
