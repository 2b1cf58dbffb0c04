import CGLES

/// A block of the GPU's memory that the CPU can map.
public struct Buffer: ~Copyable {
    /// What a buffer is for.
    public enum Purpose: Sendable, Hashable {
        /// Pixels on their way to the GPU.
        case upload
        /// Pixels on their way back.
        case readback
        /// A uniform block's values.
        case uniforms

        var target: GLenum {
            switch self {
            case .upload: GL.pixelUnpackBuffer
            case .readback: GL.pixelPackBuffer
            case .uniforms: GL.uniformBuffer
            }
        }

        var usage: GLenum {
            switch self {
            case .upload, .uniforms: GL.streamDraw
            case .readback: GL.streamRead
            }
        }

        /// How it is mapped.
        var access: GLbitfield {
            switch self {
            case .upload, .uniforms: GL.mapWrite | GL.mapInvalidate
            case .readback: GL.mapRead
            }
        }
    }

    /// What it was made for.
    public let purpose: Purpose
    /// Bytes.
    public let size: Int
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Makes a buffer of `size` bytes, at least 1, with undefined content.
    ///
    /// - Throws: ``GLError/outOfMemory(_:)``, or what the GL reports.
    public init(_ purpose: Purpose, size: Int, in current: borrowing CurrentContext) throws(GLError) {
        let gl = current.gl
        current.context.drainErrors()
        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe gl.genBuffers(1, &name)
        object = OwnedObject(.buffer, UInt(name), bytes: size, in: current)
        self.purpose = purpose
        self.size = size
        gl.bindBuffer(purpose.target, name)
        gl.bufferData(purpose.target, size, nil, purpose.usage)
        gl.bindBuffer(purpose.target, 0)
        try current.checkErrors(after: "glBufferData")
    }

    /// Calls `body` with the first `count` bytes: to be filled and not read for uploads and uniforms, to be read for
    /// readbacks. Waits for commands that still use the buffer if the driver cannot rename it.
    ///
    /// The memory is valid during the call only.
    public func withMapped(
        count: Int, in current: borrowing CurrentContext, _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(GLError) {
        let gl = current.gl
        guard count >= 1, count <= size else {
            throw .callFailed(GLEvidence(call: "mapping \(count) of \(size) bytes"))
        }
        gl.bindBuffer(purpose.target, name)
        defer { gl.bindBuffer(purpose.target, 0) }
        // SAFETY: the range lies within the buffer.
        guard let memory = unsafe gl.mapBufferRange(purpose.target, 0, count, purpose.access) else {
            try current.checkErrors(after: "glMapBufferRange")
            throw .callFailed(GLEvidence(call: "glMapBufferRange"))
        }
        // SAFETY: GL promises `count` bytes until the buffer is unmapped.
        unsafe body(UnsafeMutableRawBufferPointer(start: memory, count: count))
        // False if the memory was lost meanwhile, by a change of the display mode on some systems.
        guard gl.unmapBuffer(purpose.target) != 0 else {
            throw .contextLost(reason: "glUnmapBuffer: the buffer's memory was lost")
        }
        try current.check("glUnmapBuffer")
    }

    /// Makes a part of the buffer the uniform block of a binding point.
    public func bindUniforms(_ range: Range<Int>, binding: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.bindBufferRange(GL.uniformBuffer, GLuint(binding), name, range.lowerBound, range.count)
        try current.check("glBindBufferRange")
    }
}
