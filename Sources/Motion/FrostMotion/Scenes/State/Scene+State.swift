import FrostCore

extension Scene {
    /// Returns what the frame shows at a time. The result depends only on the scene with its rate, the time
    /// and the scale.
    ///
    /// - Parameters:
    ///   - time: the time in seconds. Before 0 the scene is as at 0, and after its end it goes on until 86,400.
    ///   - scale: the factor from the scene's pixels to those of the frame.
    /// - Throws: ``SceneError/parameter(_:_:at:)`` if an effect or a transition refuses its parameters at this time or scale,
    ///   ``SceneError/outOfRange(_:value:allowed:)`` for a later time, and for NaN.
    /// - Complexity: O(p log k) for p panels of k keyframes.
    public func state(at time: Double, scale: Double = 1) throws(SceneError) -> SceneState {
        guard sceneTimes.contains(max(time, 0)) else {
            throw .outOfRange(.root.member("time"), value: time, allowed: sceneTimes)
        }
        try check(scale: scale)
        let time = max(time, 0)
        let reveal = try reveal.flatMap { (reveal) throws(SceneError) -> SceneState.Reveal? in
            guard let rect = reveal.rect(at: time, scale: scale) else { return nil }
            return SceneState.Reveal(rect: rect, effect: try effect(reveal.effect, at: time, scale: scale))
        }
        var places = Places(scene: self, time: time, items: try simulation?.places(at: time) ?? [:])
        var visible: [SceneState.Panel] = []
        for index in panels.indices {
            guard let panel = try panel(index, at: time, scale: scale, &places) else { continue }
            visible.append(panel)
        }
        // Each vignette lets a part of the light through.
        let light = panels.reduce(1.0) { light, panel in light * (1 - (panel.vignetteAlpha?.value(at: time) ?? 0)) }
        return SceneState(
            width: Int((Double(width) * scale).rounded()), height: Int((Double(height) * scale).rounded()),
            backdrop: try backdrop(at: time, scale: scale), reveal: reveal,
            vignette: min(max(1 - light, 0), 1), panels: visible)
    }

    /// Checks a factor from the scene's pixels to those of the frame.
    ///
    /// - Throws: ``SceneError/outOfRange(_:value:allowed:)`` if a frame would have no pixel, or above 1000.
    package func check(scale: Double) throws(SceneError) {
        guard scale <= 1000, (Double(width) * scale).rounded() >= 1, (Double(height) * scale).rounded() >= 1 else {
            throw .outOfRange(.root.member("scale"), value: scale, allowed: 1 / Double(min(width, height))...1000)
        }
    }

    private func effect(_ effect: SceneEffect, at time: Double, scale: Double) throws(SceneError) -> Effect {
        var effect = try effect.effect(at: time, scale: scale)
        if isLinear { effect.decoding = .sRGB }
        return effect
    }

    private func backdrop(at time: Double, scale: Double) throws(SceneError) -> SceneState.Backdrop {
        let index = max(0, backdrops.partitionPoint { $0.at > time } - 1)
        let next = backdrops[index]
        let source = next.source(at: time)
        guard let transition = next.transition, index > 0 else { return .single(source) }
        let length = length(of: transition, from: next.at)
        // Frames' times are rounded quotients.
        guard time < next.at + length - 1e-9 else { return .single(source) }
        var value = try transition.transition(scale: scale)
        if isLinear { value.decoding = .sRGB }
        return .transition(
            value, progress: transition.progress(after: time - next.at, of: length),
            extraImages: transition.extraImages,
            from: backdrops[index - 1].source(at: time), to: source)
    }

    /// Returns the seconds after which a transition has reached its target. One that ends with the scene reaches it in the
    /// last frame, which begins before the end of the scene. The frame is that of the scene's own rate, so that the state
    /// depends on nothing but the scene and the time.
    private func length(of transition: SceneTransition, from start: Double) -> Double {
        let last = time(ofFrame: frameCount(framesPerSecond: framesPerSecond) - 1, framesPerSecond: framesPerSecond)
        let endsWithScene = abs(start + transition.duration - duration) < 0.5 / framesPerSecond
        return endsWithScene && last > start ? last - start : transition.duration
    }

