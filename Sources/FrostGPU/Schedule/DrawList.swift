import FrostCore
import FrostGLES

/// What is drawn for a schedule: every pass texel by texel, or some with the device's linear filter.
struct DrawList {
    enum Item: Hashable {
        case exact(Draw)
        /// With the place of its fetches in `weights`.
        case linear(LinearDraw, fetchesAt: Int)
        case kernel2D(Kernel2DDraw)

        var from: Place {
            switch self {
            case .exact(let draw): draw.from
            case .linear(let draw, _): draw.from
            case .kernel2D: .source
            }
        }
        var to: Place {
            switch self {
            case .exact(let draw): draw.to
            case .linear(let draw, _): draw.to
            case .kernel2D: .output
            }
        }
        var window: Rect {
            switch self {
            case .exact(let draw): draw.window
            case .linear(let draw, _): draw.window
            case .kernel2D(let draw): draw.window
            }
        }
        var passes: Int {
            switch self {
            case .exact, .kernel2D: 1
            case .linear(let draw, _): draw.passes
            }
        }
    }

    private(set) var items: [Item]
    /// The schedule's, and behind them the fetches of the linear draws.
    private(set) var weights: [Float]
    /// What the linear filters may add to the output's error, in 8-bit steps.
    private(set) var filterError = 0.0

    /// As the schedule has it.
    init(exact schedule: Schedule) {
        items = schedule.kernel2D.map { [.kernel2D($0)] } ?? schedule.draws.map { .exact($0) }
        weights = schedule.weights
    }

    /// With linear filters where they pay and the error they add, all together, is at most `limit` 8-bit steps. The
    /// largest draws come first in having it.
    ///
    /// - Parameter deviation: how far a filtered value may be off where it is read from a place, of full scale; nil for
    ///   places that cannot be filtered.
    init(
        linear schedule: Schedule, limit: Double, weightLimits: ScheduleLimits,
        deviation: (Place) throws(GPUError) -> Double?
    ) throws(GPUError) {
        self.init(exact: schedule)
        // What one unit of error in a pass's output can become in the final one.
        var gains = [Double](repeating: 1, count: schedule.draws.count)
        for index in schedule.draws.indices.dropLast().reversed() {
            gains[index] = gains[index + 1] * schedule.norm(of: schedule.draws[index + 1])
        }
        var candidates: [(at: Int, draw: LinearDraw, error: Double)] = []
        var index = 0
        // The second of a pair stays behind its first, even where that has to be exact: paired with the next level's it
        // would be out of step with all that follow.
        var mayFuse = true
        while index < schedule.draws.count {
            guard let draw = schedule.linear(at: index, mayFuse: mayFuse) else {
                index += 1
                mayFuse = true
                continue
            }
            guard let deviation = try deviation(draw.from) else {
                index += 1
                mayFuse = draw.passes == 1
                continue
            }
            candidates.append((index, draw, 255 * deviation * gains[index + draw.passes - 1]))
            index += draw.passes
            mayFuse = true
        }
        var chosen: [Int: LinearDraw] = [:]
        for candidate in candidates.sorted(by: { $0.draw.window.pixels > $1.draw.window.pixels })
        where filterError + candidate.error <= limit {
            filterError += candidate.error
            chosen[candidate.at] = candidate.draw
        }
        items = []
        index = 0
        while index < schedule.draws.count {
            if let draw = chosen[index], let place = append(draw, weightLimits) {
                items.append(.linear(draw, fetchesAt: place))
                index += draw.passes
            } else {
                items.append(.exact(schedule.draws[index]))
                index += 1
            }
        }
    }

    /// Puts a draw's fetches behind the weights: pairs along x and y, then singles along x and y.
    private mutating func append(_ draw: LinearDraw, _ limits: ScheduleLimits) -> Int? {
        let all = draw.x.pairs.values + draw.y.pairs.values + draw.x.singles.values + draw.y.singles.values
        guard 2 * all.count <= limits.weights else { return nil }
        while weights.count % limits.weightAlignment != 0 { weights.append(0) }
        let place = weights.count
        for fetch in all { weights += [fetch.offset, fetch.weight] }
        return place
    }

    /// Whether no later draw reads a place.
    func isLastUse(of place: Place, at index: Int) -> Bool {
        !items[(index + 1)...].contains { $0.from == place }
    }

    /// Linear draws, and those of them that stand for two passes.
    var linearCounts: (draws: Int, fused: Int) {
        items.reduce(into: (0, 0)) {
            guard case .linear(let draw, _) = $1 else { return }
            $0.0 += 1
            $0.1 += draw.passes - 1
        }
    }
}

extension Schedule {
    /// The linear draw that begins with a pass, if there is one: of two passes if possible.
    fileprivate func linear(at index: Int, mayFuse: Bool) -> LinearDraw? {
        let draw = draws[index]
        if mayFuse, index + 1 < draws.count, case .slot = draw.to, draws.filter({ $0.from == draw.to }).count == 1,
            draws.filter({ $0.to == draw.to }).count == 1,
            let fused = LinearDraw(draw, draws[index + 1], weights)
        {
            return fused
        }
        return LinearDraw(draw, weights)
    }

    /// The largest sum of absolute weights of a pass.
    fileprivate func norm(of draw: Draw) -> Double {
        (0...Int(draw.walk.w)).map { phase in
            let start = draw.weightsAt + phase * draw.tapCount
            return weights[start..<start + draw.tapCount].reduce(0) { $0 + abs(Double($1)) }
        }.max() ?? 1
    }
}

extension Rect {
    fileprivate var pixels: Int { width * height }
}
