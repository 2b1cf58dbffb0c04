import CFrostKernels
import FrostCore

/// The table of inner loops (C functions) for one instruction set. All sets compute the same bits: the tests compare
/// each function with that of the baseline set, or with a scalar version in Swift.
///
/// SAFETY: the table is a constant of the program.
@safe struct KernelSet: @unchecked Sendable {
    let table: UnsafePointer<frost_kernels>

    /// The name of the instruction set: "baseline", "avx2" or "avx512".
    var name: String { unsafe String(cString: table.pointee.name) }

    /// All sets that this processor supports, from the narrowest to the widest vectors.
    static let all: [KernelSet] = [FROST_BASELINE, FROST_AVX2, FROST_AVX512].compactMap { level in
        unsafe frost_kernels_for(Int32(level)).map { unsafe KernelSet(table: $0) }
    }

    /// The supported set with the widest vectors.
    private static let widest = all[all.count - 1]

    /// The set that the environment variable FROST_KERNELS names, or ``widest``.
    static let chosen = Result { () throws(ParameterError) in try named(Environment.value("FROST_KERNELS")) }

    /// The set that Frost computes with. ``CPUExecutor/init(threads:)`` fails if ``chosen`` has an error, so the widest set
    /// never replaces a wrong name.
    static let best = (try? chosen.get()) ?? widest

    /// Returns the set with a name; without a name, ``widest``.
    ///
    /// - Throws: ``ParameterError/malformed(parameter:value:expected:)`` if this processor supports no set of that name.
    static func named(_ name: String?) throws(ParameterError) -> KernelSet {
        guard let name, !name.isEmpty else { return widest }
        guard let set = all.first(where: { $0.name == name }) else {
            throw .malformed(
                parameter: "FROST_KERNELS", value: name,
                expected: "an instruction set of this processor: " + all.map(\.name).joined(separator: ", "))
        }
        return set
    }
}

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
