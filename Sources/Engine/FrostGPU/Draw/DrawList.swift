import FrostCore

/// The draws that compute one output from the image, in the order of their execution.
struct DrawList {
    let draws: [any PlaceDraw]
    /// The taps of all draws, as the shader's uniform block of taps stores them. The taps of each draw start at the
    /// draw's `weightsAt`.
    let weights: [Float]

    init(_ passes: PassDraws) { (draws, weights) = (passes.draws, passes.weights) }

    init(_ kernel: Kernel2DDraw) { (draws, weights) = ([kernel], kernel.taps) }

    /// Whether no draw after the draw at `index` reads `place`, which is the source, an intermediate or the output.
    func isLastUse(of place: Place, at index: Int) -> Bool {
        !draws[(index + 1)...].contains { $0.from == place }
    }
}
