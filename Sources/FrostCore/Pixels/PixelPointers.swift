/// Pixels for reading, in memory that someone else owns. The memory must stay valid and unchanged for as long as the
/// function that takes this value requires.
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

/// Pixels for writing, in memory that someone else owns. It may be the source's memory, if both have the same layout.
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
    /// Whether an effect of a source may be written to this target. Every written pixel is either never read, or read
    /// only for the same pixel of the result. Rows of source and target may alternate in memory, like the rows of two
    /// parts of one image.
    ///
    /// - Parameter isWhole: whether each pixel of the target is the result for the same pixel of the source.
    package func canReplace(_ source: PixelSource, isWhole: Bool) -> Bool {
        guard unsafe overlaps(source) else { return true }
        let (from, to) = unsafe (source.layout, layout)
        let distance = unsafe Int(bitPattern: UnsafeRawPointer(base)) - Int(bitPattern: source.base)
        guard from.bytesPerRow == to.bytesPerRow else { return false }
        if distance == 0, isWhole, from.rowByteCount == to.rowByteCount { return true }
        // The position of the target's row start within a row of the source, including the padding of the source.
        let column = distance.modulo(from.bytesPerRow)
        return column >= from.rowByteCount && column + to.rowByteCount <= from.bytesPerRow
    }
}

/// A copy of a source's pixels, for work that would overwrite pixels that it still reads.
///
/// SAFETY: the object owns the memory of ``source``, so it must live as long as the work.
@safe package final class PixelCopy {
    private let memory: UnsafeMutableRawBufferPointer
    package let source: PixelSource

    package init(_ original: PixelSource) {
        let layout = unsafe original.layout
        unsafe memory = .allocate(byteCount: max(1, layout.byteCount), alignment: 64)
        unsafe memory.copyMemory(from: UnsafeRawBufferPointer(start: original.base, count: layout.byteCount))
        unsafe source = PixelSource(UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped), layout: layout)
    }

    deinit { unsafe memory.deallocate() }
}
