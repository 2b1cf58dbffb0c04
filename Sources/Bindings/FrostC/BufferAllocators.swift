public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_dmabuf_allocator_create(
    _ node: UnsafePointer<CChar>?, _ allocator: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(allocator, "allocator") { () throws(Failure) in
        guard let node = unsafe String(lent: node) else { throw .argument("node is NULL") }
        return try failing { () throws(GLError) in try DMABufferAllocator(node: node) }
    }
}

@c @implementation
public func frost_dmabuf_allocator_destroy(_ allocator: OpaquePointer?) {
    unsafe Handle<DMABufferAllocator>.destroy(allocator)
}

@c @implementation
public func frost_dmabuf_allocate(
    _ allocator: OpaquePointer?, _ request: UnsafePointer<frost_dmabuf_request>?,
    _ buffer: UnsafeMutablePointer<frost_dmabuf>?
) -> frost_status {
    status { () throws(Failure) in
        let allocator = try unsafe Handle<DMABufferAllocator>.value(allocator, "allocator")
        let request = try unsafe frost_dmabuf_request.read(request, "request")
        try unsafe frost_dmabuf.check(buffer, "buffer")
        let purposes: [(Int, Bool)] = [(FROST_DMABUF_FOR_RENDERING, true), (FROST_DMABUF_FOR_READING, false)]
        let isRenderTarget = try unsafe Constants.value(request.purpose, of: purposes, "purpose")
        let modifiers = try unsafe lent(request.modifiers, count: request.modifier_count, limit: 1024, "modifiers")
            .map(DRMModifier.init(rawValue:))
        let allocated = try failing { () throws(GLError) in
            unsafe try allocator.allocate(
                width: Int(request.width), height: Int(request.height), fourcc: FourCC(rawValue: request.fourcc),
                modifiers: modifiers.isEmpty ? [.linear] : modifiers, isRenderTarget: isRenderTarget)
        }
        try unsafe frost_dmabuf(allocated.release()).write(to: buffer, "buffer")
    }
}

extension frost_dmabuf {
    fileprivate init(_ buffer: DMABuffer) {
        self.init()
        width = Int32(clamping: buffer.width)
        height = Int32(clamping: buffer.height)
        fourcc = buffer.fourcc.rawValue
        modifier = buffer.modifier.rawValue
        plane_count = UInt32(buffer.planes.count)
        func plane(_ index: Int) -> frost_dmabuf_plane {
            guard buffer.planes.indices.contains(index) else { return frost_dmabuf_plane(fd: -1, offset: 0, stride: 0) }
            let plane = buffer.planes[index]
            return frost_dmabuf_plane(
                fd: plane.descriptor, offset: UInt32(clamping: plane.offset), stride: UInt32(clamping: plane.stride))
        }
        planes = (plane(0), plane(1), plane(2), plane(3))
    }
}
