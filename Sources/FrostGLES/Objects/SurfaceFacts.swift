import CEGL
import CGLES

/// What the GL reports about an image that somebody else made; nil if it does not. The queries do not wait for the GPU.
public struct SurfaceFacts: Sendable, Hashable {
    /// In pixels; 0 before it has memory.
    public internal(set) var width: Int?
    /// In pixels.
    public internal(set) var height: Int?
    /// Whether values are encoded as sRGB, and converted to light when read and back when written.
    public internal(set) var convertsSRGB: Bool?
    /// Whether its values are normalised to 0...1: neither floats nor integers.
    public internal(set) var isNormalized: Bool?
    /// Whether alpha is stored.
    public internal(set) var hasAlpha: Bool?
    /// Of a framebuffer: the texture that draws go to.
    public internal(set) var attachedTexture: UInt32?
}

extension CurrentContext {
    /// What the GL reports about a texture's first level: everything from OpenGL ES 3.1 on; of external textures only
    /// that they exist.
    ///
    /// - Returns: nil for a name that is no texture of this kind.
    public func facts(of texture: HostTexture) -> SurfaceFacts? {
        guard gl.isTexture(texture.name) != 0 else { return nil }
        switch texture.kind {
        case .texture2D: return facts(ofLevel: 0, of: texture.name)
        case .external: return SurfaceFacts()
        }
    }

    /// Whether there is a framebuffer of this name. The window's is assumed to exist.
    public func hasFramebuffer(_ name: UInt32) -> Bool { name == 0 || gl.isFramebuffer(name) != 0 }

    /// What the GL reports about the bound framebuffer, where draws go.
    ///
    /// - Returns: nil if its draws go nowhere.
    public func factsOfDrawTarget() -> SurfaceFacts? {
        var buffer = GLint(GL_NONE)
        // SAFETY: the name has one value.
        unsafe gl.getIntegerv(GLenum(GL_DRAW_BUFFER0), &buffer)
        guard buffer != GL_NONE else { return nil }
        func parameter(_ name: Int32) -> Int32 {
            var value: GLint = 0
            // SAFETY: each name asked for has one value.
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
            // Nothing is known of a cube's face or a layer.
            facts = self.facts(ofLevel: parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL), of: name) ?? facts
            facts.attachedTexture = name
        }
        facts.hasAlpha = parameter(GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE) > 0
        facts.isNormalized = parameter(GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) == GL_UNSIGNED_NORMALIZED
        facts.convertsSRGB =
            parameter(GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) == GL_SRGB
            // If it can be switched off, it is off.
            && !extensions.contains("GL_EXT_sRGB_write_control")
        return facts
    }

    private func facts(ofLevel level: GLint, of texture: GLuint) -> SurfaceFacts? {
        while gl.getError() != GL.noError {}
        gl.activeTexture(GL.texture0)
        gl.bindTexture(GL.texture2D, texture)
        guard gl.getError() == GL.noError else { return nil }
        defer { gl.bindTexture(GL.texture2D, 0) }
        var facts = SurfaceFacts()
        guard let get = unsafe context.getTexLevelParameteriv else { return facts }
        func parameter(_ name: Int32) -> Int32 {
            var value: GLint = 0
            // SAFETY: each name asked for has one value.
            unsafe get(GL.texture2D, level, GLenum(name), &value)
            return value
        }
        facts.width = Int(parameter(GL_TEXTURE_WIDTH))
        facts.height = Int(parameter(GL_TEXTURE_HEIGHT))
        facts.convertsSRGB = Self.isSRGB(parameter(GL_TEXTURE_INTERNAL_FORMAT))
        facts.isNormalized = parameter(GL_TEXTURE_RED_TYPE) == GL_UNSIGNED_NORMALIZED
        facts.hasAlpha = parameter(GL_TEXTURE_ALPHA_SIZE) > 0
        return facts
    }

    private func size(ofRenderbuffer name: GLuint) -> (Int, Int) {
        var values: [GLint] = [0, 0, 0]
        // SAFETY: each name asked for has one value.
        unsafe gl.getIntegerv(GLenum(GL_RENDERBUFFER_BINDING), &values[0])
        gl.bindRenderbuffer(GLenum(GL_RENDERBUFFER), name)
        unsafe gl.getRenderbufferParameteriv(GLenum(GL_RENDERBUFFER), GLenum(GL_RENDERBUFFER_WIDTH), &values[1])
        unsafe gl.getRenderbufferParameteriv(GLenum(GL_RENDERBUFFER), GLenum(GL_RENDERBUFFER_HEIGHT), &values[2])
        gl.bindRenderbuffer(GLenum(GL_RENDERBUFFER), GLuint(bitPattern: values[0]))
        return (Int(values[1]), Int(values[2]))
    }

    private func sizeOfWindow() -> (Int?, Int?) {
        let egl = context.library.egl
        func parameter(_ name: EGLint) -> Int? {
            var value: EGLint = 0
            // SAFETY: the surface is the current one, of the context's display; the name has one value.
            guard let surface = unsafe egl.getCurrentSurface(EGL_DRAW),
                unsafe egl.querySurface(context.display.raw, surface, name, &value) != 0
            else { return nil }
            return Int(value)
        }
        return (parameter(EGL_WIDTH), parameter(EGL_HEIGHT))
    }

    /// Whether reading a texture of this internal format converts sRGB to light.
    private static func isSRGB(_ format: Int32) -> Bool {
        [GL_SRGB8, GL_SRGB8_ALPHA8, GL_SRGB_EXT, GL_SRGB_ALPHA_EXT, GL_SR8_EXT, GL_SRG8_EXT].contains(format)
            // Compressed: S3TC, ETC2, ASTC.
            || (0x8C4C...0x8C4F).contains(format)
            || [
                GL_COMPRESSED_SRGB8_ETC2, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2,
                GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC,
            ].contains(format) || (0x93D0...0x93DD).contains(format)
    }
}
