import Glibc

extension DMABuffer {
    /// Returns Frost's description of the buffer's format; throws if Frost does not know the format.
    func checkedFormat() throws(GLError) -> DRMFormat {
        guard let format = DRMFormat(fourcc) else { throw fault(.unknownFormat) }
        return format
    }

    /// The sizes and strides that EGL can state, in integers of 32 bits.
    private static let sizes = 1...Int(Int32.max)

    /// Throws if EGL cannot state the size.
    func checkSize() throws(GLError) {
        guard Self.sizes.contains(width), Self.sizes.contains(height) else {
            throw fault(.geometry("invalid size \(width)x\(height)"))
        }
    }

    /// Checks everything that needs no driver: the number of planes, their offsets and strides, and that each plane lies
    /// within its memory, if the kernel reports the memory's size.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)``.
    @discardableResult
    func check() throws(GLError) -> DRMFormat {
        let format = try checkedFormat()
        try checkSize()
        // A buffer with a compressed layout can have more planes than the format defines.
        let isPlain = modifier == .linear || modifier == .implicit
        let expected = format.planes.count...(isPlain ? format.planes.count : 4)
        guard expected.contains(planes.count) else {
            throw fault(.planeCount(found: planes.count, expected: expected))
        }
        for (index, plane) in planes.enumerated() {
            guard (0...Int(Int32.max)).contains(plane.offset), Self.sizes.contains(plane.stride) else {
                throw fault(
                    .geometry("plane \(index) has an invalid offset \(plane.offset) or stride \(plane.stride)"))
            }
            guard let size = DescriptorFacts.size(of: plane.descriptor) else {
                if errno != 0 { throw fault(.badDescriptor(plane: index, reason: DescriptorFacts.lastError)) }
                continue
            }
            var needed = plane.offset + 1
            if isPlain {
                let rowBytes = format.planes[index].bytesPerRow(width: width)
                guard plane.stride >= rowBytes else {
                    throw fault(
                        .geometry("plane \(index) has a stride of \(plane.stride), but a row needs \(rowBytes) bytes"))
                }
                // The needed size includes the padding of the last row, because drivers include this padding too. Both
                // factors have at most 31 bits, so the product cannot overflow.
                needed = plane.offset + plane.stride * format.planes[index].rows(height: height)
            }
            guard needed <= size else {
                throw fault(.tooSmall(plane: index, bytes: size, needed: needed))
            }
        }
        return format
    }
}
