import CGLES

/// A render target with one texture. The texture is Frost's own, or it was imported from a dma-buf. The texture must
/// exist as long as the framebuffer is used.
package struct Framebuffer: ~Copyable {
    /// The width of the texture in pixels.
    package let width: Int
    /// The height of the texture in pixels.
    package let height: Int
    let format: TextureFormat
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Creates a framebuffer that draws into a texture.
    ///
    /// - Throws: ``GLError/framebufferIncomplete(status:format:width:height:)``, or another error of the GL.
    package init(_ texture: borrowing Texture, in current: borrowing CurrentContext) throws(GLError) {
        try self.init(
            texture: texture.name, width: texture.width, height: texture.height, format: texture.format,
            label: texture.format.rawValue, in: current)
    }

    init(
        texture: GLuint, width: Int, height: Int, format: TextureFormat, label: String,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        let object = unsafe OwnedObject(.framebuffer, by: gl.genFramebuffers, in: current)
        gl.bindFramebuffer(GL.framebuffer, object.name)
        // Otherwise the texture would be attached to the framebuffer that was bound before.
        try current.checkErrors(after: "glBindFramebuffer")
        gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, texture, 0)
        let status = gl.checkFramebufferStatus(GL.framebuffer)
        guard status == GL.framebufferComplete else {
            // A refused call explains more than the status that follows from it.
            try current.checkErrors(after: "glFramebufferTexture2D")
            throw .framebufferIncomplete(status: status, format: label, width: width, height: height)
        }
        try current.check("glFramebufferTexture2D")
        self.object = object
        self.width = width
        self.height = height
        self.format = format
    }

    /// Makes the GPU copy all pixels into another framebuffer of the same size and format (glBlitFramebuffer). Returns
    /// before the copy is done; use a ``Fence`` to wait for the copy.
    package func copy(to other: borrowing Framebuffer, in current: borrowing CurrentContext) throws(GLError) {
        guard other.width == width, other.height == height, other.format == format else {
            throw .callFailed(
                GLEvidence(call: "copying \(width)x\(height) to a framebuffer of \(other.width)x\(other.height)"))
        }
        let gl = current.gl
        let (width, height) = (GLint(width), GLint(height))
        gl.bindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        gl.bindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), other.name)
        gl.blitFramebuffer(
            0, 0, width, height, 0, 0, width, height, GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        current.keepFence()
        try current.check("glBlitFramebuffer")
    }

    /// Makes the GPU copy the first `columns` pixels of rows, by default all, into a buffer. Returns before the copy is done;
    /// use a ``Fence`` to wait for the copy.
    ///
    /// - Parameter place: the place of the rows in the buffer; by default they begin at its start and have no padding.
    package func read(
        columns: Int? = nil, rows: Range<Int>, into buffer: borrowing Buffer, at place: BufferRows = BufferRows(),
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        let columns = columns ?? width
        let bytes = try place.check(columns, rows.count, format, buffer)
        gl.bindBuffer(GL.pixelPackBuffer, buffer.name)
        let rowLength = place.rowLength(format)
        if rowLength != 0 { gl.pixelStorei(GL.packRowLength, rowLength) }
        defer {
            if rowLength != 0 { gl.pixelStorei(GL.packRowLength, 0) }
            gl.bindBuffer(GL.pixelPackBuffer, 0)
        }
        // With a bound pack buffer, the pointer is an offset into the buffer.
        try unsafe read(
            columns, rows, into: UnsafeMutableRawPointer(bitPattern: place.offset), bytes: bytes, in: current)
    }

    /// Copies the first `columns` pixels of rows, by default all, into memory, without padding, and waits for the copy.
    ///
    /// - Parameter memory: the memory to fill, at least as large as the rows.
    package func read(
        columns: Int? = nil, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        try unsafe read(columns ?? width, rows, into: memory.baseAddress, bytes: memory.count, in: current)
    }

    private func read(
        _ columns: Int, _ rows: Range<Int>, into memory: UnsafeMutableRawPointer?, bytes: Int,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let type = try format.transferType(
            "reading", columns: columns, of: width, rows: rows, of: height, bytes: bytes)
        let gl = current.gl
        gl.bindFramebuffer(GL.framebuffer, name)
        // SAFETY: the memory or the pack buffer is as large as the rows with an alignment of 1. GL can always read RGBA
        // with the format's own type: bytes from normalised targets, floats from float targets.
        unsafe gl.readPixels(0, GLint(rows.lowerBound), GLsizei(columns), GLsizei(rows.count), GL.rgba, type, memory)
        current.keepFence()
        try current.check("glReadPixels")
    }
}

extension CurrentContext {
    /// Overwrites a framebuffer with values that are not numbers or, in normalised formats, with white.
    package func poison(_ target: borrowing Framebuffer) throws(GLError) {
        try resumeDrawing(into: target)
        let value: Float = target.format.isFloat ? .nan : 1
        // SAFETY: a colour buffer has four values.
        unsafe gl.clearBufferfv(GL.color, 0, [Float](repeating: value, count: 4))
        keepFence()
        try check("glClearBufferfv")
    }

    /// Directs the following draws into a framebuffer. The old content of the framebuffer is lost, so the draws must
    /// cover the whole framebuffer.
    package func beginDrawing(into target: borrowing Framebuffer) throws(GLError) {
        try resumeDrawing(into: target)
        guard context.canInvalidate else { return }
        var attachment = GL.colorAttachment0
        // SAFETY: one attachment is passed. The call tells tile-based GPUs not to load pixels that will be covered.
        unsafe gl.invalidateFramebuffer(GL.framebuffer, 1, &attachment)
        try check("glInvalidateFramebuffer")
    }

    /// Directs the following draws into a framebuffer. Pixels that the draws do not cover keep their values.
    package func resumeDrawing(into target: borrowing Framebuffer) throws(GLError) {
        gl.bindFramebuffer(GL.framebuffer, target.name)
        if context.mayDrawIntoHost {
            try checkErrors(after: "glBindFramebuffer")
            context.mayDrawIntoHost = false
        }
        try check("glBindFramebuffer")
    }
}
