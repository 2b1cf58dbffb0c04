import CFrostKernels

/// The inner loops for one instruction set. All sets compute the same bits: the tests compare each
/// with a scalar twin in Swift.
///
/// SAFETY: the table is a constant of the program.
@safe struct KernelSet: @unchecked Sendable {
    let table: UnsafePointer<frost_kernels>

    /// "baseline", "avx2" or "avx512".
    var name: String { unsafe String(cString: table.pointee.name) }

    /// Every set that this processor can run, narrowest vectors first.
    static let all: [KernelSet] = [FROST_BASELINE, FROST_AVX2, FROST_AVX512].compactMap { level in
        unsafe frost_kernels_for(Int32(level)).map { unsafe KernelSet(table: $0) }
    }

    /// The widest.
    static let best = all[all.count - 1]
}
