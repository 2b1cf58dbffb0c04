import CFrostKernels
import FrostCore

/// Rows of fixed-point numbers.
extension OutputStageRunner {
    /// Whether rows of fixed-point numbers may be handed over in parts, by ``writeFixed(_:_:_:to:streams:)``.
    var takesParts: Bool { fixed != nil && !outputStages.readsOriginal && outputStages.content.isEmpty }

    /// Whether rows may be written past the caches, which needs whole lines of four bytes a pixel.
    var writesStreams: Bool { writer.format.channels != .rgb }

    /// Applies the output stages to a part of a row and writes it.
    ///
    /// - Parameters:
    ///   - columns: counted from the region's first.
    ///   - row: the first of these pixels.
    ///   - out: the beginning of the whole row.
    ///   - isColored: whether the colour stages have been applied.
    func writeFixed(
        _ y: Int, _ columns: Range<Int>, _ row: UnsafePointer<UInt16>, to out: UnsafeMutableRawPointer, streams: Bool,
        isColored: Bool = false
    ) {
        precondition(fixed != nil, "output stages that fixed point cannot represent")
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

    /// The arithmetic of a pixel's output stages.
    enum Way {
        /// In fixed point: without or after mixing with the original.
        case fixed, mixed
        case floats
    }

    /// The arithmetic of the first of some pixels, and the end of the pixels that have the same.
    func sameWay(_ columns: Range<Int>, _ presence: Presence) -> (way: Way, end: Int) {
        guard fixed != nil else { return (.floats, columns.upperBound) }
        let first = way(columns.lowerBound, presence)
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
        if presence.clip == 1, !presence.content.isPresent(in: wanted) {
            if presence.mask == 1 || (first == .mixed && extent.columns.contains(wanted)) {
                return (first, columns.upperBound)
            }
            // Nothing is mixed, so only the mask's parts decide.
            if !mixes(presence) {
                return (first, maskParts.end(columns, of: 1, first == .fixed))
            }
        }
        return (first, columns.dropFirst().first { way($0, presence) != first } ?? columns.upperBound)
    }

    private func way(_ column: Int, _ presence: Presence) -> Way {
        let x = region.x + column
        guard presence.clip == 1 || clipParts[column] == 1, !presence.content.isPresent(in: x..<x + 1)
        else { return .floats }
        if presence.mask == 1 { return .fixed }
        // Mixing does not change pixels with part 1.
        if mixes(presence), extent.columns.contains(x) { return .mixed }
        return maskParts[column] == 1 ? .fixed : .floats
    }

    /// Whether pixels within the extent are mixed in fixed point.
    private func mixes(_ presence: Presence) -> Bool {
        unsafe outputStages.inside.isEmpty && ByteKind(reader) != nil && presence.source != nil
    }

    /// Lets the original through by the mask's parts, before any stage.
    ///
    /// - Parameter columns: within the extent.
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
