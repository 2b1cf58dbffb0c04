import FrostDrawing
import FrostGLES

/// The buffers of the shaders' uniform blocks. Used only on the context's thread.
struct UniformBuffers {
    private var buffers: [UniformBlock: PooledBuffer] = [:]

    /// Writes the values of a block.
    ///
    /// - Parameter size: the minimum size of the buffer in bytes, at least that of the values.
    mutating func write<Element: BitwiseCopyable>(
        _ values: [Element], to block: UniformBlock, size: Int, in gl: borrowing CurrentContext
    ) throws(GLError) {
        if (buffers[block]?.buffer.size ?? 0) < size {
            buffers[block] = PooledBuffer(try Buffer(.uniforms, size: size, in: gl))
        }
        guard let buffer = buffers[block], !values.isEmpty else { return }
        try unsafe buffer.buffer.withMapped(count: MemoryLayout<Element>.stride * values.count, in: gl) { memory in
            // SAFETY: the array and the mapped memory have the same size.
            unsafe values.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
        }
    }

    /// Lets the following draws read a block from a range of bytes of its buffer.
    func bind(_ block: UniformBlock, _ range: Range<Int>, in gl: borrowing CurrentContext) throws(GLError) {
        try buffers[block]?.buffer.bindUniforms(range, binding: block.rawValue, in: gl)
    }
}
