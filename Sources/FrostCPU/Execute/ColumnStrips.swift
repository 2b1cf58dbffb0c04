import FrostCore

/// Strips of columns, which are computed one after the other.
///
/// The nodes of a chain keep rows: as many as their taps read. If rows are long, these rows do not fit in the L2 cache. So
/// each strip runs all passes of the plan before the next strip. This is an optimisation that could be deleted: a strip is a
/// region of the result, and regions have the same pixels as the whole.
extension CPUPlan {
    /// The size in bytes of the rows that a strip may keep: half of a large L2 cache.
    private static let capacity = 1 << 20
    /// A strip is at least this many times as wide as the columns beside it that it also reads.
    private static let leastShare = 8

    /// Returns the plans of the strips, from left to right; only this plan if its rows fit in the cache.
    func strips() -> [CPUPlan] {
        guard case .passes(let passes) = plan.work, passes.bandedParts.count == 1 else { return [self] }
        let kept =
            passes.list.filter { $0.axis == .y }.map { $0.operation.taps.count + NodeRequest.targetRows }.max() ?? 0
        let size = arithmetic.fixedLevel == nil ? RowKind.floats.size : RowKind.fixed.size
        let region = plan.region
        let bytes = kept * region.width * arithmetic.channels * size
        let count = (bytes + Self.capacity - 1) / Self.capacity
        guard count > 1 else { return [self] }
        // Strips begin at multiples of 64 pixels, so that most of them begin at cache lines.
        let width = (region.width / count + 63) / 64 * 64
        guard overlap(width, passes) * Self.leastShare <= width else { return [self] }
        return stride(from: 0, to: region.width, by: width).map { x in
            let columns = region.x + x..<region.x + min(x + width, region.width)
            return restricted(to: Rect(columns: columns, rows: region.rows))
        }
    }

    /// Returns the number of source columns that a strip in the middle of the region reads besides its own.
    private func overlap(_ width: Int, _ passes: Passes) -> Int {
        let middle = plan.region.x + (plan.region.width - width) / 2
        var columns = middle..<middle + width
        for pass in passes.list.reversed() where pass.axis == .x {
            columns = pass.input(for: columns, of: plan.window(of: pass.from).columns)
        }
        return columns.count - width
    }
}
