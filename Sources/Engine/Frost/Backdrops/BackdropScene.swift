import FrostCore

/// Tracks which parts of panels and of their shared levels are out of date, and updates them. All backends use this
/// code.
///
/// A panel's pixels depend only on the picture and the panel. A part of a panel is therefore drawn again in three
/// cases: the panel changes or moves, a panel above goes away, or the part reads damaged pixels. A part of a level is
/// recomputed if it reads damaged pixels, as soon as a panel needs that part.
struct BackdropScene<Level: BackdropLevel> {
    private let coverage: Backdrop.Coverage
    let extent: Rect
    private let accuracy: Accuracy
    /// The area of the picture that has changed since the last frame.
    private var damage = Region()
    private var panels: [Panel] = []
    private var drawn: [DrawnPanel] = []
    private var groups: [Group] = []
    private var history = BackdropHistory()
    /// All pixels of visible panels.
    private var covered = Region()
    /// The largest error bound of a panel.
    private var errorBound = 0.0

    /// The maximum number of damage rectangles. If there are more, some are joined, because a long list of small
    /// changes need not be kept exactly.
    private static var damageLimit: Int { 32 }

    /// A group of panels whose plans differ only in their output stages. The panels of a group share a level.
    private final class Group {
        let layers: LayeredPlan
        let level: Level?
        /// The samples of the level that do not match the current picture.
        var stale: Region

        init(_ plan: Plan, _ level: Level?) {
            self.level = level
            layers = level?.layers ?? LayeredPlan(plan, cut: 0)
            stale = Region(layers.window)
        }

        func serves(_ plan: Plan) -> Bool { level?.serves(plan) ?? layers.serves(plan) }
    }

    private struct DrawnPanel {
        let panel: Panel
        /// The effect, plan and group of the panel; nil for a panel that has no pixel in the picture.
        let work: (effect: Effect, plan: Plan, group: Group)?
        /// The part of the panel that no later panel hides.
        var visible = Region()
    }

    init(extent: Rect, accuracy: Accuracy, coverage: Backdrop.Coverage) {
        self.extent = extent
        self.accuracy = accuracy
        self.coverage = coverage
    }

    /// Reports a change of the picture in a rectangle.
    mutating func invalidate(_ rect: Rect) {
        guard let rect = rect.clipped(to: extent) else { return }
        damage.formUnion(Region(rect))
        if damage.rects.count > Self.damageLimit { damage = Region(damage.cover(limit: Self.damageLimit)) }
    }

    mutating func invalidateAll() { damage = Region(extent) }

    /// Forgets panels and levels, because the picture may have another format. What the targets contain stays known.
    mutating func restart<Executor: BackdropExecutor>(by executor: Executor) where Executor.Level == Level {
        dropLevels(by: executor)
        (groups, drawn, panels, covered, errorBound) = ([], [], [], Region(), 0)
        invalidateAll()
    }

    /// Frees all levels, for a scene that is no longer used.
    func dropLevels<Executor: BackdropExecutor>(by executor: Executor) where Executor.Level == Level {
        for level in groups.compactMap(\.level) { executor.drop(level) }
    }

    /// Does all outstanding work of a frame. After an error, the work that was already done is not repeated in the next
    /// frame, but the next report includes this work.
    ///
    /// - Parameters:
    ///   - textures: what has changed in the textures of content layers, by their numbers.
    ///   - target: identifies the target.
    ///   - repaint: states what the target contains.
    mutating func render<Executor: BackdropExecutor>(
        _ panels: [Panel], textures: [UInt64: Region] = [:], by executor: Executor, into target: BackdropTarget,
        _ repaint: Backdrop.Repaint
    ) throws(FrostError) -> BackdropReport where Executor.Level == Level {
        var report = BackdropReport()
        try repaint.check()
        if groups.contains(where: { $0.level?.isValid == false }) { invalidateAll() }
        if panels != self.panels { try adopt(panels, by: executor) }
        if !damage.isEmpty { spreadDamage() }
        if !textures.isEmpty { spreadChanges(of: textures) }
        report.errorBound = errorBound
        if repaint == .changed, history.isCurrent(target, covered: covered) {
            // The usual case of a host that renders the backdrop in every frame.
            _ = history.complete(target, covered: covered)
            report.bufferAge = 1
            return report
        }
        let base = history.base(of: target, repaint)
        let due = history.due(in: target, base: base, repaint, covered: covered)
        let parts = due.isEmpty ? [] : drawn.map { due.intersection($0.visible) }
        do throws(FrostError) {
            for group in groups where !due.isEmpty { try update(group, for: parts, by: executor, &report) }
            for (index, part) in parts.enumerated() { try draw(index, part, by: executor, &report) }
        } catch {
            history.fail(target, updated: report.updated, covered: covered)
            throw error
        }
        report.bufferAge = base.map { history.count + 1 - $0 } ?? 0
        report.uncovered =
            history.uncovered(in: target, base: base, repaint, covered: covered, extent: extent).cover()
        let before = history.complete(target, covered: covered)
        if !before.isEmpty { report.updated = Region(before + report.updated).rects }
        return report
    }

