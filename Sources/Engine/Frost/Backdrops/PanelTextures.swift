import FrostCore
import FrostGPU

/// The textures of the panels of a ``TextureBackdrop``, which become content layers of these panels.
struct PanelTextures {
    private var windows: [PanelIdentity: HostWindow] = [:]
    /// What was copied from each texture since the last frame that was drawn without an error, by the number of its content
    /// layer, in pixels of the texture.
    var changes: [UInt64: Region] = [:]

    /// Reports that the texture of a panel has changed in a rectangle of its pixels.
    func invalidate(_ rect: Rect, of panel: Panel, at index: Int) {
        windows[PanelIdentity(panel, at: index)]?.invalidate(rect)
    }

    /// Copies what has changed in the textures of visible panels.
    ///
    /// - Returns: the panels, with a content layer in place of each texture.
    /// - Throws: ``FrostError/parameter(_:)`` if a panel with a texture has other content too, and the errors of reading a
    ///   texture.
    mutating func adopt(
        _ panels: [Panel], in extent: Rect, on renderer: TextureRenderer
    ) throws(FrostError) -> [Panel] {
        if windows.isEmpty, panels.allSatisfy({ $0.texture == nil }) { return panels }
        try rethrow(panels.checkIdentities(), as: FrostError.parameter)
        var used: Set<PanelIdentity> = []
        var adopted: [Panel] = []
        for (index, panel) in panels.enumerated() {
            guard let texture = panel.texture else {
                adopted.append(panel)
                continue
            }
            let identity = PanelIdentity(panel, at: index)
            used.insert(identity)
            let window = window(identity, showing: texture, on: renderer)
            let shown = try rethrow(panel.withContent(window.image), as: FrostError.parameter)
            if !shown.pixels(in: extent).isEmpty {
                let copied = try renderer.device { () throws(GPUError) in try window.update(from: texture) }
                if !copied.isEmpty { changes[window.number, default: Region()].formUnion(copied) }
            }
            adopted.append(shown)
        }
        for identity in windows.keys where !used.contains(identity) {
            windows.removeValue(forKey: identity)?.drop()
        }
        return adopted
    }

    /// Returns the window of a panel; a new one if the texture has another size or format than before.
    private mutating func window(
        _ identity: PanelIdentity, showing texture: HostImage, on renderer: TextureRenderer
    ) -> HostWindow {
        if let window = windows[identity] {
            if window.serves(texture), window.isValid { return window }
            window.drop()
        }
        let window = HostWindow(texture, on: renderer.executor)
        windows[identity] = window
        return window
    }

    /// Returns the window that a plan's content stands for; nil if its content lies in memory.
    func window(of plan: Plan) -> HostWindow? {
        guard let texture = plan.outputStages.content.first?.image.texture else { return nil }
        return windows.values.first { $0.number == texture }
    }
}

extension Panel {
    /// Checks the values of a panel of a ``TextureBackdrop``.
    package func checkWithTexture() throws(ParameterError) {
        guard let texture else {
            _ = try placedEffect()
            return
        }
        _ = try withContent(ContentImage(texture: 0, width: texture.width, height: texture.height)).placedEffect()
    }

    /// Returns the panel with an image over its effect, from the top left corner of its rectangle, in place of its texture.
    func withContent(_ image: ContentImage) throws(ParameterError) -> Panel {
        guard content.isEmpty, effect.outputStages.content.isEmpty else {
            throw .malformed(parameter: "panel texture", value: "a texture over content", expected: "no other content")
        }
        var panel = self
        panel.texture = nil
        let bounds = Rect(x: 0, y: 0, width: image.width, height: image.height)
        panel.content = [ContentLayer(image, mode: .topLeft, bounds: bounds)]
        return panel
    }
}
