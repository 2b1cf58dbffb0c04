import FrostCore
import FrostThreads

/// Rows of the result that wait in memory of their own until no step reads the source's pixels that they replace; see
/// ``RowSchedule``.
///
/// Not thread-safe: only ``replace(_:threads:)`` works on several threads.
final class WaitingRows {
    private let window: Rect
    private let bytesPerRow: Int
    /// The memory from ``begin()`` to ``replace(_:threads:)``; otherwise nil.
    private var memory: RowStorage?

    /// - Parameter window: the rows, in all columns of the result.
    init(_ window: Rect, bytesPerPixel: Int) {
        self.window = window
        bytesPerRow = window.width * bytesPerPixel
    }

    /// Allocates the memory, and returns it as a target for the rows.
    func begin() throws(CPUError) -> TargetRows {
        let rows = try RowStorage(rows: window.height, floats: (bytesPerRow + 3) / 4, zeroed: false)
        memory = rows
        return TargetRows(rows, first: window.y)
    }

    /// Copies the rows to the target, and releases the memory.
    func replace(_ target: TargetRows, threads: Int) {
        guard let memory else { return }
        let copy = Copy(
            rows: window.rows, from: TargetRows(memory, first: window.y), to: target, bytesPerRow: bytesPerRow)
        let count = PlanPart.bands(window, threads: threads)
        ThreadPool.computation.run(count) { copy.run(copy.rows.band($0, of: count)) }
        self.memory = nil
    }

    /// SAFETY: both images outlive the copying, and each thread copies other rows.
    @safe private struct Copy: @unchecked Sendable {
        let rows: Range<Int>
        let from: TargetRows
        let to: TargetRows
        let bytesPerRow: Int

        func run(_ rows: Range<Int>) {
            for row in rows { to.row(row).copy(from: from.row(row), byteCount: bytesPerRow) }
        }
    }
}
