import FrostCore
import Glibc

extension CopyWork: CPUWork {
    func driver(_ plan: CPUPlan, rows: Range<Int>, _ memory: CallerMemory) throws(CPUError) -> any RowDriver {
        try CopyDriver(plan, rows: rows, memory)
    }
    /// A copy moves each row only once, in order, so it may replace the rows that it reads.
    func add(_ rows: Range<Int>, in plan: Plan, to reads: inout RowSchedule.Reads) {}
}

/// A row driver for a plan that only copies the region from the source to the target. The bytes are copied unchanged if
/// source and target have the same format.
final class CopyDriver: RowDriver {
    let inputRows: Range<Int>
    private let plan: CPUPlan
    private let copiesBytes: Bool
    private let values: RowStorage
    private var memory: CallerMemory
    private var next: Int

    init(_ plan: CPUPlan, rows: Range<Int>, _ memory: CallerMemory) throws(CPUError) {
        self.plan = plan
        inputRows = rows
        self.memory = memory
        let (from, to) = (plan.reader.format, plan.writer.format)
        copiesBytes = from.channels == to.channels && from.alpha == to.alpha
        values = try RowStorage(rows: 1, floats: plan.plan.region.width * plan.reader.working.count)
        next = rows.lowerBound
    }

    func restart(_ memory: CallerMemory) {
        self.memory = memory
        next = inputRows.lowerBound
    }

    func advance(to row: Int) throws(CPUError) {
        while next <= row, inputRows.contains(next) {
            guard let source = unsafe memory.source else { return }
            try push(next, unsafe Row(reading: source.row(next - plan.plan.extent.y)))
        }
    }

    func push(_ index: Int, _ row: Row) throws(CPUError) {
        if memory.cancellation?.isCancelled == true { throw .cancelled }
        guard index == next, inputRows.contains(index), let target = memory.target else { return }
        next += 1
        let width = plan.plan.region.width
        let from = row + (plan.plan.region.x - plan.plan.extent.x) * plan.reader.format.bytesPerPixel
        if copiesBytes {
            // `memmove`, because source and target may be the same memory.
            unsafe memmove(target.row(index).address, from.address, width * plan.reader.format.bytesPerPixel)
        } else {
            unsafe plan.reader.load(from.address, count: width, into: values.row(0).floats)
            unsafe plan.writer.store(values.row(0).floats, count: width, into: target.row(index).address)
        }
        memory.listener?.rowIsComplete?(index)
    }
}
