public import Frost
import FrostCore

/// The pictures of a scene, read once, and the panels that are made with them.
///
/// Thread safety: a value that may be used from any thread.
public struct SceneImages: Sendable {
    private let content: [String: ContentImage]
    private let masks: [String: MaskImage]
    private let scale: Double
    /// The number of the scene's panels.
    private let count: Int
    /// A panel that shows nothing.
    private let placeholder: Panel

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
                masks[name] = MaskImage(try resources.read(name, panel.path.member("mask")))
            }
        }
        placeholder = try rethrow(
            Panel(Rect(x: 0, y: 0, width: 0, height: 0), effect: Effect(GaussianBlur(sigma: 0))),
            as: { SceneError.rendering(.parameter($0)) })
        count = scene.panels.count
        self.content = content
        self.masks = masks
        self.scale = scale
    }

    /// Returns the panels of a frame for a ``Backdrop`` or a ``TextureBackdrop``, at full strength: they do not express
    /// ``SceneState/Panel/alpha``. Each panel of the scene has a fixed place in the list, because a backdrop compares panels
    /// by their index. A panel that is not shown has no pixels.
    public func panels(_ states: [SceneState.Panel]) -> [Panel] {
        var panels = [Panel](repeating: placeholder, count: count)
        for state in states where panels.indices.contains(state.index) { panels[state.index] = panel(state) }
        return panels
    }

    private func panel(_ state: SceneState.Panel) -> Panel {
        let extent = Rect(x: 0, y: 0, width: state.rect.width, height: state.rect.height)
        let layers = state.content.compactMap { layer in
            content[layer.picture].map { image in
                ContentLayer(image, vibrancy: layer.vibrancy, mode: layer.mode, bounds: layer.bounds).scaled(
                    by: scale, in: extent)
            }
        }
        return Panel(
            state.rect, effect: state.effect, cornerRadius: state.cornerRadius, corners: state.corners,
            mask: state.mask.flatMap { masks[$0] }, content: layers)
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
