import FrostCore

/// A pass with the rectangles that it works on.
struct PassGeometry {
    let pass: Pass
    /// All samples that exist, in the input's grid.
    let input: Rect
    let output: Rect

    /// Looks a pass up in its list, and checks that what it reads is there.
    ///
    /// - Parameters:
    ///   - earlier: the passes before it.
    ///   - given: a slot that no pass writes, since it is there already.
    init(
        _ index: Int, of passes: Passes, in plan: Plan, after earlier: [PassGeometry], given: Place?
    ) throws(GPUError) {
        pass = passes.list[index]
        switch pass.from {
        case .source: input = plan.extent
        case .slot(let slot):
            let place = pass.from
            guard place == given || earlier.contains(where: { $0.pass.to == place }) else {
                throw .invalidPlan("slot \(slot) is read before it is written")
            }
            input = passes.slots[slot].window
        case .output: throw .invalidPlan("a pass reads the output")
        }
        switch pass.to {
        case .source: throw .invalidPlan("a pass writes the source")
        case .output:
            guard index == passes.list.count - 1 else { throw .invalidPlan("a pass follows the output") }
            output = plan.region
        case .slot(let slot):
            guard passes.slots.indices.contains(slot), pass.from != pass.to else {
                throw .invalidPlan("pass \(index) writes slot \(slot)")
            }
            output = passes.slots[slot].window
        }
        let across = pass.axis.other
        guard output[across].clamped(to: input[across]) == output[across] else {
            throw .invalidPlan("pass \(index) along \(pass.axis) has only \(input[across]) of \(output[across]) across")
        }
    }

    /// The samples of the input that are read, the edge rule applied.
    var read: Rect {
        var read = output
        read[pass.axis] = pass.input(for: output[pass.axis], of: input[pass.axis])
        return read
    }

    /// - Parameters:
    ///   - stored: the part of the input that is in its texture.
    ///   - decoding: of the image.
    func draw(
        _ taps: ShaderTaps, weightsAt: Int, stored: Rect, decoding: TransferFunction?
    ) throws(GPUError) -> PassDraw {
        let axis = pass.axis
        // The filter's formula holds if output and input are shifted alike, each by its resolution.
        let start = output[axis].lowerBound
        let shift: (output: Int, input: Int) =
            switch pass.operation {
            case .convolve: (start, start)
            case .decimate: (start, 2 * start)
            case .interpolate: (2 * (start >> 1), start >> 1)
            }
        let across = output[axis.other].lowerBound
        func origin(_ rect: Rect, _ shift: Int) throws(GPUError) -> SIMD2<Int32> {
            let along = try Int32(texels: rect[axis].lowerBound - shift)
            let other = try Int32(texels: rect[axis.other].lowerBound - across)
            return switch axis {
            case .x: SIMD2(along, other)
            case .y: SIMD2(other, along)
            }
        }
        let exists = input[axis]
        let lowest = pass.operation.reach(of: output[axis]).lowerBound - exists.lowerBound
        return PassDraw(
            from: pass.from, to: pass.to, axis: axis, window: output,
            inside: interior(of: output[axis], in: exists, pass.operation.reach(of:)),
            outputOrigin: try origin(output, shift.output), inputOrigin: try origin(stored, shift.input),
            range: try pass.edge.shaderRange(
                from: exists.lowerBound - shift.input, lowest: lowest, count: exists.count),
            walk: taps.walk, tapCount: taps.count, weightsAt: weightsAt,
            decoding: pass.from == .source ? decoding : nil)
    }
}
