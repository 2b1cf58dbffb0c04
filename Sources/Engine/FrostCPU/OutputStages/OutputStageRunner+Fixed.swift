import CFrostKernels
import FrostCore

/// Applies the output stages to rows of fixed-point numbers.
extension OutputStageRunner {
    /// Whether a caller may pass parts of a fixed-point row to ``writeFixed(_:_:_:to:streams:)``. This is allowed if no
    /// output stage reads the original image or draws content.
    var takesParts: Bool { fixed != nil && !outputStages.readsOriginal && outputStages.content.isEmpty }

    /// Whether the target's rows may be written around the caches. Only whole cache lines can be written around the caches,
    /// so a pixel must have four bytes. RGB has only three.
    var writesStreams: Bool { writer.format.channels != .rgb }

    /// Applies the fixed-point output stages to a part of a row and writes its bytes.
    ///
    /// - Parameters:
    ///   - columns: the columns of the part, counted from the region's first column.
    ///   - row: the first pixel of the part.
    ///   - out: the beginning of the whole target row.
    ///   - isColored: whether the colour stages have already been applied.
    func writeFixed(
        _ y: Int, _ columns: Range<Int>, _ row: UnsafePointer<UInt16>, to out: UnsafeMutableRawPointer, streams: Bool,
        isColored: Bool = false
    ) {
        precondition(fixed != nil, "fixed-point numbers cannot represent these output stages")
        let format = writer.format
        let bytes = unsafe (out + columns.lowerBound * format.bytesPerPixel).assumingMemoryBound(to: UInt8.self)
        let compresses = format.channels == .rgb && alphaKind != Int32(FROST_ALPHA_OPAQUE)
        let target =
            unsafe compresses ? UnsafeMutableRawPointer(scratch.row(0)).assumingMemoryBound(to: UInt8.self) : bytes
        let (x, count, streams) = (region.x + columns.lowerBound, columns.count, streams && writesStreams)
        if isColored {
            unsafe lastSteps.apply(to: row, count, x: x, y: y, target, streams: streams)
        } else {
            unsafe steps.apply(to: row, count, x: x, y: y, target, streams: streams)
        }
        if compresses { unsafe kernels.table.pointee.compress_rgb8(target, bytes, Int32(count)) }
    }

    /// The arithmetic in which the output stages of a pixel are computed.
    enum Way {
        /// `fixed`: fixed point; the original image is not mixed in. `mixed`: the original image is mixed in first, and
        /// then the other stages are applied. Both steps use fixed point.
        case fixed, mixed
        case floats
    }

    /// Returns the arithmetic that the first pixel of `columns` uses (`way`). Also returns the end of a run of pixels that
    /// begins with this pixel, and in which all pixels use the same arithmetic.
    func sameWay(_ columns: Range<Int>, _ presence: Presence) -> (way: Way, end: Int) {
        guard fixed != nil else { return (.floats, columns.upperBound) }
        let column = columns.lowerBound
        // Pixels that content covers or that are clipped use floats.
        let covered = content.end(columns, isCovered: true)
        if covered > column { return (.floats, covered) }
        var end = content.end(columns, isCovered: false)
        if presence.clip == nil {
            let isWhole = clipParts[column] == 1
            end = clipParts.end(column..<end, of: 1, isWhole)
            if !isWhole { return (.floats, end) }
        }
        if presence.mask == 1 { return (.fixed, end) }
        if mixes(presence) {
            // Mixing does not change pixels with mask value 1, so `mixed` may include them.
            let inside = extent.x - region.x..<extent.x - region.x + extent.width
            if inside.contains(column) { return (.mixed, min(end, inside.upperBound)) }
            if column < inside.lowerBound { end = min(end, inside.lowerBound) }
        }
        // If the original cannot be mixed in using fixed point, only pixels with mask value 1 use fixed point. All other
        // pixels use floats.
        let isWhole = maskParts[column] == 1
        return (isWhole ? .fixed : .floats, maskParts.end(column..<end, of: 1, isWhole))
    }

    /// Whether pixels inside the extent are mixed with the original in fixed point. Three conditions must hold: no
    /// colour stage precedes the mask, the source has a supported format with 8-bit samples, and the source's row is
    /// available.
    private func mixes(_ presence: Presence) -> Bool {
        unsafe outputStages.inside.isEmpty && ByteKind(reader) != nil && presence.source != nil
    }

    /// Mixes the original into a part of a fixed-point row. The mask's values are the weights of the effect. The colour
    /// stages are applied afterwards.
    ///
    /// - Parameter columns: columns inside the extent, counted from the region's first column.
    /// - Returns: the mixed pixels, or `row` itself if there is no original row.
    func mixFixed(
        _ row: UnsafePointer<UInt16>, _ columns: Range<Int>, _ source: UnsafeRawPointer?
    ) -> UnsafePointer<UInt16> {
        guard let source = unsafe source else { return unsafe row }
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
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
