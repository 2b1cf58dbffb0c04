import CFrostKernels

/// The type of the numbers in rows between nodes.
enum RowKind {
    /// Float, on the scale of the image's samples (0...255 for 8 bits).
    case floats
    /// UInt16, in 1/256 of an 8-bit step; see docs/Architecture.md.
    case fixed
    /// The bytes of the image. RGB is expanded to opaque RGBA.
    case bytes

    /// The size of a sample in bytes.
    var size: Int {
        switch self {
        case .floats: 4
        case .fixed: 2
        case .bytes: 1
        }
    }

    /// Copies `samples` numbers and converts them to another kind. Rows of bytes are not converted here; nodes convert
    /// bytes when they read or write them.
    ///
    /// SAFETY: both rows hold `samples` numbers and the slack that vector loops need.
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
            preconditionFailure("rows of bytes are converted when they are read and written")
        }
    }
}
