import FrostCore

/// A pass with the rectangles it works on.
struct Step {
    let pass: Pass
    /// All cells that exist, in the input's grid.
    let input: Rect
    let output: Rect
    /// The cells along the axis that are read, the edge rule applied.
    let cells: Range<Int>

    /// Looks a pass up in its plan, and checks that what it reads is there.
    init(_ index: Int, in plan: Plan, after earlier: [Step], given: Place? = nil) throws(GPUError) {
        pass = plan.passes[index]
        switch pass.from {
        case .source: input = plan.extent
        case .slot(let slot):
            let place = pass.from
            guard place == given || earlier.contains(where: { $0.pass.to == place }) else {
                throw .invalidPlan("slot \(slot) is read before it is written")
            }
            input = plan.slots[slot].window
        case .output: throw .invalidPlan("a pass reads the output")
        }
        switch pass.to {
        case .source: throw .invalidPlan("a pass writes the source")
        case .output:
            guard index == plan.passes.count - 1 else { throw .invalidPlan("a pass follows the output") }
            output = plan.region
        case .slot(let slot):
            guard plan.slots.indices.contains(slot), pass.from != pass.to else {
                throw .invalidPlan("pass \(index) writes slot \(slot)")
            }
            output = plan.slots[slot].window
        }
        let across = pass.axis.other
        guard output[across].clamped(to: input[across]) == output[across] else {
            throw .invalidPlan("pass \(index) along \(pass.axis) has only \(input[across]) of \(output[across]) across")
        }
        cells = pass.cells(of: output[pass.axis], in: input[pass.axis])
    }

    /// - Parameter stored: the part of the input that is in its texture.
    func draw(_ taps: Weights, weightsAt: Int, stored: Rect) throws(GPUError) -> Draw {
        let axis = pass.axis
        // The filter's formula holds if output and input are shifted alike, each by its resolution.
        var shift = (output: output[axis].lowerBound, input: output[axis].lowerBound)
        switch pass.operation {
        case .convolve: break
        case .decimate: shift.input = 2 * shift.output
        case .interpolate:
            shift.input = shift.output >> 1
            shift.output = 2 * shift.input
        }
        let across = output[axis.other].lowerBound
        func origin(_ rect: Rect, _ shift: Int) throws(GPUError) -> SIMD2<Int32> {
            let along = try Self.narrow(rect[axis].lowerBound - shift)
            let other = try Self.narrow(rect[axis.other].lowerBound - across)
            return axis == .x ? SIMD2(along, other) : SIMD2(other, along)
        }
        let exists = input[axis]
        let lowest = pass.operation.reach(of: output[axis]).lowerBound - exists.lowerBound
        let lift = pass.edge.lift(lowest, count: exists.count)
        // The outputs all of whose cells exist. Both searches end within a kernel's length of the input's ends.
        func isInside(_ i: Int) -> Bool {
            let reach = pass.operation.reach(of: i..<i + 1)
            return reach.lowerBound >= exists.lowerBound && reach.upperBound <= exists.upperBound
        }
        let all = output[axis]
        let start = all.first(where: isInside) ?? all.upperBound
        let end = (start..<all.upperBound).last(where: isInside).map { $0 + 1 } ?? start
        return Draw(
            from: pass.from, to: pass.to, axis: axis, window: output,
            inside: start - all.lowerBound..<end - all.lowerBound, outputOrigin: try origin(output, shift.output),
            inputOrigin: try origin(stored, shift.input),
            range: SIMD4(
                try Self.narrow(exists.lowerBound - shift.input), try Self.narrow(exists.count),
                try Self.narrow(lift), pass.edge.shaderCode),
            walk: taps.walk, tapCount: taps.count, weightsAt: weightsAt)
    }

    /// Small enough that the shader can double it and add texture sizes.
    static func narrow(_ value: Int) throws(GPUError) -> Int32 {
        guard abs(value) <= 1 << 28 else { throw .invalidPlan("the region lies \(value) cells from the image") }
        return Int32(value)
    }
}

/// The smallest range that holds both.
func hull(_ first: Range<Int>?, _ second: Range<Int>) -> Range<Int> {
    guard let first else { return second }
    return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
}

extension Pass {
    /// The smallest range of `input` that holds every cell read for the cells `output`, the edge rule applied.
    func cells(of output: Range<Int>, in input: Range<Int>) -> Range<Int> {
        edge.cells(of: operation.reach(of: output), in: input)
    }
}

extension EdgeMode {
    /// The least multiple of the rule's period that lifts every index to 0 or above.
    ///
    /// - Parameters:
    ///   - lowest: index, counted from the first cell that exists.
    ///   - count: of the cells that exist.
    func lift(_ lowest: Int, count: Int) -> Int {
        let period = self == .mirror ? 2 * count : count
        return lowest < 0 ? (-lowest + period - 1) / period * period : 0
    }

    /// The smallest range of `input` that holds every cell read for `reach`.
    func cells(of reach: Range<Int>, in input: Range<Int>) -> Range<Int> {
        let inside = reach.clamped(to: input)
        var cells: Range<Int>? = inside.isEmpty ? nil : inside
        let before = reach.lowerBound..<max(reach.lowerBound, min(reach.upperBound, input.lowerBound))
        let behind = min(reach.upperBound, max(reach.lowerBound, input.upperBound))..<reach.upperBound
        for outside in [before, behind] {
            // Beyond one period nothing new comes.
            for index in outside.prefix(2 * input.count) {
                if let cell = map(index, into: input) { cells = hull(cells, cell..<cell + 1) }
            }
        }
        return cells ?? input.prefix(1)
    }
}
