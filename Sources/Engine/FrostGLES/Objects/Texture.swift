import CGLES

/// A two-dimensional texture with one mipmap level, for single-texel fetches and for rendering.
package struct Texture: ~Copyable {
    /// The pixel format of the texture.
    package let format: TextureFormat
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    private let object: OwnedObject
    /// The texture's GL name, for functions that take a texture of the host.
    package var name: UInt32 { object.name }

    /// The number of bytes of the texture's pixels.
    package var bytes: Int { width * height * format.bytesPerPixel }

    /// Creates a texture with undefined pixels.
    ///
    /// - Throws: ``GLError/tooLarge(what:value:limit:)``, ``GLError/outOfMemory(_:)``, or another error of the GL.
    package init(_ format: TextureFormat, width: Int, height: Int, in current: borrowing CurrentContext) throws(GLError)
    {
        let limit = current.limits.maximumTextureSize
        guard width <= limit else { throw .tooLarge(what: "texture width", value: width, limit: limit) }
        guard height <= limit else { throw .tooLarge(what: "texture height", value: height, limit: limit) }
        let gl = current.gl
        try current.checkPending()
        let object = unsafe OwnedObject(
            .texture, by: gl.genTextures, bytes: width * height * format.bytesPerPixel, in: current)
        gl.bindTexture(GL.texture2D, object.name)
        if current.context.hasTextureStorage {
            gl.texStorage2D(GL.texture2D, 1, format.internalFormat, GLsizei(width), GLsizei(height))
        } else {
            gl.bindBuffer(GL.pixelUnpackBuffer, 0)
            gl.texImage2D(
                GL.texture2D, 0, GLint(bitPattern: format.internalFormat), GLsizei(width), GLsizei(height), 0, GL.rgba,
                format.pixelType, nil)
            gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_MAX_LEVEL), 0)
        }
        // With nearest filtering the texture is complete without mipmaps. Float formats cannot be filtered.
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        // Errors are checked in release builds too, because memory can run out in this call.
        try current.checkErrors(after: current.context.hasTextureStorage ? "glTexStorage2D" : "glTexImage2D")
        self.object = object
        self.format = format
        self.width = width
        self.height = height
    }

    /// Uploads the first `columns` pixels of rows, by default all, from a buffer. The format must be
    /// ``TextureFormat/rgba8`` or ``TextureFormat/rgba32F``.
    ///
    /// - Parameter place: the place of the rows in the buffer; by default they begin at its start and have no padding.
    package func upload(
        columns: Int? = nil, rows: Range<Int>, from buffer: borrowing Buffer, at place: BufferRows = BufferRows(),
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        let columns = columns ?? width
        let bytes = try place.check(columns, rows.count, format, buffer)
        gl.bindBuffer(GL.pixelUnpackBuffer, buffer.name)
        let rowLength = place.rowLength(format)
        if rowLength != 0 { gl.pixelStorei(GL.unpackRowLength, rowLength) }
        defer {
            if rowLength != 0 { gl.pixelStorei(GL.unpackRowLength, 0) }
            gl.bindBuffer(GL.pixelUnpackBuffer, 0)
        }
        // With a bound unpack buffer, the pointer is an offset into the buffer.
        try unsafe upload(columns, rows, from: UnsafeRawPointer(bitPattern: place.offset), bytes: bytes, in: current)
    }

    /// Uploads the first `columns` pixels of rows, by default all, from memory that contains them without padding. The
    /// memory is read only during the call.
    package func upload(
        columns: Int? = nil, rows: Range<Int>, from memory: UnsafeRawBufferPointer,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        try unsafe upload(columns ?? width, rows, from: memory.baseAddress, bytes: memory.count, in: current)
    }

    private func upload(
        _ columns: Int, _ rows: Range<Int>, from memory: UnsafeRawPointer?, bytes: Int,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let type = try format.transferType(
            "uploading", columns: columns, of: width, rows: rows, of: height, bytes: bytes)
        let gl = current.gl
        gl.bindTexture(GL.texture2D, name)
        // SAFETY: the rows fit into the texture, and into the memory or the unpack buffer with an alignment of 1.
        unsafe gl.texSubImage2D(
            GL.texture2D, 0, 0, GLint(rows.lowerBound), GLsizei(columns), GLsizei(rows.count), GL.rgba, type, memory)
        current.keepFence()
        try current.check("glTexSubImage2D")
    }

    /// Binds the texture to a texture unit. Samplers with the value `unit` then read this texture.
    package func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.activeTexture(GL.texture0 + GLenum(unit))
        current.gl.bindTexture(GL.texture2D, name)
        try current.check("glBindTexture")
    }
}
