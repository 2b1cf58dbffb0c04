import FrostCore

extension PolyphaseTaps {
    /// `n/2 - 1` for a resampling filter of n taps, the radius of a convolution.
    var half: Int { -offset }

    /// The weights where kernels can read them: row 0 for even outputs, row 1 for odd ones.
    var storage: RowStorage {
        let storage = RowStorage(rows: 2, floats: count)
        for t in 0..<count {
            unsafe storage.row(0)[t] = even[t]
            unsafe storage.row(1)[t] = odd[t]
        }
        return storage
    }

    /// Of an interpolation, in 65536ths: the weights of the first of the two outputs between the same samples.
    var firstOfPair: [UInt16] { (half & 1 == 0 ? even : odd).map { UInt16($0 * 65536) } }
}
