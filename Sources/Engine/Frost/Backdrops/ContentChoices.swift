import FrostCore

/// The colours of content that a backdrop has chosen for panels with an ``OutputStages/automaticContrast``.
///
/// A choice depends on the mean of the picture in the panel's pixels. The mean is measured when the panel appears or moves, and
/// when the picture changes in these pixels, but not in other frames. A choice that moves changes the panel's effect, so the whole
/// panel is drawn. On the GPU, only the first choice waits for the measurement. After that, the next frame takes its result.
struct ContentChoices {
    private struct Choice {
        /// The panel's pixels, and the stage whose picture was measured.
        var pixels: Region
        var stage: Int
        var decoding: TransferFunction?
        var mean: SIMD4<Double>
        /// Whether the picture has changed in ``pixels`` since it was measured.
        var isStale = false
        /// A measurement whose result the next frame takes.
        var pending: (any BackdropSamples)?
        var content: Color
    }

    /// Whether the first choice for a panel is the last.
    private let areFinal: Bool
    private var choices: [PanelIdentity: Choice] = [:]
    /// The panels whose content has a new colour since the last frame that was reported.
    private var changed: Set<PanelIdentity> = []
    /// The number of pending measurements in each stage that has any.
    private var waiting: [Int: Int] = [:]

    /// The number of measurements whose results the next frame takes.
    var pendingCount: Int { waiting.values.reduce(0, +) }

    init(areFinal: Bool) { self.areFinal = areFinal }

    /// Returns the colour of a panel's content; nil if the panel guarantees no contrast, or was not visible yet.
    func content(of panel: Panel, at index: Int) -> Color? {
        guard panel.effect.outputStages.automaticContrast != nil else { return panel.effect.contrast?.content }
        return choices[PanelIdentity(panel, at: index)]?.content
    }

    /// Takes note of other panels, and forgets the choices of those that make none any more.
    mutating func keep(_ panels: [Panel]) {
        guard !choices.isEmpty else { return }
        waiting = [:]
        let identities = Set(
            panels.enumerated().compactMap { index, panel in
                panel.effect.outputStages.automaticContrast == nil ? nil : PanelIdentity(panel, at: index)
            })
        choices = choices.filter { identities.contains($0.key) }
        changed.formIntersection(identities)
    }

    /// Reports that the picture of a stage has changed in a rectangle.
    mutating func invalidate(_ rect: Rect, of stage: inout StagePanels) {
        guard !areFinal, stage.isAutomatic else { return }
        for (panel, index) in zip(stage.panels, stage.indices) {
            guard let index else { continue }
            let identity = PanelIdentity(panel, at: index)
            guard let choice = choices[identity], !choice.isStale,
                !choice.pixels.intersection(Region(rect)).isEmpty
            else { continue }
            choices[identity]?.isStale = true
            stage.decided = nil
        }
    }

    /// Returns a stage's panels with the colour of their content chosen.
    ///
    /// - Parameters:
    ///   - number: the number of the stage.
    ///   - executor: reads the picture of the stage.
    mutating func decide<Executor: BackdropExecutor>(
        _ stage: StagePanels, _ number: Int, in extent: Rect, by executor: Executor
    ) throws(FrostError) -> [Panel] {
        if let decided = stage.decided, waiting[number] == nil { return decided }
        var (decided, pending) = (stage.panels, 0)
        for (place, panel) in stage.panels.enumerated() {
            guard let index = stage.indices[place], panel.effect.outputStages.automaticContrast != nil else { continue }
            let pixels = panel.pixels(in: extent)
            // A panel without pixels is not planned, and needs no colour.
            guard !pixels.isEmpty else { continue }
            let identity = PanelIdentity(panel, at: index)
            let last = choices[identity]?.content
            if areFinal, let last {
                decided[place].effect = try rethrow(
                    panel.effect.decidingContent(as: last), as: FrostError.parameter)
                continue
            }
            let mean = try measure(identity, pixels, number, panel.effect.decoding, by: executor)
            pending += choices[identity]?.pending == nil ? 0 : 1
            let effect = try rethrow(
                panel.effect.decidingContent(for: mean, after: last), as: FrostError.parameter)
            decided[place].effect = effect
            guard let content = effect.contrast?.content else { continue }
            choices[identity]?.content = content
            if content != last { changed.insert(identity) }
        }
        waiting[number] = pending == 0 ? nil : pending
        return decided
    }

    /// Returns the mean of the picture in a panel's pixels, and begins to measure it if it is out of date.
    private mutating func measure<Executor: BackdropExecutor>(
        _ identity: PanelIdentity, _ pixels: Region, _ stage: Int, _ decoding: TransferFunction?, by executor: Executor
    ) throws(FrostError) -> SIMD4<Double> {
        if let samples = choices[identity]?.pending {
            if let colors = try samples.colors() {
                choices[identity]?.mean = SampleGrid.mean(of: colors, decoding)
            } else {
                choices[identity]?.isStale = true
            }
            choices[identity]?.pending = nil
        }
        let last = choices[identity]
        if let last, !last.isStale, last.pixels == pixels, last.stage == stage, last.decoding == decoding {
            return last.mean
        }
        let samples = try executor.sample(SampleGrid(pixels.rects))
        var choice =
            last
            ?? Choice(
                pixels: pixels, stage: stage, decoding: decoding, mean: .zero, content: AutomaticContrast.colors[0])
        (choice.pixels, choice.stage, choice.decoding, choice.isStale) = (pixels, stage, decoding, false)
        if last != nil, samples.isPending {
            choice.pending = samples
        } else {
            choice.mean = SampleGrid.mean(of: try samples.colors() ?? [], decoding)
        }
        choices[identity] = choice
        return choice.mean
    }

    /// Returns the indices of the panels whose content has a new colour, and forgets them.
    mutating func takeChanges(of panels: [Panel]) -> [Int] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return panels.indices.filter { changed.contains(PanelIdentity(panels[$0], at: $0)) }
    }
}

/// The panels that a stage of a ``BackdropStack`` draws.
struct StagePanels {
    let panels: [Panel]
    /// The index of each panel among those of the host; nil for a panel that copies.
    let indices: [Int?]
    /// Whether the colour of the content of a panel has to be chosen.
    let isAutomatic: Bool
    /// The panels with the colours of their content chosen; nil if they have to be chosen again.
    var decided: [Panel]?

    init(_ panels: [Panel], _ indices: [Int?]) {
        self.panels = panels
        self.indices = indices
        isAutomatic = panels.contains { $0.effect.outputStages.automaticContrast != nil }
        decided = isAutomatic ? nil : panels
    }
}
