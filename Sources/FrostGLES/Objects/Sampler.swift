import CGLES

/// How a texture is read between its texels. Without a sampler, textures are read at texels only.
public struct Sampler: ~Copyable {
    private let object: OwnedObject

    /// Makes a sampler that mixes the four nearest texels, those at the border repeated.
    public init(linearIn current: borrowing CurrentContext) throws(GLError) {
        let gl = current.gl
        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe gl.genSamplers(1, &name)
        object = OwnedObject(.sampler, UInt(name), in: current)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        try current.check("glSamplerParameteri")
    }

    /// Has a texture unit use it until ``CurrentContext/unbindSampler(unit:)``.
    public func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.bindSampler(GLuint(unit), object.name)
        try current.check("glBindSampler")
    }
}

extension CurrentContext {
    /// Has a texture unit read textures at texels only again.
    public func unbindSampler(unit: Int) throws(GLError) {
        gl.bindSampler(GLuint(unit), 0)
        try check("glBindSampler")
    }
}
