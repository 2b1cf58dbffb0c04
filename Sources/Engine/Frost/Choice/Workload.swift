import FrostCore

/// The work of a blur, in units that do not depend on the machine. The properties are the terms of a ``CostModel``.
struct Workload: Sendable, Hashable {
    /// The number of blurs. This term stands for the fixed time of a blur, which starts threads or waits for a GPU.
    var calls = 1.0
    /// The number of passes.
    var passes = 0.0
    /// The number of source bytes that are read, plus the number of bytes of the result.
    var bytes = 0.0
    /// The number of filter taps at full resolution, summed over all samples that the filters write.
    var directTaps = 0.0
    /// The number of taps of all other filters: decimation, interpolation, and the filters between them.
    var resampledTaps = 0.0

    static let termCount = 5

    /// The terms, in the order of a cost model's coefficients.
    var terms: [Double] { [calls, passes, bytes, directTaps, resampledTaps] }
}

extension Workload {
    /// Counts the work of a plan.
    ///
    /// - Parameter format: the source's format. The result's format has at most one more channel.
    init(_ plan: Plan, _ format: PixelFormat) {
        let pixels = Double(plan.region.width) * Double(plan.region.height)
        switch plan.work {
        case .copy: break
        case .kernel2D(let kernel):
            passes = 1
            directTaps = kernel.readCount(plan.region) * pixels
        case .passes(let all):
            passes = Double(all.list.count)
            for pass in all.list { add(pass, plan) }
        case .blend(let blend):
            for level in blend.levels {
                let own = Workload(level.plan.standalone(in: plan), format)
                passes += own.passes
                directTaps += own.directTaps
                resampledTaps += own.resampledTaps
            }
            // A blend mixes each pixel from two levels.
            passes += Double(blend.spans.count)
            directTaps += 2 * pixels
        }
        let read = plan.sourceRead
        bytes = (Double(read.width) * Double(read.height) + Double(plan.region.width) * Double(plan.region.height))
        bytes *= Double(format.bytesPerPixel)
    }

    private mutating func add(_ pass: Pass, _ plan: Plan) {
        let output = plan.window(of: pass.to)
        let samples = Double(output.width) * Double(output.height)
        switch pass.operation {
        case .convolve(let taps):
            let isFullResolution = plan.level(of: pass.to, along: pass.axis) == 0
            let work = Double(taps.count) * samples
            if isFullResolution { directTaps += work } else { resampledTaps += work }
        case .decimate(let taps): resampledTaps += Double(taps.count) * samples
        // Interpolation uses every other tap of its kernel for each sample.
        case .interpolate(let taps): resampledTaps += Double(taps.count) / 2 * samples
        }
    }
}
