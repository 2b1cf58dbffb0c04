import CFrostKernels
import FrostCore

/// Applies a plan's output stages (colour changes, mask, content, clip and dither) to each row of the last pass while
/// the row is still in the cache, and writes the row in the caller's format.
///
/// Not thread-safe: each band of rows has its own runner.
///
/// SAFETY: the buffers have the length of a chunk. Rows of the result have the width of the region; rows of the
/// original image have the width of the extent.
@safe final class OutputStageRunner {
    let region: Rect
    let extent: Rect
    let edge: EdgeMode
    let outputStages: OutputStages
    let reader: RowConversion
    let writer: RowConversion
    let arriving: (kind: RowKind, channels: Int)
    let maximum: Float
    let kernels: KernelSet
    let fixed: FixedOutputStages?
    /// How the C kernels treat alpha: a combination of FROST_ALPHA_... flags.
    let alphaKind: Int32
    private var inside: FloatStages
    private var over: FloatStages
    let content: ContentRows
    let coverage: CoverageRows
    let dither: OffsetTable
    /// `steps` applies all fixed-point stages to a row and converts it to bytes. `lastSteps` only converts rows whose
    /// stages have already been applied.
    let steps: FixedSteps
    let lastSteps: FixedSteps
    /// Whether the last interpolation can write bytes itself, if the colour stages have been applied before the
    /// interpolation.
    let makesBytes: Bool
    private let pairOffsets: PairOffsetTable?
    /// The blurred pixels without colour stages. Set only if the rows of the last pass already include the colour
    /// stages; otherwise nil.
    var uncolored: (any UncoloredRows)?
    var maskParts: [Float]
    var clipParts: [Float]
    let colors: RowStorage
    let originals: RowStorage
    let scratch: RowStorage

    /// The number of pixels on which all output stages run before the next pixels follow: as many as fit into the L1
    /// cache.
    let chunk: Int

    /// Creates a runner for the output stages of a plan.
    ///
    /// - Parameters:
    ///   - reader: the conversion for the source's format.
    ///   - writer: the conversion for the target's format.
    ///   - arithmetic: the arithmetic of the plan.
    ///   - mask: the mask image, if the output stages have a mask that is an image.
    init(
        _ plan: Plan, reader: RowConversion, writer: RowConversion, arithmetic: Arithmetic,
        mask: MaskImage?, kernels: KernelSet = .best
    ) {
        region = plan.region
        extent = plan.extent
        edge = plan.imageEdge
        outputStages = plan.outputStages
        self.reader = reader
        self.writer = writer
        self.kernels = kernels
        arriving = (arithmetic.resultKind(of: plan), arithmetic.channels)
        maximum = Float(writer.format.sample.maximum)
        let canUseFixedOutputStages =
            arriving.kind == .fixed && arithmetic.channels == 4 && writer.format.sample == .u8
            && [.rgb, .rgba].contains(writer.format.channels)
        fixed = canUseFixedOutputStages ? arithmetic.outputStages : nil
        // Tell the kernel whether opaque pixels stay opaque. If they do, the kernel needs less time for them.
        let keepsOpaque = fixed?.keepsOpaque == true
        let isOpaque = !reader.format.channels.hasAlpha && !writer.format.channels.hasAlpha && plan.imageEdge != .clear
        alphaKind =
            (writer.format.needsPremultiplication ? Int32(FROST_ALPHA_STRAIGHT) : 0)
            | (keepsOpaque ? Int32(isOpaque ? FROST_ALPHA_OPAQUE : FROST_ALPHA_KEEPS_OPAQUE) : 0)
        inside = FloatStages(outputStages.inside, maximum: writer.format.sample.maximum, columns: region.columns)
        over = FloatStages(outputStages.over, maximum: writer.format.sample.maximum, columns: region.columns)
        content = ContentRows(plan, maximum: writer.format.sample.maximum, kernels: kernels)
        dither = OffsetTable(outputStages.dither)
        lastSteps = FixedSteps(alpha: alphaKind, offsets: dither, kernels: kernels)
        if let fixed {
            let offsets = OffsetTable(plan.outputStages.dither, add: fixed.add)
            steps = FixedSteps(fixed, alpha: alphaKind, offsets: offsets, kernels: kernels)
        } else {
            steps = lastSteps
        }
        makesBytes = fixed != nil && writer.format.channels == .rgba
        pairOffsets =
            makesBytes && fixed?.stages.isEmpty == true
            ? PairOffsetTable(plan.outputStages.dither, centres: false) : nil
        coverage = CoverageRows(
            mask: outputStages.mask, clip: outputStages.clip, columns: region.columns, extent: plan.maskExtent,
            image: mask,
            kernels: kernels)
        // Vector loops may read up to `RowStorage.slack` elements past the last pixel.
        let parts = [Float](repeating: 1, count: region.width + RowStorage.slack)
        maskParts = outputStages.mask == nil ? [] : parts
        clipParts = outputStages.clip.isEmpty ? [] : parts
        // Fixed-point numbers have half the size of floats, so more pixels fit into the L1 cache.
        chunk = fixed == nil ? 256 : 1024
        colors = RowStorage(rows: 1, floats: 4 * chunk)
        originals = RowStorage(rows: 1, floats: 4 * chunk)
        scratch = RowStorage(rows: 1, floats: 4 * max(chunk, fixed == nil ? 0 : region.width / 4))
    }

