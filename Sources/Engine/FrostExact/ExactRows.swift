import FrostCore
import FrostThreads
import Glibc

/// Divides the work of the exact backend into short pieces, and checks for cancellation before each of them.
///
/// All loops of the exact backend over rows and tiles run here. So none of them continues for long after a cancellation.
enum ExactRows {
    /// Calls `body` once for each index below `count`, on several threads.
    ///
    /// - Parameter body: a piece of work of at most a few milliseconds. A longer piece asks the cancellation itself and
    ///   returns early.
    /// - Throws: ``ExactError/cancelled``.
    static func forEach(
        _ count: Int, threads: Int, _ cancellation: Cancellation?, _ body: @escaping @Sendable (Int) -> Void
    ) throws(ExactError) {
        let pieces = WorkPieces(count)
        ThreadPool.computation.run(max(1, min(threads, count))) { _ in
            while cancellation?.isCancelled != true, let index = pieces.take() { body(index) }
        }
        if cancellation?.isCancelled == true { throw .cancelled }
    }

    /// Creates an array, one row after the other.
    ///
    /// - Parameters:
    ///   - rows: the number of rows.
    ///   - samples: the number of samples in a row.
    ///   - row: returns the samples of a row.
    /// - Throws: ``ExactError/cancelled``.
    static func values(
        rows: Int, samples: Int, threads: Int, _ cancellation: Cancellation?,
        _ row: @escaping @Sendable (Int) -> [Double]
    ) throws(ExactError) -> [Double] {
        try SharedDoubles.array(count: rows * samples) { (result) throws(ExactError) in
            try forEach(rows, threads: threads, cancellation) { index in
                let line = row(index)
                precondition(line.count == samples)
                for (place, value) in line.enumerated() { result.set(index * samples + place, value) }
            }
        }
    }
}

/// The memory of a new array, which several threads fill. Each thread writes its own elements.
///
/// SAFETY: `set` checks the index. Callers write disjoint elements, and the array is read only after all threads are
/// done.
@safe struct SharedDoubles: @unchecked Sendable {
    private let values: UnsafeMutableBufferPointer<Double>

    /// Creates an array and lets `fill` write all of its elements. The array is neither zeroed before nor copied after,
    /// because both would take a hundred milliseconds for a large image, without a check for cancellation. For the same
    /// reason the memory consists of huge pages if the system has them: the system takes tens of milliseconds to free the
    /// 65,000 small pages of a 4K image.
    ///
    /// - Throws: the error of `fill`; the elements are then discarded.
    static func array(
        count: Int, _ fill: (SharedDoubles) throws(ExactError) -> Void
    ) throws(ExactError) -> [Double] {
        var failure: ExactError?
        let values = unsafe [Double](unsafeUninitializedCapacity: count) { memory, filled in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(memory))
            do throws(ExactError) {
                try fill(unsafe SharedDoubles(values: UnsafeMutableBufferPointer(rebasing: memory[..<count])))
                filled = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return values
    }

    /// Asks the system for huge pages. This is only advice, so a failure changes nothing but the speed.
    private static func adviseHugePages(_ memory: UnsafeMutableRawBufferPointer) {
        let page = 2 << 20
        guard let base = memory.baseAddress, memory.count >= 2 * page else { return }
        let skipped = page - Int(bitPattern: base) % page
        // SAFETY: the range lies within the memory. The advice does not change its content.
        _ = unsafe madvise(base + skipped, (memory.count - skipped) / page * page, MADV_HUGEPAGE)
    }

    func set(_ index: Int, _ value: Double) {
        unsafe precondition(index >= 0 && index < values.count)
        unsafe values[index] = value
    }
}
