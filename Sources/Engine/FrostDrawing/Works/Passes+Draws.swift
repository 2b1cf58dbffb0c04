import FrostCore

/// Each run of passes is one draw. The names of the uniforms are those of the shader. Coordinates are counted from a sample
/// near the output, so that they fit into the shader's 32-bit integers wherever the image lies.
extension Passes: DrawnWork {
    func sourceReads(in plan: Plan, _ limits: DrawLimits, given: Place?) throws(DrawingError) -> [Rect] {
        guard let last = list.last, last.to == .output else {
            throw .invalidPlan("the last pass does not write the output")
        }
        return try checkedReads(in: plan, limits, given: given)
    }

    /// Checks the passes, whatever the last of them writes, and returns the rectangles of the image that they read.
    func checkedReads(in plan: Plan, _ limits: DrawLimits, given: Place?) throws(DrawingError) -> [Rect] {
        for slot in slots {
            try slot.window.checkPlace()
            try limits.check(slot.window, "an intermediate image")
        }
        var written: Set<Place> = given.map { [$0] } ?? []
        var reads: [Rect] = []
        for (index, pass) in list.enumerated() {
            let read = try check(pass, index, in: plan, written)
            written.insert(pass.to)
            if pass.from == .source { reads.append(read) }
        }
        return reads
    }

    func draws(in plan: Plan, stored: Rect, _ taps: inout TapList) throws(DrawingError) -> WorkDraws {
        var draws: [PlaceDraw] = []
        for run in runs(of: plan) {
            var draw = try run.draw(
                stored: run.from == .source ? stored : run.input, decoding: plan.decoding, &taps)
            if case .slot(let slot) = run.to { draw.isSigned = slots[slot].isSigned }
            draws.append(draw)
        }
        return WorkDraws(lists: [DrawList("passes", sourceRead: plan.sourceRead, draws)])
    }

    /// Checks a pass, and returns the rectangle of existing input samples that it reads. The edge rule maps reads beyond the
    /// input to samples within this rectangle.
    ///
    /// - Parameter written: the slots (intermediate images) that exist before the pass.
    private func check(
        _ pass: Pass, _ index: Int, in plan: Plan, _ written: Set<Place>
    ) throws(DrawingError) -> Rect {
        try pass.operation.check()
        let input: Rect
        switch pass.from {
        case .source: input = plan.extent
        case .slot(let slot):
            guard written.contains(pass.from) else {
                throw .invalidPlan("slot \(slot) is read before it is written")
            }
            input = slots[slot].window
        case .output: throw .invalidPlan("a pass reads the output")
        }
        let output: Rect
        switch pass.to {
        case .source: throw .invalidPlan("a pass writes the source")
        case .output:
            guard index == list.count - 1 else {
                throw .invalidPlan("a pass follows the pass that writes the output")
            }
            output = plan.region
        case .slot(let slot):
            guard slots.indices.contains(slot), pass.from != pass.to else {
                throw .invalidPlan("pass \(index) cannot write slot \(slot)")
            }
            output = slots[slot].window
        }
        let across = pass.axis.other
        guard output[across].clamped(to: input[across]) == output[across] else {
            throw .invalidPlan(
                "the input of pass \(index) along \(pass.axis) covers \(input[across]) of \(output[across]) across the axis"
            )
        }
        var read = output
        read[pass.axis] = pass.input(for: output[pass.axis], of: input[pass.axis])
        return read
    }
}

extension Pass.Operation {
    /// Throws if the number of taps does not suit the operation.
    fileprivate func check() throws(DrawingError) {
        switch self {
        case .convolve(let taps):
            guard taps.count % 2 == 1 else { throw .invalidPlan("a convolution cannot have \(taps.count) taps") }
        case .decimate(let taps):
            guard taps.count >= 2 else {
                throw .invalidPlan("a decimation cannot have \(taps.count) taps")
            }
        case .interpolate(let taps):
            guard taps.count >= 2 else {
                throw .invalidPlan("an interpolation cannot have \(taps.count) taps")
            }
        }
    }
}

