import FrostCore

/// Strips of columns. A strip is a region of the result, and regions have the same pixels as the whole. So both uses of
/// strips are optimisations that could be deleted.
///
/// - The nodes of a chain keep rows: as many as their taps read. If rows are long, these rows do not fit in the L2 cache. So
///   each strip runs all passes of the plan before the next strip.
/// - Threads divide a low and wide image by columns, because all bands of its rows would read nearly all rows.
extension CPUPlan {
    /// The size in bytes of the rows that a strip may keep: half of a large L2 cache.
    private static let capacity = 1 << 20
    /// A strip is at least this many times as wide as the columns beside it that it also reads.
    fileprivate static let leastShare = 8

    /// The maximum number of columns outside the image for which strips pay off. The rows of a strip outside the image also
    /// hold all columns between the strip and the image, so the memory of all strips together grows with the square of this
    /// number.
    private static let mostOutside = 16384

    private var reachesFarOutside: Bool {
        let (region, extent) = (plan.region.columns, plan.extent.columns)
        return region.count - region.clamped(to: extent).count > Self.mostOutside
    }

    /// Returns the plans of the strips, from left to right; only this plan if its rows fit in the cache.
    func strips() -> [CPUPlan] {
        guard case .passes(let passes) = plan.work, passes.bandedParts.count == 1, !reachesFarOutside else {
            return [self]
        }
        let kept =
            passes.list.filter { $0.axis == .y }.map { $0.operation.taps.count + NodeRequest.targetRows }.max() ?? 0
        let size = arithmetic.fixedLevel == nil ? RowKind.floats.size : RowKind.fixed.size
        let region = plan.region
        let bytes = kept * region.width * arithmetic.channels * size
        let count = (bytes + Self.capacity - 1) / Self.capacity
        guard count > 1 else { return [self] }
        // Strips begin at multiples of 64 pixels, so that most of them begin at cache lines.
        let width = (region.width / count + 63) / 64 * 64
        guard plan.overlap(width, passes, along: .x) * Self.leastShare <= width else { return [self] }
        return strips(width: width)
    }

    /// Returns the plans of the strips for a plan that is computed in blocks of rows. The drivers of 2-D kernels keep as many
    /// rows as the kernel is high, so these plans are divided too.
    func blockStrips() -> [CPUPlan] {
        switch plan.work {
        case .copy, .passes, .blend: strips()
        case .kernel2D(let kernel):
            strips(width: max(Self.kernelWidth, 2 * (kernel.reach(of: 0..<1, along: .x).count - 1)))
        }
    }

    /// The minimum width in pixels of the strips of a 2-D kernel. They are also at least twice as wide as the columns beside
    /// them that they read.
    private static let kernelWidth = 512

    /// Returns a strip for each thread. Only for plans for which ``Plan/isDividedByColumns(threads:)`` is true.
    func strips(threads: Int) -> [CPUPlan] { strips(width: plan.stripWidth(threads: threads)) }

    private func strips(width: Int) -> [CPUPlan] {
        stride(from: 0, to: plan.region.width, by: width).map { x in
            let columns = plan.region.x + x..<plan.region.x + min(x + width, plan.region.width)
            return restricted(to: Rect(columns: columns, rows: plan.region.rows))
        }
    }
}

extension Plan {
    /// Whether each thread computes a strip of columns, because a band of rows would read at least as many rows of other
    /// bands as of its own.
    func isDividedByColumns(threads: Int) -> Bool {
        let bands = PlanPart.bands(region, threads: threads)
        guard bands > 1, case .passes(let passes) = work else { return false }
        let (height, width) = (region.height / bands, stripWidth(threads: bands))
        return overlap(height, passes, along: .y) >= height
            && overlap(width, passes, along: .x) * CPUPlan.leastShare <= width
    }

    fileprivate func stripWidth(threads: Int) -> Int { (region.width / threads + 63) / 64 * 64 }

    /// Returns the number of source rows or columns that a band or a strip in the middle of the region reads besides its own.
    fileprivate func overlap(_ size: Int, _ passes: Passes, along axis: Axis) -> Int {
        let middle = region[axis].lowerBound + (region[axis].count - size) / 2
        var samples = middle..<middle + size
        for pass in passes.list.reversed() where pass.axis == axis {
            samples = pass.input(for: samples, of: window(of: pass.from)[axis])
        }
        return samples.count - size
    }
}
