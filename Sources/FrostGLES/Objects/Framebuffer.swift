import CGLES

/// A render target over one texture, Frost's own or a dma-buf's. The texture has to outlive its use.
public struct Framebuffer: ~Copyable {
    /// The texture's, in pixels.
    public let width: Int
    /// The texture's, in pixels.
    public let height: Int
    private let format: TextureFormat
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Makes a target of a texture.
    ///
    /// - Throws: ``GLError/framebufferIncomplete(status:format:width:height:)``, or what the GL reports.
    public init(_ texture: borrowing Texture, in current: borrowing CurrentContext) throws(GLError) {
        try self.init(
            texture: texture.name, width: texture.width, height: texture.height, format: texture.format,
            label: texture.format.rawValue, in: current)
    }

    /// Makes a target of a dma-buf that was imported as a 2D texture.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` for external textures and what the driver is known to fail at,
    ///   ``GLError/framebufferIncomplete(status:format:width:height:)`` for formats and arrangements that it only
    ///   samples, or what the GL reports.
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
        // SAFETY: one name is asked for and one is received.
        unsafe gl.genFramebuffers(1, &name)
        object = OwnedObject(.framebuffer, UInt(name), in: current)
        self.width = width
        self.height = height
        self.format = format
        gl.bindFramebuffer(GL.framebuffer, name)
        gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, texture, 0)
        let status = gl.checkFramebufferStatus(GL.framebuffer)
        guard status == GL.framebufferComplete else {
            throw .framebufferIncomplete(status: status, format: label, width: width, height: height)
        }
        try current.check("glFramebufferTexture2D")
    }

    /// Has the GPU copy rows into a buffer, without gaps. Returns at once: a ``Fence`` tells when they are there.
    public func read(rows: Range<Int>, into buffer: borrowing Buffer, in current: borrowing CurrentContext)
        throws(GLError)
    {
        guard let type = format.transferType else { throw .unsupported("reading \(format.rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height,
            rows.count * width * format.bytesPerPixel <= buffer.size
        else { throw .callFailed(GLEvidence(call: "reading of rows \(rows) of \(height)")) }
        let gl = current.gl
        gl.bindFramebuffer(GL.framebuffer, name)
        gl.bindBuffer(GL.pixelPackBuffer, buffer.name)
        // With a pack buffer bound the pointer is an offset, here 0; the rows fit in it with an alignment of 1.
        // RGBA with the format's own type is always readable: bytes from normalised targets, floats from float ones.
        gl.readPixels(0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GL.rgba, type, nil)
        gl.bindBuffer(GL.pixelPackBuffer, 0)
        try current.check("glReadPixels")
    }

    /// Copies rows into memory, without gaps, and waits for them.
    ///
    /// - Parameter memory: at least as large as the rows.
    public func read(
        rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer, in current: borrowing CurrentContext
    ) throws(GLError) {
        guard let type = format.transferType else { throw .unsupported("reading \(format.rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height,
            rows.count * width * format.bytesPerPixel <= memory.count
        else { throw .callFailed(GLEvidence(call: "reading of rows \(rows) of \(height)")) }
        let gl = current.gl
        gl.bindFramebuffer(GL.framebuffer, name)
        // SAFETY: no pack buffer is bound, and the memory is as large as the rows, whose alignment is 1.
        unsafe gl.readPixels(
            0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GL.rgba, type, memory.baseAddress)
        try current.check("glReadPixels")
    }
}
