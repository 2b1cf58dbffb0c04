import FrostCore

/// A draw that reads its input through the device's linear filter. It computes one pass, or two consecutive passes of
/// which one runs along x and the other along y. In filter.frag it is the draw `linear`. The properties are named after
/// the shader's uniforms.
struct LinearDraw: PlaceDraw, Hashable {
    var from: Place
    var to: Place
    var window: Rect
    var x: LinearAxis
    var y: LinearAxis
    var passCount: Int
    /// The index of the draw's first fetch in ``DrawList/weights``.
    var weightsAt = 0
    /// The texture that the draw reads.
    var texture = LinearTexture()

    var kind: DrawKind { .linear }
    var readCount: Double { Double(x.pairs.count * y.pairs.count) }
    /// The transfer function that decodes the input. It is always nil: a draw with linear texture filtering cannot read
    /// encoded values, because the GPU mixes texels before the shader could decode them.
    var decoding: TransferFunction? { nil }

    var parts: [DrawPart] { window.parts(insideX: x.inside, insideY: y.inside) }

    /// The draw's values in the uniform block of taps. Their order is: paired fetches along x, paired fetches along y,
    /// single fetches along x, single fetches along y.
    var taps: [Float] {
        [x.pairs, y.pairs, x.singles, y.singles].flatMap(\.values).flatMap { [$0.offset, $0.weight] }
    }

    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        // The offsets below follow the order of values in `taps`.
        let (fetchesX, fetchesY) = hasEdges ? (x.singles, y.singles) : (x.pairs, y.pairs)
        let before = hasEdges ? x.pairs.values.count + y.pairs.values.count : 0
        let starts = SIMD2(Int32(before), Int32(before + fetchesX.values.count))
        return [
            (.texelSize, .float2(1 / SIMD2(Float(texture.columns), Float(texture.rows)))),
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
    /// The width in texels of the image that the texture holds.
    var width = 1
    /// The height in texels of the image that the texture holds.
    var height = 1
    /// The number of texels in a row of the texture. It is set when the draw gets a texture from the pool.
    var columns = 1
    /// The number of rows of the texture.
    var rows = 1
    /// The offset that is added to texture positions, in texels: see ``FilterProbe``.
    var bias = SIMD2<Float>.zero
    /// The maximum error of a filtered value, as a fraction of full scale.
    var error = 0.0
}

/// The properties of a linear draw along one axis.
struct LinearAxis: Hashable {
    var outputOrigin: Int32
    var inputOrigin: Int32
    var range: SIMD4<Int32>
    var walk: SIMD4<Int32>
    var pairs: LinearFetches
    /// The same taps as in `pairs`, but every fetch reads a single texel. These fetches are used for texels near the
    /// edges.
    var singles: LinearFetches
    /// The range of the output's texels that need no edge rule.
    var inside: Range<Int>
}

extension LinearDraw {
    /// Chooses the texture that the draw reads.
    ///
    /// The linear filter may mix texels of the image's last column and row with the texels behind them, which do not
    /// belong to the image. So output texels that depend on the last column or row fetch single texels.
    mutating func read(_ texture: LinearTexture) {
        self.texture = texture
        x.exclude(texelsFrom: texture.width - 1)
        y.exclude(texelsFrom: texture.height - 1)
    }

    func reading(columns: Int, rows: Int) -> any PlaceDraw {
        var draw = self
        (draw.texture.columns, draw.texture.rows) = (columns, rows)
        return draw
    }

    /// Creates a draw of one pass; returns nil if no taps can be paired.
    init?(_ draw: PassDraw, _ weights: [Float]) {
        let along = LinearAxis(along: draw, weights)
        guard along.pairs.count < draw.tapCount else { return nil }
        let across = LinearAxis(across: draw)
        let (x, y) = draw.axis.order(along, across)
        self.init(from: draw.from, to: draw.to, window: draw.window, x: x, y: y, passCount: 1)
    }

    /// Creates a draw that computes two passes together, so that the intermediate image between them is never written.
    /// Returns nil if this is not possible, or if it takes more fetches than two separate draws.
    ///
    /// - Parameter second: the pass that reads the output of the first pass. No other pass may read the output of the
    ///   first pass.
    init?(_ first: PassDraw, _ second: PassDraw, _ weights: [Float]) {
        guard first.to == second.from, first.axis != second.axis else { return nil }
        var a = LinearAxis(along: first, weights)
        var b = LinearAxis(along: second, weights)
        guard a.pairs.count < first.tapCount, b.pairs.count < second.tapCount else { return nil }
        let areas = first.window.area / max(1, second.window.area)
        guard Double(a.pairs.count * b.pairs.count) <= Double(b.pairs.count) + Double(a.pairs.count) * areas else {
            return nil
        }
        // The second pass does not filter along the axis of the first pass. Along this axis, its input and its output
        // differ only by a shift, which is added to `a`. In the same way, the input and the output of the first pass
        // differ only by a shift along the axis of the second pass. This shift is added to `b`.
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
    /// Shortens ``inside`` so that no output in it reads input texels from `end` on.
    fileprivate mutating func exclude(texelsFrom end: Int) {
        func readEnd(_ output: Int) -> Int {
            let sample = (Int(outputOrigin) + output) * Int(walk.x) + Int(walk.y)
            return (sample >> Int(walk.z)) + singles.count - Int(inputOrigin)
        }
        while let last = inside.last, readEnd(last) > end { inside = inside.lowerBound..<last }
    }

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
            // The range starts at the texture's first texel and is longer than any texture, so no edge rule applies.
            range: SIMD4(origin, 1 << 28, 0, EdgeMode.clamp.shaderCode), walk: SIMD4(1, 0, 0, 0), pairs: .identity,
            singles: .identity, inside: 0..<draw.window[draw.axis.other].count)
    }
}

extension Axis {
    /// The axis's index in a vector of x and y.
    fileprivate var component: Int {
        switch self {
        case .x: 0
        case .y: 1
        }
    }

    /// Orders two values by axis: `along` belongs to this axis, and `across` to the other axis.
    fileprivate func order<Value>(_ along: Value, _ across: Value) -> (x: Value, y: Value) {
        switch self {
        case .x: (along, across)
        case .y: (across, along)
        }
    }
}

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
