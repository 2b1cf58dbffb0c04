/// Reads a source byte by byte, for the decoders that Frost implements itself.
struct SourceCursor: ~Copyable {
    let source: ByteSource
    /// The number of bytes consumed so far.
    private(set) var offset = 0
    private var block: [UInt8] = []
    private var next = 0

    private static let blockSize = 1 << 16

    init(_ source: ByteSource) { self.source = source }

    /// Returns the next byte, or nil at the end of the input.
    @inline(__always)
    mutating func byte() throws(ImageError) -> UInt8? {
        if next == block.count {
            try fill()
            if block.isEmpty { return nil }
        }
        next += 1
        offset += 1
        return block[next - 1]
    }

    /// Returns the next byte without consuming it, or nil at the end of the input.
    mutating func peek() throws(ImageError) -> UInt8? {
        if next == block.count { try fill() }
        return next < block.count ? block[next] : nil
    }

    /// Calls `body` with the bytes that have been read but not consumed. `body` returns the number of bytes that it
    /// consumes.
    @inline(__always)
    mutating func consume(_ body: (UnsafeBufferPointer<UInt8>) -> Int) {
        // SAFETY: the pointer is valid during the call, and `next` is within the block.
        let count = unsafe block.withUnsafeBufferPointer { bytes in
            unsafe body(UnsafeBufferPointer(rebasing: bytes[next...]))
        }
        next += count
        offset += count
    }

    /// Fills `out` with the next bytes. Returns false if the input ends first.
    mutating func fill(_ out: inout [UInt8]) throws(ImageError) -> Bool {
        var done = 0
        while done < out.count {
            if next == block.count {
                try fill()
                if block.isEmpty { return false }
            }
            let count = min(out.count - done, block.count - next)
            out.replaceSubrange(done..<done + count, with: block[next..<next + count])
            done += count
            next += count
            offset += count
        }
        return true
    }

    /// Returns the next `count` bytes, or all remaining bytes if there are fewer. The system commits memory only for
    /// bytes that are actually read, so a large `count` alone uses no memory.
    mutating func bytes(_ count: Int) throws(ImageError) -> [UInt8] {
        var failed = false
        // SAFETY: the closure initialises as many bytes as it reports.
        let result = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            done = min(count, block.count - next)
            unsafe memory.copyBytes(from: block[next..<next + done])
            next += done
            while done < count {
                guard let got = unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[done..<count]))
                else {
                    failed = true
                    return
                }
                if got == 0 { return }
                done += got
            }
        }
        if failed { throw source.readFailure }
        offset += result.count
        return result
    }

    private mutating func fill() throws(ImageError) {
        block = try source.read(Self.blockSize)
        next = 0
    }
}
