public import FrostCore
import FrostGLES

/// Describes why a texture or framebuffer of the embedding program cannot be used. Nothing was drawn.
public struct SurfaceFault: Sendable, Hashable {
    /// The reason why a surface cannot be used.
    public enum Reason: Sendable, Hashable {
        /// The current context has no such object, or the object has another kind.
        case missing
        /// The size of the surface differs from the description.
        case size(width: Int, height: Int)
        /// The GL converts the surface's values from sRGB when it reads them, or to sRGB when it writes them. A view of
        /// the same memory without the conversion can be used.
        case convertsSRGB
        /// The description has a pixel format that surfaces cannot have. They can have RGB and RGBA with samples of 8
        /// bits or 16-bit floats.
        case format(PixelFormat)
        /// The description has integer samples, but the surface does not hold normalised values as rgba8 and rgb8 do.
        case notNormalized
        /// The description has samples of 16-bit floats, but the surface does not hold floats as rgba16f does.
        case notFloats
        /// The description has 10 bits per colour, but the surface has this number of bits.
        case notTenBits(bits: Int)
        /// The description has 10 bits per colour, but its samples are floats.
        case floatsOfTenBits
        /// The description has alpha, but the surface stores no alpha.
        case hasNoAlpha
        /// The rectangle to be drawn is not within the surface.
        case outside(Rect)
        /// The target is also the source's texture.
        case isSource
        /// The framebuffer has no first draw buffer, or nothing is attached to it.
        case drawsNowhere
    }

    /// The kind and name of the surface, for example "source texture 5".
    public var surface: String
    /// The width in pixels, from the caller's description.
    public var width: Int
    /// The height in pixels, from the caller's description.
    public var height: Int
    /// The reason why the surface cannot be used.
    public var reason: Reason
}

extension SurfaceFault: CustomStringConvertible {
    /// The fault as one line of text, for example "source texture 5 of 70x53 pixels: its actual size is 64x64".
    public var description: String { "\(surface) of \(width)x\(height) pixels: \(reason)" }
}

extension SurfaceFault.Reason: CustomStringConvertible {
    /// The reason as text. In messages this text follows the name and the size of the surface.
    public var description: String {
        switch self {
        case .missing: "it does not exist in the current context, or has another type"
        case .size(let width, let height): "its actual size is \(width)x\(height)"
        case .convertsSRGB: "the GL converts its values from and to sRGB; pass a texture view without this conversion"
        case .format(let format):
            "its format is \(format), but it must be RGB or RGBA with samples of 8 bits or 16-bit floats"
        case .notNormalized: "it is described as u8, but does not hold normalised values, as rgba8 and rgb8 do"
        case .notFloats: "it is described as f16, but does not hold floats, as rgba16f does"
        case .notTenBits(let bits): "it is described with 10 bits per colour, but has \(bits)"
        case .floatsOfTenBits: "it is described with 10 bits per colour, which floats cannot have"
        case .hasNoAlpha: "it stores no alpha; describe it as rgb"
        case .outside(let rect): "\(rect) lies outside it"
        case .isSource: "it is also the source"
        case .drawsNowhere: "its first draw buffer is GL_NONE or has no attachment"
        }
    }
}

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
        guard let facts = try fromGL({ () throws(GLError) in try gl.facts(of: texture) }) else { throw fault(.missing) }
        if let width = facts.width, let height = facts.height, (width, height) != (self.width, self.height) {
            throw fault(.size(width: width, height: height))
        }
        if facts.convertsSRGB == true { throw fault(.convertsSRGB) }
        if let reason = format.sample.fault(for: facts) { throw fault(reason) }
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
    func check(in gl: borrowing CurrentContext) throws(GPUError) {
        switch surface {
        case .texture(let name):
            guard let facts = try fromGL({ () throws(GLError) in try gl.facts(of: HostTexture(name: name)) }) else {
                throw fault(.missing)
            }
            try checkSize(facts)
        case .framebuffer(let name):
            guard gl.hasFramebuffer(name) else { throw fault(.missing) }
        }
    }

    /// Compares the description with the surface's properties in the GL, while the surface is bound for drawing.
    func checkDraws(of source: HostImage?, in gl: borrowing CurrentContext) throws(GPUError) {
        guard let facts = try fromGL({ () throws(GLError) in try gl.factsOfDrawTarget() }) else {
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
        if let width = facts.width, let height = facts.height, (width, height) != (self.width, self.height) {
            throw fault(.size(width: width, height: height))
        }
    }
}

extension Pipeline {
    /// Compares the host's descriptions with the properties of its surfaces in the GL.
    func check(_ ends: Work.Ends, in gl: borrowing CurrentContext) throws(GPUError) {
        let source = ends.input?.image ?? ends.source
        try source?.check(in: gl)
        let target: HostTarget
        switch ends.target {
        case nil:
            guard let output = ends.output else { return }
            target = output.target
        case .own, .part: return
        case .host(let host): target = host
        }
        try target.check(in: gl)
        try fromGL { () throws(GLError) in try begin(.host(target), covers: false, in: gl) }
        try target.checkDraws(of: source, in: gl)
    }
}

extension PixelFormat {
    /// Whether a texture of the host can have this format.
    fileprivate var isTexture: Bool {
        switch (sample, channels) {
        case (.u8, .rgb), (.u8, .rgba), (.f16, .rgb), (.f16, .rgba): true
        case (.u8, .grey), (.u8, .greyAlpha), (.u8, .bgra), (.f16, .grey), (.f16, .greyAlpha), (.f16, .bgra), (.u16, _),
            (.f32, _):
            false
        }
    }
}

extension SampleType {
    /// Returns why a surface cannot hold samples of this type, as far as the GL reports its values.
    fileprivate func fault(for facts: SurfaceFacts) -> SurfaceFault.Reason? {
        switch (self, facts.values) {
        case (_, nil), (.u8, .normalized), (.u16, .normalized), (.f16, .floats), (.f32, .floats): nil
        case (.u8, .floats), (.u16, .floats), (.u8, .other), (.u16, .other): .notNormalized
        case (.f16, .normalized), (.f32, .normalized), (.f16, .other), (.f32, .other): .notFloats
        }
    }
}
