/// Pixels in memory that someone else owns, for reading. The memory must stay valid and unchanged for as long as the
/// call that takes this value demands.
@unsafe public struct PixelSource {
    public let base: UnsafeRawPointer
    public let layout: PixelLayout

    /// - Parameter base: the first byte of the first pixel, aligned to the sample's size.
    public init(_ base: UnsafeRawPointer, layout: PixelLayout) {
        unsafe self.base = base
        unsafe self.layout = layout
    }

    /// The first pixel of row `y`.
    public func row(_ y: Int) -> UnsafeRawPointer {
        unsafe base + y * layout.bytesPerRow
    }
}

/// Pixels in memory that someone else owns, for writing. May be the source's memory, with the same layout.
@unsafe public struct PixelTarget {
    public let base: UnsafeMutableRawPointer
    public let layout: PixelLayout

    /// - Parameter base: the first byte of the first pixel, aligned to the sample's size.
    public init(_ base: UnsafeMutableRawPointer, layout: PixelLayout) {
        unsafe self.base = base
        unsafe self.layout = layout
    }

    /// The first pixel of row `y`.
    public func row(_ y: Int) -> UnsafeMutableRawPointer {
        unsafe base + y * layout.bytesPerRow
    }

    /// Whether writing here changes what is read there.
    public func overlaps(_ source: PixelSource) -> Bool {
        let from = unsafe UInt(bitPattern: source.base)
        let to = unsafe UInt(bitPattern: UnsafeRawPointer(base))
        return unsafe from < to + UInt(layout.byteCount) && to < from + UInt(source.layout.byteCount)
    }
}

extension PixelTarget {
    /// Whether work on a source may write here: every written pixel is either not read at all, or read only as the same
    /// pixel. Rows of both may alternate in memory, like those of two parts of one image.
    ///
    /// - Parameter isWhole: whether the pixels of the target are those of the source, one by one.
    package func canReplace(_ source: PixelSource, isWhole: Bool) -> Bool {
        guard unsafe overlaps(source) else { return true }
        let (from, to) = unsafe (source.layout, layout)
        let distance = unsafe Int(bitPattern: UnsafeRawPointer(base)) - Int(bitPattern: source.base)
        guard from.bytesPerRow == to.bytesPerRow else { return false }
        if distance == 0, isWhole, from.rowByteCount == to.rowByteCount { return true }
        // Where a row of the target begins within a row of the source, including its padding.
        let column = distance.modulo(from.bytesPerRow)
        return column >= from.rowByteCount && column + to.rowByteCount <= from.bytesPerRow
    }
}

/// A copy of a source's pixels, for work that would overwrite what it still reads.
///
/// SAFETY: owns the memory of ``source``, so the value must outlive the work.
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
