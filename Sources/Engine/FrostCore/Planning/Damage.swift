// Propagates damage through a plan: finds the samples that change when a part of the image changes.

extension Pass.Operation {
    /// Returns the output samples whose computation reads any of the input samples `samples`. The edge mode is not
    /// applied. ``reach(of:)`` works in the opposite direction: from output samples to input samples.
    public func affected(by samples: Range<Int>) -> Range<Int> {
        guard !samples.isEmpty else { return samples }
        let (first, last) = (samples.lowerBound, samples.upperBound - 1)
        switch self {
        case .convolve(let taps):
            let radius = taps.count / 2
            return first - radius..<last + radius + 1
        case .decimate(let taps):
            // Output i reads inputs 2i - before ..< 2i - before + n.
            let before = taps.count / 2 - 1
            return (first + before - taps.count + 2) >> 1..<((last + before) >> 1) + 1
        case .interpolate(let taps):
            // Output i reads input j if 0 <= i - 2j + h <= n - 1 with h = `half`, and if n is odd also if i - 2j + h = -1.
            let half = taps.count / 2 - 1
            return 2 * first - half - taps.count % 2..<2 * last - half + taps.count
        }
    }
}

extension EdgeMode {
    /// Returns the indices within `reach` that ``map(_:into:)`` maps to one of `samples`.
    func indices(of samples: RangeSet<Int>, in extent: Range<Int>, within reach: Range<Int>) -> RangeSet<Int> {
        EdgeRule(self).indices(of: samples, in: extent, within: reach)
    }
}

extension EdgeRule {
    /// Returns the indices within `reach` that ``map(_:into:)`` maps to one of `samples`.
    func indices(of samples: RangeSet<Int>, in extent: Range<Int>, within reach: Range<Int>) -> RangeSet<Int> {
        let samples = samples.intersection(RangeSet(extent))
        if samples.isEmpty || reach.isEmpty { return RangeSet() }
        var indices = samples
        switch continuation(count: extent.count) {
        case .transparent: break
        case .nearest:
            if samples.contains(extent.lowerBound), reach.lowerBound < extent.lowerBound {
                indices.insert(contentsOf: reach.lowerBound..<extent.lowerBound)
            }
            if samples.contains(extent.upperBound - 1), reach.upperBound > extent.upperBound {
                indices.insert(contentsOf: extent.upperBound..<reach.upperBound)
            }
        case .copies(let period, let reflection):
            if samples == RangeSet(extent) { return RangeSet(reach) }
            let first = (reach.lowerBound - extent.lowerBound).dividedDown(by: period)
            let last = (reach.upperBound - 1 - extent.lowerBound).dividedDown(by: period)
            for copy in first...last {
                let start = extent.lowerBound + copy * period
                for range in samples.ranges {
                    let (from, to) = (range.lowerBound - extent.lowerBound, range.upperBound - extent.lowerBound)
                    indices.insert(contentsOf: start + from..<start + to)
                    guard let reflection else { continue }
                    indices.insert(contentsOf: start + reflection + 1 - to..<start + reflection + 1 - from)
                }
            }
        }
        return indices.intersection(RangeSet(reach))
    }
}

extension Pass {
    /// Returns the samples of `output` that change when `samples` of the input change.
    ///
    /// - Parameter input: all samples of the input, which the edge mode extends.
    public func affected(
        by samples: RangeSet<Int>, of input: Range<Int>, in output: Range<Int>
    ) -> RangeSet<Int> {
        var affected = RangeSet<Int>()
        for range in edge.indices(of: samples, in: input, within: operation.reach(of: output)).ranges {
            affected.insert(contentsOf: operation.affected(by: range))
        }
        return affected.intersection(RangeSet(output))
    }
}

extension Plan {
    /// Returns the samples of a place that change when a rectangle of the image changes: exactly the samples that are
    /// computed from a changed pixel. For the runs of a 2-D kernel the result may be larger, because their shape is
    /// treated as a rectangle. For a zoom the result is the whole region.
    ///
    /// - Parameters:
    ///   - damage: the changed rectangle in absolute pixels; it may also lie outside the image.
    ///   - place: one of the slots, or the result.
    /// - Complexity: proportional to the number of passes; microseconds.
    public func affected(by damage: Rect, at place: Place = .output) -> Region {
        guard let damage = damage.intersection(extent) else { return Region() }
        if damage == extent { return Region(window(of: place)) }
        var region = work.kind.affected(by: damage, at: place, in: self)
        guard place == .output else { return region }
        if outputStages.readsOriginal {
            region.formUnion(
                Region(
                    columns: edge(along: .x).indices(
                        of: RangeSet(damage.columns), in: extent.columns, within: self.region.columns),
                    rows: edge(along: .y).indices(of: RangeSet(damage.rows), in: extent.rows, within: self.region.rows))
            )
        }
        return region.intersection(Region(self.region))
    }

    /// Returns the distance along an axis up to which a changed pixel changes the result, at most the size of the image.
    ///
    /// - Parameter farthest: the distance inside the image.
    func damageExpansion(_ farthest: Int, along axis: Axis) -> Int {
        let size = extent[axis].count
        return farthest > 0 && edge(along: axis) == .repeat ? size : min(farthest, size)
    }

    /// Returns a plan that computes only the samples that are needed for a rectangle of a place. The windows of its
    /// slots are smaller, but every sample in them has the same value as in this plan.
    ///
    /// If the plan does not consist of passes, the place must be ``Place/output``. The plans of a blend's levels are
    /// not restricted.
    ///
    /// - Parameter rect: the rectangle, within the place's window.
    public func restricted(to rect: Rect, at place: Place = .output) -> Plan {
        var plan = self
        if place == .output { plan.region = rect }
        let list = passes
        var slots = slots
        if list.isEmpty { return plan }
        var need = place == .output ? work.kind.lastRead(for: rect) : rect
        for pass in list.prefix(through: place).reversed() {
            if case .slot(let index) = pass.to { slots[index].window = need }
            need[pass.axis] = pass.input(for: need[pass.axis], of: window(of: pass.from)[pass.axis])
        }
        plan.work = work.kind.replacing(Passes(list, slots: slots))
        return plan
    }
}

extension [Pass] {
    /// Returns the passes up to and including the pass that writes a place; all of them for the result.
    fileprivate func prefix(through place: Place) -> ArraySlice<Pass> {
        guard let last = place == .output ? indices.last : firstIndex(where: { $0.to == place }) else { return [] }
        return self[...last]
    }
}
