public import FrostCore
import FrostCPU

/// Applies an effect to rows as they arrive, on the CPU. Each row of the result is available as soon as the effect allows.
/// Decoding and encoding can therefore run at the same time, and neither the source nor the result is ever completely in
/// memory.
///
/// The result equals, bit for bit, the result of ``Renderer/render(_:_:mask:region:accuracy:cancellation:)`` on the CPU.
/// ``Renderer/rows(of:_:mask:accuracy:cancellation:)`` plans the work, and ``RowPlan/makeRenderer()`` creates the renderer.
///
/// Not thread-safe: only one thread at a time may push rows. The thread that pushes a row also does the work.
public final class RowRenderer {
    /// The layout of the result.
    public let output: PixelLayout
    /// The report so far: ``RenderReport/blurMilliseconds`` grows with each row.
    public private(set) var report: RenderReport

    private let flow: RowFlow
    private let source: PixelLayout
    private var rowsPushed = 0
    /// A function that takes the total time in seconds. It is called after the last row.
    private let learn: (Double) -> Void

    fileprivate init(_ rows: RowPlan) throws(CPUError) {
        flow = try RowFlow(rows.plan, source: rows.source.format, target: rows.output.format, mask: rows.mask)
        source = rows.source
        output = rows.output
        report = rows.report
        learn = rows.learn
    }

    /// Takes the next row of the source. If this row completes rows of the result, calls `emit` with the bytes of each
    /// completed row, in order.
    ///
    /// - Parameters:
    ///   - row: the bytes of the row's pixels.
    ///   - emit: a function that takes the rows of the result, one at a time, from top to bottom.
    /// - Throws: ``FrostError/outOfMemory(bytes:)``; the renderer can then not be used any more.
    /// - Precondition: fewer rows were pushed than the source has, and `row` is at least as long as a row of the source.
    public func push(_ row: RawSpan, emit: (RawSpan) -> Void) throws(FrostError) {
        precondition(rowsPushed < source.height, "all rows have been pushed")
        precondition(row.byteCount >= source.rowByteCount, "the row is too short")
        let clock = ContinuousClock()
        let start = clock.now
        var elsewhere = Duration.zero
        if flow.sourceRows.contains(rowsPushed) {
            do throws(CPUError) {
                // SAFETY: the row is as long as the flow reads. The memory of completed rows is used only during the call.
                try unsafe row.withUnsafeBytes { (row) throws(CPUError) in
                    guard let base = row.baseAddress else { return }
                    try unsafe flow.push(base) { _, bytes in
                        let start = clock.now
                        unsafe emit(bytes.bytes)
                        elsewhere += clock.now - start
                    }
                }
            } catch {
                throw FrostError(error)
            }
        }
        rowsPushed += 1
        report.blurMilliseconds += (clock.now - start - elsewhere).milliseconds
        if rowsPushed == source.height { learn(report.blurMilliseconds / 1000) }
    }
}

/// A plan to apply an effect to an image row by row. It has allocated no rows yet, so its memory can be judged first.
public struct RowPlan {
    /// The layout of the result.
    public let output: PixelLayout
    /// An upper bound on the memory, in bytes, that the renderer takes for rows.
    public let workingBytes: Int

    fileprivate let plan: Plan
    fileprivate let mask: MaskImage?
    fileprivate let source: PixelLayout
    fileprivate let report: RenderReport
    fileprivate let learn: (Double) -> Void

    /// Creates the renderer, which allocates the rows.
    ///
    /// - Throws: ``FrostError`` if the CPU cannot execute the plan.
    public func makeRenderer() throws(FrostError) -> RowRenderer {
        do throws(CPUError) { return try RowRenderer(self) } catch { throw FrostError(error) }
    }
}

extension Plan {
    /// Returns an upper bound on the memory, in bytes, for the rows that are kept while the rows of a source arrive.
    fileprivate func rowBytes(_ source: PixelLayout) -> Int {
        // A pass keeps its input rows as floats, and up to 16 rows more that arrive together. A mirrored edge can double
        // the number of rows.
        var bytes = 0
        // The distance, in rows of the source, from a row of the result to the last row that it reads.
        var reach = 0
        for pass in passes {
            let height = source.height >> level(of: pass.from, along: .y)
            let width = source.width >> level(of: pass.from, along: .x)
            let rows = pass.axis == .y ? 2 * pass.operation.taps.count + 16 : 16
            bytes += min(rows, height + 16) * (width + 2 * pass.operation.taps.count) * 4 * MemoryLayout<Float>.size
            guard pass.axis == .y else { continue }
            reach += pass.operation.taps.count << level(of: pass.from, along: .y)
            // While a pass is prepared, it holds two row numbers for each row that it computes.
            bytes += 2 * MemoryLayout<Int>.size * window(of: pass.to).height
        }
        if outputStages.readsOriginal { bytes += min(source.height, reach + 16) * source.rowByteCount }
        return bytes
    }
}

extension Renderer {
    /// Plans to apply an effect row by row. Returns nil if the effect has to be applied to the whole image.
    /// There are four possible causes:
    ///
    /// - Another backend than the CPU does the work.
    /// - The colour of content depends on all pixels: see ``OutputStages/automaticContrast``.
    /// - A mosaic is mixed with the original.
    /// - The effect reads far along y: zooms, discs and other 2-D kernels, variable blurs, and the edge mode `repeat`.
    ///   ``render(_:_:mask:region:accuracy:cancellation:)`` distributes such effects over all threads.
    ///
    /// - Parameters:
    ///   - source: the layout of the image to be pushed row by row.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image. Frost stretches the mask over the image.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's
    ///     samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``.
    public func rows(
        of source: PixelLayout, _ effect: Effect, mask: MaskImage? = nil, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> RowPlan? {
        guard backend == .cpu || backend == .auto, effect.outputStages.automaticContrast == nil else { return nil }
        let accuracy = accuracy ?? .suited(to: source.format.sample)
        let effect = effect.keyed(by: secretKey, for: .pictures)
        let plan = try plans.plan(
            effect, extent: source.extent, region: effect.region(extent: source.extent), accuracy: accuracy, mask: mask)
        let request = request(plan, source.format)
        // The last rows of a mosaic show the cells above them, so they are complete before their own pixels have arrived.
        let isLate = effect.blur.cellSide != nil && plan.outputStages.readsOriginal
        guard plan.work.kind.canStream, !isLate,
            let reason = plan.isCopy ? "nothing to blur" : reasonForCPU(request)
        else { return nil }
        var report = RenderReport(backend: .cpu, reason: reason, errorBound: plan.errorBound)
        report.passes = plan.passCount
        let output = try rethrow(
            PixelLayout(
                width: plan.region.width, height: plan.region.height, format: effect.outputFormat(for: source.format)),
            as: FrostError.pixels)
        return RowPlan(
            output: output, workingBytes: plan.rowBytes(source), plan: plan, mask: mask, source: source, report: report,
            learn: { [choice] seconds in
                if let request { choice?.learn(request, seconds: seconds, on: .cpu) }
            })
    }
}
