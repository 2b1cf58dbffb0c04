import CFrostKernels
import FrostCore

/// Rows of fixed-point numbers.
extension RowFinisher {
    /// Whether rows of fixed-point numbers may be handed over in parts, by ``writeFixed(_:_:_:to:streams:)``.
    var takesParts: Bool { fixed != nil && !finish.readsOriginal && finish.content.isEmpty }

    /// Finishes a part of a row.
    ///
    /// - Parameters:
    ///   - columns: counted from the region's first.
    ///   - row: the first of these.
    ///   - out: the beginning of the whole row.
    func writeFixed(
        _ y: Int, _ columns: Range<Int>, _ row: UnsafePointer<UInt16>, to out: UnsafeMutableRawPointer, streams: Bool
    ) {
        guard let fixed else { preconditionFailure("a finish that fixed-point numbers cannot do") }
        let table = unsafe kernels.table.pointee
        let bytes = unsafe (out + columns.lowerBound * writer.format.bytesPerPixel)
            .assumingMemoryBound(to: UInt8.self)
        let compresses = writer.format.channels == .rgb && alphaKind != Int32(FROST_ALPHA_OPAQUE)
        let target =
            unsafe compresses ? UnsafeMutableRawPointer(scratch.row(0)).assumingMemoryBound(to: UInt8.self) : bytes
        let offsets = unsafe self.offsets.row(y, region.x + columns.lowerBound)
        let stream: Int32 = !streams || writer.format.channels == .rgb ? 0 : columns.upperBound == region.width ? 3 : 1
        unsafe fixed.stages.withUnsafeBufferPointer { list in
            unsafe table.fixed_finish(
                row, list.baseAddress, Int32(list.count), self.offsets.add, target, Int32(columns.count),
                alphaKind, offsets.table, offsets.phase, stream)
        }
        if compresses { unsafe table.compress_rgb8(target, bytes, Int32(columns.count)) }
    }

    /// Lets the original through by the mask's parts, before any stage.
    ///
    /// - Returns: nil where there are stages inside the mask, or the original lies beyond the edge.
    func mixFixed(
        _ row: UnsafePointer<UInt16>, _ columns: Range<Int>, _ source: UnsafeRawPointer?
    ) -> UnsafePointer<UInt16>? {
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
        guard finish.inside.isEmpty, ByteKind(reader) != nil, let source = unsafe source,
            extent.columns.contains(wanted.lowerBound), extent.columns.contains(wanted.upperBound - 1)
        else { return nil }
        let original = unsafe UnsafeMutableRawPointer(originals.row(0)).assumingMemoryBound(to: UInt16.self)
        let mixed = unsafe UnsafeMutableRawPointer(colors.row(0)).assumingMemoryBound(to: UInt16.self)
        let from = unsafe source + (wanted.lowerBound - extent.x) * reader.format.bytesPerPixel
        unsafe reader.read(from, count: columns.count, into: original, as: .fixed)
        unsafe maskParts.withUnsafeBufferPointer { parts in
            guard let base = parts.baseAddress else { return }
            unsafe kernels.table.pointee.fixed_mix(
                row, original, base + columns.lowerBound, mixed, Int32(columns.count))
        }
        return unsafe UnsafePointer(mixed)
    }
}
