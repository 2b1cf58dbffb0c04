public import FrostCore

/// Executes a plan while its source rows arrive: the caller pushes source rows, and finished rows are emitted in order,
/// as early as the effect allows.
///
/// Each pass keeps a few rows: about as many as its kernel spans, at the resolution of the pass. The edge mode `repeat`
/// is an exception: its first output row needs the last source row, so the whole image is kept at that resolution.
///
/// Not thread-safe. Works on the thread that calls ``push(_:emit:)``.
public final class RowFlow {
    /// The indices of the source rows that the caller pushes, in this order. Rows are counted as in the plan's extent.
    /// Other rows of the source are not needed.
    public let sourceRows: Range<Int>
    /// The rows of the result, in the order in which they are emitted.
    public let targetRows: Range<Int>

    private let plan: CPUPlan
    private let driver: any RowDriver
    /// The source rows that output stages may still read; nil if the output stages do not read the original.
    private let originals: OriginalRows?
    /// Memory for two rows of the result. They are used alternately, because nodes write up to two pushed rows
    /// together.
    private let target: RowStorage
    private let listener = RowListener()
    private var next: Int

    /// Prepares the execution of a plan.
    ///
    /// - Parameters:
    ///   - source: the format of the pushed rows; each row is as wide as the plan's extent.
    ///   - target: the format of the emitted rows; each row is as wide as the region. The formats that ``CPUExecutor``
    ///     allows are also allowed here.
    ///   - mask: the mask image, if the plan's output stages or blend have a mask that is an image.
    /// - Throws: ``CPUError/pixels(_:)`` if source and target formats do not match, and ``CPUError/outOfMemory(bytes:)``.
    public init(
        _ plan: Plan, source: PixelFormat, target: PixelFormat, mask: MaskImage? = nil,
        cancellation: Cancellation? = nil
    ) throws(CPUError) {
        let layout = try rethrow(
            PixelLayout(width: plan.region.width, height: plan.region.height, format: target), as: CPUError.pixels)
        try rethrow(
            plan.check(
                source: PixelLayout(width: plan.extent.width, height: plan.extent.height, format: source),
                target: layout), as: CPUError.pixels)
        self.target = try RowStorage(rows: 2, floats: (layout.rowByteCount + 3) / 4)
        self.plan = CPUPlan(plan, source: source, target: target, mask: mask)
        let originals =
            plan.outputStages.readsOriginal
            ? OriginalRows(plan, bytesPerRow: plan.extent.width * source.bytesPerPixel) : nil
        self.originals = originals
        driver = try unsafe self.plan.driver(
            plan.region.rows,
            CallerMemory(
                target: TargetRows(self.target), originals: originals.map { .kept($0) }, listener: listener,
                cancellation: cancellation))
        sourceRows = driver.inputRows
        targetRows = plan.region.rows
        next = sourceRows.lowerBound
    }

    /// Takes the next source row, and calls `emit` with the index and the bytes of each row of the result that is now
    /// complete. The bytes are valid only during the call of `emit`. Rows after ``sourceRows`` are ignored.
    ///
    /// - Parameter row: the bytes of a source row, as wide as the extent.
    /// - Throws: ``CPUError/cancelled`` or ``CPUError/outOfMemory(bytes:)``; the flow can then not be used any more.
    @unsafe public func push(
        _ row: UnsafeRawPointer, emit: (Int, UnsafeRawBufferPointer) -> Void
    ) throws(CPUError) {
        guard next < sourceRows.upperBound else { return }
        defer { next += 1 }
        let row = unsafe Row(reading: row)
        try originals?.keep(next, row)
        let byteCount = plan.plan.region.width * plan.writer.format.bytesPerPixel
        try unsafe withoutActuallyEscaping(emit) { (emit) throws(CPUError) in
            listener.rowIsComplete = { [target, originals] index in
                unsafe emit(index, UnsafeRawBufferPointer(start: target.row(index & 1).address, count: byteCount))
                originals?.forget(before: index + 1)
            }
            defer { listener.rowIsComplete = nil }
            try driver.push(next, row)
        }
    }
}
