public import FrostCore
import FrostGLES

/// What is wrong with a texture or framebuffer of the embedding program. Nothing was drawn.
public struct SurfaceFault: Sendable, Hashable {
    /// Why.
    public enum Reason: Sendable, Hashable {
        /// The current context has no such object, or one of another kind.
        case missing
        /// It has another size than was said.
        case size(width: Int, height: Int)
        /// Its numbers are converted from sRGB when they are read, or to it when they are written, so that they are not those
        /// that the program means. A view of the same memory without that serves.
        case convertsSRGB
        /// It holds floats or integers, or was said to.
        case notNormalized
        /// It was said to have alpha, and would lose it.
        case hasNoAlpha
        /// What is to be drawn does not lie in it.
        case outside(Rect)
        /// It is the source's texture, too.
        case isSource
        /// Its first draw buffer is none, or has nothing attached.
        case drawsNowhere
    }

    /// What it is: "source texture 5".
    public var surface: String
    /// As was said.
    public var width: Int
    /// As was said.
    public var height: Int
    /// What is wrong.
    public var reason: Reason
}

extension SurfaceFault: CustomStringConvertible {
    /// "source texture 5 of 70x53 pixels: the GL says that it has 64x64".
    public var description: String { "\(surface) of \(width)x\(height) pixels: \(reason)" }
}

extension SurfaceFault.Reason: CustomStringConvertible {
    /// What to read after the surface's own description.
    public var description: String {
        switch self {
        case .missing: "the current context has no such object, or one of another kind"
        case .size(let width, let height): "the GL says that it has \(width)x\(height)"
        case .convertsSRGB: "the GL converts its numbers from and to sRGB: pass a view of it that does not"
        case .notNormalized: "it does not hold normalised numbers of red, green and blue, as rgba8 and rgb8 do"
        case .hasNoAlpha: "it stores no alpha: say that it is rgb"
        case .outside(let rect): "\(rect) does not lie in it"
        case .isSource: "it is the source, too"
        case .drawsNowhere: "its first draw buffer is none, or has nothing attached"
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

    /// Refuses what can be seen without the GL.
    func check() throws(GPUError) {
        guard format.isTexture else { throw fault(.notNormalized) }
        guard width > 0, height > 0 else { throw fault(.outside(extent)) }
    }

    /// Refuses what the GL knows to be otherwise.
    func check(in gl: borrowing CurrentContext) throws(GPUError) {
        guard let facts = gl.facts(of: texture) else { throw fault(.missing) }
        if let width = facts.width, let height = facts.height, (width, height) != (self.width, self.height) {
            throw fault(.size(width: width, height: height))
        }
        if facts.convertsSRGB == true { throw fault(.convertsSRGB) }
        if facts.isNormalized == false { throw fault(.notNormalized) }
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

    /// Refuses what can be seen without the GL.
    ///
    /// - Parameter region: what is to be drawn.
    func check(for region: Rect, of source: HostImage) throws(GPUError) {
        guard format.isTexture else { throw fault(.notNormalized) }
        guard x >= 0, y >= 0, region.width <= width, region.height <= height, x <= width - region.width,
            y <= height - region.height
        else { throw fault(.outside(Rect(x: x, y: y, width: region.width, height: region.height))) }
        if case .texture(source.texture.name) = surface { throw fault(.isSource) }
    }

    /// Refuses what the GL knows to be otherwise, before anything is bound.
    func check(in gl: borrowing CurrentContext) throws(GPUError) {
        switch surface {
        case .texture(let name):
            guard let facts = gl.facts(of: HostTexture(name: name)) else { throw fault(.missing) }
            try checkSize(facts)
        case .framebuffer(let name):
            guard gl.hasFramebuffer(name) else { throw fault(.missing) }
        }
    }

    /// Refuses what the GL knows to be otherwise, once draws go to it.
    func checkDraws(of source: HostImage?, in gl: borrowing CurrentContext) throws(GPUError) {
        guard let facts = gl.factsOfDrawTarget() else { throw fault(.drawsNowhere) }
        try checkSize(facts)
        if facts.convertsSRGB == true { throw fault(.convertsSRGB) }
        if facts.isNormalized == false { throw fault(.notNormalized) }
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
    /// Refuses ends that are not what the host says.
    func check(_ ends: Work.Ends, in gl: borrowing CurrentContext) throws(GPUError) {
        try ends.source?.check(in: gl)
        switch ends.target {
        case nil, .own, .part: break
        case .host(let target):
            try target.check(in: gl)
            try fromGL { () throws(GLError) in try begin(.host(target), covers: false, in: gl) }
            try target.checkDraws(of: ends.source, in: gl)
        }
    }
}

extension PixelFormat {
    /// Whether textures can hold it.
    fileprivate var isTexture: Bool {
        switch (sample, channels) {
        case (.u8, .rgb), (.u8, .rgba): true
        case (.u8, .grey), (.u8, .greyAlpha), (.u8, .bgra), (.u16, _), (.f32, _): false
        }
    }
}
