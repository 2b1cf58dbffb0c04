public import Frost
public import FrostCore

/// Renders the frames of a scene.
///
/// It renders through ``Backdrop``: what did not change since the last frame is not computed again. A panel that rests costs
/// no pass, and panels with the same blur share it. Each frame has the same bytes whatever frames were rendered before, and
/// for any number of threads.
///
/// From bottom to top, a frame consists of the backdrop, the reveal, the vignette, and the panels. Panels show the effect of
/// everything below them except other panels, but read the pixels that redactions hide as these show them.
///
/// Not thread-safe: use a renderer from one thread at a time.
public final class SceneRenderer {
    /// The scene.
    public let scene: Scene
    /// The layout of every frame: RGBA with straight alpha.
    public var layout: PixelLayout { canvas.layout }
    /// The cost of the last frame.
    public private(set) var report = SceneFrameReport()

    /// The colours of content that were chosen so far for panels whose colour is automatic, by the panel's index in
    /// ``Scene/panels``. The choice is made once for each panel, for the picture below it in its first frame.
    public private(set) var contentColors: [Int: Color] = [:]

    private let scale: Double
    private let canvas: SceneCanvas
    private let renderer: Renderer
    private let backdrops: SceneBackdrops
    private let layers: SceneLayers
    /// What identifies the pixels of ``picture``.
    private var key: PictureKey?
    /// The backdrop without reveal and vignette.
    private var base: PixelBuffer
    /// The backdrop with reveal and vignette.
    private var picture: PixelBuffer
    /// The last reveal, and the last one of a backdrop with redactions.
    private var reveals: [RevealKey: Reveal] = [:]
    /// Shows the pixels of ``picture``, in which redactions are drawn already.
    private let unchanged: Effect
    private var frame: PixelBuffer
    private var placed: [SceneLayers.PlacedPanel] = []

    private struct PictureKey: Hashable {
        let backdrop: SceneBackdrops.Key
        let reveal: SceneState.Reveal?
        let vignette: Double
        let redactions: [SceneRedaction]

        init(_ state: SceneState, _ backdrop: SceneBackdrops.Key, in extent: Rect) {
            self.backdrop = backdrop
            (reveal, vignette) = (state.reveal, state.vignette)
            redactions = state.panels.compactMap { SceneRedaction($0, in: extent) }
        }
    }

    private struct RevealKey: Hashable {
        let backdrop: SceneBackdrops.Key
        let effect: Effect
        let hidden: [SceneRedaction]
    }

    /// Creates a renderer, reads all pictures and opens all videos.
    ///
    /// - Parameters:
    ///   - scale: the factor from the scene's pixels to those of the frame.
    ///   - sample: the type of the frames' samples.
    ///   - threads: the number of threads; by default one for each processor that the process may use.
    ///   - renderer: computes effects and transitions; by default the CPU does. With its backend `auto`, a frame may depend on
    ///     those before it. On the CPU, panels share what they have in common; elsewhere each panel that changes is computed by itself. Shadows and the
    ///     mixture of panels are computed on the CPU.
    /// - Throws: ``SceneError``.
    public init(
        _ scene: Scene, _ resources: some SceneResources, scale: Double = 1, sample: SampleType = .u8,
        threads: Int? = nil, renderer given: Renderer? = nil
    ) throws(SceneError) {
        self.scene = scene
        self.scale = scale
        // The first state also checks the scale.
        let state = try scene.state(at: 0, scale: scale)
        canvas = try SceneCanvas(
            width: state.width, height: state.height, sample: sample, background: scene.background)
        if let given {
            renderer = given
        } else {
            renderer = try rethrow(Renderer(backend: .cpu, threads: threads), as: SceneError.rendering)
        }
        unchanged = try rethrow(Effect(GaussianBlur(sigma: 0)), as: { SceneError.rendering(.parameter($0)) })
        backdrops = try SceneBackdrops(scene, resources, canvas, scale: scale, renderer)
        let images = try SceneImages(of: scene, resources, scale: scale)
        layers = SceneLayers(scene, images, canvas, renderer, threads: threads)
        let empty = PixelBuffer(layout: canvas.layout)
        (base, picture, frame) = (empty, empty, empty)
    }

