import CGLES

/// A texture of the embedding program, with at least one mipmap level.
public struct HostTexture: Sendable, Hashable {
    /// The kind of texture, which determines how shaders sample it.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A texture of the target GL_TEXTURE_2D.
        case texture2D
        /// A texture of the target GL_TEXTURE_EXTERNAL_OES, for images that drivers cannot sample as GL_TEXTURE_2D. These
        /// are usually images of videos.
        case external
    }

    /// The texture's name in the current context.
    public var name: UInt32
    /// The kind of texture.
    public var kind: Kind

    /// Describes a texture by its GL name.
    public init(name: UInt32, kind: Kind = .texture2D) {
        self.name = name
        self.kind = kind
    }

    /// Binds the texture to a texture unit. Samplers with the value `unit` then read this texture.
    package func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
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

/// A texture or framebuffer of the embedding program that receives pixels.
public enum HostSurface: Sendable, Hashable {
    /// A texture of the target GL_TEXTURE_2D, by its name.
    case texture(UInt32)
    /// A framebuffer, by its name; 0 is the window's framebuffer.
    case framebuffer(UInt32)
}

/// A framebuffer to which textures of the host are attached during a draw. The framebuffer is created once and reused, so
/// that no framebuffer has to be created for each frame.
package struct HostFramebuffer: ~Copyable {
    private let object: OwnedObject
    /// Whether a texture of the host is attached.
    private var isAttached = false

    /// Creates the framebuffer without a texture.
    package init(in current: borrowing CurrentContext) throws(GLError) {
        try current.checkPending()
        let object = unsafe OwnedObject(.framebuffer, by: current.gl.genFramebuffers, in: current)
        try current.checkErrors(after: "glGenFramebuffers")
        self.object = object
    }

    /// Directs the following draws to a surface. Pixels of the surface that the draws do not cover keep their values.
    ///
    /// - Parameters:
    ///   - width: the surface's width in pixels, for the error message.
    ///   - height: the surface's height in pixels, for the error message.
    /// - Throws: ``GLError/framebufferIncomplete(status:format:width:height:)``, or the error of an earlier call.
    package mutating func beginDrawing(
        into surface: HostSurface, width: Int, height: Int, in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        current.context.mayDrawIntoHost = true
        switch surface {
        case .framebuffer(let name): gl.bindFramebuffer(GL.framebuffer, name)
        case .texture(let name):
            gl.bindFramebuffer(GL.framebuffer, object.name)
            // Otherwise the texture would be attached to the framebuffer that was bound before, which may be the host's.
            try current.checkErrors(after: "glBindFramebuffer")
            isAttached = true
            gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, name, 0)
        }
        let status = gl.checkFramebufferStatus(GL.framebuffer)
        guard status == GL.framebufferComplete else {
            try current.checkErrors(after: "glFramebufferTexture2D")
            throw .framebufferIncomplete(status: status, format: "host's", width: width, height: height)
        }
        try current.check("glBindFramebuffer")
    }

    /// Detaches the texture, so that the host may delete it.
    ///
    /// - Throws: the error of an earlier call, or of this one. If the texture cannot be detached, deleting the
    ///   framebuffer detaches it.
    package mutating func release(in current: borrowing CurrentContext) throws(GLError) {
        guard isAttached else { return }
        isAttached = false
        current.gl.bindFramebuffer(GL.framebuffer, object.name)
        // Otherwise the texture of the framebuffer that was bound before would be detached.
        try current.checkErrors(after: "glBindFramebuffer")
        current.gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, 0, 0)
    }
}