    /// The rounding offsets for an interpolation that writes bytes directly, without an intermediate row of numbers. The
    /// bytes are the same as with numbers, if the target has premultiplied alpha or the pixels are opaque. Nil if the
    /// interpolation cannot write bytes directly.
    var plainOffsets: PairOffsets? { pairOffsets?.numbers }

    /// Applies the output stages to a row and writes the row.
    ///
    /// - Parameters:
    ///   - values: the row of the plan's last pass; not read if ``uncolored`` is set.
    ///   - originals: the rows of the original image.
    ///   - streams: whether to write around the caches; see ``TargetRows/streams``.
    func write(
        _ y: Int, _ values: UnsafeRawPointer, to out: UnsafeMutableRawPointer, streams: Bool,
        _ originals: Originals?
    ) {
        if takesParts {
            let row = unsafe values.assumingMemoryBound(to: UInt16.self)
            return unsafe writeFixed(y, 0..<region.width, row, to: out, streams: streams)
        }
        let source = unsafe original(y, originals)
        if showsMask, outputStages.clip.isEmpty, let mask = coverage.uniformMask(y, 0..<region.width) {
            // The mask is 0 or 1 along the whole row.
            let columns = 0..<region.width
            if mask == 0 { return unsafe keep(columns, source, to: out) }
            if uncolored != nil { return }
            if fixed != nil {
                let row = unsafe values.assumingMemoryBound(to: UInt16.self)
                return unsafe writeFixed(y, columns, row, to: out, streams: streams)
            }
        }
        unsafe writeMixture(0..<region.width, of: y, values, source, to: out, streams: streams)
    }

    /// Writes a part of a row that may show effect, original and content.
    ///
    /// - Parameters:
    ///   - columns: the columns of the part, counted from the region's first column.
    ///   - values: the beginning of the row of the plan's last pass. Only the part is read, and nothing is read if
    ///     ``uncolored`` is set.
    ///   - source: the row of the original image.
    ///   - out: the beginning of the whole target row.
    func writeMixture(
        _ columns: Range<Int>, of y: Int, _ values: UnsafeRawPointer, _ source: UnsafeRawPointer?,
        to out: UnsafeMutableRawPointer, streams: Bool
    ) {
        inside.prepare(row: y)
        over.prepare(row: y)
        content.prepare(row: y)
        var from = columns.lowerBound
        while from < columns.upperBound {
            let part = from..<min(from + chunk, columns.upperBound)
            unsafe run(part, of: y, values, source, to: out, streams: streams)
            from = part.upperBound
        }
    }

    /// Whether pixels at which the mask is 0 equal the original image byte for byte. This requires that no colour stage
    /// and no content follow the mask.
    var showsMask: Bool { outputStages.mask != nil && outputStages.over.isEmpty && outputStages.content.isEmpty }

