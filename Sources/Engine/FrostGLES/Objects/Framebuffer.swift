import CGLES

/// A render target with one texture. The texture is Frost's own, or it was imported from a dma-buf. The texture must
/// exist as long as the framebuffer is used.
public struct Framebuffer: ~Copyable {
    /// The width of the texture in pixels.
    public let width: Int
    /// The height of the texture in pixels.
    public let height: Int
    let format: TextureFormat
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Creates a framebuffer that draws into a texture.
    ///
    /// - Throws: ``GLError/framebufferIncomplete(status:format:width:height:)``, or another error of the GL.
    public init(_ texture: borrowing Texture, in current: borrowing CurrentContext) throws(GLError) {
        try self.init(
            texture: texture.name, width: texture.width, height: texture.height, format: texture.format,
            label: texture.format.rawValue, in: current)
    }

    /// Creates a framebuffer that draws into a dma-buf, which was imported as a 2D texture.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` for external textures and for cases in which the driver is known to fail,
    ///   ``GLError/framebufferIncomplete(status:format:width:height:)`` for formats and modifiers that the driver can only
    ///   sample, or another error of the GL.
    public init(_ texture: borrowing DMABufferTexture, in current: borrowing CurrentContext) throws(GLError) {
        if let obstacle = texture.obstacleToDrawing { throw obstacle }
        try self.init(
            texture: texture.name, width: texture.width, height: texture.height, format: texture.format.readFormat,
            label: "dma-buf \(texture.format.fourcc)", in: current)
    }

    private init(
        texture: GLuint, width: Int, height: Int, format: TextureFormat, label: String,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        var name: GLuint = 0
        // SAFETY: one name is requested, and the pointer has room for one.
        unsafe gl.genFramebuffers(1, &name)
        let object = OwnedObject(.framebuffer, UInt(name), in: current)
        gl.bindFramebuffer(GL.framebuffer, name)
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
        try current.check("glBlitFramebuffer")
    }

    /// Makes the GPU copy the first `columns` pixels of rows, by default all, into a buffer, without padding. Returns
    /// before the copy is done; use a ``Fence`` to wait for the copy.
    public func read(
        columns: Int? = nil, rows: Range<Int>, into buffer: borrowing Buffer, in current: borrowing CurrentContext
    ) throws(GLError) {
        let width = columns ?? width
        guard let type = format.transferType else { throw .unsupported("reading \(format.rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height, (1...self.width).contains(width),
            rows.count * width * format.bytesPerPixel <= buffer.size
        else {
            throw .callFailed(GLEvidence(call: "reading \(width) columns of \(self.width), rows \(rows) of \(height)"))
        }
        let gl = current.gl
        gl.bindFramebuffer(GL.framebuffer, name)
        gl.bindBuffer(GL.pixelPackBuffer, buffer.name)
        // With a bound pack buffer, the pointer is an offset into the buffer, here 0. The rows fit into the buffer with
        // an alignment of 1. GL can always read RGBA with the format's own type: bytes from normalised targets, floats
        // from float targets.
        gl.readPixels(0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GL.rgba, type, nil)
        gl.bindBuffer(GL.pixelPackBuffer, 0)
        try current.check("glReadPixels")
    }

    /// Copies the first `columns` pixels of rows, by default all, into memory, without padding, and waits for the copy.
    ///
    /// - Parameter memory: the memory to fill, at least as large as the rows.
    public func read(
        columns: Int? = nil, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer,
        in current: borrowing CurrentContext
    ) throws(GLError) {
        let width = columns ?? width
        guard let type = format.transferType else { throw .unsupported("reading \(format.rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height, (1...self.width).contains(width),
            rows.count * width * format.bytesPerPixel <= memory.count
        else {
            throw .callFailed(GLEvidence(call: "reading \(width) columns of \(self.width), rows \(rows) of \(height)"))
        }
        let gl = current.gl
        gl.bindFramebuffer(GL.framebuffer, name)
        // SAFETY: no pack buffer is bound, and the memory is as large as the rows with an alignment of 1.
        unsafe gl.readPixels(
            0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GL.rgba, type, memory.baseAddress)
        try current.check("glReadPixels")
    }
}