    /// Renders the frame at a time.
    ///
    /// - Parameter time: the time in seconds: see ``Scene/state(at:scale:)``.
    /// - Throws: ``SceneError``. After an error the next frame does the remaining work.
    public func frame(at time: Double, cancellation: Cancellation? = nil) throws(SceneError) -> PixelBuffer {
        var report = SceneFrameReport()
        let state = try redactionsDecided(scene.state(at: time, scale: scale), &report, cancellation)
        let damage = try updatePicture(state, &report, cancellation)
        for rect in damage.rects { layers.invalidate(rect) }
        let panels = try decided(state, &report, cancellation)
        let before = placed
        // Until the frame is complete, all of it counts as unknown.
        placed = []
        let isFirst = before.isEmpty && self.isIncomplete
        isIncomplete = true
        let (after, updated) = try layers.render(panels, over: picture, &report, cancellation)
        var part = damage.union(updated)
        if isFirst { part = Region(canvas.layout.extent) }
        // A panel that came, went, moved or changed its alpha, and what it covered.
        for panel in Set(before).symmetricDifference(after) { part.formUnion(panel.visible.union(panel.shaded)) }
        // Opaque panels hide the picture, so it is not copied there.
        var open = part
        for panel in after where panel.state.alpha == 1 && !panel.isOverOthers { open.subtract(panel.visible) }
        for rect in open.rects { canvas.copy(picture, into: &frame, rect) }
        layers.compose(after, into: &frame, within: part)
        report.composedPixels = part.area
        placed = after
        isIncomplete = false
        self.report = report
        return frame
    }

    /// Whether the last frame failed, or there was none.
    private var isIncomplete = true

    /// Makes the picture of everything below the panels.
    ///
    /// - Returns: the part that differs from the last picture.
    private func updatePicture(
        _ state: SceneState, _ report: inout SceneFrameReport, _ cancellation: Cancellation?
    ) throws(SceneError) -> Region {
        let next = PictureKey(state, backdrops.key(state.backdrop), in: canvas.layout.extent)
        guard next != key else { return Region() }
        if next.backdrop != key?.backdrop {
            // If this fails, the next frame must not take the old pixels for the new ones.
            let last = key
            key = nil
            base = try backdrops.picture(next.backdrop, cancellation)
            key = last
        }
        picture = try finished(base, next, &report, cancellation)
        report.pictureChanged = true
        defer { key = next }
        guard let key, key.backdrop == next.backdrop, key.vignette == next.vignette,
            key.reveal?.effect == next.reveal?.effect || key.reveal == nil || next.reveal == nil,
            key.redactions == next.redactions || !spreads(key) && !spreads(next)
        else { return Region(canvas.layout.extent) }
        var rects = [key.reveal, next.reveal].compactMap { $0?.rect.bounds.intersection(canvas.layout.extent) }
        if key.redactions != next.redactions { rects += (key.redactions + next.redactions).map(\.rect) }
        return Region(rects)
    }

    /// Returns the picture of everything below the panels in a frame, which may be another frame than the last.
    private func picture(
        of state: SceneState, _ report: inout SceneFrameReport, _ cancellation: Cancellation?
    ) throws(SceneError) -> PixelBuffer {
        let wanted = PictureKey(state, backdrops.key(state.backdrop), in: canvas.layout.extent)
        guard wanted != key else { return picture }
        let base = wanted.backdrop == key?.backdrop ? base : try backdrops.picture(wanted.backdrop, cancellation)
        return try finished(base, wanted, &report, cancellation)
    }

    /// Whether pixels beside the redactions may contain a part of what they hide.
    private func spreads(_ key: PictureKey) -> Bool {
        !key.redactions.isEmpty && (key.reveal != nil || backdrops.spreads(key.redactions, in: key.backdrop))
    }

    /// Returns a backdrop with reveal, vignette and redactions.
    private func finished(
        _ base: PixelBuffer, _ key: PictureKey, _ report: inout SceneFrameReport, _ cancellation: Cancellation?
    ) throws(SceneError) -> PixelBuffer {
        let whole = try covered(base, key, hiding: [], &report, cancellation)
        guard !key.redactions.isEmpty else { return whole }
        var picture = whole
        if spreads(key) {
            let safe = try backdrops.picture(key.backdrop, hiding: key.redactions, cancellation)
            picture = try covered(safe, key, hiding: key.redactions, &report, cancellation)
        }
        do throws(FrostError) {
            for part in try renderer.hide(key.redactions, of: whole, in: &picture, cancellation) {
                report.panelPasses += part.passes
                report.errorBound = max(report.errorBound, part.errorBound)
            }
        } catch {
            throw .rendering(error)
        }
        return picture
    }

