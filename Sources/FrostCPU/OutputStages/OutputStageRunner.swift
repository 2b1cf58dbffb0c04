import CFrostKernels
import FrostCore

/// Carries out a plan's output stages: takes each row that the last pass has made, still in the cache, and writes the
/// caller's row.
///
/// Not thread-safe: each band has its own.
///
/// SAFETY: buffers have the length of a chunk. Rows are as long as the region is wide; the original's are as long as
/// the extent.
@safe final class OutputStageRunner {
    /// Gives a row of the original, as wide as the extent, in the caller's format.
    typealias OriginalRow = (Int) -> UnsafeRawPointer?

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
    /// How the kernel treats alpha: FROST_ALPHA_…
    let alphaKind: Int32
    private var inside: FloatStages
    private var over: FloatStages
    let content: ContentRows
    let coverage: CoverageRows
    let dither: OffsetTable
    /// Make bytes of fixed-point numbers: with all stages, and of numbers whose stages have been applied.
    let steps: FixedSteps
    let lastSteps: FixedSteps
    /// Whether an interpolation can make bytes of numbers whose stages have been applied.
    let makesBytes: Bool
    private let pairOffsets: PairOffsetTable?
    /// The blurred pixels without colour, if the rows that arrive have been coloured.
    var uncolored: (any UncoloredRows)?
    var maskParts: [Float]
    var clipParts: [Float]
    let colors: RowStorage
    let originals: RowStorage
    let scratch: RowStorage

    /// The number of pixels that go through all steps together, if there are several: as many as fit into the L1 cache.
    private let chunk: Int

