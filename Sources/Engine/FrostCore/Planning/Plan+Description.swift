extension Pass.Operation {
    /// The operation's name in descriptions: "decimate", "convolve" or "interpolate".
    public var name: String {
        switch self {
        case .decimate: "decimate"
        case .convolve: "convolve"
        case .interpolate: "interpolate"
        }
    }
}

extension Plan {
    /// The total number of samples that the filters read, if each filter reads each of its input samples once. A
    /// backend that runs every pass separately reads at least this number.
    ///
    /// The type is Double, because the largest plans have more samples than an Int can count.
    public var samplesRead: Double {
        switch work {
        case .copy: 0
        case .kernel2D: sourceRead.area
        case .blend(let blend):
            blend.ownPasses.reduce(0) { $0 + $1.plan.samplesRead(by: $1.passes) }
                + 2 * blend.spans.reduce(0) { $0 + $1.window.area }
        case .passes(let passes): samplesRead(by: passes.list[...])
        }
    }

    private func samplesRead(by passes: ArraySlice<Pass>) -> Double {
        passes.reduce(0) { sum, pass in
            var read = window(of: pass.to)
            read[pass.axis] = pass.input(for: read[pass.axis], of: window(of: pass.from)[pass.axis])
            return sum + read.area
        }
    }

    /// The total number of samples that the filters write.
    public var samplesWritten: Double {
        switch work {
        case .copy: 0
        case .kernel2D: region.area
        case .blend(let blend):
            blend.ownPasses.reduce(region.area) { $0 + $1.plan.samplesWritten(by: $1.passes) }
        case .passes(let passes): samplesWritten(by: passes.list[...])
        }
    }

    private func samplesWritten(by passes: ArraySlice<Pass>) -> Double {
        passes.reduce(0) { $0 + window(of: $1.to).area }
    }
}

extension Blend {
    /// The passes that compute the shared decimations, and the passes that then compute each level.
    fileprivate var ownPasses: [(plan: Plan, passes: ArraySlice<Pass>)] {
        decimations.map { ($0.plan, $0.plan.filters.list[$0.passes]) }
            + levels.map { ($0.plan, $0.passes.list[(decimation(of: $0)?.passes.upperBound ?? 0)...]) }
    }
}

extension Plan: CustomStringConvertible {
    /// The text that `frost plan` prints: one line for each pass or for each level of a blend, then the totals.
    public var description: String {
        if case .copy = work {
            return "copy \(region.width)x\(region.height) at \(region.x),\(region.y)\nerror bound 0"
        }
        var lines = steps.enumerated().map { "\($0 + 1). \($1)" }
        let mega = { (count: Double) in count < 1e15 ? "\(Int((count / 1e6).rounded()))" : "\(count / 1e6)" }
        lines.append(
            "reads \(mega(samplesRead)) million samples and writes \(mega(samplesWritten)) million: "
                + "\(mega((samplesRead + samplesWritten) * 8)) MB as RGBA with 16 bits per channel")
        let hundredths = errorBound < 1e15 ? Int((errorBound * 100).rounded(.up)) : .max
        let fraction = hundredths % 100
        lines.append(
            "error bound \(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) of an 8-bit step before rounding")
        return lines.joined(separator: "\n")
    }

    /// The plan's steps in words: its passes, or the levels of a blend and their mixture.
    public var steps: [String] {
        switch work {
        case .copy: return []
        case .passes(let passes): return passes.list.map { words($0, of: passes) }
        case .kernel2D(let kernel):
            let edge = kernel.edge == .clamp ? "" : ", edge \(kernel.edge.rawValue)"
            let size = "\(region.width)x\(region.height)"
            return ["2-D kernel \(kernel.reads.words(region))\(edge) -> \(size) at 1/1 x 1/1"]
        case .blend(let blend): return blend.words
        }
    }

    private func words(_ pass: Pass, of passes: Passes) -> String {
        let output = window(of: pass.to)
        let (levelX, levelY) = (passes.level(of: pass.to, along: .x), passes.level(of: pass.to, along: .y))
        let taps: String =
            switch pass.operation {
            case .interpolate(let taps): "\(taps.count / 2) of \(taps.count)"
            case .convolve(let taps), .decimate(let taps): "\(taps.count)"
            }
        let edge = pass.edge.mode == .clamp ? "" : ", edge \(pass.edge.mode.rawValue)"
        return "\(pass.operation.name) \(pass.axis.rawValue), \(taps) taps\(edge) -> "
            + "\(output.width)x\(output.height) at 1/\(1 << levelX) x 1/\(1 << levelY)"
    }
}

extension Blend {
    fileprivate var words: [String] {
        decimations.map { image in
            let window = image.plan.window(of: image.place)
            return "decimate \(image.from.map { "step \($0 + 1)" } ?? "the image"), \(image.passes.count) passes -> "
                + "\(window.width)x\(window.height) at 1/\(1 << (image.passes.upperBound / 2))"
        } + levels.map(words) + ["blended by the square of the mask"]
    }

    private func words(_ level: Level) -> String {
        let region = level.plan.region
        let lowest = level.passes.slots.map { max($0.levelX, $0.levelY) }.max() ?? 0
        let done = decimation(of: level)?.passes.upperBound ?? 0
        let work =
            level.sigma == 0
            ? "the image"
            : "sigma \(numberText(level.sigma, decimals: 3)), \(level.passes.list.count - done) passes"
        return work + (level.decimation.map { " from step \($0 + 1)" } ?? "")
            + (lowest > 0 ? " down to 1/\(1 << lowest)" : "")
            + " -> \(region.width)x\(region.height) at \(region.x),\(region.y)"
    }
}

extension Kernel2D.Reads {
    /// Describes the pixels that the kernel reads, for example "of 41 runs, 1257 pixels".
    fileprivate func words(_ region: Rect) -> String {
        let count = Int(Kernel2D(self, edge: .clamp).readCount(region).rounded())
        return switch self {
        case .runs(let runs): "of \(runs.count) runs, \(count) pixels"
        case .zoom: "of about \(count) pixels along lines to a centre"
        }
    }
}
