import CGLES

/// A GL sampler, which determines how a texture is read between its texels. Without a sampler, Frost's textures use nearest
/// filtering.
public struct Sampler: ~Copyable {
    private let object: OwnedObject

    /// Creates a sampler with linear filtering of the four nearest texels. Texels at the border are repeated.
    public init(linearIn current: borrowing CurrentContext) throws(GLError) {
        let gl = current.gl
        var name: GLuint = 0
        // SAFETY: one name is requested, and the pointer has room for one.
        unsafe gl.genSamplers(1, &name)
        object = OwnedObject(.sampler, UInt(name), in: current)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        gl.samplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        try current.check("glSamplerParameteri")
    }

    /// Binds the sampler to a texture unit until ``CurrentContext/unbindSampler(unit:)`` is called.
    public func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.bindSampler(GLuint(unit), object.name)
        try current.check("glBindSampler")
    }
}

extension CurrentContext {
    /// Removes the sampler from a texture unit, which then uses nearest filtering again.
    public func unbindSampler(unit: Int) throws(GLError) {
        gl.bindSampler(GLuint(unit), 0)
        try check("glBindSampler")
    }
}
