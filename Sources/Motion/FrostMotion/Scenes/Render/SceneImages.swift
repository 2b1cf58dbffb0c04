public import Frost
import FrostCore
import Synchronization

/// The pictures of a scene, read once, and the panels that are made with them.
///
/// Thread safety: a value that may be used from any thread.
public struct SceneImages: Sendable {
    private let content: [String: ContentImage]
    private let masks: [String: MaskImage]
    private let scale: Double
    /// The pixels of a frame. Pictures are placed only there, because panels may be much larger.
    private let frame: Rect
    /// The number of the scene's panels.
    private let count: Int
    /// A panel that shows nothing.
    private let placeholder: Panel
    private let made = Made()

    /// The panels that were made last, by their index, so that a panel that rests is not made again.
    private final class Made: Sendable {
        let panels = Mutex<[Int: (state: SceneState.Panel, panel: Panel)]>([:])
    }

    /// Reads the masks and the content of all panels.
    ///
    /// - Parameter scale: the factor from the scene's pixels to those of the frame.
    /// - Throws: ``SceneError/resource(_:name:reason:)``, ``SceneError/overLimit(_:name:reason:)``.
    public init(of scene: Scene, _ resources: some SceneResources, scale: Double = 1) throws(SceneError) {
        var content: [String: ContentImage] = [:]
        var masks: [String: MaskImage] = [:]
        for panel in scene.panels {
            for layer in panel.content where content[layer.picture] == nil {
                content[layer.picture] = ContentImage(
                    try resources.read(layer.picture, layer.path.member("picture")))
            }
            if let name = panel.mask, masks[name] == nil {
                masks[name] = MaskImage(ofFile: try resources.read(name, panel.path.member("mask")))
            }
        }
        placeholder = try rethrow(
            Panel(Rect(x: 0, y: 0, width: 0, height: 0), effect: Effect(GaussianBlur(sigma: 0))),
            as: { SceneError.rendering(.parameter($0)) })
        count = scene.panels.count
        self.content = content
        self.masks = masks
        self.scale = scale
        frame = scene.frame(scale: scale)
    }

    /// Returns the panels of a frame for a ``Backdrop`` or a ``TextureBackdrop``, at full strength: they do not express
    /// ``SceneState/Panel/alpha`` and have no shadows. Each panel of the scene has a fixed place in the list, because a backdrop
    /// compares panels by their index. A panel that is not shown has no pixels.
    ///
    /// - Throws: ``SceneError/rendering(_:)`` for coordinates that are too large.
    public func panels(_ states: [SceneState.Panel]) throws(SceneError) -> [Panel] {
        var panels = [Panel](repeating: placeholder, count: count)
        for state in states where panels.indices.contains(state.index) { panels[state.index] = try panel(state) }
        return panels
    }

    private func panel(_ state: SceneState.Panel) throws(SceneError) -> Panel {
        if let last = made.panels.withLock({ $0[state.index] }), last.state == state { return last.panel }
        let panel = try rethrow(make(state), as: { SceneError.rendering(.parameter($0)) })
        made.panels.withLock { $0[state.index] = (state, panel) }
        return panel
    }

    private func make(_ state: SceneState.Panel) throws(ParameterError) -> Panel {
        var panel = Panel(
            state.rect, effect: state.effect, mask: state.mask.flatMap { masks[$0] }, maskPlacement: state.maskPlacement
        )
        panel.place(state.outline)
        let mask = state.effect.mask ?? panel.mask.map { _ in .image }
        if let mask, !state.isOnPixels, state.maskPlacement == .rect {
            panel.mask = mask.image(
                over: state.place, turnedBy: state.rotation, seenIn: state.rect, of: frame, image: panel.mask)
            panel.maskPlacement = .picture
            panel.effect = try state.effect.replacingMaskByImage()
        }
        for layer in state.content {
            guard let image = content[layer.picture] else { continue }
            if let layer = try self.layer(layer, image, in: state) { panel.content.append(layer) }
        }
        if let hairline = state.hairline, let line = try line(hairline, in: state) { panel.content.append(line) }
        return panel
    }

    private func layer(
        _ content: SceneState.Content, _ image: ContentImage, in state: SceneState.Panel
    ) throws(ParameterError) -> ContentLayer? {
        if state.isOnPixels, content.bounds?.isWhole ?? true {
            let extent = Rect(x: 0, y: 0, width: state.rect.width, height: state.rect.height)
            return ContentLayer(
                image, vibrancy: content.vibrancy, mode: content.mode, bounds: content.bounds.map { Rect(nearest: $0) }
            ).scaled(by: scale, in: extent)
        }
        let place = state.place
        var bounds = content.bounds ?? Placement(x: 0, y: 0, width: place.width, height: place.height)
        // Modes that do not scale a picture show it at the scene's scale.
        bounds = content.mode.place(width: image.width, height: image.height, in: bounds.scaled(by: 1 / scale))
            .scaled(by: scale)
        bounds.x += place.x
        bounds.y += place.y
        let center = SIMD2(place.x + place.width / 2, place.y + place.height / 2)
        guard let seen = state.rect.intersection(frame),
            let placed = try image.placed(at: bounds, turnedBy: state.rotation, about: center, within: seen)
        else { return nil }
        return ContentLayer(
            placed.image, vibrancy: content.vibrancy, mode: .topLeft,
            bounds: placed.window.moved(x: -state.rect.x, y: -state.rect.y))
    }

    private func line(_ hairline: SceneHairline, in state: SceneState.Panel) throws(ParameterError) -> ContentLayer? {
        guard let seen = state.rect.intersection(frame) else { return nil }
        let (outline, width) = (state.outline, hairline.width)
        var inner: RoundedRect?
        if outline.width > 2 * width, outline.height > 2 * width {
            let room = outline.corners.maximumRadius(
                width: outline.width - 2 * width, height: outline.height - 2 * width)
            inner = try RoundedRect(
                x: outline.x + width, y: outline.y + width, width: outline.width - 2 * width,
                height: outline.height - 2 * width, radius: min(max(outline.radius - width, 0), room),
                corners: outline.corners
            ).turned(by: outline.rotation)
        }
        let image = ContentImage(lineOf: hairline.color.premultiplied, along: outline, outside: inner, in: seen)
        return ContentLayer(image, mode: .topLeft, bounds: seen.moved(x: -state.rect.x, y: -state.rect.y))
    }
}

extension SceneState.Panel {
    /// Whether the panel is upright, and its edges lie between pixels.
    fileprivate var isOnPixels: Bool { rotation.truncatingRemainder(dividingBy: 360) == 0 && place.isWhole }

    /// Whether each of ``rect``'s pixels belongs wholly to the panel.
    var fillsPixels: Bool {
        outline.radius == 0 && outline.rotation == 0
            && Placement(x: outline.x, y: outline.y, width: outline.width, height: outline.height).isWhole
    }
}

extension SceneResources {
    /// Returns a picture, or an error that names the member of the scene.
    func read(_ name: String, _ path: ScenePath) throws(SceneError) -> PixelBuffer {
        do throws(SceneResourceError) { return try picture(named: name) } catch {
            throw error.sceneError(path, name: name)
        }
    }
}
