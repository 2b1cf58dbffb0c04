// Finds the decimations with which several levels of a blend begin, so that a backend decimates the source once for all
// of these levels. Each sample has the same value as in the levels' own plans; only the windows are larger.

extension Blend {
    /// Sets ``decimations`` and each level's ``Level/decimation``.
    ///
    /// - Parameter planning: returns a plan for a level's blur of another region.
    /// - Complexity: a few microseconds for each level.
    mutating func shareDecimations(
        planning: (Level, Rect) throws(ParameterError) -> Plan
    ) throws(ParameterError) {
        let groups = sharedPrefixes()
        var planned: [Int: Decimation] = [:]
        // Backwards, because the samples that an image needs depend on the images that are computed from it.
        for (index, group) in groups.enumerated().reversed() {
            let slot = 2 * group.depth - 1
            var windows = planned.values.filter { $0.from == index }.map { $0.plan.passes.slots[slot].window }
            for level in group.levels where levels[level].decimation == nil {
                levels[level].decimation = index
                windows.append(levels[level].plan.passes.slots[slot].window)
            }
            let window = windows.dropFirst().reduce(windows[0]) { $0.hull($1) }
            // A plan for all pixels that the window's samples cover has at least these samples.
            let wide = try planning(levels[group.levels[0]], window.scaled(by: 1 << group.depth))
            let from = groups[..<index].lastIndex { $0.levels.contains(group.levels[0]) }
            planned[index] = Decimation(
                from: from, plan: LevelPlan(wide.restricted(to: window, at: .slot(slot)), edge: edge),
                passes: 2 * (from.map { groups[$0].depth } ?? 0)..<2 * group.depth)
        }
        decimations = groups.indices.compactMap { planned[$0] }
    }

    /// The first passes that several levels share: pairs of decimations along both axes.
    private struct SharedPrefix {
        let depth: Int
        /// The levels, as indices of ``levels``.
        let levels: [Int]
    }

    /// Returns the longest shared prefix of each set of levels, short prefixes first.
    private func sharedPrefixes() -> [SharedPrefix] {
        let depths = levels.map(\.plan.passes.decimationPairs)
        var prefixes: [SharedPrefix] = []
        for depth in (1...max(1, depths.max() ?? 0)).reversed() {
            let groups = Dictionary(grouping: levels.indices.filter { depths[$0] >= depth }) {
                levels[$0].plan.passes.list[..<(2 * depth)]
            }
            for group in groups.values.sorted(by: { $0[0] < $1[0] })
            where group.count > 1 && !prefixes.contains(where: { $0.levels == group }) {
                prefixes.append(SharedPrefix(depth: depth, levels: group))
            }
        }
        return prefixes.reversed()
    }
}

extension Passes {
    /// The number of pairs of decimations, along y and then along x, with which the passes begin.
    fileprivate var decimationPairs: Int {
        var count = 0
        while 2 * count + 1 < list.count, case .decimate = list[2 * count].operation,
            case .decimate = list[2 * count + 1].operation, list[2 * count].axis == .y, list[2 * count + 1].axis == .x
        {
            count += 1
        }
        return count
    }
}

extension Rect {
    /// Returns the rectangle of the pixels that the samples of this rectangle cover, if each sample covers `factor` by
    /// `factor` pixels.
    fileprivate func scaled(by factor: Int) -> Rect {
        Rect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
    }
}
