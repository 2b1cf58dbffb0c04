import CEGL
import CGLES

/// The properties that the GL reports about an image of the embedding program. A property is nil if the GL does not
/// report it. The queries do not wait for the GPU.
public struct SurfaceFacts: Sendable, Hashable {
    /// The width in pixels; 0 before the image has memory.
    public internal(set) var width: Int?
    /// The height in pixels; 0 before the image has memory.
    public internal(set) var height: Int?
    /// Whether values are encoded as sRGB. GL then converts them to linear light when it reads them, and back when it
    /// writes them.
    public internal(set) var convertsSRGB: Bool?
    /// How values are stored.
    public internal(set) var values: Values?
    /// Whether the image stores alpha.
    public internal(set) var hasAlpha: Bool?
    /// The number of bits of red.
    public internal(set) var colorBits: Int?
    /// The format in which compute shaders can store to the texture. nil if they cannot: the texture was not allocated by
    /// glTexStorage2D, or its format is not one of ``TextureFormat``.
    public internal(set) var storedFormat: TextureFormat?
    /// The texture that is attached to the framebuffer and receives draws; nil if no texture is attached.
    public internal(set) var attachedTexture: UInt32?

    /// How an image stores values.
    public enum Values: Sendable, Hashable {
        /// Unsigned integers that stand for 0...1.
        case normalized
        /// Floats.
        case floats
        /// Other values, for example integers that are not normalised, or no values at all.
        case other

        init(componentType: Int32) {
            switch componentType {
            case GL_UNSIGNED_NORMALIZED: self = .normalized
            case GL_FLOAT: self = .floats
            default: self = .other
            }
        }
    }
}

extension CurrentContext {
    /// Returns the properties of a texture's first level. GL reports these properties from OpenGL ES 3.1 on. Before
    /// 3.1, and for external textures, it is only known that the texture exists.
    ///
    /// - Returns: the properties; nil if no texture has this name.
    /// - Throws: the error of an earlier call.
    public func facts(of texture: HostTexture) throws(GLError) -> SurfaceFacts? {
        guard gl.isTexture(texture.name) != 0 else { return nil }
        switch texture.kind {
        case .texture2D: return try facts(ofLevel: 0, of: texture.name)
        case .external: return SurfaceFacts()
        }
    }

    /// Whether a framebuffer of this name exists. The window's framebuffer (0) is assumed to exist.
    public func hasFramebuffer(_ name: UInt32) -> Bool { name == 0 || gl.isFramebuffer(name) != 0 }

