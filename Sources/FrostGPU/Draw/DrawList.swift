import FrostCore
import FrostGLES

/// The draws from the image to one output, in order: every pass texel by texel, or some by the device's linear filter.
struct DrawList {
    private(set) var draws: [any PlaceDraw]
    /// What the block of taps is filled with, from each draw's `weightsAt` on.
    private(set) var weights: [Float]
    /// What the linear filters may add to the output's error, in 8-bit steps.
    private(set) var filterError = 0.0

    /// Every pass texel by texel.
    init(exact passes: PassDraws) {
        draws = passes.draws
        weights = passes.weights
    }

    init(_ kernel: Kernel2DDraw) {
        draws = [kernel]
        weights = kernel.taps
    }

    /// With linear filters if they pay and the error they add, all together, is at most `limit` 8-bit steps. Larger
    /// draws are considered first.
    ///
    /// - Parameter texture: how a place is read through the linear filter; nil for places that cannot be filtered.
    init(
        linear passes: PassDraws, limit: Double, weightLimits: DrawLimits,
        texture: (PassDraw) throws(GPUError) -> LinearTexture?
    ) throws(GPUError) {
        self.init(exact: passes)
        let candidates = try Self.candidates(passes, texture: texture)
        var chosen: [Int: LinearDraw] = [:]
        for candidate in candidates.sorted(by: { $0.draw.window.pixels > $1.draw.window.pixels })
        where filterError + candidate.error <= limit {
            filterError += candidate.error
            chosen[candidate.at] = candidate.draw
        }
        draws = []
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
        /// The index of its first pass.
        let at: Int
        let draw: LinearDraw
        /// What it may add to the output's error, in 8-bit steps.
        let error: Double
    }

    /// The passes that could be linear, alone or in pairs.
    private static func candidates(
        _ passes: PassDraws, texture: (PassDraw) throws(GPUError) -> LinearTexture?
    ) throws(GPUError) -> [Candidate] {
        let draws = passes.draws
        // What one unit of error in a pass's output can become in the final one.
        var gains = [Double](repeating: 1, count: draws.count)
        for index in draws.indices.dropLast().reversed() {
            gains[index] = gains[index + 1] * passes.norm(of: draws[index + 1])
        }
        var candidates: [Candidate] = []
        var index = 0
        // The second of a pair stays behind its first, even if that has to be exact: paired with the next level's it
        // would be out of step with all that follow.
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
            draw.texture = texture
            let error = 255 * texture.error * gains[index + draw.passCount - 1]
            candidates.append(Candidate(at: index, draw: draw, error: error))
            index += draw.passCount
            mayFuse = true
        }
        return candidates
    }

    /// Puts a draw's fetches behind the weights; nil if there are too many.
    private mutating func append(_ draw: LinearDraw, _ limits: DrawLimits) -> LinearDraw? {
        let taps = draw.taps
        guard taps.count <= limits.weights else { return nil }
        limits.align(&weights)
        var placed = draw
        placed.weightsAt = weights.count
        weights += taps
        return placed
    }

    /// Whether no later draw reads a place.
    func isLastUse(of place: Place, at index: Int) -> Bool {
        !draws[(index + 1)...].contains { $0.from == place }
    }

    /// Linear draws, and those of them that carry out two passes.
    var linearCounts: (draws: Int, fused: Int) {
        let linear = draws.filter(\.kind.usesLinearFilter)
        return (linear.count, linear.count { $0.passCount == 2 })
    }
}

extension PassDraws {
    /// The linear draw that begins with a pass, if there is one: of two passes if possible.
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

    /// The largest sum of absolute weights of a pass.
    fileprivate func norm(of draw: PassDraw) -> Double {
        (0...Int(draw.walk.w)).reduce(0) { norm, phase in
            let start = draw.weightsAt + phase * draw.tapCount
            return max(norm, weights[start..<start + draw.tapCount].reduce(0) { $0 + abs(Double($1)) })
        }
    }
}

extension Rect {
    fileprivate var pixels: Int { width * height }
}
