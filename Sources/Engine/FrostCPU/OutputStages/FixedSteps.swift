import CFrostKernels
import FrostCore

/// The stages of ``FixedOutputStages`` and the table of rounding offsets, in memory that C kernels read.
///
/// SAFETY: the object owns its memory.
@safe final class FixedSteps {
    private let table: UnsafePointer<frost_kernels>
    private let stages: UnsafeMutablePointer<frost_fixed_stage>
    private let offsets: OffsetTable
    private let how: UnsafeMutablePointer<frost_fixed_output>

    /// Copies the stages to memory that C kernels read.
    ///
    /// - Parameters:
    ///   - outputStages: the stages to apply; nil for rows whose stages have already been applied.
    ///   - alpha: a combination of FROST_ALPHA_... flags.
    ///   - offsets: the rounding offsets, which include the constant that the last stage adds.
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

    /// The argument for the kernels that apply the stages.
    var value: frost_fixed_output { unsafe how.pointee }

    /// Returns the index in the table of offsets for the pixel at `x` and `y`.
    func phase(_ y: Int, _ x: Int) -> UInt32 { offsets.phase(y, x) }

    /// Applies the stages to a row of RGBA fixed-point pixels and writes bytes.
    ///
    /// - Parameters:
    ///   - row: the row. It has `pixels` pixels, and its first pixel lies at `x` and `y`.
    ///   - streams: whether to write around the caches.
    func apply(
        to row: UnsafePointer<UInt16>, _ pixels: Int, x: Int, y: Int, _ bytes: UnsafeMutablePointer<UInt8>,
        streams: Bool
    ) {
        unsafe table.pointee.fixed_output(row, how, bytes, Int32(pixels), phase(y, x), streams ? 1 : 0)
    }
}