    /// Returns the properties of the bound framebuffer, which receives draws.
    ///
    /// - Returns: nil if the framebuffer has no first draw buffer or nothing is attached to it.
    /// - Throws: the error of an earlier call.
    public func factsOfDrawTarget() throws(GLError) -> SurfaceFacts? {
        var buffer = gl.integer(GLenum(GL_DRAW_BUFFER0))
        guard buffer != GL_NONE else { return nil }
        if context.isDesktop { buffer = Self.windowAttachment(buffer) }
        func parameter(_ name: Int32) -> Int32 {
            var value: GLint = 0
            // SAFETY: each queried parameter has one value.
            unsafe gl.getFramebufferAttachmentParameteriv(
                GLenum(GL_DRAW_FRAMEBUFFER), GLenum(bitPattern: buffer), GLenum(name), &value)
            return value
        }
        let kind = parameter(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)
        guard kind != GL_NONE else { return nil }
        var facts = SurfaceFacts()
        let name = GLuint(
            bitPattern: kind == GL_FRAMEBUFFER_DEFAULT ? 0 : parameter(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME))
        switch kind {
        case GL_FRAMEBUFFER_DEFAULT: (facts.width, facts.height) = sizeOfWindow()
        case GL_RENDERBUFFER: (facts.width, facts.height) = size(ofRenderbuffer: name)
        default:
            // For a cube map's face or a layer, the properties are unknown.
            facts = try self.facts(ofLevel: parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL), of: name) ?? facts
            facts.attachedTexture = name
        }
        facts.hasAlpha = parameter(GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE) > 0
        facts.colorBits = Int(parameter(GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE))
        facts.values = SurfaceFacts.Values(componentType: parameter(GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE))
        facts.convertsSRGB =
            parameter(GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) == GL_SRGB
            // If the conversion can be switched off, Frost has switched it off.
            && !context.controlsSRGB
        return facts
    }

    /// Returns the buffer of a window to which desktop OpenGL draws first, for a draw buffer that may stand for
    /// several. Other draw buffers stay.
    private static func windowAttachment(_ buffer: GLint) -> GLint {
        let (frontLeft, frontRight, backLeft): (GLint, GLint, GLint) = (0x0400, 0x0401, 0x0402)
        let (front, back, left, right, all): (GLint, GLint, GLint, GLint, GLint) = (
            0x0404, 0x0405, 0x0406, 0x0407, 0x0408
        )
        switch buffer {
        case front, left, all: return frontLeft
        case right: return frontRight
        case back: return backLeft
        default: return buffer
        }
    }

    private func facts(ofLevel level: GLint, of texture: GLuint) throws(GLError) -> SurfaceFacts? {
        try checkPending()
        gl.activeTexture(GL.texture0)
        gl.bindTexture(GL.texture2D, texture)
        guard gl.getError() == GL.noError else { return nil }
        defer { gl.bindTexture(GL.texture2D, 0) }
        var facts = SurfaceFacts()
        guard let get = unsafe context.getTexLevelParameteriv else { return facts }
        func parameter(_ name: Int32) -> Int32 {
            var value: GLint = 0
            // SAFETY: each queried parameter has one value.
            unsafe get(GL.texture2D, level, GLenum(name), &value)
            return value
        }
        facts.width = Int(parameter(GL_TEXTURE_WIDTH))
        facts.height = Int(parameter(GL_TEXTURE_HEIGHT))
        let internalFormat = parameter(GL_TEXTURE_INTERNAL_FORMAT)
        facts.convertsSRGB = Self.isSRGB(internalFormat)
        var isImmutable: GLint = 0
        // SAFETY: the queried parameter has one value.
        unsafe gl.getTexParameteriv(GL.texture2D, GLenum(GL_TEXTURE_IMMUTABLE_FORMAT), &isImmutable)
        if isImmutable != 0, let format = TextureFormat(internalFormat: GLenum(bitPattern: internalFormat)) {
            facts.storedFormat = context.limits.storableFormats.contains(format) ? format : nil
        }
        facts.values = SurfaceFacts.Values(componentType: parameter(GL_TEXTURE_RED_TYPE))
        facts.hasAlpha = parameter(GL_TEXTURE_ALPHA_SIZE) > 0
        return facts
    }

    private func size(ofRenderbuffer name: GLuint) -> (Int, Int) {
        let bound = gl.integer(GLenum(GL_RENDERBUFFER_BINDING))
        var (width, height): (GLint, GLint) = (0, 0)
        gl.bindRenderbuffer(GLenum(GL_RENDERBUFFER), name)
        // SAFETY: each queried parameter has one value.
        unsafe gl.getRenderbufferParameteriv(GLenum(GL_RENDERBUFFER), GLenum(GL_RENDERBUFFER_WIDTH), &width)
        unsafe gl.getRenderbufferParameteriv(GLenum(GL_RENDERBUFFER), GLenum(GL_RENDERBUFFER_HEIGHT), &height)
        gl.bindRenderbuffer(GLenum(GL_RENDERBUFFER), GLuint(bitPattern: bound))
        return (Int(width), Int(height))
    }

    private func sizeOfWindow() -> (Int?, Int?) {
        let egl = context.driver.egl
        func parameter(_ name: EGLint) -> Int? {
            var value: EGLint = 0
            // SAFETY: the surface is the current surface of the context's display, and the queried attribute has one
            // value.
            guard let surface = unsafe egl.getCurrentSurface(EGL_DRAW),
                unsafe egl.querySurface(context.display.raw, surface, name, &value) != 0
            else { return nil }
            return Int(value)
        }
        return (parameter(EGL_WIDTH), parameter(EGL_HEIGHT))
    }

    /// Whether reading a texture of this internal format converts sRGB to linear light.
    private static func isSRGB(_ format: Int32) -> Bool {
        [GL_SR8_EXT, GL_SRG8_EXT].contains(format)
            // Uncompressed formats, those of desktop OpenGL with luminance, and its generic compressed formats.
            || (0x8C40...0x8C4B).contains(format)
            // The formats below are compressed sRGB formats of S3TC, BPTC, ETC2 and ASTC.
            || (0x8C4C...0x8C4F).contains(format) || format == 0x8E8D
            || [
                GL_COMPRESSED_SRGB8_ETC2, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2,
                GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC,
            ].contains(format) || (0x93D0...0x93DD).contains(format)
    }
}