    /// - Parameters:
    ///   - reader: for the source's format.
    ///   - writer: for the target's format.
    ///   - arithmetic: the plan's.
    ///   - mask: the mask of the output stages, if it is an image.
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
        // Opaque pixels take the kernel less time if they are known to stay opaque.
        let keepsOpaque = fixed?.keepsOpaque == true
        let isOpaque = !reader.format.channels.hasAlpha && !writer.format.channels.hasAlpha && plan.imageEdge != .clear
        alphaKind =
            (writer.format.needsPremultiplication ? Int32(FROST_ALPHA_STRAIGHT) : 0)
            | (keepsOpaque ? Int32(isOpaque ? FROST_ALPHA_OPAQUE : FROST_ALPHA_KEEPS_OPAQUE) : 0)
        inside = FloatStages(outputStages.inside, maximum: writer.format.sample.maximum, columns: region.columns)
        over = FloatStages(outputStages.over, maximum: writer.format.sample.maximum, columns: region.columns)
        content = ContentRows(plan, maximum: writer.format.sample.maximum)
        dither = OffsetTable(outputStages.dither)
        lastSteps = FixedSteps(alpha: alphaKind, offsets: dither, kernels: kernels)
        if let fixed {
            let offsets = OffsetTable(plan.outputStages.dither, add: fixed.add)
            steps = FixedSteps(fixed, alpha: alphaKind, offsets: offsets, kernels: kernels)
        } else {
            steps = lastSteps
        }
        makesBytes = fixed != nil && writer.format.channels == .rgba
        pairOffsets = makesBytes ? PairOffsetTable(plan.outputStages.dither) : nil
        coverage = CoverageRows(
            mask: outputStages.mask, clip: outputStages.clip, columns: region.columns, extent: plan.maskExtent,
            image: mask,
            kernels: kernels)
        // Vector loops may read past the last element.
        let parts = [Float](repeating: 1, count: region.width + RowStorage.slack)
        maskParts = outputStages.mask == nil ? [] : parts
        clipParts = outputStages.clip.isEmpty ? [] : parts
        // With fixed point, most numbers have half the size.
        chunk = fixed == nil ? 256 : 1024
        colors = RowStorage(rows: 1, floats: 4 * chunk)
        originals = RowStorage(rows: 1, floats: 4 * chunk)
        scratch = RowStorage(rows: 1, floats: 4 * max(chunk, fixed == nil ? 0 : region.width / 4))
    }

    /// The offsets with which an interpolation can make bytes directly, without rows of numbers in between; nil if it
    /// cannot.
    ///
    /// Straight pixels without stages are rounded in the same way whether or not something is drawn over them.
    var plainOffsets: PairOffsets? {
        let hasStages = fixed?.stages.isEmpty == false || writer.format.needsPremultiplication
        return hasStages ? nil : pairOffsets?.numbers
    }

    /// Applies the output stages to a row and writes it.
    ///
    /// - Parameters:
    ///   - values: the row of the plan's last pass; not read if there are ``uncolored`` rows.
    ///   - original: gives the rows of the original image; called only if the output stages need it.
    ///   - streams: see ``TargetRows/streams``.
    func write(
        _ y: Int, _ values: UnsafeRawPointer, to out: UnsafeMutableRawPointer, streams: Bool,
        original: OriginalRow
    ) {
        if takesParts {
            let row = unsafe values.assumingMemoryBound(to: UInt16.self)
            return unsafe writeFixed(y, 0..<region.width, row, to: out, streams: streams)
        }
        let source = outputStages.readsOriginal ? unsafe edge.map(y, into: extent.rows).flatMap(original) : nil
        if showsMask, outputStages.clip.isEmpty, let mask = coverage.mask(y) {
            // The whole row shows the effect, or nothing of it.
            let columns = 0..<region.width
            if mask == 0 { return unsafe keep(columns, source, to: out) }
            if uncolored != nil { return }
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
            let columns = from..<min(from + chunk, region.width)
            unsafe run(columns, of: y, values, source, content, to: out, streams: streams)
            from = columns.upperBound
        }
    }

    /// Whether the original is kept byte for byte if the mask shows nothing of the effect.
    var showsMask: Bool { outputStages.mask != nil && outputStages.over.isEmpty && outputStages.content.isEmpty }

    /// - Parameter columns: counted from the region's first.
    private func run(
        _ columns: Range<Int>, of y: Int, _ values: UnsafeRawPointer, _ source: UnsafeRawPointer?,
        _ content: ContentRows.Row, to out: UnsafeMutableRawPointer, streams: Bool
    ) {
        let clip = coverage.clip(y, columns, into: &clipParts)
        if clip == 0 { return unsafe keep(columns, source, to: out) }
        var mask = coverage.mask(y, columns, into: &maskParts)
        // Pixels that show nothing of the effect keep their bytes, which rounding and alpha might change.
        if mask == 0 {
            if showsMask { return unsafe keep(columns, source, to: out) }
            for i in columns { maskParts[i] = 0 }
            mask = nil
        }
        let presence = unsafe Presence(clip: clip, mask: mask, content: content, source: source)
        let keepsSome = mask == nil && showsMask && maskParts.end(columns, of: 0, false) < columns.upperBound
        // Bytes that are written twice must not be written past the caches.
        let streams = streams && clip == 1 && !keepsSome
        // Each pixel's arithmetic depends only on the pixel, not on its neighbours in the region, because the roundings
        // differ.
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

    /// What else a part of a row shows besides the effect.
    ///
    /// SAFETY: the original's row outlives the call that made the value.
    @safe struct Presence {
        /// 1 if all pixels have part 1; otherwise the parts are filled in.
        let clip: Float?
        let mask: Float?
        let content: ContentRows.Row
        let source: UnsafeRawPointer?

        init(clip: Float?, mask: Float?, content: ContentRows.Row, source: UnsafeRawPointer?) {
            (self.clip, self.mask, self.content) = (clip, mask, content)
            unsafe self.source = source
        }
    }

    /// - Parameter columns: pixels with the same arithmetic.
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
        if presence.content.isPresent(in: wanted) {
            unsafe presence.content.draw(wanted, over: row, scratch: scratch.row(0), table: table)
        }
        if presence.clip == nil { unsafe mix(row, columns, clipParts, table) }
        unsafe store(
            row, count, x: wanted.lowerBound, y: y, to: out + columns.lowerBound * writer.format.bytesPerPixel)
    }

    /// Writes the original again where parts are 0, byte for byte: rounding and alpha might have changed it.
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
}

extension Plan {
    /// The edge mode of the original image, for output stages that read it.
    var imageEdge: EdgeMode {
        switch work {
        case .copy: .clamp
        case .passes(let passes): passes.list.first?.edge ?? .clamp
        case .kernel2D(let kernel): kernel.edge
        case .blend(let blend): blend.edge
        }
    }
}

/// The runner of the output stages, and the rows that it writes.
@unsafe struct OutputStagesTarget {
    let runner: OutputStageRunner
    var rows: TargetRows
}

/// Gives the blurred pixels without colour, for chains that colour low-resolution samples.
protocol UncoloredRows: AnyObject {
    /// The start of a row in which these columns, counted from the region's first, are valid.
    func row(_ y: Int, _ columns: Range<Int>) -> UnsafePointer<UInt16>
}
