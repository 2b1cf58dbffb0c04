package import FrostCore

extension SceneRenderer {
    /// Returns the layout of the frames of a scene, without allocating them.
    ///
    /// - Throws: ``SceneError/rendering(_:)`` if the size overflows, ``SceneError/outOfRange(_:value:allowed:)`` for the scale.
    package static func layout(
        of scene: Scene, scale: Double = 1, sample: SampleType = .u8
    ) throws(SceneError) -> PixelLayout {
        try scene.check(scale: scale)
        return try SceneCanvas(
            width: Int((Double(scene.width) * scale).rounded()), height: Int((Double(scene.height) * scale).rounded()),
            sample: sample, background: scene.background
        ).layout
    }

    /// Returns an estimate of the memory, in bytes, that a renderer takes for pictures of a frame's size. The pictures, masks
    /// and videos that the scene names do not count, because their sizes are not known before they are read.
    ///
    /// - Parameter layout: the layout of the frames.
    package static func memory(of scene: Scene, _ layout: PixelLayout) -> Int {
        var stills: Set<SceneBackdrop.Content> = []
        var hasVideo = false
        for backdrop in scene.backdrops {
            switch backdrop.content {
            case .color, .picture: stills.insert(backdrop.content)
            case .video: hasVideo = true
            }
        }
        // Every still backdrop is kept in the frame's size. Of videos, two frames are kept, and one is being converted.
        var pictures = stills.count + (hasVideo ? 3 : 0)
        // The frame, and the frame of a transition between two backdrops.
        pictures += 1 + (scene.backdrops.contains { $0.transition != nil } ? 1 : 0)
        // The backdrop with reveal and vignette.
        let isCovered = scene.reveal != nil || scene.panels.contains { $0.vignetteAlpha != nil }
        pictures += isCovered ? 1 : 0
        // The backdrop, both sides of a transition, and the reveal, with redactions.
        pictures += scene.hasRedaction ? (scene.reveal == nil ? 4 : 7) : 0
        // The effect of a reveal and its intermediate images, and those of each layer of panels. Measured: 2.3 and 1.5.
        pictures += (scene.reveal == nil ? 0 : 3) + 2 * SceneLayers.maximumCount(scene)
        // Two floats for each pixel of a shadow, and three while it is made; masks as floats, and content with 16-bit samples,
        // of panels that do not lie on whole pixels.
        let pixels = layout.width * layout.height
        let placed = scene.panels.reduce(0) { sum, panel in
            let hasMask = panel.mask != nil || (try? panel.effect.effect(at: 0))?.mask != nil
            return sum + (panel.shadow == nil ? 0 : 8) + (hasMask ? 4 : 0) + 8 * panel.content.count
                + (panel.hairline == nil ? 0 : 8)
        }
        return pictures * layout.byteCount + (placed + (placed > 0 ? 12 : 0)) * pixels
    }
}
