import FrostCore

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
