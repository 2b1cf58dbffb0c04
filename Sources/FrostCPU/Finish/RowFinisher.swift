import CFrostKernels
import FrostCore

/// Carries out a plan's finish: takes the rows that its last pass makes, in cache, and writes the caller's.
///
/// Not thread-safe: each band has its own.
///
/// SAFETY: buffers are as long as the chunks that are worked on; rows are as long as the region is wide, or, of the
/// original, the extent.
@safe final class RowFinisher {
    /// The original's row, of the extent, as the caller has it.
    typealias OriginalRow = (Int) -> UnsafeRawPointer?

    private let region: Rect
    private let extent: Rect
    private let edge: EdgeMode
    private let finish: Finish
    private let reader: RowConversion
    private let writer: RowConversion
    private let arriving: (kind: RowKind, channels: Int)
    private let maximum: Float
    private let kernels: KernelSet
    private let fixed: FixedFinish?
    private let alphaKind: frost_alpha_kind
    private var inside: FloatStages
    private var over: FloatStages
    private let content: ContentRows
    private let coverage: CoverageRows
    private let dither: OffsetTable
    private let offsets: OffsetTable
    private var maskParts: [Float]
    private var clipParts: [Float]
    private let colors: RowStorage
    private let originals: RowStorage
    private let scratch: RowStorage

    /// Pixels that are worked on at a time, where a row goes through several steps: what the L1 cache holds.
    private static let chunk = 256

    /// - Parameters:
    ///   - reader: of the source; arithmetic: of the plan.
    ///   - writer: of the target.
    ///   - mask: where the finish has one that is an image.
    init(
        _ plan: Plan, reader: RowConversion, writer: RowConversion, arithmetic: Arithmetic,
        mask: MaskImage?, kernels: KernelSet = .best
    ) {
        region = plan.region
        extent = plan.extent
        edge = plan.imageEdge
        finish = plan.finish
        self.reader = reader
        self.writer = writer
        self.kernels = kernels
        arriving = (arithmetic.resultKind(of: plan), arithmetic.channels)
        maximum = Float(writer.format.sample.maximum)
        let canFinishFixed =
            arriving.kind == .fixed && arithmetic.channels == 4 && writer.format.sample == .u8
            && [.rgb, .rgba].contains(writer.format.channels)
        fixed = canFinishFixed ? arithmetic.finish : nil
        alphaKind =
            writer.format.needsPremultiplication
            ? FROST_ALPHA_STRAIGHT
            : !reader.format.channels.hasAlpha && !writer.format.channels.hasAlpha && plan.imageEdge != .clear
                && fixed?.keepsOpaque == true ? FROST_ALPHA_OPAQUE : FROST_ALPHA_PREMULTIPLIED
        inside = FloatStages(finish.inside, maximum: writer.format.sample.maximum, columns: region.columns)
        over = FloatStages(finish.over, maximum: writer.format.sample.maximum, columns: region.columns)
        content = ContentRows(plan, maximum: writer.format.sample.maximum)
        dither = OffsetTable(finish.dither)
        offsets = fixed.map { OffsetTable(plan.finish.dither, add: $0.add) } ?? dither
        coverage = CoverageRows(
            mask: finish.mask, clip: finish.clip, columns: region.columns, extent: extent, image: mask)
        // Vector loops may read beyond the last.
        let parts = [Float](repeating: 1, count: region.width + RowStorage.slack)
        maskParts = finish.mask == nil ? [] : parts
        clipParts = finish.clip.isEmpty ? [] : parts
        colors = RowStorage(rows: 1, floats: 4 * Self.chunk)
        originals = RowStorage(rows: 1, floats: 4 * Self.chunk)
        scratch = RowStorage(rows: 1, floats: 4 * max(Self.chunk, fixed == nil ? 0 : region.width / 4))
    }

    /// Finishes a row.
    ///
    /// - Parameters:
    ///   - original: gives the rows of the original image; asked only if the finish needs it.
    ///   - streams: see ``TargetRows/streams``.
    func write(
        _ y: Int, _ values: UnsafeRawPointer, to out: UnsafeMutableRawPointer, streams: Bool,
        original: OriginalRow
    ) {
        if takesParts {
            let row = unsafe values.assumingMemoryBound(to: UInt16.self)
            return unsafe writeFixed(y, 0..<region.width, row, to: out, streams: streams)
        }
        let source = finish.readsOriginal ? unsafe edge.map(y, into: extent.rows).flatMap(original) : nil
        if showsMask, finish.clip.isEmpty, let mask = coverage.mask(y) {
            // Rows of which all or nothing is shown.
            let columns = 0..<region.width
            if mask == 0 { return unsafe keep(columns, source, to: out) }
            if fixed != nil {
                let row = unsafe values.assumingMemoryBound(to: UInt16.self)
                return unsafe writeFixed(y, columns, row, to: out, streams: streams)
            }
        }
        inside.prepare(row: y)
        over.prepare(row: y)
        let content = content.row(y)
        var from = 0
        while from < region.width {
            let chunk = from..<min(from + Self.chunk, region.width)
            unsafe finish(chunk, of: y, values, source, content, to: out)
            from = chunk.upperBound
        }
    }

