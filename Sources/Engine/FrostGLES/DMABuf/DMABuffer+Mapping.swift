import CGBM
import Glibc

extension DMABuffer {
    /// How the CPU accesses a mapped plane.
    public enum Access: Sendable, Hashable {
        /// The CPU only reads the memory.
        case read
        /// The CPU reads and writes the memory.
        case readWrite
    }

    /// Maps all rows of a plane into the CPU's address space, and calls `body` with this memory. Each row has `stride`
    /// bytes. The caches of devices are synchronised before and after `body`. This function does not wait for devices that
    /// still write into the plane; use fences for this.
    ///
    /// The memory is valid only while `body` runs. If the access is ``Access/read``, `body` must not write the memory.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` for buffers that are not linear, and for planes that ``DMABufferTexture``
    ///   rejects. Some GPU drivers also have memory that the CPU cannot map.
    public func withMapped<Value>(
        plane index: Int, for access: Access, _ body: (UnsafeMutableRawBufferPointer) throws(GLError) -> Value
    ) throws(GLError) -> Value {
        let format = try check()
        guard planes.indices.contains(index), modifier == .linear else {
            throw fault(.unmappable("the plane does not exist, or the buffer is not linear"))
        }
        let plane = planes[index]
        guard DescriptorFacts.size(of: plane.descriptor) != nil else {
            throw fault(.unmappable("the kernel does not report its size"))
        }
        let count = plane.stride * format.planes[index].rows(height: height)
        // The mapping starts at the start of the memory, because a plane's offset need not be a multiple of the page size.
        let protection = access == .read ? PROT_READ : PROT_READ | PROT_WRITE
        let mapping = unsafe mmap(nil, plane.offset + count, protection, MAP_SHARED, plane.descriptor, 0)
        guard let memory = unsafe mapping, unsafe memory != MAP_FAILED else {
            throw fault(.unmappable("mmap: \(DescriptorFacts.lastError)"))
        }
        // SAFETY: the mapping has this size and no other owner.
        defer { unsafe munmap(memory, plane.offset + count) }

        try synchronize(plane, isEnd: false, access)
        let result: Result<Value, GLError> = Result { () throws(GLError) in
            // SAFETY: the memory has `offset + count` bytes, as checked above.
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
