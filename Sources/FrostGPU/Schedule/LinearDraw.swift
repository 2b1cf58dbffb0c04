import FrostCore

/// One pass, or two that follow each other along both axes, drawn with the device's linear filter: the variant LINEAR
/// of filter.frag, whose uniforms the names are.
struct LinearDraw: Hashable {
    var from: Place
    var to: Place
    /// Of the output, in its own cells.
    var window: Rect
    var x: LinearAxis
    var y: LinearAxis
    /// Passes of the plan that it stands for.
    var passes: Int

    /// Fetches for each pixel.
    var fetches: Int { x.pairs.count * y.pairs.count }

    /// The output's texels in up to five rectangles, each with whether it needs the edge rules.
    var parts: [(columns: Range<Int>, rows: Range<Int>, hasEdges: Bool)] {
        window.parts(insideX: x.inside, insideY: y.inside)
    }
}

/// A linear draw along one of its axes.
struct LinearAxis: Hashable {
    var outputOrigin: Int32
    var inputOrigin: Int32
    var range: SIMD4<Int32>
    var walk: SIMD4<Int32>
    var pairs: Fetches
    /// The same taps without pairs, for where cells may not exist.
    var singles: Fetches
    /// The output's texels that need no edge rule.
    var inside: Range<Int>
}

extension LinearDraw {
    /// One pass; nil where no taps can be paired.
    init?(_ draw: Draw, _ weights: [Float]) {
        let along = LinearAxis(along: draw, weights)
        guard along.pairs.count < draw.tapCount else { return nil }
        let across = LinearAxis(across: draw)
        self.init(
            from: draw.from, to: draw.to, window: draw.window, x: draw.axis == .x ? along : across,
            y: draw.axis == .x ? across : along, passes: 1)
    }

    /// Two passes in one, so that what lies between them is never written; nil where that takes more fetches than
    /// one after the other.
    ///
    /// - Parameter second: reads what the first wrote, and is the only one to do so.
    init?(_ first: Draw, _ second: Draw, _ weights: [Float]) {
        guard first.to == second.from, first.axis != second.axis else { return nil }
        var a = LinearAxis(along: first, weights)
        var b = LinearAxis(along: second, weights)
        guard a.pairs.count < first.tapCount, b.pairs.count < second.tapCount else { return nil }
        let areas = Double(first.window.area) / Double(max(1, second.window.area))
        guard Double(a.pairs.count * b.pairs.count) <= Double(b.pairs.count) + Double(a.pairs.count) * areas else {
            return nil
        }
        // The second pass's texels along the first's axis are the slot's, shifted; and so are, along the second's axis,
        // the slot's those of the first pass's input.
        let (alongA, alongB) = first.axis == .x ? (0, 1) : (1, 0)
        let shift = second.outputOrigin[alongA] - second.inputOrigin[alongA]
        a.outputOrigin += shift
        a.inside = a.inside.shifted(by: -Int(shift)).clamped(to: 0..<second.window[first.axis].count)
        b.inputOrigin += first.inputOrigin[alongB] - first.outputOrigin[alongB]
        self.init(
            from: first.from, to: second.to, window: second.window, x: first.axis == .x ? a : b,
            y: first.axis == .x ? b : a, passes: 2)
    }
}

extension LinearAxis {
    fileprivate init(along draw: Draw, _ weights: [Float]) {
        let index = draw.axis == .x ? 0 : 1
        let phases = Int(draw.walk.w) + 1
        let taps = weights[draw.weightsAt..<draw.weightsAt + phases * draw.tapCount]
        self.init(
            outputOrigin: draw.outputOrigin[index], inputOrigin: draw.inputOrigin[index], range: draw.range,
            walk: draw.walk, pairs: Fetches(taps, count: draw.tapCount, paired: true),
            singles: Fetches(taps, count: draw.tapCount, paired: false), inside: draw.inside)
    }

    fileprivate init(across draw: Draw) {
        let index = draw.axis == .x ? 1 : 0
        let origin = draw.inputOrigin[index]
        self.init(
            outputOrigin: draw.outputOrigin[index], inputOrigin: origin,
            // From the texture's first texel on, farther than any texture goes.
            range: SIMD4(origin, 1 << 28, 0, EdgeMode.clamp.shaderCode), walk: SIMD4(1, 0, 0, 0), pairs: .identity,
            singles: .identity, inside: 0..<draw.window[draw.axis.other].count)
    }
}

extension Rect {
    fileprivate var area: Int { width * height }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
