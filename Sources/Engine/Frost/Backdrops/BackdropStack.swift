import FrostCore

extension Backdrop {
    /// What panels show of each other.
    public enum Layering: Sendable, Hashable, CaseIterable {
        /// Every panel shows the effect of the picture. Where two overlap, only the later one is visible.
        case flat
        /// Every panel shows the effect of what lies below it: the picture with all earlier panels.
        case stacked
    }
}

/// Draws panels that lie over each other, from bottom to top, in stages. A stage draws panels that do not read each other's
/// pixels, and its result is the picture of the next stage. So a frame equals, bit for bit, one that is composed from the
/// bottom up in whole pictures, but each stage computes only what the stage before has changed.
///
/// Each stage but the last draws into an image of its own. Its first panel covers the whole image and has no blur: it copies what
/// has changed below. The last stage draws into the target, where its first panel copies the pixels of the panels of the
/// earlier stages. So each stage is a ``BackdropScene``, which tracks the changes, the ages of buffers and failures.
struct BackdropStack<Level: BackdropLevel> {
    private let layering: Backdrop.Layering
    private let coverage: Backdrop.Coverage
    let extent: Rect
    private let accuracy: Accuracy
    /// The scenes of all stages but the last. Each draws into the image of its stage.
    private var lower: [BackdropScene<Level>] = []
    private var last: BackdropScene<Level>
    private var panels: [Panel] = []
    /// The panels with their pixels and the pixels that they read.
    private var reaches: [(panel: Panel, pixels: Region, read: Region)] = []
    /// The panels of each stage, with those that copy.
    private var stages = [StagePanels([], [])]
    private var choices: ContentChoices

    /// - Parameter choosesOnce: whether the colour of a panel's content is chosen once, and does not follow the picture.
    init(
        extent: Rect, accuracy: Accuracy, coverage: Backdrop.Coverage, layering: Backdrop.Layering,
        choosesOnce: Bool = false
    ) {
        choices = ContentChoices(areFinal: choosesOnce)
        self.layering = layering
        self.coverage = coverage
        self.extent = extent
        self.accuracy = accuracy
        last = BackdropScene(extent: extent, accuracy: accuracy, coverage: coverage)
    }

    /// The number of images that the stages draw into.
    var imageCount: Int { lower.count }

    /// Reports a change of the picture in a rectangle.
    mutating func invalidate(_ rect: Rect) {
        choices.invalidate(rect, of: &stages[0])
        if lower.isEmpty { last.invalidate(rect) } else { lower[0].invalidate(rect) }
    }

    mutating func invalidateAll() { invalidate(extent) }

    /// Returns the colour of a panel's content in the last frame: see ``ContentChoices/content(of:at:)``.
    func contentColor(of panel: Panel, at index: Int) -> Color? { choices.content(of: panel, at: index) }

    /// Frees all levels, for a stack that is no longer used.
    func dropLevels<Executor: BackdropExecutor>(by executor: Executor) where Executor.Level == Level {
        for scene in lower + [last] { scene.dropLevels(by: executor) }
    }

    /// Takes note that the images of all stages are lost. The next frame draws them again. What the targets contain stays known.
    mutating func loseImages<Executor: BackdropExecutor>(by executor: Executor) where Executor.Level == Level {
        for scene in lower { scene.dropLevels(by: executor) }
        lower = []
    }

