import FrostCore

extension EdgeMode {
    /// How the shader reads along an axis whose samples end: where they start, how many there are, a multiple of the
    /// rule's period that makes every index positive (GLSL leaves the remainder of negative numbers open), and the
    /// rule.
    ///
    /// - Parameters:
    ///   - start: the first sample that exists, in the shader's coordinates.
    ///   - lowest: the lowest index that is read, counted from the first sample.
    ///   - count: of the samples that exist.
    func shaderRange(from start: Int, lowest: Int, count: Int) throws(GPUError) -> SIMD4<Int32> {
        SIMD4(try Int32(texels: start), try Int32(texels: count), try Int32(texels: lift(lowest, count)), shaderCode)
    }

    /// The smallest multiple of the rule's period that lifts an index to 0 or above.
    private func lift(_ lowest: Int, _ count: Int) -> Int {
        switch continuation(count: count) {
        case .copies(let period, _): max(0, -lowest.dividedDown(by: period) * period)
        // No remainder is taken.
        case .nearest, .transparent: 0
        }
    }
}

extension Int32 {
    /// A distance in texels that the shader can double and add texture sizes to.
    init(texels value: Int) throws(GPUError) {
        guard abs(value) <= 1 << 28 else { throw .invalidPlan("the region lies \(value) cells from the image") }
        self.init(value)
    }
}

/// The outputs that read only samples that exist, counted from the first output. Both searches end within a kernel's
/// length of the input's ends.
///
/// - Parameters:
///   - exists: the input's samples.
///   - reach: what some outputs read.
func interior(of outputs: Range<Int>, in exists: Range<Int>, _ reach: (Range<Int>) -> Range<Int>) -> Range<Int> {
    func isInside(_ i: Int) -> Bool {
        let reach = reach(i..<i + 1)
        return reach.lowerBound >= exists.lowerBound && reach.upperBound <= exists.upperBound
    }
    let start = outputs.first(where: isInside) ?? outputs.upperBound
    let end = (start..<outputs.upperBound).last(where: isInside).map { $0 + 1 } ?? start
    return start - outputs.lowerBound..<end - outputs.lowerBound
}
