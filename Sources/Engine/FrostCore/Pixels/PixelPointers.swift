/// Pixels for reading, in memory that is owned elsewhere. The memory must stay valid and unchanged; the function that
/// takes this value states for how long.
@unsafe public struct PixelSource {
    /// The first byte of the first pixel.
    public let base: UnsafeRawPointer
    /// The arrangement of the pixels in memory.
    public let layout: PixelLayout

    /// Creates a source from a pointer to its pixels.
    ///
    /// - Parameter base: the first byte of the first pixel, aligned to the sample's size.
    public init(_ base: UnsafeRawPointer, layout: PixelLayout) {
        unsafe self.base = base
        unsafe self.layout = layout
    }

    /// Returns a pointer to the first pixel of row `y`.
    public func row(_ y: Int) -> UnsafeRawPointer {
        unsafe base + y * layout.bytesPerRow
    }
}

/// Pixels for writing, in memory that is owned elsewhere. This may be the source's memory if source and target have the
/// same layout.
@unsafe public struct PixelTarget {
    /// The first byte of the first pixel.
    public let base: UnsafeMutableRawPointer
    /// The arrangement of the pixels in memory.
    public let layout: PixelLayout

    /// Creates a target from a pointer to its pixels.
    ///
    /// - Parameter base: the first byte of the first pixel, aligned to the sample's size.
    public init(_ base: UnsafeMutableRawPointer, layout: PixelLayout) {
        unsafe self.base = base
        unsafe self.layout = layout
    }

    /// Returns a pointer to the first pixel of row `y`.
    public func row(_ y: Int) -> UnsafeMutableRawPointer {
        unsafe base + y * layout.bytesPerRow
    }

    /// Whether the target's memory overlaps the source's memory.
    public func overlaps(_ source: PixelSource) -> Bool {
        let from = unsafe UInt(bitPattern: source.base)
        let to = unsafe UInt(bitPattern: UnsafeRawPointer(base))
        return unsafe from < to + UInt(layout.byteCount) && to < from + UInt(source.layout.byteCount)
    }
}

extension PixelTarget {
    /// Whether an effect may read the source while it writes to this target. It may if the two share no pixels. It also
    /// may if they are the same pixels and each is read only to compute its own new value. Source and target share no
    /// pixels if their rows alternate in memory, as in the left and the right half of one image.
    ///
    /// - Parameter isWhole: whether the target is the result for the whole source, so that pixel (x, y) of the target
    ///   is the result for pixel (x, y) of the source.
    package func canReplace(_ source: PixelSource, isWhole: Bool) -> Bool {
        guard unsafe overlaps(source) else { return true }
        let (from, to) = unsafe (source.layout, layout)
        let distance = unsafe Int(bitPattern: UnsafeRawPointer(base)) - Int(bitPattern: source.base)
        guard from.bytesPerRow == to.bytesPerRow else { return false }
        if distance == 0, isWhole, from.rowByteCount == to.rowByteCount { return true }
        // The number of bytes from the start of a source row to the next start of a target row.
        let column = distance.modulo(from.bytesPerRow)
        return column >= from.rowByteCount && column + to.rowByteCount <= from.bytesPerRow
    }
}

/// A copy of a source's pixels. It is needed if an effect would overwrite pixels of the source that it still has to
/// read.
///
/// SAFETY: the object owns the memory of ``source``, so the object must live for as long as ``source`` is used.
@safe package final class PixelCopy {
    private let memory: PixelBlock
    package let source: PixelSource

    /// Copies the pixels.
    package init(_ original: PixelSource) throws(OutOfMemory) {
        let layout = unsafe original.layout
        memory = try PixelBlock(byteCount: layout.byteCount)
        unsafe memory.base.copyMemory(from: original.base, byteCount: layout.byteCount)
        unsafe source = PixelSource(memory.base, layout: layout)
    }
}
