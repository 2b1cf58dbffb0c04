import CFrostKernels
import FrostThreads

/// The address of samples in memory: floats, fixed-point numbers or bytes. Nodes pass rows on; kernels, and a few functions
/// here, access their samples.
///
/// SAFETY: the memory outlives the row. It has room for all samples that its users know of, and for the slack after them if
/// they are numbers. Rows of the caller's source are never written.
@safe struct Row {
    let address: UnsafeMutableRawPointer

    init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }
    init(reading address: UnsafeRawPointer) { unsafe self.address = UnsafeMutableRawPointer(mutating: address) }

    var floats: UnsafeMutablePointer<Float> { unsafe address.assumingMemoryBound(to: Float.self) }
    var fixed: UnsafeMutablePointer<UInt16> { unsafe address.assumingMemoryBound(to: UInt16.self) }
    var bytes: UnsafeMutablePointer<UInt8> { unsafe address.assumingMemoryBound(to: UInt8.self) }

    /// Returns the same row from another byte on.
    static func + (row: Row, bytes: Int) -> Row { unsafe Row(row.address + bytes) }

    func copy(from other: Row, byteCount: Int) {
        unsafe address.copyMemory(from: other.address, byteCount: byteCount)
    }

    /// Fills the row with zeros.
    func clear(byteCount: Int) { unsafe address.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
}

/// Rows of numbers. Each row is followed by the slack that vector loops may read and write.
///
/// SAFETY: the object owns its memory. `row` returns an address within the memory for 0 <= index < rows; the arithmetic
/// of the nodes guarantees this range.
@safe final class RowStorage {
    /// The number of floats after every row that vector loops may read and write.
    static let slack = Int(FROST_SLACK)

    private let memory: UnsafeMutableRawBufferPointer
    private let base: UnsafeMutableRawPointer
    /// The distance from a row to the next one, in bytes.
    let bytesPerRow: Int

    /// Allocates rows of at least `floats` floats each.
    ///
    /// - Parameter zeroed: whether to fill the memory with zeros. False if every row is written before it is read.
    init(rows: Int, floats: Int, zeroed: Bool = true) {
        bytesPerRow = Self.bytesPerRow(floats: floats)
        unsafe memory = MemoryPool.shared.take(rows * bytesPerRow)
        unsafe base = memory.baseAddress.unsafelyUnwrapped
        if zeroed { unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: rows * bytesPerRow) }
    }

    /// Allocates rows of at least `count` fixed-point numbers each.
    convenience init(rows: Int, fixed count: Int) { self.init(rows: rows, floats: (count + 1) / 2) }

    deinit { unsafe MemoryPool.shared.give(memory) }

    /// Returns the memory that each of several rows takes.
    ///
    /// Each row starts at a cache line, and the distance between rows is an odd number of lines. With an even number, the
    /// pixels of a column would share a few sets of the cache.
    static func bytesPerRow(floats: Int) -> Int { ((floats + slack + 15) / 16 | 1) * 64 }

    func row(_ index: Int) -> Row { unsafe Row(base + index * bytesPerRow) }
}

/// Memory for the rows of a stream that exist at the same time. A new row takes the memory of an old one.
struct RowRing {
    private let storage: RowStorage
    /// The number of rows that have memory, less one: a power of two, less one.
    private let mask: Int

    /// Allocates memory for `rows` consecutive rows of at least `floats` floats each.
    init(rows: Int, floats: Int) {
        mask = (1 << (Int.bitWidth - (rows - 1).leadingZeroBitCount)) - 1
        storage = RowStorage(rows: mask + 1, floats: floats)
    }

    func row(_ index: Int) -> Row { storage.row(index & mask) }
}

/// A list of rows, which is filled before each call of a kernel.
///
/// SAFETY: the object owns its memory. Indices are within 0 ..< count; the arithmetic of the nodes guarantees this
/// range.
@safe final class RowList {
    private let base: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    init(_ count: Int) {
        unsafe base = .allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: nil, count: max(count, 1))
    }

    deinit { unsafe base.deallocate() }

    func set(_ index: Int, _ row: Row) { unsafe base[index] = row.address }

    /// Returns the list from a row on, as a kernel declares it: `Pointer` is a pointer to samples.
    func pointers<Pointer>(from first: Int = 0) -> UnsafePointer<Pointer> {
        unsafe UnsafeRawPointer(base + first).assumingMemoryBound(to: Pointer.self)
    }
}