extension PassRun {
    /// Prepares the run's draw.
    ///
    /// - Parameters:
    ///   - stored: the part of the input that the input's texture contains.
    ///   - decoding: the transfer function of the image.
    fileprivate func draw(
        stored: Rect, decoding: TransferFunction?, _ list: inout TapList
    ) throws(DrawingError) -> PlaceDraw {
        let filter = UnrolledFilter(self)
        let taps = taps
        let weights = taps.phases.flatMap { $0 }
        // The number of pairs of samples that the shader adds before it multiplies them by their common weight.
        let pairCount = taps.phases.count == 1 && weights == weights.reversed() ? taps.count / 2 : 0
        // Output i reads consecutive samples, starting with sample `(i * x + y) >> z`, and multiplies them by the weights of
        // phase `i & w`. A phase is one of the sets of weights that consecutive outputs use in turn.
        let walk = SIMD4(Int32(taps.step), Int32(taps.offset), Int32(taps.shift), Int32(taps.phases.count - 1))
        let place = try coordinates(stored: stored)
        let decoding = from == .source ? decoding : nil
        let uniforms: UniformValues = [
            (.inputOrigin, .int2(place.input)), (.range, .int4(place.range)),
            (.axis, .int2(axis == .x ? SIMD2(1, 0) : SIMD2(0, 1))), (.walk, .int4(walk)),
            (.tapCount, .int(Int32(taps.count))), (.pairCount, .int(Int32(pairCount))),
        ]
        return PlaceDraw(
            name: name,
            draw: ShaderDraw(
                filter.map { .unrolled($0) } ?? .pass,
                parts: output.parts(along: axis, inside: filter == nil ? inside(taps) : inside), origin: place.output,
                uniforms: uniforms + (decoding.map(\.uniforms) ?? [])), from: from, to: to, window: output,
            passCount: passCount, tapsAt: try list.add(weights), readCount: Double(taps.count),
            decodes: decoding != nil)
    }

    private var name: String {
        switch kind {
        case .convolution: "convolve \(axis.rawValue)"
        case .decimation(let filters): "decimate \(axis.rawValue) by \(1 << filters.count)"
        case .interpolation(let filters): "interpolate \(axis.rawValue) by \(1 << filters.count)"
        }
    }

    /// The range of output texels, along the axis, that depend on samples that exist only.
    private var inside: Range<Int> { interior(of: output[axis], in: input[axis], reach(of:)) }

    /// Like ``inside``, but also without the samples that are read with the weight 0: all phases of a filter have the
    /// same number of taps.
    private func inside(_ taps: PolyphaseTaps) -> Range<Int> {
        interior(of: output[axis], in: input[axis]) { samples in
            taps.first(samples.lowerBound)..<taps.first(samples.upperBound - 1) + taps.count
        }
    }

    /// Returns the uniforms outputOrigin, inputOrigin and range.
    ///
    /// - Parameter stored: the part of the input that the input's texture contains.
    private func coordinates(
        stored: Rect
    ) throws(DrawingError) -> (output: SIMD2<Int32>, input: SIMD2<Int32>, range: SIMD4<Int32>) {
        // The filter's formula stays valid if output and input are shifted by the same distance in the image. `shift`
        // gives this distance twice: as a number of output samples, and as a number of input samples.
        let start = output[axis].lowerBound
        let shift: (output: Int, input: Int) =
            switch kind {
            case .convolution: (start, start)
            case .decimation(let filters): (start, start << filters.count)
            case .interpolation(let filters): ((start >> filters.count) << filters.count, start >> filters.count)
            }
        let across = output[axis.other].lowerBound
        func origin(_ rect: Rect, _ shift: Int) throws(DrawingError) -> SIMD2<Int32> {
            let along = try Int32(texels: rect[axis].lowerBound - shift)
            let other = try Int32(texels: rect[axis.other].lowerBound - across)
            return switch axis {
            case .x: SIMD2(along, other)
            case .y: SIMD2(other, along)
            }
        }
        let lowest = reach(of: output[axis]).lowerBound - input[axis].lowerBound
        let range = try edge.shaderRange(
            from: input[axis].lowerBound - shift.input, lowest: lowest, count: input[axis].count)
        return (try origin(output, shift.output), try origin(stored, shift.input), range)
    }
}

extension UnrolledFilter {
    /// The radius of the longest convolution: beyond it, programs would become too long, and the planner prefers
    /// decimations.
    private static let longestRadius = 12
    /// The number of taps of the longest binomial filter.
    private static let longestBinomial = 14

    /// Returns nil if the run neither reads nor writes the full resolution, or if the planner uses no such filter.
    init?(_ run: PassRun) {
        guard run.level == 0 else { return nil }
        switch run.kind {
        case .convolution(let taps):
            guard taps.count <= 2 * Self.longestRadius + 1, taps == taps.reversed() else { return nil }
            kind = .convolution(radius: taps.count / 2)
        case .decimation(let filters):
            guard filters.allSatisfy(Self.isBinomial) else { return nil }
            kind = .decimation(filters.map(\.count))
        case .interpolation(let filters):
            guard filters.allSatisfy(Self.isBinomial) else { return nil }
            kind = .interpolation(filters.map(\.count))
        }
        axis = run.axis
        readsIntermediate = run.from != .source
    }

    private static func isBinomial(_ taps: [Float]) -> Bool {
        taps.count <= longestBinomial && taps == binomial(taps.count)
    }
}
