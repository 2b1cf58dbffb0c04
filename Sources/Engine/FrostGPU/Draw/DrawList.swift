import FrostCore
import FrostGLES

/// The draws that compute one output from the image, in the order of their execution. Either all passes fetch single
/// texels, or some passes use the device's linear filter.
struct DrawList {
    private(set) var draws: [any PlaceDraw]
    /// The taps of all draws, as the shader's uniform block of taps stores them. The taps of each draw start at the
    /// draw's `weightsAt`.
    private(set) var weights: [Float]
    /// The maximum error that the linear filter may add to the output, in 8-bit steps (1/255).
    private(set) var filterError = 0.0

    /// Creates a list in which every draw fetches single texels.
    init(exact passes: PassDraws) {
        draws = passes.exact
        weights = passes.exactWeights
    }

    init(_ kernel: Kernel2DDraw) {
        draws = [kernel]
        weights = kernel.taps
    }

    /// Creates a list in which a pass uses the linear filter if this saves fetches. The sum of the errors that the
    /// linear filter adds is at most `limit`, in 8-bit steps (1/255). Draws with larger outputs are considered first.
    ///
    /// - Parameter texture: a function that returns how the input of a pass is read through the linear filter, or nil
    ///   if this input cannot be filtered.
    init(
        linear passes: PassDraws, limit: Double, weightLimits: DrawLimits,
        texture: (PassDraw) throws(GPUError) -> LinearTexture?
    ) throws(GPUError) {
        self.init(exact: passes)
        let candidates = try Self.candidates(passes, texture: texture)
        var chosen: [Int: LinearDraw] = [:]
        for candidate in candidates.sorted(by: { $0.draw.window.area > $1.draw.window.area })
        where filterError + candidate.error <= limit {
            filterError += candidate.error
            chosen[candidate.at] = candidate.draw
        }
        if chosen.isEmpty { return }
        (draws, weights) = ([], passes.weights)
        var index = 0
        while index < passes.draws.count {
            if let draw = chosen[index], let placed = append(draw, weightLimits) {
                draws.append(placed)
                index += draw.passCount
            } else {
                draws.append(passes.draws[index])
                index += 1
            }
        }
    }

    private struct Candidate {
        /// The index of the candidate's first pass.
        let at: Int
        let draw: LinearDraw
        /// The error that the candidate may add to the output, in 8-bit steps.
        let error: Double
    }

    /// Returns the draws that could use the linear filter. Each of these draws computes either one pass or a pair of
    /// passes.
    private static func candidates(
        _ passes: PassDraws, texture: (PassDraw) throws(GPUError) -> LinearTexture?
    ) throws(GPUError) -> [Candidate] {
        let draws = passes.draws
        // gains[i] is the largest factor by which the passes after pass i can enlarge an error in the output of pass i.
        var gains = [Double](repeating: 1, count: draws.count)
        for index in draws.indices.dropLast().reversed() {
            gains[index] = gains[index + 1] * passes.norm(of: draws[index + 1])
        }
        var candidates: [Candidate] = []
        var index = 0
        // Whether the pass at `index` may be the first pass of a pair. If a pair was rejected because the input of its
        // first pass cannot be filtered, the second pass of this pair must not be paired with the pass after it.
        // Otherwise the x and y passes of all later levels would be paired wrongly.
        var mayFuse = true
        while index < draws.count {
            guard var draw = passes.linear(at: index, mayFuse: mayFuse) else {
                index += 1
                mayFuse = true
                continue
            }
            guard let texture = try texture(draws[index]) else {
                index += 1
                mayFuse = draw.passCount == 1
                continue
            }
            draw.read(texture)
            let error = 255 * texture.error * gains[index + draw.passCount - 1]
            candidates.append(Candidate(at: index, draw: draw, error: error))
            index += draw.passCount
            mayFuse = true
        }
        return candidates
    }

    /// Appends a draw's fetches to `weights`, and returns the draw with its position in `weights`. Returns nil if the
    /// uniform block has no room for so many fetches.
    private mutating func append(_ draw: LinearDraw, _ limits: DrawLimits) -> LinearDraw? {
        let taps = draw.taps
        guard taps.count <= limits.weights else { return nil }
        limits.align(&weights)
        var placed = draw
        placed.weightsAt = weights.count
        weights += taps
        return placed
    }

    /// Whether no draw after the draw at `index` reads `place`, which is the source, an intermediate or the output.
    func isLastUse(of place: Place, at index: Int) -> Bool {
        !draws[(index + 1)...].contains { $0.from == place }
    }

    /// The number of linear draws, and the number of linear draws that compute two passes.
    var linearCounts: (draws: Int, fused: Int) {
        let linear = draws.filter(\.kind.usesLinearFilter)
        return (linear.count, linear.count { $0.passCount == 2 })
    }
}

extension PassDraws {
    /// Returns a draw that uses the linear filter and begins with the pass at `index`. If possible, the draw also
    /// computes the next pass. Returns nil if the linear filter saves no fetches.
    fileprivate func linear(at index: Int, mayFuse: Bool) -> LinearDraw? {
        let draw = draws[index]
        if mayFuse, index + 1 < draws.count, draws.filter({ $0.from == draw.to }).count == 1,
            draws.filter({ $0.to == draw.to }).count == 1,
            let fused = LinearDraw(draw, draws[index + 1], weights)
        {
            return fused
        }
        return LinearDraw(draw, weights)
    }

    /// Returns the largest factor by which a pass can enlarge an error in its input. The factor of one phase of the
    /// pass is the sum of the absolute weights of this phase. The result is the maximum over all phases.
    fileprivate func norm(of draw: PassDraw) -> Double {
        (0...Int(draw.walk.w)).reduce(0) { norm, phase in
            let start = draw.weightsAt + phase * draw.tapCount
            return max(norm, weights[start..<start + draw.tapCount].reduce(0) { $0 + abs(Double($1)) })
        }
    }
}
