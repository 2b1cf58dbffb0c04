import FrostCore
import FrostGLES

/// The draws from the image to one output, in order. Passes fetch single texels, or some of them use the device's linear
/// filter.
struct DrawList {
    private(set) var draws: [any PlaceDraw]
    /// The contents of the uniform block of taps. The taps of each draw start at its `weightsAt`.
    private(set) var weights: [Float]
    /// The error that the linear filter may add to the output, in 8-bit steps.
    private(set) var filterError = 0.0

    /// Creates a list in which every pass fetches single texels.
    init(exact passes: PassDraws) {
        draws = passes.draws
        weights = passes.weights
    }

    init(_ kernel: Kernel2DDraw) {
        draws = [kernel]
        weights = kernel.taps
    }

    /// Creates a list that uses the linear filter if this saves fetches, and if the added errors sum up to at most `limit`
    /// 8-bit steps. Larger draws are considered first.
    ///
    /// - Parameter texture: returns how the input of a pass is read through the linear filter; nil if it cannot be filtered.
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
        /// The index of the candidate's first pass.
        let at: Int
        let draw: LinearDraw
        /// The error that the candidate may add to the output, in 8-bit steps.
        let error: Double
    }

    /// Returns the passes that could use the linear filter, alone or in pairs.
    private static func candidates(
        _ passes: PassDraws, texture: (PassDraw) throws(GPUError) -> LinearTexture?
    ) throws(GPUError) -> [Candidate] {
        let draws = passes.draws
        // gains[i] is the factor by which an error in the output of pass i can grow until the final output.
        var gains = [Double](repeating: 1, count: draws.count)
        for index in draws.indices.dropLast().reversed() {
            gains[index] = gains[index + 1] * passes.norm(of: draws[index + 1])
        }
        var candidates: [Candidate] = []
        var index = 0
        // Whether the next pass may be the first of a pair. If the first pass of a pair has to be exact, the second pass is
        // not paired with its successor. Otherwise the x and y passes of all later levels would be paired wrongly.
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

    /// Appends a draw's fetches to the weights; returns nil if there are too many fetches for the uniform block.
    private mutating func append(_ draw: LinearDraw, _ limits: DrawLimits) -> LinearDraw? {
        let taps = draw.taps
        guard taps.count <= limits.weights else { return nil }
        limits.align(&weights)
        var placed = draw
        placed.weightsAt = weights.count
        weights += taps
        return placed
    }

    /// Whether no draw after `index` reads a place (the source, an intermediate or the output).
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
    /// Returns the linear draw that begins with a pass; nil if there is none. It computes two passes if possible.
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

    /// Returns the maximum sum of absolute weights over the phases of a pass.
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
