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