    /// Returns a backdrop with reveal and vignette.
    ///
    /// - Parameter hidden: the redactions that are drawn in the backdrop.
    private func covered(
        _ base: PixelBuffer, _ key: PictureKey, hiding hidden: [SceneRedaction], _ report: inout SceneFrameReport,
        _ cancellation: Cancellation?
    ) throws(SceneError) -> PixelBuffer {
        var picture = base
        if let reveal = key.reveal {
            let effect = RevealKey(backdrop: key.backdrop, effect: reveal.effect, hidden: hidden)
            picture = try revealed(effect, base, &report, cancellation).frame(within: [reveal.rect])
        }
        if key.vignette > 0 { canvas.darken(&picture, alpha: key.vignette) }
        return picture
    }

    private func revealed(
        _ key: RevealKey, _ base: PixelBuffer, _ report: inout SceneFrameReport, _ cancellation: Cancellation?
    ) throws(SceneError) -> Reveal {
        if let reveal = reveals[key] { return reveal }
        report.revealComputed = true
        do throws(FrostError) {
            let result = try Reveal(base, key.effect, with: renderer, cancellation: cancellation)
            reveals = reveals.filter { $0.key.hidden.isEmpty != key.hidden.isEmpty }
            reveals[key] = result
            return result
        } catch {
            throw .rendering(error)
        }
    }

    /// Returns the panels of a frame with the colour of their content decided.
    private func decided(
        _ state: SceneState, _ report: inout SceneFrameReport, _ cancellation: Cancellation?
    ) throws(SceneError) -> [SceneState.Panel] {
        var panels = state.panels
        for place in panels.indices where panels[place].effect.isRedaction { panels[place].effect = unchanged }
        for (place, panel) in panels.enumerated() where panel.effect.outputStages.automaticContrast != nil {
            panels[place].effect = try decidedEffect(of: panel, in: state, cancellation) { (state) throws(SceneError) in
                try picture(of: redactionsDecided(state, &report, cancellation), &report, cancellation)
            }
        }
        return panels
    }

    /// Returns a state with the colour of the content of redactions decided. They hide the picture below them, so it decides.
    private func redactionsDecided(
        _ state: SceneState, _ report: inout SceneFrameReport, _ cancellation: Cancellation?
    ) throws(SceneError) -> SceneState {
        var decided = state
        for (place, panel) in state.panels.enumerated()
        where panel.effect.isRedaction && panel.effect.outputStages.automaticContrast != nil {
            decided.panels[place].effect = try decidedEffect(of: panel, in: state, cancellation) {
                (state) throws(SceneError) in
                var open = state
                open.panels.removeAll(where: \.effect.isRedaction)
                return try picture(of: open, &report, cancellation)
            }
        }
        return decided
    }

    /// Returns the effect of a panel with the colour of its content decided by the first frame in which the panel is visible.
    ///
    /// - Parameters:
    ///   - state: the state of the frame to render, which decides if the panel is visible only between two frames of the scene's own
    ///     rate.
    ///   - below: returns the picture below the panel in a state.
    private func decidedEffect(
        of panel: SceneState.Panel, in state: SceneState, _ cancellation: Cancellation?,
        _ below: (SceneState) throws(SceneError) -> PixelBuffer
    ) throws(SceneError) -> Effect {
        if contentColors[panel.index] == nil,
            let first = try scene.firstFrame(of: panel.index, scale: scale, cancellation)
        {
            contentColors[panel.index] = try first.panel.decided(over: below(first.state)).contrast?.content
        }
        guard let content = contentColors[panel.index] else { return try panel.decided(over: below(state)) }
        return try rethrow(
            panel.effect.decidingContent(as: content), as: { SceneError.rendering(.parameter($0)) })
    }
}

extension SceneState.Panel {
    /// Returns the effect with the colour of its content decided for the picture below the panel.
    fileprivate func decided(over picture: PixelBuffer) throws(SceneError) -> Effect {
        try rethrow(effect.decidingContent(of: picture, within: [rect]), as: SceneError.rendering)
    }
}

extension Scene {
    /// Returns the first of the frames at the scene's own rate in which a pixel of a panel is visible; nil if there is none.
    fileprivate func firstFrame(
        of index: Int, scale: Double, _ cancellation: Cancellation?
    ) throws(SceneError) -> (state: SceneState, panel: SceneState.Panel)? {
        // Products of times and rates are rounded.
        var number = Int((max(0, panels[index].from) * framesPerSecond - 1e-6).rounded(.up))
        let last = max(number, frameCount(framesPerSecond: framesPerSecond) - 1)
        while number <= last {
            guard cancellation?.isCancelled != true else { throw .rendering(.cancelled) }
            let state = try state(at: time(ofFrame: number, framesPerSecond: framesPerSecond), scale: scale)
            let panel = state.panels.first { $0.index == index }
            if let panel, panel.rect.intersection(frame(scale: scale)) != nil { return (state, panel) }
            number += 1
        }
        return nil
    }
}
