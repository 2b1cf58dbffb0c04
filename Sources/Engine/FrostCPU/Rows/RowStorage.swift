import CFrostKernels
import FrostThreads

/// Rows of floats. Each row is followed by the slack that vector loops may read and write.
///
/// SAFETY: the object owns its memory. `row` returns an address within the memory for 0 <= index < rows; the arithmetic
/// of the nodes guarantees this range.
@safe final class RowStorage {
    /// The number of floats after every row that vector loops may read and write.
    static let slack = Int(FROST_SLACK)

    private let memory: UnsafeMutableRawBufferPointer
    private let base: UnsafeMutablePointer<Float>
    /// The distance from a row to the next one, in floats.
    let stride: Int

    /// Allocates rows of at least `floats` floats each.
    ///
    /// - Parameter zeroed: whether to fill the memory with zeros. False if every row is written before it is read.
    init(rows: Int, floats: Int, zeroed: Bool = true) {
        stride = Self.bytesPerRow(floats: floats) / MemoryLayout<Float>.stride
        let bytes = rows * stride * MemoryLayout<Float>.stride
        unsafe memory = MemoryPool.shared.take(bytes)
        unsafe base = memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Float.self)
        if zeroed { unsafe base.initialize(repeating: 0, count: rows * stride) }
    }

    deinit { unsafe MemoryPool.shared.give(memory) }

    /// Returns the memory that each of several rows takes.
    ///
    /// Each row starts at a cache line, and the distance between rows is an odd number of lines. With an even number, the
    /// pixels of a column would share a few sets of the cache.
    static func bytesPerRow(floats: Int) -> Int { ((floats + slack + 15) / 16 | 1) * 64 }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe base + index * stride }
}

/// Memory for the rows of a stream that exist at the same time. A new row takes the memory of an old one.
///
/// SAFETY: every index has memory.
@safe struct RowRing {
    private let storage: RowStorage
    /// The number of rows that have memory, less one: a power of two, less one.
    private let mask: Int

    /// Allocates memory for `rows` consecutive rows of at least `floats` floats each.
    init(rows: Int, floats: Int) {
        mask = (1 << (Int.bitWidth - (rows - 1).leadingZeroBitCount)) - 1
        storage = RowStorage(rows: mask + 1, floats: floats)
    }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe storage.row(index & mask) }
}

/// A list of pointers to rows, which is filled before each call of a kernel.
///
/// SAFETY: the object owns its memory. Indices are within 0 ..< count; the arithmetic of the nodes guarantees this
/// range.
@safe final class RowList<Element> {
    let base: UnsafeMutablePointer<UnsafePointer<Element>?>

    init(_ count: Int) {
        unsafe base = .allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: nil, count: max(count, 1))
    }

    deinit { unsafe base.deallocate() }

    func set(_ index: Int, _ row: UnsafePointer<Element>) { unsafe base[index] = row }
}

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
