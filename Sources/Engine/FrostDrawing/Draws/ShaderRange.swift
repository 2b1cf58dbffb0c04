import FrostCore

extension EdgeRule {
    /// Returns the shader's description of an axis of the input. It has four values: the first sample, the number of
    /// samples, a multiple of the edge rule's period, and the edge mode with the flags of the edge rule. The shader adds
    /// the multiple to every index, so that no index is negative. This is necessary because GLSL does not define the
    /// remainder of negative numbers.
    ///
    /// - Parameters:
    ///   - start: the first sample that exists, in the shader's coordinates.
    ///   - lowest: the lowest index that is read, counted from the first sample.
    ///   - count: the number of samples that exist.
    func shaderRange(from start: Int, lowest: Int, count: Int) throws(DrawingError) -> SIMD4<Int32> {
        SIMD4(
            try Int32(texels: start), try Int32(texels: count), try Int32(texels: lift(lowest, count)),
            mode(count: count).shaderCode + (isFirstShared ? Self.firstFlag : 0) + (isLastShared ? Self.lastFlag : 0))
    }

    /// Returns the edge mode that the shader knows: the flags distinguish the modes that reflect.
    private func mode(count: Int) -> EdgeMode {
        guard mode == .reflect101 else { return mode }
        switch continuation(count: count) {
        case .nearest, .transparent: return .clamp
        case .copies: return .mirror
        }
    }

    /// The flags that are added to the code of the edge mode.
    private static let (firstFlag, lastFlag): (Int32, Int32) = (16, 32)

    /// The shader's constants for the flags.
    static let shaderFlags = [("EDGE_FIRST_SHARED", Int(firstFlag)), ("EDGE_LAST_SHARED", Int(lastFlag))]

    /// Returns the smallest multiple of the edge rule's period that raises the lowest index to 0 or above.
    private func lift(_ lowest: Int, _ count: Int) -> Int {
        switch continuation(count: count) {
        case .copies(let period, _): max(0, -lowest.dividedDown(by: period) * period)
        // For these edge rules the shader computes no remainder, so the index may be negative.
        case .nearest, .transparent: 0
        }
    }
}

extension Int32 {
    /// Converts a distance in texels. The shader doubles distances and adds texture sizes to them in 32-bit arithmetic.
    /// Throws if the distance is so large that this arithmetic could overflow.
    init(texels value: Int) throws(DrawingError) {
        guard abs(value) <= 1 << 28 else { throw .invalidPlan("the region is \(value) texels away from the image") }
        self.init(value)
    }
}

/// Returns the range of output samples that read only existing input samples. The range is counted from the first output
/// sample. The two searches for its ends are short, because both stop within a kernel's length of the input's ends.
///
/// - Parameters:
///   - exists: the range of existing input samples.
///   - reach: a function that returns the range of input samples that a range of output samples reads.
func interior(of outputs: Range<Int>, in exists: Range<Int>, _ reach: (Range<Int>) -> Range<Int>) -> Range<Int> {
    func isInside(_ i: Int) -> Bool {
        let reach = reach(i..<i + 1)
        return reach.lowerBound >= exists.lowerBound && reach.upperBound <= exists.upperBound
    }
    let start = outputs.first(where: isInside) ?? outputs.upperBound
    let end = (start..<outputs.upperBound).last(where: isInside).map { $0 + 1 } ?? start
    return start - outputs.lowerBound..<end - outputs.lowerBound
}

extension EdgeMode {
    /// The edge modes that shaders know. The others are one of these with flags.
    static let ofShaders = allCases.filter { $0 != .reflect101 }

    /// The shader's constant EDGE_… for this edge mode: its index in the list of cases.
    var shaderCode: Int32 { Int32(Self.allCases.prefix { $0 != self }.count) }
}
