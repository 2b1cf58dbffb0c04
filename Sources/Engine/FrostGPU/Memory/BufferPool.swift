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

    /// Returns the smallest idle buffer of at least `size` bytes that is not much larger, or a new one.
    mutating func take(_ purpose: Buffer.Purpose, size: Int, in gl: borrowing CurrentContext) throws(GLError)
        -> PooledBuffer
    {
        var best: Int?
        for (index, pooled) in idle.enumerated()
        where pooled.buffer.purpose == purpose
            && (size...SizeClass.next(size) * SizeClass.largestFactor).contains(pooled.buffer.size)
        {
            if let best, idle[best].buffer.size < pooled.buffer.size { continue }
            best = index
        }
        if let best {
            idleBytes -= idle[best].buffer.size
            return idle.remove(at: best)
        }
        let size = SizeClass.next(size)
        // Freeing memory does not repair a draw for which memory was missing, so the error of a draw is thrown here.
        try gl.checkPending()
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
