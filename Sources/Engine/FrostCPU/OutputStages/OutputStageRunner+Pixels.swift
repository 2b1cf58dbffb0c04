import CFrostKernels
import FrostCore

// Conversions between the numbers of the output stages and the pixels of source and target.
extension OutputStageRunner {
    /// Converts pixels that the last pass has computed to RGBA floats.
    func loadPixels(_ values: UnsafeRawPointer, _ columns: Range<Int>, into row: UnsafeMutablePointer<Float>) {
        let channels = arriving.channels
        let samples = Int32(columns.count * channels)
        let table = unsafe kernels.table.pointee
        let plain = unsafe channels == 4 ? row : scratch.row(0)
        if arriving.kind == .fixed {
            let from = unsafe values.assumingMemoryBound(to: UInt16.self) + columns.lowerBound * channels
            unsafe table.fixed_store_floats(from, plain, samples)
        } else {
            let from = unsafe values.assumingMemoryBound(to: Float.self) + columns.lowerBound * channels
            unsafe UnsafeMutableRawPointer(plain).copyMemory(from: from, byteCount: Int(samples) * 4)
        }
        guard channels < 4 else { return }
        unsafe ChannelLayout(canonical: channels).expand(plain, count: columns.count, opaque: maximum, into: row)
    }

    /// Reads pixels of the original image into `originals` as RGBA floats. The edge mode fills pixels outside the
    /// extent.
    ///
    /// - Parameter columns: at most a chunk of columns.
    func readOriginal(_ columns: Range<Int>, _ source: UnsafeRawPointer?) {
        precondition(columns.count <= chunk, "the row has room for a chunk")
        let row = unsafe originals.row(0)
        guard let source = unsafe source else {
            return unsafe row.update(repeating: 0, count: 4 * columns.count)
        }
        let channels = reader.working.count
        let plain = unsafe channels == 4 ? row : scratch.row(0)
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
        let size = reader.format.bytesPerPixel
        if extent.columns.contains(wanted.lowerBound), extent.columns.contains(wanted.upperBound - 1) {
            unsafe reader.read(
                source + (wanted.lowerBound - extent.x) * size, count: columns.count, into: plain, as: .floats)
        } else {
            for (i, x) in wanted.enumerated() {
                if let from = edge.map(x, into: extent.columns) {
                    unsafe reader.load(source + (from - extent.x) * size, count: 1, into: plain + i * channels)
                } else {
                    unsafe (plain + i * channels).update(repeating: 0, count: channels)
                }
            }
        }
        if channels < 4 { unsafe reader.working.expand(plain, count: columns.count, opaque: maximum, into: row) }
    }

    /// Rounds RGBA floats and writes them in the caller's format. If the output stages have dither, the rounding uses
    /// it.
    func store(
        _ row: UnsafeMutablePointer<Float>, _ count: Int, x: Int, y: Int, to out: UnsafeMutableRawPointer
    ) {
        let table = unsafe kernels.table.pointee
        let isRounded = !writer.format.sample.isFloat
        var conversion = writer
        if outputStages.dither != nil, isRounded {
            unsafe table.color_settle(
                row, Int32(count), writer.format.needsPremultiplication ? 1 : 0, maximum, dither.base,
                dither.phase(y, x))
            // `color_settle` has already rounded the numbers and divided by alpha if necessary, so they are written
            // unchanged.
            var format = writer.format
            format.alpha = .premultiplied
            conversion = RowConversion(format: format)
        }
        let channels = conversion.working.count
        if channels == 4 { return unsafe conversion.write(row, as: .floats, count: count, into: out) }
        if conversion.format
            == PixelFormat(.rgb, alpha: conversion.format.alpha, colorSpace: conversion.format.colorSpace)
        {
            let bytes = unsafe UnsafeMutableRawPointer(scratch.row(0)).assumingMemoryBound(to: UInt8.self)
            unsafe table.store_floats(FROST_U8, row, bytes, Int32(4 * count), 0)
            return unsafe table.compress_rgb8(bytes, out.assumingMemoryBound(to: UInt8.self), Int32(count))
        }
        unsafe conversion.working.narrow(row, count: count, into: row)
        unsafe conversion.write(row, as: .floats, count: count, into: out)
    }

    /// Writes pixels of the original image to the target. Bytes inside the extent are copied if the formats of source and
    /// target agree.
    func keep(
        _ columns: Range<Int>, _ source: UnsafeRawPointer?, to out: UnsafeMutableRawPointer, streams: Bool = false
    ) {
        let isSame = reader.format.channels == writer.format.channels && reader.format.alpha == writer.format.alpha
        guard isSame, let source = unsafe source else { return unsafe convertOriginal(columns, source, to: out) }
        let first = extent.x - region.x
        // The columns inside the extent; an empty part of `columns` if there are none.
        let inside = (first..<first + extent.width).clamped(to: columns)
        unsafe convertOriginal(columns.lowerBound..<inside.lowerBound, source, to: out)
        let size = reader.format.bytesPerPixel
        let from = unsafe source + (inside.lowerBound - first) * size
        let target = unsafe out + inside.lowerBound * size
        let count = inside.count * size
        if streams {
            unsafe kernels.table.pointee.copy_bytes(
                from.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self), Int32(count), 1)
        } else {
            unsafe target.copyMemory(from: from, byteCount: count)
        }
        unsafe convertOriginal(inside.upperBound..<columns.upperBound, source, to: out)
    }

    /// Converts pixels of the original image to the target's format, chunk by chunk.
    private func convertOriginal(
        _ columns: Range<Int>, _ source: UnsafeRawPointer?, to out: UnsafeMutableRawPointer
    ) {
        var from = columns.lowerBound
        while from < columns.upperBound {
            let part = from..<min(from + chunk, columns.upperBound)
            unsafe readOriginal(part, source)
            let row = unsafe originals.row(0)
            if writer.working.count < 4 { unsafe writer.working.narrow(row, count: part.count, into: row) }
            unsafe writer.store(row, count: part.count, into: out + part.lowerBound * writer.format.bytesPerPixel)
            from = part.upperBound
        }
    }
}