    /// Runs the output stages on a chunk of a row.
    ///
    /// - Parameter columns: the columns of the chunk, counted from the region's first column.
    private func run(
        _ columns: Range<Int>, of y: Int, _ values: UnsafeRawPointer, _ source: UnsafeRawPointer?,
        to out: UnsafeMutableRawPointer, streams: Bool
    ) {
        let clip = coverage.clip(y, columns, into: &clipParts)
        if clip == 0 { return unsafe keep(columns, source, to: out) }
        var mask = unsafe coverage.mask(y, columns, into: &maskParts)
        // Pixels with mask value 0 keep the bytes of the original. Processing them could change the bytes by rounding
        // and by division by alpha.
        if mask == 0 {
            if showsMask { return unsafe keep(columns, source, to: out) }
            for i in columns { maskParts[i] = 0 }
            mask = nil
        }
        let presence = unsafe Presence(clip: clip, mask: mask, source: source)
        let keepsSome = mask == nil && showsMask && maskParts.end(columns, of: 0, false) < columns.upperBound
        // A pixel that is written twice must not be written around the caches.
        let streams = streams && clip == 1 && !keepsSome
        // The choice between fixed point and floats is made for each pixel separately, without regard to its neighbours
        // in the region. Fixed point and floats round differently. If the choice depended on neighbours, a pixel's
        // result would depend on the region.
        var from = columns.lowerBound
        while from < columns.upperBound {
            let (way, end) = sameWay(from..<columns.upperBound, presence)
            if let uncolored, way != .fixed {
                let values = unsafe UnsafeRawPointer(uncolored.row(y, from..<end))
                unsafe run(from..<end, of: y, values, presence, way, to: out, streams: false)
            } else if uncolored == nil {
                unsafe run(from..<end, of: y, values, presence, way, to: out, streams: streams)
            }
            from = end
        }
        if clip == nil { unsafe keepUncovered(columns, clipParts, source, to: out) }
        if keepsSome { unsafe keepUncovered(columns, maskParts, source, to: out) }
    }

    /// The values of mask and clip and the original row, for a part of a row.
    ///
    /// SAFETY: the memory of the original's row outlives the call that creates the value.
    @safe struct Presence {
        /// `clip` is 1 if the clip is 1 at all pixels; it is nil if the values are in `clipParts`. `mask` has the same
        /// meaning for the mask and `maskParts`.
        let clip: Float?
        let mask: Float?
        let source: UnsafeRawPointer?

        init(clip: Float?, mask: Float?, source: UnsafeRawPointer?) {
            (self.clip, self.mask) = (clip, mask)
            unsafe self.source = source
        }
    }

    /// Runs the output stages on pixels that all use the same arithmetic.
    private func run(
        _ columns: Range<Int>, of y: Int, _ values: UnsafeRawPointer, _ presence: Presence, _ way: Way,
        to out: UnsafeMutableRawPointer, streams: Bool
    ) {
        if way != .floats {
            let row = unsafe values.assumingMemoryBound(to: UInt16.self) + columns.lowerBound * arriving.channels
            let shown = unsafe way == .mixed ? mixFixed(row, columns, presence.source) : row
            return unsafe writeFixed(y, columns, shown, to: out, streams: streams)
        }
        let count = columns.count
        let wanted = region.x + columns.lowerBound..<region.x + columns.upperBound
        let table = unsafe kernels.table.pointee
        let row = unsafe colors.row(0)
        unsafe loadPixels(values, columns, into: row)
        if outputStages.readsOriginal { unsafe readOriginal(columns, presence.source) }
        let x = UInt32(truncatingIfNeeded: wanted.lowerBound)
        unsafe Self.apply(inside, to: row, count, maximum, x, table)
        if presence.mask == nil { unsafe mix(row, columns, maskParts, table) }
        unsafe Self.apply(over, to: row, count, maximum, x, table)
        unsafe content.draw(columns, over: row, scratch: scratch.row(0))
        if presence.clip == nil { unsafe mix(row, columns, clipParts, table) }
        unsafe store(
            row, count, x: wanted.lowerBound, y: y, to: out + columns.lowerBound * writer.format.bytesPerPixel)
    }

    /// Writes the original pixels again at all columns whose clip or mask value is 0, byte for byte. Rounding and
    /// division by alpha might have changed these pixels.
    private func keepUncovered(
        _ columns: Range<Int>, _ parts: [Float], _ source: UnsafeRawPointer?, to out: UnsafeMutableRawPointer
    ) {
        var from = columns.lowerBound
        while from < columns.upperBound {
            let first = parts.end(from..<columns.upperBound, of: 0, false)
            guard first < columns.upperBound else { return }
            from = parts.end(first..<columns.upperBound, of: 0, true)
            unsafe keep(first..<from, source, to: out)
        }
    }

    /// Mixes the original pixels into a row of floats. A value of `parts` is the weight of the effect: 1 shows only the
    /// effect, 0 only the original.
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
}

/// The runner of the output stages together with the target rows that it writes and the rows of the original image.
@unsafe struct OutputStagesTarget {
    let runner: OutputStageRunner
    var rows: TargetRows
    let originals: Originals?
}

/// Provides blurred pixels without colour stages. It is used with chains that apply the colour stages to low-resolution
/// samples.
protocol UncoloredRows: AnyObject {
    /// Returns the start of a row of the region, as RGBA in fixed point. Only the given columns, counted from the
    /// region's first column, are valid.
    func row(_ y: Int, _ columns: Range<Int>) -> UnsafePointer<UInt16>
}
