import CGLES

/// A two-dimensional texture of one level, made to be fetched from texel by texel and to be rendered to.
public struct Texture: ~Copyable {
    /// How its pixels are stored.
    public let format: TextureFormat
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    private let object: OwnedObject
    /// The GL's, for functions that take a host's textures.
    package var name: UInt32 { object.name }

    /// Bytes of its pixels.
    public var bytes: Int { width * height * format.bytesPerPixel }

    /// Makes a texture whose pixels are undefined.
    ///
    /// - Throws: ``GLError/tooLarge(what:value:limit:)``, ``GLError/outOfMemory(_:)``, or what the GL reports.
    public init(_ format: TextureFormat, width: Int, height: Int, in current: borrowing CurrentContext) throws(GLError)
    {
        let limit = current.limits.maximumTextureSize
        guard width <= limit else { throw .tooLarge(what: "texture width", value: width, limit: limit) }
        guard height <= limit else { throw .tooLarge(what: "texture height", value: height, limit: limit) }
        let gl = current.gl
        current.context.drainErrors()
        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe gl.genTextures(1, &name)
        let object = OwnedObject(
            .texture, UInt(name), bytes: width * height * format.bytesPerPixel, in: current)
        gl.bindTexture(GL.texture2D, name)
        gl.texStorage2D(GL.texture2D, 1, format.internalFormat, GLsizei(width), GLsizei(height))
        // Complete without mipmaps; float formats are not filterable.
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        // Checked in release builds too: this is where memory runs out.
        try current.checkErrors(after: "glTexStorage2D")
        self.object = object
        self.format = format
        self.width = width
        self.height = height
    }

    /// Copies rows out of a buffer, where they lie without gaps. The format has to be ``TextureFormat/rgba8`` or
    /// ``TextureFormat/rgba32F``.
    public func upload(rows: Range<Int>, from buffer: borrowing Buffer, in current: borrowing CurrentContext)
        throws(GLError)
    {
        guard let type = format.transferType else { throw .unsupported("uploading \(format.rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height,
            rows.count * width * format.bytesPerPixel <= buffer.size
        else { throw .callFailed(GLEvidence(call: "upload of rows \(rows) of \(height)")) }
        let gl = current.gl
        gl.bindTexture(GL.texture2D, name)
        gl.bindBuffer(GL.pixelUnpackBuffer, buffer.name)
        // With an unpack buffer bound the pointer is an offset, here 0; the rows fit in the buffer and the
        // texture, as checked above, with an alignment of 1.
        gl.texSubImage2D(
            GL.texture2D, 0, 0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GL.rgba, type, nil)
        gl.bindBuffer(GL.pixelUnpackBuffer, 0)
        try current.check("glTexSubImage2D")
    }

    /// Copies rows out of memory, where they lie without gaps. The memory is read during the call only.
    public func upload(rows: Range<Int>, from memory: UnsafeRawBufferPointer, in current: borrowing CurrentContext)
        throws(GLError)
    {
        guard let type = format.transferType else { throw .unsupported("uploading \(format.rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height,
            rows.count * width * format.bytesPerPixel <= memory.count
        else { throw .callFailed(GLEvidence(call: "upload of rows \(rows) of \(height)")) }
        let gl = current.gl
        gl.bindTexture(GL.texture2D, name)
        // SAFETY: no unpack buffer is bound, and the memory is as large as the rows, whose alignment is 1.
        unsafe gl.texSubImage2D(
            GL.texture2D, 0, 0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GL.rgba, type,
            memory.baseAddress)
        try current.check("glTexSubImage2D")
    }

    /// Makes the texture the one that a sampler of value `unit` reads.
    public func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.activeTexture(GL.texture0 + GLenum(unit))
        current.gl.bindTexture(GL.texture2D, name)
        try current.check("glBindTexture")
    }
}
