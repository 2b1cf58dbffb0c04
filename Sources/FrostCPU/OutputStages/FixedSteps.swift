import CFrostKernels
import FrostCore

/// A ``FixedFinish`` where kernels can read it: stages, and what is added before fractions are cut off.
///
/// SAFETY: owns its memory.
@safe final class FixedSteps {
    private let table: UnsafePointer<frost_kernels>
    private let stages: UnsafeMutablePointer<frost_fixed_stage>
    private let offsets: OffsetTable
    private let how: UnsafeMutablePointer<frost_fixed_output>

    /// - Parameters:
    ///   - finish: nil if its stages are done.
    ///   - alpha: see FROST_ALPHA_STRAIGHT.
    ///   - offsets: with what the finish adds.
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

    /// As the kernel takes it.
    var value: frost_fixed_output { unsafe how.pointee }

    /// The offset that the pixel at `x` and `y` begins with.
    func phase(_ y: Int, _ x: Int) -> UInt32 { offsets.phase(y, x) }

    /// - Parameter row: so many pixels, the first of which lies at `x` and `y`.
    func apply(
        to row: UnsafePointer<UInt16>, _ pixels: Int, x: Int, y: Int, _ bytes: UnsafeMutablePointer<UInt8>,
        streams: Bool
    ) {
        unsafe table.pointee.fixed_output(row, how, bytes, Int32(pixels), phase(y, x), streams ? 1 : 0)
    }
}
