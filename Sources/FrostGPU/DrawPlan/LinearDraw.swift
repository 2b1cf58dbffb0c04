import FrostCore

/// One pass, or two that follow each other along both axes, drawn with the device's linear filter: the draw `linear` of
/// filter.frag, whose uniforms the names are.
struct LinearDraw: PlaceDraw, Hashable {
    var from: Place
    var to: Place
    var window: Rect
    var x: LinearAxis
    var y: LinearAxis
    var passCount: Int
    /// Where its fetches start in ``DrawList/weights``.
    var weightsAt = 0
    /// Of its input.
    var texture = LinearTexture()

    var kind: DrawKind { .linear }
    /// Codes are decoded texel by texel, before anything is mixed.
    var decoding: TransferFunction? { nil }

    var parts: [DrawPart] { window.parts(insideX: x.inside, insideY: y.inside) }

    /// What the block of taps holds: pairs along x and y, then singles along x and y.
    var taps: [Float] {
        [x.pairs, y.pairs, x.singles, y.singles].flatMap(\.values).flatMap { [$0.offset, $0.weight] }
    }

    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        // The order of `taps`.
        let (fetchesX, fetchesY) = hasEdges ? (x.singles, y.singles) : (x.pairs, y.pairs)
        let before = hasEdges ? x.pairs.values.count + y.pairs.values.count : 0
        let starts = SIMD2(Int32(before), Int32(before + fetchesX.values.count))
        return [
            (.texelSize, .float2(1 / SIMD2(Float(texture.width), Float(texture.height)))),
            (.bias, .float2(texture.bias)),
            (.outputOrigin, .int2(SIMD2(x.outputOrigin, y.outputOrigin) &- shift)),
            (.inputOrigin, .int2(SIMD2(x.inputOrigin, y.inputOrigin))), (.rangeX, .int4(x.range)),
            (.rangeY, .int4(y.range)), (.walkX, .int4(x.walk)), (.walkY, .int4(y.walk)),
            (.fetchCount, .int2(SIMD2(Int32(fetchesX.count), Int32(fetchesY.count)))), (.fetchesAt, .int2(starts)),
        ]
    }
}

/// A texture that is read through the linear filter.
struct LinearTexture: Hashable {
    /// In texels.
    var width = 1
    var height = 1
    /// What is added to places, in texels: see ``FilterProbe``.
    var bias = SIMD2<Float>.zero
    /// How far a filtered value may be off, of full scale.
    var error = 0.0
}

/// A linear draw along one of its axes.
struct LinearAxis: Hashable {
    var outputOrigin: Int32
    var inputOrigin: Int32
    var range: SIMD4<Int32>
    var walk: SIMD4<Int32>
    var pairs: LinearFetches
    /// The same taps without pairs, for places near the edges.
    var singles: LinearFetches
    /// The output's texels that need no edge rule.
    var inside: Range<Int>
}

extension LinearDraw {
    /// One pass; nil if no taps can be paired.
    init?(_ draw: PassDraw, _ weights: [Float]) {
        let along = LinearAxis(along: draw, weights)
        guard along.pairs.count < draw.tapCount else { return nil }
        let across = LinearAxis(across: draw)
        let (x, y) = draw.axis.order(along, across)
        self.init(from: draw.from, to: draw.to, window: draw.window, x: x, y: y, passCount: 1)
    }

    /// Two passes in one, so that what lies between them is never written; nil if that takes more fetches than
    /// one after the other.
    ///
    /// - Parameter second: reads what the first wrote, and is the only one to do so.
    init?(_ first: PassDraw, _ second: PassDraw, _ weights: [Float]) {
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
        let (alongA, alongB) = (first.axis.component, second.axis.component)
        let shift = second.outputOrigin[alongA] - second.inputOrigin[alongA]
        a.outputOrigin += shift
        a.inside = a.inside.shifted(by: -Int(shift)).clamped(to: 0..<second.window[first.axis].count)
        b.inputOrigin += first.inputOrigin[alongB] - first.outputOrigin[alongB]
        let (x, y) = first.axis.order(a, b)
        self.init(from: first.from, to: second.to, window: second.window, x: x, y: y, passCount: 2)
    }
}

extension LinearAxis {
    fileprivate init(along draw: PassDraw, _ weights: [Float]) {
        let index = draw.axis.component
        let phases = Int(draw.walk.w) + 1
        let taps = weights[draw.weightsAt..<draw.weightsAt + phases * draw.tapCount]
        self.init(
            outputOrigin: draw.outputOrigin[index], inputOrigin: draw.inputOrigin[index], range: draw.range,
            walk: draw.walk, pairs: LinearFetches(taps, count: draw.tapCount, paired: true),
            singles: LinearFetches(taps, count: draw.tapCount, paired: false), inside: draw.inside)
    }

    fileprivate init(across draw: PassDraw) {
        let index = draw.axis.other.component
        let origin = draw.inputOrigin[index]
        self.init(
            outputOrigin: draw.outputOrigin[index], inputOrigin: origin,
            // From the texture's first texel on, farther than any texture goes.
            range: SIMD4(origin, 1 << 28, 0, EdgeMode.clamp.shaderCode), walk: SIMD4(1, 0, 0, 0), pairs: .identity,
            singles: .identity, inside: 0..<draw.window[draw.axis.other].count)
    }
}

extension Axis {
    /// Its place in a vector of x and y.
    fileprivate var component: Int {
        switch self {
        case .x: 0
        case .y: 1
        }
    }

    /// What belongs to x and to y, of what belongs to this axis and to the other.
    fileprivate func order<Value>(_ along: Value, _ across: Value) -> (x: Value, y: Value) {
        switch self {
        case .x: (along, across)
        case .y: (across, along)
        }
    }
}

extension Rect {
    fileprivate var area: Int { width * height }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
