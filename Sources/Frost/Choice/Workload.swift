import FrostCore

/// What a blur costs, in units that no machine has a say in: the terms of a ``CostModel``.
struct Workload: Sendable, Hashable {
    /// Blurs: what starting threads and waiting for a GPU are paid for.
    var calls = 1.0
    /// Passes.
    var passes = 0.0
    /// Bytes of the source that are read and of the result.
    var bytes = 0.0
    /// Taps of filters at full resolution, summed over all cells that they write.
    var directTaps = 0.0
    /// Taps of all other filters: halvings, doublings, and what runs between them.
    var resampledTaps = 0.0

    static let termCount = 5

    /// In the order of a model's coefficients.
    var terms: [Double] { [calls, passes, bytes, directTaps, resampledTaps] }
}

extension Workload {
    /// - Parameter format: of the source, and within a channel of the result's.
    init(_ plan: Plan, _ format: PixelFormat) {
        if let blend = plan.blend {
            for level in blend.levels {
                let own = Workload(level.plan, format)
                passes += own.passes
                directTaps += own.directTaps
                resampledTaps += own.resampledTaps
            }
            // Each pixel is that of two levels.
            passes += Double(blend.spans.count)
            directTaps += 2 * Double(plan.region.width) * Double(plan.region.height)
        }
        passes += Double(plan.passes.count)
        for pass in plan.passes {
            let output = plan.window(of: pass.to)
            let cells = Double(output.width) * Double(output.height)
            let taps = Double(pass.operation.taps.count)
            switch pass.operation {
            case .convolve where plan.level(of: pass.to, pass.axis) == 0: directTaps += taps * cells
            case .convolve, .decimate: resampledTaps += taps * cells
            // Of its taps each cell sees every other one.
            case .interpolate: resampledTaps += taps / 2 * cells
            }
        }
        if let kernel2D = plan.kernel2D {
            passes = 1
            directTaps = kernel2D.readCount(plan.region) * Double(plan.region.width) * Double(plan.region.height)
        }
        let read = plan.sourceRead
        bytes = (Double(read.width) * Double(read.height) + Double(plan.region.width) * Double(plan.region.height))
        bytes *= Double(format.bytesPerPixel)
    }
}

extension Plan {
    fileprivate func level(of place: Place, _ axis: Axis) -> Int {
        guard case .slot(let index) = place else { return 0 }
        return axis == .x ? slots[index].levelX : slots[index].levelY
    }
}
