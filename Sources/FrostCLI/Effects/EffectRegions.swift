package import Frost

/// `--rect`, `--corner-radius` and `--bounded`, before the size of the picture is known.
package struct RegionOptions {
    private let places: [RectPlace]
    private let radius: Double?
    private let isBounded: Bool

    package init(_ arguments: Arguments) throws(CommandError) {
        places = arguments.values(.rect, as: RectPlace.self)
        radius = arguments.value(.cornerRadius, as: Double.self)
        isBounded = arguments.has(.bounded)
        guard !places.isEmpty || radius == nil else { throw .usage("--corner-radius needs --rect") }
        guard !places.isEmpty || !isBounded else { throw .usage("--bounded needs --rect") }
        // A radius that is too large for a rectangle is refused before any picture is read, if that is possible.
        if places.allSatisfy(\.isAbsolute) { _ = try placed(width: 1, height: 1) }
    }

    /// The whole picture.
    package var isEmpty: Bool { places.isEmpty }

    /// The rectangles in a picture of this size.
    package func placed(width: Int, height: Int) throws(CommandError) -> EffectRegions {
        do throws(ParameterError) {
            let rects = try places.map { (place) throws(ParameterError) in
                try RoundedRect(place.rect(width: width, height: height), radius: radius ?? 0)
            }
            return EffectRegions(rects, isBounded: isBounded)
        } catch {
            throw .usage("\(radius == nil ? "--rect" : "--corner-radius"): \(error)")
        }
    }
}

/// Where an effect shows. All other pixels keep their bytes. Each rectangle is a panel that has the effect's content.
package struct EffectRegions {
    private let rects: [RoundedRect]
    private let isBounded: Bool

    /// The whole picture.
    package var isEmpty: Bool { rects.isEmpty }

    fileprivate init(_ rects: [RoundedRect], isBounded: Bool) {
        self.rects = rects
        self.isBounded = isBounded
    }

    /// For a picture that is smaller by these factors. Radii are divided by the larger factor, so corners stay round.
    func divided(by x: Double, _ y: Double) throws(ParameterError) -> EffectRegions {
        EffectRegions(
            try rects.map { (rect) throws(ParameterError) in
                try RoundedRect(
                    x: rect.x / x, y: rect.y / y, width: rect.width / x, height: rect.height / y,
                    radius: rect.radius / max(x, y))
            }, isBounded: isBounded)
    }

    /// The rectangles of whole pixels around them, where 2^x columns and 2^y rows of the picture share a sample.
    func bounds(shiftedBy x: Int, _ y: Int) -> [Rect] {
        rects.map { rect in
            let bounds = rect.bounds
            let (left, top) = (bounds.x >> x, bounds.y >> y)
            return Rect(
                x: left, y: top, width: (bounds.x + bounds.width - 1) >> x + 1 - left,
                height: (bounds.y + bounds.height - 1) >> y + 1 - top)
        }
    }

    /// - Throws: ``CommandError/usage(_:)`` if `--bounded` rectangles overlap. The later one is then made from
    ///   rounded pixels, so no exact result exists.
    package func checkComparable() throws(CommandError) {
        guard isBounded else { return }
        for (index, rect) in rects.enumerated() {
            guard let other = rects[..<index].first(where: { $0.bounds.intersection(rect.bounds) != nil }) else {
                continue
            }
            throw .usage("--rect: \(other.bounds) and \(rect.bounds) overlap, which cannot be checked with --bounded")
        }
    }

    /// The exact result of ``render(_:_:mask:with:)``.
    package func exact(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> SampleRows {
        rects.isEmpty
            ? try renderer.exact(image, effect, mask: mask)
            : try renderer.exact(image, effect, within: rects, isBounded: isBounded, mask: mask)
    }

    /// Renders the whole picture, or the rectangles in it.
    package func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> Rendered {
        rects.isEmpty
            ? try renderer.render(image, effect, mask: mask)
            : try renderer.render(image, effect, within: rects, isBounded: isBounded, mask: mask)
    }
}
