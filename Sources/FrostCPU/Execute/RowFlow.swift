public import FrostCore

/// A plan carried out as its source rows arrive: finished rows come out in order, as early as the effect allows.
///
/// Memory is a few rows per pass: about as many as the kernel reaches, at the resolution at which it reaches them. Only
/// the edge mode `repeat`, whose first output row needs the last source row, keeps the whole image at that resolution.
///
/// Not thread-safe, and works on the thread that calls ``push(_:emit:)``.
public final class RowFlow {
    /// The source rows to push, in this order, in the plan's absolute pixels. Others are not needed.
    public let sourceRows: Range<Int>
    /// The rows that come out, in this order.
    public let targetRows: Range<Int>

    private let plan: CPUPlan
    private let driver: any RowDriver
    /// Rows of the source that output stages may still ask for; nil if they ask for none.
    private let originals: OriginalRows?
    /// Two rows: see ``FlowNode``.
    private let target: RowStorage
    private var next: Int

    /// - Parameters:
    ///   - source: of the rows that are pushed; each as wide as the plan's extent.
    ///   - target: of the rows that come out, each as wide as the region. As for ``CPUExecutor``.
    ///   - mask: where the plan's output stages or blend have one that is an image.
    /// - Throws: ``CPUError/pixels(_:)`` if the formats do not go together.
    public init(
        _ plan: Plan, source: PixelFormat, target: PixelFormat, mask: MaskImage? = nil,
        cancellation: Cancellation? = nil
    ) throws(CPUError) {
        do throws(PixelError) {
            let targetLayout = try PixelLayout(width: plan.region.width, height: plan.region.height, format: target)
            try plan.check(
                source: try PixelLayout(width: plan.extent.width, height: plan.extent.height, format: source),
                target: targetLayout)
            self.target = RowStorage(rows: 2, floats: (targetLayout.rowByteCount + 3) / 4)
        } catch {
            throw .pixels(error)
        }
        self.plan = CPUPlan(plan, source: source, target: target, mask: mask)
        let originals =
            plan.outputStages.readsOriginal
            ? OriginalRows(plan, bytesPerRow: plan.extent.width * source.bytesPerPixel) : nil
        self.originals = originals
        driver = unsafe self.plan.driver(
            plan.region.rows,
            CallerMemory(
                source: nil, target: TargetRows(self.target), originals: originals.map { .kept($0) },
                cancellation: cancellation))
        sourceRows = driver.inputRows
        targetRows = plan.region.rows
        next = sourceRows.lowerBound
    }

    /// Takes the next source row, and calls `emit` with the number and the bytes of each row that is now complete. The
    /// bytes are valid during the call. Rows after ``sourceRows`` are ignored.
    ///
    /// - Parameter row: the bytes of the extent's width of pixels.
    /// - Throws: ``CPUError/cancelled``; the flow is then of no further use.
    @unsafe public func push(
        _ row: UnsafeRawPointer, emit: (Int, UnsafeRawBufferPointer) -> Void
    ) throws(CPUError) {
        guard next < sourceRows.upperBound else { return }
        defer { next += 1 }
        unsafe originals?.keep(next, row)
        let byteCount = plan.plan.region.width * plan.writer.format.bytesPerPixel
        try unsafe driver.push(next, row) { index in
            unsafe emit(index, UnsafeRawBufferPointer(start: target.row(index & 1), count: byteCount))
            originals?.forget(before: index + 1)
        }
    }
}
