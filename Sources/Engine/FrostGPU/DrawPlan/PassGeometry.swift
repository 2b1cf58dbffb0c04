import FrostCore

/// A pass and the rectangles that it reads and writes.
struct PassGeometry {
    let pass: Pass
    /// The rectangle of all existing input samples, in the input's grid.
    let input: Rect
    /// The rectangle of the output, in the output's grid.
    let output: Rect

    /// Determines the rectangles that a pass of a list reads and writes, and checks that the pass's input exists.
    ///
    /// - Parameters:
    ///   - earlier: the passes before this pass.
    ///   - given: a slot (intermediate image) whose texture already exists, so that no pass writes this slot; nil if there
    ///     is none.
    init(
        _ index: Int, of passes: Passes, in plan: Plan, after earlier: [PassGeometry], given: Place?
    ) throws(GPUError) {
        pass = passes.list[index]
        try pass.operation.check()
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
            guard index == passes.list.count - 1 else {
                throw .invalidPlan("a pass follows the pass that writes the output")
            }
            output = plan.region
        case .slot(let slot):
            guard passes.slots.indices.contains(slot), pass.from != pass.to else {
                throw .invalidPlan("pass \(index) cannot write slot \(slot)")
            }
            output = passes.slots[slot].window
        }
        let across = pass.axis.other
        guard output[across].clamped(to: input[across]) == output[across] else {
            throw .invalidPlan(
                "the input of pass \(index) along \(pass.axis) covers \(input[across]) of \(output[across]) across the axis"
            )
        }
    }

    /// The rectangle of existing input samples that the pass reads. The edge rule maps reads beyond the input to samples
    /// within this rectangle.
    var read: Rect {
        var read = output
        read[pass.axis] = pass.input(for: output[pass.axis], of: input[pass.axis])
        return read
    }
}