    /// Replaces the panels of the last frame by the host's new panels, and marks the parts of panels that become
    /// visible as out of date.
    private mutating func adopt<Executor: BackdropExecutor>(
        _ panels: [Panel], by executor: Executor
    ) throws(FrostError) where Executor.Level == Level {
        try rethrow(panels.checkIdentities(), as: FrostError.parameter)
        var groups = groups
        let last = predecessors(of: panels)
        var next: [DrawnPanel] = []
        for (panel, last) in zip(panels, last) {
            if let last, last.panel == panel {
                next.append(last)
            } else {
                next.append(try show(panel, by: executor, &groups))
            }
        }
        covered = Region()
        for index in next.indices.reversed() {
            let panel = next[index].panel
            let whole = next[index].work == nil ? Region() : panel.pixels(in: extent)
            let visible = whole.subtracting(covered)
            // What the target shows of the panel already. A panel that moves shows the same picture at the same place.
            let kept = last[index].map { last in
                last.panel == panel ? last.visible : last.visible.intersection(panel.commonPixels(with: last.panel))
            }
            history.change(kept.map { visible.subtracting($0) } ?? visible)
            next[index].visible = visible
            covered.formUnion(whole)
        }
        drawn = next
        self.groups = groups.filter { group in
            let isUsed = next.contains { $0.work?.group === group }
            if !isUsed, let level = group.level { executor.drop(level) }
            return isUsed
        }
        self.panels = panels
        errorBound = next.reduce(0) { max($0, $1.work.map { executor.errorBound(of: $0.plan) } ?? 0) }
    }

    /// Returns for each panel the panel of the last frame that it continues.
    private func predecessors(of panels: [Panel]) -> [DrawnPanel?] {
        var numbered: [UInt64: DrawnPanel] = [:]
        for panel in drawn { if let id = panel.panel.id { numbered[id] = panel } }
        return panels.enumerated().map { index, panel in
            if let id = panel.id { return numbered[id] }
            return index < drawn.count && drawn[index].panel.id == nil ? drawn[index] : nil
        }
    }

    private func show<Executor: BackdropExecutor>(
        _ panel: Panel, by executor: Executor, _ groups: inout [Group]
    ) throws(FrostError) -> DrawnPanel where Executor.Level == Level {
        let (effect, plan): (Effect, Plan)
        do throws(ParameterError) {
            effect = try panel.placedEffect().keyed(for: .frames)
            guard !panel.pixels(in: extent).isEmpty else { return DrawnPanel(panel: panel, work: nil) }
            plan = try effect.plan(extent: extent, region: extent, accuracy: accuracy, mask: panel.mask)
        } catch {
            throw .parameter(error)
        }
        try executor.check(plan)
        if let group = groups.first(where: { $0.serves(plan) }) {
            return DrawnPanel(panel: panel, work: (effect, plan, group))
        }
        let group = Group(plan, try executor.makeLevel(of: plan))
        groups.append(group)
        return DrawnPanel(panel: panel, work: (effect, plan, group))
    }

    /// Marks all samples and pixels that read damaged pixels as out of date.
    private mutating func spreadDamage() {
        for group in groups {
            var affected = Region()
            for rect in damage.rects {
                group.level?.invalidate(rect)
                group.stale.formUnion(group.layers.affectedSamples(by: rect))
                affected.formUnion(group.layers.plan.affected(by: rect))
            }
            for panel in drawn {
                guard let work = panel.work, work.group === group else { continue }
                let pixels = group.layers.pixels(reading: affected, of: work.plan)
                // Output stages may read pixels that the blur does not read.
                history.change(pixels.union(damage).intersection(panel.visible))
            }
        }
        damage = Region()
    }

    /// Marks the pixels of panels as out of date that show changed pixels of textures.
    private mutating func spreadChanges(of textures: [UInt64: Region]) {
        for drawn in drawn {
            // A texture lies in the top left corner of its panel.
            let rect = drawn.panel.rect
            for layer in drawn.panel.content {
                guard let changes = layer.image.texture.flatMap({ textures[$0] }) else { continue }
                let pixels = Region(changes.rects.map { $0.moved(x: rect.x, y: rect.y) })
                history.change(pixels.intersection(drawn.visible))
            }
        }
    }

    /// Computes those outdated samples of a level that are needed to redraw outdated parts of panels. With
    /// ``Backdrop/Coverage/everywhere``, if any sample is needed, all outdated samples of the level are computed.
    ///
    /// - Parameter parts: the part of each panel that is drawn.
    private func update<Executor: BackdropExecutor>(
        _ group: Group, for parts: [Region], by executor: Executor, _ report: inout BackdropReport
    ) throws(FrostError) where Executor.Level == Level {
        guard let level = group.level, !group.stale.isEmpty else { return }
        var needed = Region()
        for (panel, part) in zip(drawn, parts) {
            guard let work = panel.work, work.group === group else { continue }
            for rect in part.cover() { needed.formUnion(Region(group.layers.samples(for: rect, of: work.plan))) }
        }
        if coverage == .everywhere, !needed.isEmpty { needed = Region(group.layers.window) }
        let work = group.stale.intersection(needed).cover(waste: Executor.partCost)
        for samples in work {
            try executor.update(level, in: samples)
            group.stale.subtract(Region(samples))
            report.levelSamples += samples.width * samples.height
        }
        if !work.isEmpty { report.levelPasses += group.layers.cut }
    }

    /// Draws a part of a panel.
    private func draw<Executor: BackdropExecutor>(
        _ index: Int, _ part: Region, by executor: Executor, _ report: inout BackdropReport
    ) throws(FrostError) where Executor.Level == Level {
        guard let (effect, whole, group) = drawn[index].work, !part.isEmpty else { return }
        report.panelPasses += whole.passCount - group.layers.cut
        let mask = drawn[index].panel.mask
        for rect in part.cover() {
            var plan = whole
            plan.region = rect
            if group.level == nil {
                plan = try rethrow(
                    effect.plan(extent: extent, region: rect, accuracy: accuracy, mask: mask), as: FrostError.parameter)
            }
            try executor.draw(plan, from: group.level, mask: mask)
            report.panelPixels += rect.width * rect.height
            report.updated.append(rect)
        }
    }
}
