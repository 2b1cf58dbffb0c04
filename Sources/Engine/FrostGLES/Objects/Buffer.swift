import CGLES

/// A block of GPU memory that the CPU can map.
// SAFETY: the pointer is used only in ``withMapped(count:in:_:)`` and ``lastingMemory``, while the buffer exists.
@safe package struct Buffer: ~Copyable {
    /// The use of a buffer.
    package enum Purpose: Sendable, Hashable {
        /// Transfers pixels to the GPU.
        case upload
        /// Transfers pixels from the GPU.
        case readback
        /// Holds pixels of the caller, and transfers them in both directions.
        case pinned
        /// Holds the values of a uniform block.
        case uniforms

        var target: GLenum {
            switch self {
            case .upload, .pinned: GL.pixelUnpackBuffer
            case .readback: GL.pixelPackBuffer
            case .uniforms: GL.uniformBuffer
            }
        }

        var usage: GLenum {
            switch self {
            case .upload, .uniforms: GL.streamDraw
            case .readback, .pinned: GL.streamRead
            }
        }

        /// The access flags for mapping the buffer.
        var access: GLbitfield {
            switch self {
            case .upload, .uniforms: GL.mapWrite | GL.mapInvalidate
            case .readback: GL.mapRead
            case .pinned: GL.mapRead | GL.mapWrite
            }
        }

        /// The access flags of a buffer that stays mapped; nil for buffers that are written while the GPU still reads their
        /// earlier content, so that the driver has to give them new memory.
        var lastingAccess: GLbitfield? {
            let lasting = GLbitfield(GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT)
            return switch self {
            case .upload: GL.mapWrite | lasting
            case .readback: GL.mapRead | lasting
            case .pinned: GL.mapRead | GL.mapWrite | lasting
            case .uniforms: nil
            }
        }
    }

    /// The use that the buffer was created for.
    package let purpose: Purpose
    /// The size in bytes.
    package let size: Int
    private let object: OwnedObject
    /// The memory of a buffer that stays mapped until it is deleted; nil if each access maps the buffer.
    private let memory: UnsafeMutableRawPointer?
    var name: GLuint { object.name }

    /// Creates a buffer of `size` bytes, at least 1, with undefined content. Buffers for pixels stay mapped, in memory that
    /// the GPU reads and writes over the bus, if the context has GL_EXT_buffer_storage.
    ///
    /// - Throws: ``GLError/outOfMemory(_:)``, or another error of the GL.
    package init(_ purpose: Purpose, size: Int, in current: borrowing CurrentContext) throws(GLError) {
        let gl = current.gl
        try current.checkPending()
        let object = unsafe OwnedObject(.buffer, by: gl.genBuffers, bytes: size, in: current)
        gl.bindBuffer(purpose.target, object.name)
        defer { gl.bindBuffer(purpose.target, 0) }
        var mapped: UnsafeMutableRawPointer?
        if let storage = unsafe current.context.bufferStorage, let access = purpose.lastingAccess {
            storage(purpose.target, size, nil, access | GLbitfield(GL_CLIENT_STORAGE_BIT_EXT))
            try current.checkErrors(after: "glBufferStorageEXT")
            // SAFETY: the mapped range is the buffer.
            unsafe mapped = unsafe gl.mapBufferRange(purpose.target, 0, size, access)
            try current.checkErrors(after: "glMapBufferRange")
            guard unsafe mapped != nil else { throw .callFailed(GLEvidence(call: "glMapBufferRange")) }
        } else {
            gl.bufferData(purpose.target, size, nil, purpose.usage)
            try current.checkErrors(after: "glBufferData")
        }
        unsafe memory = unsafe mapped
        self.object = object
        self.purpose = purpose
        self.size = size
    }

    /// The memory of a buffer that stays mapped until it is deleted; nil if each access maps the buffer.
    @unsafe package var lastingMemory: UnsafeMutableRawBufferPointer? {
        unsafe memory.map { unsafe UnsafeMutableRawBufferPointer(start: $0, count: size) }
    }

    /// Maps the buffer and calls `body` with its first `count` bytes. If the buffer is for uploads or uniforms, `body`
    /// fills these bytes and must not read them. If the buffer is for readbacks, `body` reads these bytes. The caller has
    /// waited until the GPU no longer uses a buffer for pixels, by a ``Fence``. If the GPU still uses a buffer for uniforms
    /// and the driver cannot give it new memory, the call waits for the GPU.
    ///
    /// The memory is valid only while `body` runs.
    package func withMapped(
        count: Int, in current: borrowing CurrentContext, _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(GLError) {
        let gl = current.gl
        guard count >= 1, count <= size else {
            throw .callFailed(GLEvidence(call: "mapping \(count) of \(size) bytes"))
        }
        if let memory = unsafe memory {
            // SAFETY: the buffer has `size` bytes, which stay mapped as long as it exists.
            return unsafe body(UnsafeMutableRawBufferPointer(start: memory, count: count))
        }
        gl.bindBuffer(purpose.target, name)
        defer { gl.bindBuffer(purpose.target, 0) }
        // SAFETY: the mapped range lies within the buffer.
        guard let memory = unsafe gl.mapBufferRange(purpose.target, 0, count, purpose.access) else {
            try current.checkErrors(after: "glMapBufferRange")
            throw .callFailed(GLEvidence(call: "glMapBufferRange"))
        }
        // SAFETY: GL guarantees `count` bytes until the buffer is unmapped.
        unsafe body(UnsafeMutableRawBufferPointer(start: memory, count: count))
        // glUnmapBuffer returns false if the memory was lost, for example by a change of the display mode on some
        // systems.
        guard gl.unmapBuffer(purpose.target) != 0 else {
            throw .contextLost(reason: "glUnmapBuffer: the buffer's memory was lost")
        }
        try current.check("glUnmapBuffer")
    }

    /// Binds a byte range of the buffer to a uniform block's binding point.
    package func bindUniforms(_ range: Range<Int>, binding: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.bindBufferRange(GL.uniformBuffer, GLuint(binding), name, range.lowerBound, range.count)
        try current.check("glBindBufferRange")
    }
}