    /// Whether the original is seen, byte for byte, where the mask leaves nothing of the effect.
    private var showsMask: Bool { finish.mask != nil && finish.over.isEmpty && finish.content.isEmpty }

    // MARK: Fixed point

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
        let isRGB = writer.format.channels == .rgb
        let target = unsafe isRGB ? UnsafeMutableRawPointer(scratch.row(0)).assumingMemoryBound(to: UInt8.self) : bytes
        let offsets = unsafe self.offsets.row(y, region.x + columns.lowerBound)
        let stream: Int32 = !streams || isRGB ? 0 : columns.upperBound == region.width ? 3 : 1
        unsafe fixed.stages.withUnsafeBufferPointer { list in
            unsafe table.fixed_finish(
                row, list.baseAddress, Int32(list.count), self.offsets.add, target, Int32(columns.count),
                alphaKind, offsets.table, offsets.phase, stream)
        }
        if isRGB { unsafe table.compress_rgb8(target, bytes, Int32(columns.count)) }
    }

    /// Lets the original through by the mask's parts, before any stage.
    ///
    /// - Returns: nil where there are stages inside the mask, or the original lies beyond the edge.
    private func mixFixed(
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

    // MARK: Floats

    /// - Parameter columns: counted from the region's first.
    private func finish(
        _ columns: Range<Int>, of y: Int, _ values: UnsafeRawPointer, _ source: UnsafeRawPointer?,
        _ content: ContentRows.Row, to out: UnsafeMutableRawPointer
    ) {
        let count = columns.count
        let target = unsafe out + columns.lowerBound * writer.format.bytesPerPixel
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
        let clip = coverage.clip(y, columns, into: &clipParts)
        if clip == 0 { return unsafe keep(columns, source, to: out) }
        let mask = coverage.mask(y, columns, into: &maskParts)
        let hasContent = content.isPresent(in: wanted)
        // What shows nothing of the effect keeps its bytes, which rounding and alpha might change.
        if mask == 0, showsMask { return unsafe keep(columns, source, to: out) }
        if fixed != nil, clip == 1, !hasContent {
            let row = unsafe values.assumingMemoryBound(to: UInt16.self) + columns.lowerBound * arriving.channels
            if mask == 1 { return unsafe writeFixed(y, columns, row, to: out, streams: false) }
            if mask == nil, let mixed = unsafe mixFixed(row, columns, source) {
                unsafe writeFixed(y, columns, mixed, to: out, streams: false)
                if showsMask { unsafe keepUncovered(columns, maskParts, source, to: out) }
                return
            }
        }
        let table = unsafe kernels.table.pointee
        let row = unsafe colors.row(0)
        unsafe gather(values, columns, into: row)
        if finish.readsOriginal { unsafe readOriginal(columns, source) }
        let x = UInt32(truncatingIfNeeded: wanted.lowerBound)
        unsafe Self.apply(inside, to: row, count, maximum, x, table)
        if mask != 1 {
            if mask == 0 { for i in columns { maskParts[i] = 0 } }
            unsafe mix(row, columns, maskParts, table)
        }
        unsafe Self.apply(over, to: row, count, maximum, x, table)
        if hasContent { unsafe content.draw(wanted, over: row, scratch: scratch.row(0), table: table) }
        if clip == nil { unsafe mix(row, columns, clipParts, table) }
        unsafe store(row, count, x: wanted.lowerBound, y: y, to: target)
        if clip == nil { unsafe keepUncovered(columns, clipParts, source, to: out) }
        if mask == nil, showsMask { unsafe keepUncovered(columns, maskParts, source, to: out) }
    }

    /// Writes the original again where parts are 0: byte for byte, which rounding and alpha might change.
    private func keepUncovered(
        _ columns: Range<Int>, _ parts: [Float], _ source: UnsafeRawPointer?, to out: UnsafeMutableRawPointer
    ) {
        var from = columns.lowerBound
        while let first = parts[from..<columns.upperBound].firstIndex(of: 0) {
            from = parts[first..<columns.upperBound].firstIndex { $0 != 0 } ?? columns.upperBound
            unsafe keep(first..<from, source, to: out)
        }
    }

    /// Lets the original through where parts are below 1.
    private func mix(
        _ row: UnsafeMutablePointer<Float>, _ columns: Range<Int>, _ parts: [Float], _ table: frost_kernels
    ) {
        unsafe parts.withUnsafeBufferPointer { parts in
            guard let base = parts.baseAddress else { return }
            unsafe table.color_mix(row, originals.row(0), base + columns.lowerBound, Int32(columns.count))
        }
    }

    private static func apply(
        _ stages: FloatStages, to row: UnsafeMutablePointer<Float>, _ count: Int, _ maximum: Float, _ x: UInt32,
        _ table: frost_kernels
    ) {
        guard !stages.stages.isEmpty else { return }
        unsafe stages.stages.withUnsafeBufferPointer { list in
            unsafe table.color_stages(row, Int32(count), list.baseAddress, Int32(list.count), maximum, x)
        }
    }

    /// The pixels that arrive, as RGBA of floats.
    private func gather(_ values: UnsafeRawPointer, _ columns: Range<Int>, into row: UnsafeMutablePointer<Float>) {
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
        if channels < 4 { unsafe Self.expand(plain, columns.count, channels, maximum, into: row) }
    }

    /// Grey, grey with alpha or RGB to RGBA.
    static func expand(
        _ from: UnsafePointer<Float>, _ count: Int, _ channels: Int, _ maximum: Float,
        into row: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count {
            let pixel = unsafe from + i * channels
            unsafe row[4 * i] = pixel[0]
            unsafe row[4 * i + 1] = pixel[channels == 3 ? 1 : 0]
            unsafe row[4 * i + 2] = pixel[channels == 3 ? 2 : 0]
            unsafe row[4 * i + 3] = channels == 2 ? pixel[1] : maximum
        }
    }

    /// Fills ``originals`` by the edge rule.
    private func readOriginal(_ columns: Range<Int>, _ source: UnsafeRawPointer?) {
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
        if channels < 4 { unsafe Self.expand(plain, columns.count, channels, maximum, into: row) }
    }

    /// Writes RGBA of floats in the caller's format.
    private func store(
        _ row: UnsafeMutablePointer<Float>, _ count: Int, x: Int, y: Int, to out: UnsafeMutableRawPointer
    ) {
        let table = unsafe kernels.table.pointee
        let isRounded = writer.format.sample != .f32
        var conversion = writer
        if finish.dither != nil, isRounded {
            let dither = unsafe dither.row(y, x)
            unsafe table.color_settle(
                row, Int32(count), writer.format.needsPremultiplication ? 1 : 0, maximum, dither.table, dither.phase)
            // What is settled is what the format holds.
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
            unsafe table.store_u8(row, bytes, Int32(4 * count))
            return unsafe table.compress_rgb8(bytes, out.assumingMemoryBound(to: UInt8.self), Int32(count))
        }
        unsafe Self.narrow(row, count, to: channels)
        unsafe conversion.write(row, as: .floats, count: count, into: out)
    }

    /// From RGBA to fewer channels, in place: grey is in all colours.
    private static func narrow(_ row: UnsafeMutablePointer<Float>, _ count: Int, to channels: Int) {
        for i in 0..<count {
            for c in 0..<channels { unsafe row[i * channels + c] = row[4 * i + (channels == 2 && c == 1 ? 3 : c)] }
        }
    }

    /// The original's pixels, byte for byte where the formats agree.
    private func keep(_ columns: Range<Int>, _ source: UnsafeRawPointer?, to out: UnsafeMutableRawPointer) {
        let size = reader.format.bytesPerPixel
        let isSame = reader.format.channels == writer.format.channels && reader.format.alpha == writer.format.alpha
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
        let target = unsafe out + columns.lowerBound * writer.format.bytesPerPixel
        if isSame, let source = unsafe source, extent.columns.contains(wanted.lowerBound),
            extent.columns.contains(wanted.upperBound - 1)
        {
            let from = unsafe source + (wanted.lowerBound - extent.x) * size
            return unsafe target.copyMemory(from: from, byteCount: columns.count * size)
        }
        unsafe readOriginal(columns, source)
        let row = unsafe originals.row(0)
        let channels = writer.working.count
        if channels < 4 { unsafe Self.narrow(row, columns.count, to: channels) }
        unsafe writer.store(row, count: columns.count, into: target)
    }
}

extension Plan {
    /// How the image is continued beyond its edges.
    var imageEdge: EdgeMode { edge(along: passes.first?.axis ?? .y) }
}

/// What finishes rows, and where they then belong.
@unsafe struct FinishTarget {
    let finisher: RowFinisher
    var rows: TargetRows
}
