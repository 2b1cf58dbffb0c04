/// Ranges in order, none of which touches the next.
///
/// SAFETY: owns its memory; there are at most as many as it was made for.
@safe final class RunList {
    private let memory: NoteRows
    private let starts: UnsafeMutablePointer<UInt32>
    private let ends: UnsafeMutablePointer<UInt32>
    private let origin: Int
    private(set) var count = 0

    /// - Parameter origin: before all of them, and less than 2^31 from their ends.
    init(_ most: Int, from origin: Int) {
        memory = NoteRows(rows: 2, count: most)
        unsafe starts = memory.row(0)
        unsafe ends = memory.row(1)
        self.origin = origin
    }

    subscript(_ i: Int) -> Range<Int> { unsafe origin + Int(starts[i])..<origin + Int(ends[i]) }

    func clear() { count = 0 }

    /// - Parameter run: which begins no earlier than the last one.
    func append(_ run: Range<Int>) {
        let (start, end) = (UInt32(run.lowerBound - origin), UInt32(run.upperBound - origin))
        if count > 0, unsafe start <= ends[count - 1] {
            unsafe ends[count - 1] = max(ends[count - 1], end)
            return
        }
        unsafe starts[count] = start
        unsafe ends[count] = end
        count += 1
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