    /// Does all outstanding work of a frame: see ``BackdropScene/render(_:by:into:_:)``.
    ///
    /// - Parameters:
    ///   - textures: what has changed in the textures of content layers, by their numbers.
    ///   - executor: returns what does the work of a stage. The stage reads the image of the stage with the first
    ///     number, nil for the picture, and draws into the image of the stage with the second number, nil for the target.
    mutating func render<Executor: BackdropExecutor>(
        _ panels: [Panel], textures: [UInt64: Region] = [:], into target: BackdropTarget, _ repaint: Backdrop.Repaint,
        executor: (_ from: Int?, _ to: Int?) throws(FrostError) -> Executor
    ) throws(FrostError) -> BackdropReport where Executor.Level == Level {
        if panels != self.panels {
            stages = try rethrow(staged(panels), as: FrostError.parameter)
            self.panels = panels
            choices.keep(panels)
        }
        let count = stages.count - 1
        if count != lower.count {
            // The last stage reads another image than before, perhaps of another format.
            last.restart(by: try executor(nil, nil))
            for scene in lower.dropFirst(count) { scene.dropLevels(by: try executor(nil, nil)) }
            lower.removeLast(max(0, lower.count - count))
            while lower.count < count {
                lower.append(BackdropScene(extent: extent, accuracy: accuracy, coverage: coverage))
            }
        }
        var sum = BackdropReport()
        for index in 0..<count {
            let executor = try executor(index == 0 ? nil : index - 1, index)
            let panels = try choices.decide(stages[index], index, in: extent, by: executor)
            stages[index].decided = panels
            let report = try lower[index].render(
                panels, textures: textures, by: executor, into: .buffer(0, x: 0, y: 0), .changed)
            for rect in report.updated {
                choices.invalidate(rect, of: &stages[index + 1])
                if index + 1 < count { lower[index + 1].invalidate(rect) } else { last.invalidate(rect) }
            }
            sum.addCost(of: report)
        }
        let executor = try executor(count == 0 ? nil : count - 1, nil)
        let shown = try choices.decide(stages[count], count, in: extent, by: executor)
        stages[count].decided = shown
        var report = try last.render(shown, textures: textures, by: executor, into: target, repaint)
        report.addCost(of: sum)
        report.contentChanges = choices.takeChanges(of: panels)
        report.pendingChoices = choices.pendingCount
        return report
    }

    /// Returns the effect of panels that copy.
    static func copying() throws(ParameterError) -> Effect { Effect(try GaussianBlur(sigma: 0)) }

    /// Divides panels into stages, each as early as possible.
    private mutating func staged(_ panels: [Panel]) throws(ParameterError) -> [StagePanels] {
        switch layering {
        case .flat: return [StagePanels(panels, panels.indices.map { $0 })]
        case .stacked: break
        }
        try panels.checkIdentities()
        var stages: [(panels: [Panel], indices: [Int?])] = [([], [])]
        reaches = try panels.enumerated().map { (index, panel) throws(ParameterError) in
            if index < reaches.count, reaches[index].panel == panel { return reaches[index] }
            let (effect, pixels) = (try panel.placedEffect(), panel.pixels(in: extent))
            guard !pixels.isEmpty else { return (panel, pixels, pixels) }
            let reach = try effect.decisions().map { (effect) throws(ParameterError) in
                try effect.damageExpansion(extent: extent, accuracy: accuracy)
            }
            let (x, y) = (reach.map(\.x).max() ?? 0, reach.map(\.y).max() ?? 0)
            return (panel, pixels, Region(pixels.rects.map { $0.expanded(x, y) }))
        }
        var placed: [(pixels: Region, read: Region, stage: Int)] = []
        for (index, (panel, pixels, read)) in reaches.enumerated() where !pixels.isEmpty {
            var stage = 0
            for below in placed {
                if !read.intersection(below.pixels).isEmpty {
                    stage = max(stage, below.stage + 1)
                } else if !below.read.intersection(pixels).isEmpty {
                    // The panel below must not read this one.
                    stage = max(stage, below.stage)
                }
            }
            placed.append((pixels, read, stage))
            if stage == stages.count { stages.append(([], [])) }
            stages[stage].panels.append(panel)
            stages[stage].indices.append(index)
        }
        guard stages.count > 1 else { return [StagePanels(stages[0].panels, stages[0].indices)] }
        let plain = try Self.copying()
        for index in stages.indices.dropLast() { stages[index].panels.insert(Panel(extent, effect: plain), at: 0) }
        let shown = placed.filter { $0.stage < stages.count - 1 }.reduce(into: Region()) { $0.formUnion($1.pixels) }
        stages[stages.count - 1].panels.insert(Panel(extent, effect: plain, region: shown), at: 0)
        return stages.map { StagePanels($0.panels, [nil] + $0.indices) }
    }
}

extension BackdropReport {
    /// Adds the cost of another stage of the same frame.
    fileprivate mutating func addCost(of other: BackdropReport) {
        levelPasses += other.levelPasses
        panelPasses += other.panelPasses
        levelSamples += other.levelSamples
        panelPixels += other.panelPixels
        errorBound = max(errorBound, other.errorBound)
    }
}

extension Rect {
    static var empty: Rect { Rect(x: 0, y: 0, width: 0, height: 0) }

    fileprivate func expanded(_ x: Int, _ y: Int) -> Rect {
        Rect(x: self.x - x, y: self.y - y, width: width + 2 * x, height: height + 2 * y)
    }
}
