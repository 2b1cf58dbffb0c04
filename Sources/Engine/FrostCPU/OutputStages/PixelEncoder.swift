import CFrostKernels
import FrostCore

/// The last output stage: rounds RGBA numbers and writes them in the caller's format.
protocol PixelEncoder: AnyObject {
    /// - Parameters:
    ///   - out: the target's pixel at the first column.
    ///   - streams: whether to write around the caches; see ``TargetRows/streams``.
    func encode(_ chunk: PixelChunk, to out: Row, streams: Bool)
}

/// Rounds RGBA floats. If the plan has dither, the rounding uses it.
final class FloatEncoder: PixelEncoder {
    private let writer: RowConversion
    private let dither: OffsetTable?
    /// Whether colours are divided by alpha when dither rounds them.
    private let divides: Bool
    private let kernels: KernelSet
    private let bytes: RowStorage
    /// The bytes of pixels that are the same in several rows, without dither, and for each byte the smallest offset of the
    /// dither that adds a step.
    private var steps: RowStorage?
    /// The offsets of the dither for each byte.
    private var offsets: RowStorage?
    /// The maximum number of pixels of a chunk.
    private let chunk: Int

    init(_ writer: RowConversion, dither: Dither?, chunk: Int, kernels: KernelSet) throws(CPUError) {
        var format = writer.format
        if let dither, !format.sample.isFloat {
            self.dither = try OffsetTable(dither)
            // The numbers are then already rounded and divided by alpha, so they are written unchanged.
            divides = format.needsPremultiplication
            format.alpha = .premultiplied
            self.writer = RowConversion(format: format)
        } else {
            self.dither = nil
            divides = false
            self.writer = writer
        }
        self.kernels = kernels
        bytes = try RowStorage(rows: 1, floats: chunk)
        self.chunk = chunk
    }

    func encode(_ chunk: PixelChunk, to out: Row, streams: Bool) {
        let (row, format, count) = unsafe (chunk.row.floats, writer.format, chunk.columns.count)
        if let dither {
            unsafe kernels.table.pointee.color_settle(
                row, chunk.count, divides ? 1 : 0, Float(format.sample.maximum), dither.base,
                dither.phase(chunk.y, chunk.columns.lowerBound))
        }
        if writer.working.count < 4 {
            if format == PixelFormat(.rgb, alpha: format.alpha, colorSpace: format.colorSpace) {
                let rgba = unsafe bytes.row(0).bytes
                unsafe kernels.table.pointee.store_floats(FROST_U8, row, rgba, 4 * chunk.count, 0)
                return unsafe kernels.table.pointee.compress_rgb8(rgba, out.bytes, chunk.count)
            }
            unsafe writer.working.narrow(row, count: count, into: row)
        }
        writer.write(chunk.row, as: .floats, count: count, into: out)
    }

    /// Returns ``steps``, and ``offsets`` if the pixels have dither and are 8-bit RGB or RGBA. Only mosaics need them, so they are
    /// allocated when the first one does.
    private func memoryForCells() throws(CPUError) -> (steps: RowStorage, offsets: RowStorage?) {
        let format = writer.format
        let kept = if let steps { steps } else { try RowStorage(rows: 4, floats: 4 * chunk) }
        steps = kept
        if offsets == nil, let dither, format.sample.isEightBit, format.channels == .rgb || format.channels == .rgba {
            offsets = try dither.bytes(channels: format.channels.count)
        }
        return (kept, offsets)
    }

    /// Encodes the same pixels in several rows. Dither still differs from row to row.
    func encode(_ chunk: PixelChunk, in rows: Range<Int>, to target: TargetRows) throws(CPUError) {
        let (steps, offsets) = try memoryForCells()
        guard let dither, let offsets else {
            let (kept, byteCount) = (steps.row(0), 16 * chunk.columns.count)
            kept.copy(from: chunk.row, byteCount: byteCount)
            for y in rows {
                if y > rows.lowerBound { chunk.row.copy(from: kept, byteCount: byteCount) }
                encode(PixelChunk(y: y, columns: chunk.columns, row: chunk.row), to: target.row(y), streams: false)
            }
            return
        }
        let (table, channels) = unsafe (kernels.table, writer.format.channels.count)
        var (bytes, least) = unsafe (steps.row(0).bytes, steps.row(1).bytes)
        unsafe table.pointee.dither_steps(chunk.row.floats, chunk.count, divides ? 1 : 0, bytes, least)
        if channels == 3 {
            unsafe table.pointee.compress_rgb8(bytes, steps.row(2).bytes, chunk.count)
            unsafe table.pointee.compress_rgb8(least, steps.row(3).bytes, chunk.count)
            unsafe (bytes, least) = (steps.row(2).bytes, steps.row(3).bytes)
        }
        for y in rows {
            let place = Int(dither.phase(y, chunk.columns.lowerBound)) % Dither.period
            unsafe table.pointee.dither_bytes(
                bytes, least, offsets.row(0).bytes, Int32(channels * place),
                Int32(channels * Dither.period), target.row(y).bytes, Int32(channels * chunk.columns.count),
                target.streams ? 1 : 0)
        }
    }
}

