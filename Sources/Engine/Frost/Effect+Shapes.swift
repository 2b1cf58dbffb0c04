import FrostCore

// An effect within shapes of an image, such as the rectangles of a file of boxes.

extension Effect {
    /// Returns the parts of a region beside the bounds of shapes that the effect changes, each with the effect that does.
    func partsBeside(
        _ shapes: [RoundedRect], in region: Rect, _ maskPlacement: MaskPlacement
    ) -> [(rect: Rect, effect: Effect)] {
        var parts: [(rect: Rect, effect: Effect)] = []
        if outputStages.join(of: shapes) > 0 || outputStages.clipRule.margin > 0 {
            var done = Region(shapes.map(\.bounds))
            for shape in shapes {
                guard let reached = outputStages.bounds(of: shape, among: shapes).intersection(region) else { continue }
                var effect = panel(shape, of: shapes, maskPlacement)
                effect.outputStages.content = []
                parts += Region(reached).subtracting(done).cover().map { ($0, effect) }
                done.formUnion(Region(reached))
            }
        }
        return parts + shadowParts(of: shapes, in: region)
    }

    /// Returns the effect for one of several rectangles: clipped to all rectangles, with its content placed in `rect`.
    func panel(_ rect: RoundedRect, of rects: [RoundedRect], _ maskPlacement: MaskPlacement) -> Effect {
        var effect = self
        switch maskPlacement {
        case .rect: effect.maskBounds = rect.bounds
        case .picture: break
        }
        // A shadow is seen only beside rectangles of whole pixels.
        let isJoined = outputStages.join(of: rects) > 0
        let isFeathered = outputStages.clipRule.feather > 0
        // Each pixel asks all shapes. Those that flow together are one. Of others, only the near ones cover a pixel, and those
        // whose shadow comes near darken one.
        let own = outputStages.bounds(of: rect, among: rects)
        func near(_ area: (RoundedRect) -> Rect) -> [RoundedRect] {
            isJoined ? rects : rects.filter { area($0).intersection(own) != nil }
        }
        let clip = near { outputStages.reach(of: $0, among: rects) }
        effect.outputStages.clip = clip.allSatisfy(\.isWholePixels) && !isJoined && !isFeathered ? [] : clip
        if outputStages.followsShapes {
            effect.outputStages.shapes = near { outputStages.bounds(of: $0, among: rects) }
        }
        // Content is placed in the whole rectangle, even if the image's border cuts off parts of the rectangle.
        if !outputStages.content.isEmpty {
            effect.outputStages.content = outputStages.content.map { layer in
                var layer = layer
                layer.bounds = rect.bounds
                return layer
            }
        }
        return effect
    }

    /// Whether the effect within one of several shapes does not depend on the others: they cover whole pixels, and neither flow
    /// together nor fade out.
    func isSeparate(within shapes: [RoundedRect]) -> Bool {
        outputStages.join(of: shapes) == 0 && outputStages.clipRule.feather == 0 && !outputStages.followsShapes
            && shapes.allSatisfy(\.isWholePixels)
    }

    /// Returns the effect for many shapes at once, with the pixels that it changes, if all shapes show parts of one result.
    ///
    /// - Returns: nil if shapes show results of their own, or if less has to be computed for the shapes one by one.
    func withAll(
        _ shapes: [RoundedRect], in extent: Rect, _ maskPlacement: MaskPlacement
    ) -> (effect: Effect, place: Rect)? {
        let isOne =
            switch maskPlacement {
            case .rect: mask == nil
            case .picture: true
            }
        guard shapes.count > 1, isOne, outputStages.content.isEmpty, !outputStages.followsShapes, !(blur is Mosaic),
            outputStages.join == 0, keyed(at: extent) == self, outputStages.shadow?.isIdentity ?? true,
            let reach = try? damageExpansion(extent: extent)
        else { return nil }
        func read(_ rect: Rect) -> Rect {
            Rect(
                x: rect.x - reach.x, y: rect.y - reach.y, width: rect.width + 2 * reach.x,
                height: rect.height + 2 * reach.y
            ).intersection(extent) ?? rect
        }
        let places = shapes.compactMap { outputStages.bounds(of: $0, among: shapes).intersection(extent) }
        guard let first = places.first else { return nil }
        let place = places.reduce(first) { $0.hull($1) }
        func area(_ rect: Rect) -> Double { Double(rect.width) * Double(rect.height) }
        // One by one, shapes of whole pixels need no mixture, which takes about as long as three blurs.
        let mixture = outputStages.clipRule.feather == 0 && shapes.contains(where: \.isWholePixels) ? 4.0 : 1
        guard places.reduce(0, { $0 + area(read($1)) }) > mixture * area(read(place)) else { return nil }
        var effect = self
        effect.outputStages.clip = shapes
        return (effect, place)
    }

    /// Returns the effect for what is outside shapes.
    func outside(_ shapes: [RoundedRect]) -> Effect {
        var effect = self
        effect.outputStages.clip = shapes
        return effect
    }
}

extension RoundedRect {
    /// Whether the rectangle covers every pixel completely or not at all.
    var isWholePixels: Bool {
        radius == 0 && rotation == 0 && [x, y, width, height].allSatisfy { $0 == $0.rounded() }
    }
}
