import CGLES

/// A texture of the embedding program, with at least one level.
public struct HostTexture: Sendable, Hashable {
    /// How it is sampled.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// GL_TEXTURE_2D.
        case texture2D
        /// GL_TEXTURE_EXTERNAL_OES: for images that drivers cannot sample otherwise, mostly video.
        case external
    }

    /// Its name in the current context.
    public var name: UInt32
    public var kind: Kind

    public init(name: UInt32, kind: Kind = .texture2D) {
        self.name = name
        self.kind = kind
    }

    /// Makes it the one that a sampler of value `unit` reads.
    public func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        let target =
            switch kind {
            case .texture2D: GL.texture2D
            case .external: GLenum(GL_TEXTURE_EXTERNAL_OES)
            }
        current.gl.activeTexture(GL.texture0 + GLenum(unit))
        current.gl.bindTexture(target, name)
        try current.check("glBindTexture")
    }
}

/// Where the embedding program wants pixels to go.
public enum HostSurface: Sendable, Hashable {
    /// A GL_TEXTURE_2D, by its name.
    case texture(UInt32)
    /// A framebuffer, by its name; 0 is the window's.
    case framebuffer(UInt32)
}

/// A framebuffer to which textures of the host are attached during a draw. It is made once, so that frames make none.
public struct HostFramebuffer: ~Copyable {
    private let object: OwnedObject

    /// Makes it, without a texture.
    public init(in current: borrowing CurrentContext) throws(GLError) {
        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe current.gl.genFramebuffers(1, &name)
        object = OwnedObject(.framebuffer, UInt(name), in: current)
        try current.check("glGenFramebuffers")
    }

    /// Directs the draws that follow to a surface, whose other pixels keep their values.
    ///
    /// - Parameter size: of the surface, for the error.
    /// - Throws: ``GLError/framebufferIncomplete(status:format:width:height:)``.
    public func beginDrawing(
        into surface: HostSurface, width: Int, height: Int, in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        switch surface {
        case .framebuffer(let name): gl.bindFramebuffer(GL.framebuffer, name)
        case .texture(let name):
            gl.bindFramebuffer(GL.framebuffer, object.name)
            gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, name, 0)
        }
        let status = gl.checkFramebufferStatus(GL.framebuffer)
        guard status == GL.framebufferComplete else {
            throw .framebufferIncomplete(status: status, format: "host's", width: width, height: height)
        }
        try current.check("glBindFramebuffer")
    }

    /// Detaches the texture, so that the host may delete it.
    public func release(in current: borrowing CurrentContext) {
        current.gl.bindFramebuffer(GL.framebuffer, object.name)
        current.gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, 0, 0)
    }
}
