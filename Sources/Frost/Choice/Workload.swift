import FrostCore

/// What a blur costs, in units that do not depend on the machine: the terms of a ``CostModel``.
struct Workload: Sendable, Hashable {
    /// Blurs: each starts threads or waits for a GPU.
    var calls = 1.0
    /// Passes.
    var passes = 0.0
    /// Bytes of the source that are read, and bytes of the result.
    var bytes = 0.0
    /// Taps of filters at full resolution, summed over all samples that they write.
    var directTaps = 0.0
    /// Taps of all other filters: decimation, interpolation, and the filters between them.
    var resampledTaps = 0.0

    static let termCount = 5

    /// In the order of a model's coefficients.
    var terms: [Double] { [calls, passes, bytes, directTaps, resampledTaps] }
}

extension Workload {
    /// - Parameter format: of the source; the result's has at most one more channel.
    init(_ plan: Plan, _ format: PixelFormat) {
        let pixels = Double(plan.region.width) * Double(plan.region.height)
        switch plan.work {
        case .copy: break
        case .kernel2D(let kernel):
            passes = 1
            directTaps = kernel.readCount(plan.region) * pixels
        case .passes(let all):
            passes = Double(all.list.count)
            for pass in all.list { add(pass, of: all, plan) }
        case .blend(let blend):
            for level in blend.levels {
                let own = Workload(level.plan, format)
                passes += own.passes
                directTaps += own.directTaps
                resampledTaps += own.resampledTaps
            }
            // Each pixel is mixed from two levels.
            passes += Double(blend.spans.count)
            directTaps += 2 * pixels
        }
        let read = plan.sourceRead
        bytes = (Double(read.width) * Double(read.height) + Double(plan.region.width) * Double(plan.region.height))
        bytes *= Double(format.bytesPerPixel)
    }

    private mutating func add(_ pass: Pass, of passes: Passes, _ plan: Plan) {
        let output = plan.window(of: pass.to)
        let samples = Double(output.width) * Double(output.height)
        switch pass.operation {
        case .convolve(let taps):
            let isFullResolution = passes.level(of: pass.to, along: pass.axis) == 0
            let work = Double(taps.count) * samples
            if isFullResolution { directTaps += work } else { resampledTaps += work }
        case .decimate(let taps): resampledTaps += Double(taps.count) * samples
        // Each sample reads every other tap.
        case .interpolate(let taps): resampledTaps += Double(taps.count) / 2 * samples
        }
    }
}
