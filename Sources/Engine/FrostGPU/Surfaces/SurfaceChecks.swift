import FrostCore
import FrostGLES

extension HostImage {
    func fault(_ reason: SurfaceFault.Reason) -> GPUError {
        let kind =
            switch texture.kind {
            case .texture2D: "texture"
            case .external: "external texture"
            }
        return .surface(
            SurfaceFault(surface: "source \(kind) \(texture.name)", width: width, height: height, reason: reason))
    }

    /// Checks the parts of the description that need no GL call.
    func check() throws(GPUError) {
        guard format.isTexture else { throw fault(.format(format)) }
        guard width > 0, height > 0 else { throw fault(.outside(extent)) }
    }

    /// Compares the description with the texture's properties in the GL.
    func check(in gl: borrowing CurrentContext) throws(GPUError) {
        switch texture.kind {
        case .texture2D: break
        case .external where gl.isDesktop:
            throw .gl(.unsupported("external textures (GL_TEXTURE_EXTERNAL_OES) in a context of desktop OpenGL"))
        case .external: break
        }
        guard let facts = try rethrow(gl.facts(of: texture), as: GPUError.gl) else { throw fault(.missing) }
        if let actual = facts.size(seen: transform), actual != (width, height) {
            throw fault(.size(width: actual.width, height: actual.height))
        }
        if facts.convertsSRGB == true { throw fault(.convertsSRGB) }
        if let reason = format.sample.fault(for: facts) { throw fault(reason) }
        switch texture.kind {
        case .texture2D: try rethrow(gl.readStoredTexels(of: texture.name), as: GPUError.gl)
        // External textures have no such parameters.
        case .external: break
        }
    }
}

extension HostTarget {
    func fault(_ reason: SurfaceFault.Reason) -> GPUError {
        let name =
            switch surface {
            case .texture(let name): "target texture \(name)"
            case .framebuffer(0): "the window's framebuffer"
            case .framebuffer(let name): "target framebuffer \(name)"
            }
        return .surface(SurfaceFault(surface: name, width: width, height: height, reason: reason))
    }

    /// Checks the parts of the description that need no GL call.
    ///
    /// - Parameter region: the region to be drawn.
    func check(for region: Rect, of source: HostImage) throws(GPUError) {
        guard format.isTexture else { throw fault(.format(format)) }
        guard depth == .eight || !format.sample.isFloat else { throw fault(.floatsOfTenBits) }
        guard x >= 0, y >= 0, region.width <= width, region.height <= height, x <= width - region.width,
            y <= height - region.height
        else { throw fault(.outside(Rect(x: x, y: y, width: region.width, height: region.height))) }
        if case .texture(source.texture.name) = surface { throw fault(.isSource) }
    }

    /// Compares the description with the surface's properties in the GL, before the surface is bound.
    ///
    /// - Returns: the format in which compute shaders can store to the surface; nil if they cannot.
    func check(in gl: borrowing CurrentContext) throws(GPUError) -> TextureFormat? {
        switch surface {
        case .texture(let name):
            guard let facts = try rethrow(gl.facts(of: HostTexture(name: name)), as: GPUError.gl) else {
                throw fault(.missing)
            }
            try checkSize(facts)
            try rethrow(gl.readStoredTexels(of: name), as: GPUError.gl)
            return facts.storedFormat
        case .framebuffer(let name):
            guard gl.hasFramebuffer(name) else { throw fault(.missing) }
            return nil
        }
    }

    /// Compares the description with the surface's properties in the GL, while the surface is bound for drawing.
    func checkDraws(of source: HostImage?, in gl: borrowing CurrentContext) throws(GPUError) {
        guard let facts = try rethrow(gl.factsOfDrawTarget(), as: GPUError.gl) else {
            throw fault(.drawsNowhere)
        }
        try checkSize(facts)
        if facts.convertsSRGB == true { throw fault(.convertsSRGB) }
        if let reason = format.sample.fault(for: facts) { throw fault(reason) }
        if depth == .ten, let bits = facts.colorBits, bits != 10 { throw fault(.notTenBits(bits: bits)) }
        if facts.hasAlpha == false, format.channels.hasAlpha { throw fault(.hasNoAlpha) }
        if let source, facts.attachedTexture == source.texture.name { throw fault(.isSource) }
    }

    private func checkSize(_ facts: SurfaceFacts) throws(GPUError) {
        if let actual = facts.size(seen: transform), actual != (width, height) {
            throw fault(.size(width: actual.width, height: actual.height))
        }
    }
}

extension SurfaceFacts {
    /// The size of the picture that a surface stores, as it is seen.
    fileprivate func size(seen transform: SurfaceTransform) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return transform.turned(width: width, height: height)
    }
}

extension PixelFormat {
    /// Whether a texture of the host can have this format.
    fileprivate var isTexture: Bool {
        switch channels {
        case .rgb, .rgba: [.u8, .f16].contains(sample)
        case .grey, .greyAlpha, .bgra: false
        }
    }
}

extension SampleType {
    /// Returns why a surface cannot hold samples of this type, as far as the GL reports its values.
    fileprivate func fault(for facts: SurfaceFacts) -> SurfaceFault.Reason? {
        switch facts.values {
        case nil: nil
        case .normalized: isFloat ? .notFloats : nil
        case .floats: isFloat ? nil : .notNormalized
        case .other: isFloat ? .notFloats : .notNormalized
        }
    }
}