    private func panel(
        _ index: Int, at time: Double, scale: Double, _ places: inout Places
    ) throws(SceneError) -> SceneState.Panel? {
        let panel = panels[index]
        guard panel.isShown(at: time) else { return nil }
        let slideProgress = min(max(panel.slideProgress.value(at: time), 0), 1)
        let alpha = min(max(panel.alpha.value(at: time), 0), 1) * slideProgress
        guard alpha > 0, let place = places.place(of: index)?.scaled(by: scale) else { return nil }
        guard place.width > 0, place.height > 0 else { return nil }
        // An item may have turned many times.
        let rotation = (panel.rotation.value(at: time) + places.itemRotation(of: index))
            .truncatingRemainder(dividingBy: 360)
        let effect = try effect(panel.effect, at: time, scale: scale)
        let radius = min(
            max(panel.cornerRadius.value(at: time) * scale, 0),
            panel.corners.maximumRadius(width: place.width, height: place.height))
        let outline = try rethrow(
            Self.outline(place, radius, panel.corners, rotation, of: effect),
            as: { SceneError.parameter(panel.path, $0) })
        let reach = panel.shadow.map { $0.scaled(by: scale).reach(around: outline.bounds) } ?? outline.bounds
        guard reach.intersection(frame(scale: scale)) != nil else { return nil }
        return SceneState.Panel(
            index: index, place: place, rotation: rotation, outline: outline, alpha: alpha, effect: effect,
            mask: panel.mask, maskPlacement: panel.maskPlacement,
            content: panel.content.map { content in
                SceneState.Content(
                    picture: content.picture, vibrancy: content.vibrancy.flatMap { effect.vibrancy($0) },
                    mode: content.mode, bounds: content.bounds?.scaled(by: scale))
            },
            hairline: panel.hairline.map { SceneHairline(width: $0.width * scale, color: $0.color) },
            shadow: panel.shadow?.scaled(by: scale))
    }

    private static func outline(
        _ place: Placement, _ radius: Double, _ corners: CornerCurve, _ rotation: Double, of effect: Effect
    ) throws(ParameterError) -> RoundedRect {
        let outline = try RoundedRect(
            x: place.x, y: place.y, width: place.width, height: place.height, radius: radius, corners: corners
        ).turned(by: rotation)
        guard effect.isRedaction else { return outline }
        return try RoundedRect(outline.bounds)
    }

    /// The pixels of a frame.
    func frame(scale: Double) -> Rect {
        Rect(nearest: Placement(x: 0, y: 0, width: Double(width), height: Double(height)).scaled(by: scale))
    }
}

/// The places of panels at a time. Panels that follow others share what was computed.
private struct Places {
    let scene: Scene
    let time: Double
    /// The places of the items that panels follow.
    let items: [String: SceneSimulation.Place]
    var known: [Int: Placement] = [:]

    /// Returns the place of a panel in the scene's pixels.
    mutating func place(of index: Int) -> Placement? {
        // The chain of panels that lead to this one, from the panel itself to one whose place is known or absolute. It is
        // a loop, because a chain may be as long as the scene has panels.
        var chain = [index]
        while known[chain[chain.count - 1]] == nil, let leader = scene.leaders[chain[chain.count - 1]] {
            chain.append(leader)
        }
        for panel in chain.reversed() where known[panel] == nil {
            known[panel] = own(panel, leader: scene.leaders[panel].flatMap { known[$0] })
        }
        return known[index]
    }

    /// Returns the angle in degrees of the item that a panel follows and turns with; 0 if there is none.
    func itemRotation(of index: Int) -> Double {
        guard case .item(let id, true)? = scene.panels[index].leader else { return 0 }
        return items[id]?.rotation ?? 0
    }

    private func own(_ index: Int, leader: Placement?) -> Placement? {
        let panel = scene.panels[index]
        var position = panel.position.value(at: time)
        var size = panel.size?.value(at: time)
        switch panel.leader {
        case nil: break
        case .panel: if let leader { position = position + SIMD2(leader.x, leader.y) }
        case .item(let id, _):
            size = size ?? scene.dynamics?.items.first { $0.id == id }?.size
            if let item = items[id], let size { position = position + item.center - size * 0.5 }
        }
        guard let size else { return nil }
        let (width, height) = (max(0, size.x), max(0, size.y))
        let slideProgress = panel.slideProgress.value(at: time)
        if slideProgress != 1 {
            let hidden = -(height + SceneMotion.gap)
            position.y = hidden + (position.y - hidden) * slideProgress
        }
        return Placement(x: position.x, y: position.y, width: width, height: height)
    }
}

extension SceneBackdrop {
    fileprivate func source(at time: Double) -> SceneState.Source {
        switch content {
        case .color(let color): .color(color)
        case .picture(let name, let mode): .picture(name, mode)
        case .video(let name, let mode, let start, let isLooping):
            .video(name, mode, at: start + max(0, time - at), isLooping: isLooping)
        }
    }
}

extension Scene {
    /// Returns the number of frames of the whole scene: its duration times the rate, rounded, at least 1.
    public func frameCount(framesPerSecond: Double) -> Int {
        Int(max(1, (duration * framesPerSecond).rounded()))
    }

    /// Returns the time of a frame in seconds: its number divided by the rate. It does not depend on the frames before, so a
    /// frame that is taken alone equals that of a sequence.
    public func time(ofFrame number: Int, framesPerSecond: Double) -> Double { Double(number) / framesPerSecond }
}
