/// Rows of fixed-point numbers. Each row is followed by the slack that vector loops may read and write.
///
/// SAFETY: ``RowStorage`` owns the memory. `row` returns an address within the memory for valid row indices.
@safe struct FixedRows {
    private let storage: RowStorage

    init(rows: Int, count: Int) { storage = RowStorage(rows: rows, floats: (count + 1) / 2) }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe UnsafeMutableRawPointer(storage.row(index)).assumingMemoryBound(to: UInt16.self)
    }
}
