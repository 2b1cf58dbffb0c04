import CFrostKernels

/// The numbers in rows between nodes.
enum RowKind {
    /// Float, in steps of the image's samples.
    case floats
    /// UInt16, in 256ths of a step of 8 bits: see docs/Architecture.md.
    case fixed
    /// The image's own bytes; RGB as opaque RGBA.
    case bytes

    /// Bytes of a sample.
    var size: Int {
        switch self {
        case .floats: 4
        case .fixed: 2
        case .bytes: 1
        }
    }

    /// Copies `samples` numbers, converted to another kind. Bytes are converted only where they are read and written.
    ///
    /// SAFETY: both rows hold that many numbers, and the slack that kernels need.
    func convert(
        _ from: UnsafeRawPointer, to kind: RowKind, _ out: UnsafeMutableRawPointer, _ samples: Int, _ kernels: KernelSet
    ) {
        let table = unsafe kernels.table.pointee
        switch (self, kind) {
        case (.floats, .floats), (.fixed, .fixed), (.bytes, .bytes):
            unsafe out.copyMemory(from: from, byteCount: samples * size)
        case (.floats, .fixed):
            unsafe table.fixed_load_floats(
                from.assumingMemoryBound(to: Float.self), out.assumingMemoryBound(to: UInt16.self), Int32(samples))
        case (.fixed, .floats):
            unsafe table.fixed_store_floats(
                from.assumingMemoryBound(to: UInt16.self), out.assumingMemoryBound(to: Float.self), Int32(samples))
        case (.bytes, .floats), (.bytes, .fixed), (.floats, .bytes), (.fixed, .bytes):
            preconditionFailure("rows of bytes are converted where they are read and written")
        }
    }
}
