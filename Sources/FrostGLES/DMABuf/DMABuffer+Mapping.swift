import CGBM
import Glibc

extension DMABuffer {
    /// What a mapping is for.
    public enum Access: Sendable, Hashable {
        /// The memory is only read.
        case read
        /// The memory is written, too.
        case readWrite
    }

    /// Gives the CPU access to a plane: all its rows, each of `stride` bytes. Devices' caches are synchronised before
    /// and after; whether a device is still writing, fences tell.
    ///
    /// The memory is valid during the call only, and not to be written with ``Access/read``.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` for buffers that are not linear, and what ``DMABufferTexture`` refuses of
    ///   planes; drivers of GPUs may have memory that the CPU cannot map.
    public func withMapped<Value>(
        plane index: Int, for access: Access, _ body: (UnsafeMutableRawBufferPointer) throws(GLError) -> Value
    ) throws(GLError) -> Value {
        let format = try check()
        guard planes.indices.contains(index), modifier == .linear else {
            throw fault(.unmappable("only planes of linear buffers can"))
        }
        let plane = planes[index]
        guard DescriptorFacts.size(of: plane.descriptor) != nil else {
            throw fault(.unmappable("the kernel does not tell its size"))
        }
        let count = plane.stride * format.planes[index].rows(height: height)
        // From the memory's start, since a plane's offset need not be a multiple of a page.
        let protection = access == .read ? PROT_READ : PROT_READ | PROT_WRITE
        let mapping = unsafe mmap(nil, plane.offset + count, protection, MAP_SHARED, plane.descriptor, 0)
        guard let memory = unsafe mapping, unsafe memory != MAP_FAILED else {
            throw fault(.unmappable("mmap: \(DescriptorFacts.lastError)"))
        }
        // SAFETY: this mapping, of this size, is nobody else's.
        defer { unsafe munmap(memory, plane.offset + count) }

        try synchronize(plane, isEnd: false, access)
        let result: Result<Value, GLError> = Result { () throws(GLError) in
            // SAFETY: the memory has so many bytes, as the checks above made sure.
            try unsafe body(UnsafeMutableRawBufferPointer(start: memory + plane.offset, count: count))
        }
        try synchronize(plane, isEnd: true, access)
        return try result.get()
    }
    private func synchronize(_ plane: Plane, isEnd: Bool, _ access: Access) throws(GLError) {
        guard frost_dma_buf_sync(plane.descriptor, isEnd, access == .readWrite) == 0 else {
            throw fault(.unmappable("DMA_BUF_IOCTL_SYNC: \(DescriptorFacts.lastError)"))
        }
    }
}
