import FrostCore

/// Fills in the samples that a filter reads outside the arriving range of a row. The edge mode determines their values.
struct EdgeSamples {
    private let outside: [(sample: Int, source: Int?)]

    /// Determines the samples to fill in.
    ///
    /// - Parameters:
    ///   - reach: the samples that are read.
    ///   - input: the samples that arrive. The edge mode supplies the samples outside this range.
    init(_ reach: Range<Int>, outside input: Range<Int>, edge: EdgeMode) {
        outside = reach.filter { !input.contains($0) }.map { ($0, edge.map($0, into: input)) }
    }

    /// Fills in the samples outside the range that arrives.
    ///
    /// - Parameter pixel: returns the memory of a sample.
    ///
    /// SAFETY: `pixel` returns valid memory for every sample that is read or arrives.
    func fill<Value: BitwiseCopyable>(channels: Int, _ pixel: (Int) -> UnsafeMutablePointer<Value>) {
        let bytes = channels * MemoryLayout<Value>.stride
        for (sample, source) in outside {
            let out = unsafe UnsafeMutableRawPointer(pixel(sample))
            guard let source else {
                unsafe out.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
                continue
            }
            let from = unsafe UnsafeRawPointer(pixel(source))
            if bytes == 8 {
                // Four channels in fixed point are the most frequent case.
                unsafe out.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
            } else {
                unsafe out.copyMemory(from: from, byteCount: bytes)
            }
        }
    }
}
