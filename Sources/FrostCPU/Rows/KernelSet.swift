import CFrostKernels

/// The table of inner loops (C functions) for one instruction set. All sets compute the same bits: the tests compare
/// each function with a scalar twin in Swift.
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
    static let best = all[all.count - 1]
}
