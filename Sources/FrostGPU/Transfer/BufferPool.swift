import FrostGLES

/// A pixel buffer that holds a whole image.
final class PooledBuffer {
    let buffer: Buffer
    init(_ buffer: consuming Buffer) { self.buffer = buffer }
}

/// Keeps idle pixel buffers for reuse, as ``TargetPool`` does for textures. Used only on the context's thread.
struct BufferPool {
    private let idleLimit: Int
    /// The idle buffers, least recently used first.
    private var idle: [PooledBuffer] = []
    private(set) var idleBytes = 0

    init(idleLimit: Int) { self.idleLimit = idleLimit }

    mutating func take(_ purpose: Buffer.Purpose, size: Int, in gl: borrowing CurrentContext) throws(GLError)
        -> PooledBuffer
    {
        if let index = idle.lastIndex(where: { $0.buffer.purpose == purpose && $0.buffer.size == size }) {
            idleBytes -= size
            return idle.remove(at: index)
        }
        do throws(GLError) {
            return PooledBuffer(try Buffer(purpose, size: size, in: gl))
        } catch .outOfMemory where !idle.isEmpty {
            trim(to: 0)
            gl.collectGarbage()
            return PooledBuffer(try Buffer(purpose, size: size, in: gl))
        }
    }

    mutating func giveBack(_ buffer: PooledBuffer) {
        idle.append(buffer)
        idleBytes += buffer.buffer.size
        trim(to: idleLimit)
    }

    mutating func trim(to bytes: Int) {
        while idleBytes > bytes, !idle.isEmpty { idleBytes -= idle.removeFirst().buffer.size }
    }
}
