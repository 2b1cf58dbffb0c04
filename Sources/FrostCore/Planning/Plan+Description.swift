extension Pass.Operation {
    /// "decimate", "convolve" or "interpolate".
    public var name: String {
        switch self {
        case .decimate: "decimate"
        case .convolve: "convolve"
        case .interpolate: "interpolate"
        }
    }
}

extension Plan {
    /// Cells that all passes read, each once: the least that a backend without fused passes moves.
    ///
    /// A Double, as the largest plans have more cells than an Int counts.
    public var cellsRead: Double {
        if kernel2D != nil { return Double(sourceRead.width) * Double(sourceRead.height) }
        let mixed = blend.map { blend in
            blend.levels.reduce(0) { $0 + $1.plan.cellsRead } + 2 * blend.spans.reduce(0) { $0 + $1.window.cells }
        }
        return passes.reduce(mixed ?? 0) { sum, pass in
            let output = window(of: pass.to)
            let input = window(of: pass.from)
            let along = pass.input(for: output[pass.axis], of: input[pass.axis]).count
            return sum + Double(along) * Double(pass.axis == .x ? output.height : output.width)
        }
    }

    /// Cells that all passes write.
    public var cellsWritten: Double {
        if kernel2D != nil { return Double(region.width) * Double(region.height) }
        let mixed = blend.map { blend in blend.levels.reduce(region.cells) { $0 + $1.plan.cellsWritten } }
        return passes.reduce(mixed ?? 0) { $0 + window(of: $1.to).cells }
    }
}

extension Rect {
    fileprivate var cells: Double { Double(width) * Double(height) }
}

extension Plan: CustomStringConvertible {
    /// As `frost plan` prints it: a line a pass, or a level of a blend, then the totals.
    public var description: String {
        guard !isCopy else {
            return "copy \(region.width)x\(region.height) at \(region.x),\(region.y)\nerror bound 0"
        }
        var lines = steps.enumerated().map { "\($0 + 1). \($1)" }
        let mega = { (cells: Double) in cells < 1e15 ? "\(Int((cells / 1e6).rounded()))" : "\(cells / 1e6)" }
        lines.append(
            "moves \(mega(cellsRead)) million cells in and \(mega(cellsWritten)) out: "
                + "\(mega((cellsRead + cellsWritten) * 8)) MB of RGBA with 16 bits a channel")
        let hundredths = errorBound < 1e15 ? Int((errorBound * 100).rounded(.up)) : .max
        let fraction = hundredths % 100
        lines.append(
            "error bound \(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) of an 8-bit step before rounding")
        return lines.joined(separator: "\n")
    }

    /// In words: the passes, or the levels and their mixture.
    public var steps: [String] {
        if let kernel2D {
            let edge = kernel2D.edge == .clamp ? "" : ", edge \(kernel2D.edge.rawValue)"
            let size = "\(region.width)x\(region.height)"
            return ["2-D kernel \(kernel2D.reads.words(region))\(edge) -> \(size) at 1/1 x 1/1"]
        }
        if let blend {
            return blend.levels.map(\.words) + ["mixed by the square of the mask"]
        }
        return passes.map { pass in
            let output = window(of: pass.to)
            let (levelX, levelY): (Int, Int) =
                if case .slot(let slot) = pass.to { (slots[slot].levelX, slots[slot].levelY) } else { (0, 0) }
            let taps: String =
                if case .interpolate(let taps) = pass.operation { "\(taps.count / 2) of \(taps.count)" } else {
                    "\(pass.operation.taps.count)"
                }
            let edge = pass.edge == .clamp ? "" : ", edge \(pass.edge.rawValue)"
            return "\(pass.operation.name) \(pass.axis.rawValue), \(taps) taps\(edge) -> "
                + "\(output.width)x\(output.height) at 1/\(1 << levelX) x 1/\(1 << levelY)"
        }
    }
}

extension Blend.Level {
    fileprivate var words: String {
        let region = plan.region
        let lowest = plan.slots.map { max($0.levelX, $0.levelY) }.max() ?? 0
        let work = sigma == 0 ? "the image" : "sigma \(numberText(sigma, decimals: 3)), \(plan.passes.count) passes"
        return work + (lowest > 0 ? " down to 1/\(1 << lowest)" : "")
            + " -> \(region.width)x\(region.height) at \(region.x),\(region.y)"
    }
}

extension Kernel2D.Reads {
    /// "of 41 runs, 1257 pixels"
    fileprivate func words(_ region: Rect) -> String {
        let count = Int(Kernel2D(self, edge: .clamp).readCount(region).rounded())
        return switch self {
        case .runs(let runs): "of \(runs.count) runs, \(count) pixels"
        case .zoom: "of about \(count) pixels along lines to a centre"
        }
    }
}
