import CGLES

/// The parameters of a host's texture that change which texels shaders read, and that a sampler object does not replace.
struct HostTextureParameters {
    private let texture: GLuint
    private let values: [GLint]

    private static let names = [
        GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G, GL_TEXTURE_SWIZZLE_B, GL_TEXTURE_SWIZZLE_A,
    ].map { GLenum($0) }
    /// The values with which shaders read the texels of level 0 as they are stored.
    private static let plain = [0, GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA]

    /// Sets the parameters of the texture that is bound to GL_TEXTURE_2D.
    ///
    /// - Returns: the values before; nil if nothing had to be changed.
    fileprivate init?(replacing texture: GLuint, _ gl: GLFunctions) {
        self.texture = texture
        values = Self.names.map { name in
            var value: GLint = 0
            // SAFETY: each queried parameter has one value.
            unsafe gl.getTexParameteriv(GL.texture2D, name, &value)
            return value
        }
        guard values != Self.plain else { return nil }
        for (name, value) in zip(Self.names, Self.plain) { gl.texParameteri(GL.texture2D, name, value) }
    }

    /// Sets the values from before. Changes the binding of the active texture unit.
    fileprivate func restore(_ gl: GLFunctions) {
        // If the host's texture cannot be bound, no other texture gets its values.
        gl.bindTexture(GL.texture2D, texture)
        guard gl.integer(GLenum(GL_TEXTURE_BINDING_2D)) == GLint(bitPattern: texture) else { return }
        for (name, value) in zip(Self.names, values) { gl.texParameteri(GL.texture2D, name, value) }
    }
}

extension GLContext {
    /// Creates the sampler that Frost binds in the context of a host. A texture without mipmaps and with GL's default filter is
    /// incomplete, and shaders read zeros from it. With this sampler it is complete, whatever the parameters of the texture are.
    func createSampler() throws(GLError) {
        let current = CurrentContext(self)
        try current.checkPending()
        let object = unsafe OwnedObject(.sampler, by: gl.genSamplers, in: current)
        // External textures are incomplete with other wrap modes.
        for (name, value) in [
            (GL_TEXTURE_MIN_FILTER, GL_NEAREST), (GL_TEXTURE_MAG_FILTER, GL_NEAREST),
            (GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE), (GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE),
        ] { gl.samplerParameteri(object.name, GLenum(name), value) }
        sampler = consume object
        do throws(GLError) { try current.checkErrors(after: "glGenSamplers") } catch {
            sampler = nil
            collectGarbage()
            throw error
        }
    }

    /// Gives the textures of the host the parameters that they had. Changes the binding of the active texture unit.
    func restoreTextures() {
        for parameters in changedTextures { parameters.restore(gl) }
        changedTextures = []
    }
}

extension CurrentContext {
    /// Makes shaders read the texels of level 0 as they are stored, until the work in the host's context ends. By itself a
    /// texture may begin at another level, or exchange its channels.
    ///
    /// - Throws: the error of an earlier call, or of this one.
    package func readStoredTexels(of texture: UInt32) throws(GLError) {
        try checkPending()
        gl.activeTexture(GL.texture0)
        gl.bindTexture(GL.texture2D, texture)
        try checkErrors(after: "glBindTexture")
        if let parameters = HostTextureParameters(replacing: texture, gl) { context.changedTextures.append(parameters) }
        gl.bindTexture(GL.texture2D, 0)
        try checkErrors(after: "glTexParameteri")
    }
}
