import CFrostKernels
import FrostCore

/// ``FixedOutputStages`` in memory that kernels read: the stages, and the table of offsets that are added before
/// fractions are cut off.
///
/// SAFETY: owns its memory.
@safe final class FixedSteps {
    private let table: UnsafePointer<frost_kernels>
    private let stages: UnsafeMutablePointer<frost_fixed_stage>
    private let offsets: OffsetTable
    private let how: UnsafeMutablePointer<frost_fixed_output>

    /// - Parameters:
    ///   - outputStages: nil for rows whose stages have been applied.
    ///   - alpha: see FROST_ALPHA_STRAIGHT.
    ///   - offsets: include what the output stages add.
    init(_ outputStages: FixedOutputStages? = nil, alpha: Int32, offsets: OffsetTable, kernels: KernelSet) {
        unsafe table = kernels.table
        let list = outputStages?.stages ?? []
        unsafe stages = .allocate(capacity: max(list.count, 1))
        for (i, stage) in list.enumerated() { unsafe (stages + i).initialize(to: stage) }
        self.offsets = offsets
        unsafe how = .allocate(capacity: 1)
        unsafe how.initialize(
            to: frost_fixed_output(
                stages: stages, stage_count: Int32(list.count), alpha: alpha, add: offsets.add, offsets: offsets.base))
    }

    deinit {
        unsafe how.deallocate()
        unsafe stages.deallocate()
    }

    /// The kernel's argument.
    var value: frost_fixed_output { unsafe how.pointee }

    /// The place of the pixel at `x` and `y` in the table of offsets.
    func phase(_ y: Int, _ x: Int) -> UInt32 { offsets.phase(y, x) }

    /// - Parameter row: `pixels` pixels; the first one lies at `x` and `y`.
    func apply(
        to row: UnsafePointer<UInt16>, _ pixels: Int, x: Int, y: Int, _ bytes: UnsafeMutablePointer<UInt8>,
        streams: Bool
    ) {
        unsafe table.pointee.fixed_output(row, how, bytes, Int32(pixels), phase(y, x), streams ? 1 : 0)
    }
}