/// Applies the last colour stages in fixed point, and rounds the results to bytes.
///
/// SAFETY: the object owns the memory that the kernel reads.
@safe final class FixedEncoder: PixelEncoder {
    private let kernels: KernelSet
    private let offsets: OffsetTable?
    private let stages: UnsafeMutableBufferPointer<frost_fixed_stage>
    private let how: frost_fixed_output

    /// - Parameter stages: the colour stages that no other output stage follows.
    init(
        _ stages: [frost_fixed_stage], _ format: PixelFormat, dither: Dither?, kernels: KernelSet
    ) throws(CPUError) {
        self.kernels = kernels
        offsets = if let dither { try OffsetTable(dither) } else { nil }
        unsafe self.stages = .allocate(capacity: stages.count)
        _ = unsafe self.stages.initialize(from: stages)
        let kind =
            format.channels == .rgb
            ? FROST_OUTPUT_RGB
            : format.needsPremultiplication ? FROST_OUTPUT_STRAIGHT : FROST_OUTPUT_PREMULTIPLIED
        unsafe how = frost_fixed_output(
            stages: UnsafePointer(self.stages.baseAddress), stage_count: Int32(stages.count), format: kind,
            offsets: UnsafePointer(offsets?.base))
    }

    deinit { unsafe stages.deallocate() }

    func encode(_ chunk: PixelChunk, to out: Row, streams: Bool) {
        unsafe withUnsafePointer(to: how) { how in
            unsafe kernels.table.pointee.fixed_output(
                chunk.row.fixed, how, out.bytes, chunk.count, phase(chunk.y, chunk.columns.lowerBound),
                streams ? 1 : 0)
        }
    }

    /// Interpolates a pair of rows along y and encodes them, in a single kernel.
    ///
    /// - Parameters:
    ///   - firsts: the rows of the first pixels of pairs, and `seconds` those of the second pixels; one row for each tap.
    ///   - y: the first row of the pair, and `columns` are its columns.
    ///   - above: the first row in the target, and `below` the second; nil for a row that is not needed.
    func encode(
        interpolating firsts: RowList, _ seconds: RowList, taps: [UInt16], y: Int, columns: Range<Int>, to above: Row?,
        _ below: Row?, streams: Bool
    ) {
        unsafe withUnsafePointer(to: how) { how in
            unsafe kernels.table.pointee.fixed_interpolate_to_output(
                firsts.pointers(), seconds.pointers(), taps, Int32(taps.count / 2), above?.bytes, below?.bytes,
                Int32(columns.count), how, phase(y, columns.lowerBound), phase(y + 1, columns.lowerBound),
                streams ? 1 : 0)
        }
    }

    private func phase(_ y: Int, _ x: Int) -> UInt32 { offsets?.phase(y, x) ?? 0 }
}

/// A table of the dither's offset of each pixel, in 1/128 of an 8-bit step. A kernel adds the offset to a colour and drops the
/// fraction.
///
/// SAFETY: the object owns its memory: one period of pixels and the slack that kernels may read after it.
@safe final class OffsetTable {
    private let storage: RowStorage
    private let dither: Dither

    init(_ dither: Dither) throws(CPUError) {
        self.dither = dither
        let count = Dither.period + Int(FROST_SLACK)
        storage = try RowStorage(rows: 1, floats: count / 2)
        let offsets = dither.offsets
        for pixel in 0..<count { unsafe base[pixel] = 2 * Int16(offsets[pixel % Dither.period]) }
    }

    var base: UnsafeMutablePointer<Int16> {
        unsafe storage.row(0).address.assumingMemoryBound(to: Int16.self)
    }

    /// Returns the offsets in 1/64 of a step, repeated for each of 3 or 4 bytes of a pixel. Alpha has the offset 0.
    func bytes(channels: Int) throws(CPUError) -> RowStorage {
        let bytes = try RowStorage(rows: 1, floats: channels * Dither.period / 4)
        for place in 0..<channels * Dither.period + 4 * Int(FROST_SLACK) {
            let pixel = place / channels % Dither.period
            unsafe bytes.row(0).bytes[place] = place % channels == 3 ? 0 : UInt8(base[pixel] / 2)
        }
        return bytes
    }

    /// Returns the index in the table of the offset for the pixel at `x` and `y`.
    func phase(_ y: Int, _ x: Int) -> UInt32 {
        dither.start(y: y) &+ UInt32(truncatingIfNeeded: x)
    }
}
