import CFrostKernels
import FrostCore

/// The arguments of the kernel that filters across rows, in memory that is kept from one call to the next.
///
/// Not thread-safe.
///
/// SAFETY: the object owns the lists; the addresses in them are valid during each call of ``run(inputs:outputs:count:_:)``.
/// Indices are within the numbers of rows that were given to `init`.
@safe final class RowFilter {
    private let inputs: RowList<UInt8>
    private let outputs: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let starts: UnsafeMutablePointer<Int32>
    private let weights: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let taps: RowStorage
    private let tapCount: Int
    private let isSymmetric: Bool

    /// Creates the arguments of a filter.
    ///
    /// - Parameters:
    ///   - inputs: the maximum number of input rows of a call.
    ///   - outputs: the maximum number of output rows of a call.
    init(_ taps: PolyphaseTaps, inputs: Int, outputs: Int) {
        self.taps = taps.storage
        tapCount = taps.count
        isSymmetric = taps.even == taps.odd && taps.even == taps.even.reversed()
        self.inputs = RowList(inputs)
        unsafe self.outputs = .allocate(capacity: outputs)
        unsafe self.outputs.initialize(repeating: nil, count: outputs)
        unsafe starts = .allocate(capacity: outputs)
        unsafe starts.initialize(repeating: 0, count: outputs)
        unsafe weights = .allocate(capacity: outputs)
        unsafe weights.initialize(repeating: nil, count: outputs)
    }

    deinit {
        unsafe outputs.deallocate()
        unsafe starts.deallocate()
        unsafe weights.deallocate()
    }

    func setInput(_ index: Int, _ row: UnsafeRawPointer) {
        unsafe inputs.set(index, row.assumingMemoryBound(to: UInt8.self))
    }

    /// Sets an output row.
    ///
    /// - Parameters:
    ///   - start: the index of the first input row that the output row reads.
    ///   - isOdd: whether the output row has an odd index, and so the odd taps of an interpolation.
    func setOutput(_ index: Int, _ row: UnsafeMutableRawPointer, start: Int, isOdd: Bool) {
        unsafe outputs[index] = row
        unsafe starts[index] = Int32(start)
        unsafe weights[index] = UnsafePointer(taps.row(isOdd ? 1 : 0))
    }

    /// Computes the output rows that have been set.
    ///
    /// - Parameters:
    ///   - count: the number of samples of a row.
    ///   - from: the samples of the input rows.
    ///   - to: the samples of the output rows.
    func run(
        inputs inputCount: Int, outputs outputCount: Int, count: Int, from: frost_samples = FROST_NUMBERS,
        to: frost_samples = FROST_NUMBERS, streams: Bool = false, _ kernels: KernelSet
    ) {
        unsafe inputs.base.withMemoryRebound(to: UnsafeRawPointer?.self, capacity: inputCount) { rows in
            var filter = unsafe frost_row_filter(
                rows: rows, starts: starts, taps: weights, out: outputs, input_count: Int32(inputCount),
                tap_count: Int32(tapCount), row_count: Int32(outputCount), count: Int32(count),
                is_symmetric: isSymmetric ? 1 : 0, stream: streams ? 1 : 0, from: from, to: to)
            unsafe kernels.table.pointee.filter_rows(&filter)
        }
    }
}

extension PolyphaseTaps {
    /// The negated offset of the first tap: `n/2 - 1` for a resampling filter of n taps, the radius for a convolution.
    var half: Int { -offset }

    /// The weights in memory that C kernels read: row 0 has the weights of even outputs, row 1 those of odd outputs.
    var storage: RowStorage {
        let storage = RowStorage(rows: 2, floats: count)
        for t in 0..<count {
            unsafe storage.row(0)[t] = even[t]
            unsafe storage.row(1)[t] = odd[t]
        }
        return storage
    }

    /// The weights of an interpolation in 1/65536, for the first of the two outputs that are computed from the same
    /// samples.
    var firstOfPair: [UInt16] { (half & 1 == 0 ? even : odd).map { UInt16($0 * 65536) } }
}
