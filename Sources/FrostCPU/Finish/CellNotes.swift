import CFrostKernels

/// Ranges in order, none of which touches the next.
///
/// SAFETY: owns its memory; there are at most as many as it was made for.
@safe final class RunList {
    private let memory: NoteRows
    private let list: UnsafeMutablePointer<frost_runs>
    private let starts: UnsafeMutablePointer<UInt32>
    private let ends: UnsafeMutablePointer<UInt32>
    /// What kernels count from.
    let origin: Int

    /// - Parameter origin: before all of them, and less than 2^31 from their ends.
    init(_ most: Int, from origin: Int) {
        memory = NoteRows(rows: 2, count: most)
        unsafe starts = memory.row(0)
        unsafe ends = memory.row(1)
        self.origin = origin
        unsafe list = .allocate(capacity: 1)
        unsafe list.initialize(to: frost_runs(starts: starts, ends: ends, count: 0))
    }

    deinit { unsafe list.deallocate() }

    /// As kernels take them.
    var base: UnsafePointer<frost_runs> { unsafe UnsafePointer(list) }

    var isEmpty: Bool { unsafe list.pointee.count == 0 }

    func clear() { unsafe list.pointee.count = 0 }

    /// - Parameter run: which begins no earlier than the last one.
    func append(_ run: Range<Int>) {
        let (start, end) = (UInt32(run.lowerBound - origin), UInt32(run.upperBound - origin))
        let count = unsafe Int(list.pointee.count)
        if count > 0, unsafe start <= ends[count - 1] {
            unsafe ends[count - 1] = max(ends[count - 1], end)
            return
        }
        unsafe starts[count] = start
        unsafe ends[count] = end
        unsafe list.pointee.count += 1
    }
}

/// Rows of what is noted of cells.
///
/// SAFETY: as ``RowStorage``.
@safe struct NoteRows {
    private let storage: RowStorage

    init(rows: Int, count: Int) { storage = RowStorage(rows: rows, floats: count) }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt32> {
        unsafe UnsafeMutableRawPointer(storage.row(index)).assumingMemoryBound(to: UInt32.self)
    }
}
