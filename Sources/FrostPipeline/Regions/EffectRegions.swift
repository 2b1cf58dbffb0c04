package import Frost

/// The values of `--rect`, `--corner-radius` and its relatives, and `--bounded`, before the size of the picture is known.
package struct RegionOptions {
    private let places: [RectPlace]
    private let radius: Double?
    private let corners: CornerCurve
    private let isBounded: Bool

    package init(_ arguments: Arguments) throws(CommandError) {
        places = arguments.values(.rect, as: RectPlace.self)
        radius = arguments.value(.cornerRadius, as: Double.self)
        isBounded = arguments.has(.bounded)
        guard !places.isEmpty || radius == nil else { throw .usage("--corner-radius needs --rect") }
        let smoothing = arguments.value(.cornerSmoothing, as: Double.self)
        let exponent = arguments.value(.cornerExponent, as: Double.self)
        switch (smoothing, exponent) {
        case (nil, nil): corners = .circular
        case (let smoothing?, nil): corners = .continuous(smoothing: smoothing)
        case (nil, let exponent?): corners = .superellipse(exponent: exponent)
        case (_?, _?): throw .usage("--corner-smoothing cannot be combined with --corner-exponent")
        }
        guard corners == .circular || radius != nil else {
            throw .usage("--corner-\(smoothing == nil ? "exponent" : "smoothing") needs --corner-radius")
        }
        guard !places.isEmpty || !isBounded else { throw .usage("--bounded needs --rect") }
        // If all rectangles are in pixels, a corner radius that is too large is refused here, before any picture is
        // read.
        if places.allSatisfy(\.isAbsolute) { _ = try placed(width: 1, height: 1) }
    }

    /// Whether the effect covers the whole picture, because there is no rectangle.
    package var isEmpty: Bool { places.isEmpty }

    /// Returns the rectangles for a picture of the given size.
    package func placed(width: Int, height: Int) throws(CommandError) -> EffectRegions {
        do throws(ParameterError) {
            let rects = try places.map { (place) throws(ParameterError) in
                try RoundedRect(place.rect(width: width, height: height), radius: radius ?? 0, corners: corners)
            }
            return EffectRegions(rects, isBounded: isBounded)
        } catch {
            throw .usage("\(radius == nil ? "--rect" : "--corner-radius"): \(error)")
        }
    }
}

/// The regions of a picture to which an effect is applied. All other pixels keep their exact bytes. If the effect has
/// content, the content is drawn into each rectangle.
package struct EffectRegions {
    private let rects: [RoundedRect]
    private let isBounded: Bool

    /// Whether the effect covers the whole picture, because there is no rectangle.
    package var isEmpty: Bool { rects.isEmpty }

    fileprivate init(_ rects: [RoundedRect], isBounded: Bool) {
        self.rects = rects
        self.isBounded = isBounded
    }

    /// Returns the regions for a picture whose width is smaller by the factor `x` and whose height is smaller by the
    /// factor `y`. Radii are divided by the larger factor, so that corners stay round.
    func divided(by x: Double, _ y: Double) throws(ParameterError) -> EffectRegions {
        EffectRegions(
            try rects.map { (rect) throws(ParameterError) in
                try RoundedRect(
                    x: rect.x / x, y: rect.y / y, width: rect.width / x, height: rect.height / y,
                    radius: rect.radius / max(x, y), corners: rect.corners)
            }, isBounded: isBounded)
    }

    /// Returns the bounding rectangles of the regions in a plane that has one sample for 2^x columns and 2^y rows of
    /// the picture.
    func bounds(shiftedBy x: Int, _ y: Int) -> [Rect] {
        rects.map { rect in
            let bounds = rect.bounds
            let (left, top) = (bounds.x >> x, bounds.y >> y)
            return Rect(
                x: left, y: top, width: (bounds.x + bounds.width - 1) >> x + 1 - left,
                height: (bounds.y + bounds.height - 1) >> y + 1 - top)
        }
    }

    /// Checks that an exact result can be computed, with which the rendered result can be compared.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if rectangles overlap and `--bounded` is set. Then the later rectangle is
    ///   computed from the rounded pixels of the earlier one, so no exact result exists.
    package func checkComparable() throws(CommandError) {
        guard isBounded else { return }
        for (index, rect) in rects.enumerated() {
            guard let other = rects[..<index].first(where: { $0.bounds.intersection(rect.bounds) != nil }) else {
                continue
            }
            throw .usage(
                "--rect: \(other.bounds) and \(rect.bounds) overlap; with --bounded, the results of overlapping "
                    + "rectangles cannot be checked")
        }
    }

    /// Returns the exact result of ``render(_:_:mask:with:)``, for comparison.
    package func exact(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> SampleRows {
        rects.isEmpty
            ? try renderer.exact(image, effect, mask: mask)
            : try renderer.exact(image, effect, within: rects, isBounded: isBounded, mask: mask)
    }

    /// Renders the effect on the whole picture, or on the rectangles if there are any.
    package func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        rects.isEmpty
            ? try renderer.render(image, effect, mask: mask, cancellation: cancellation)
            : try renderer.render(
                image, effect, within: rects, isBounded: isBounded, mask: mask, cancellation: cancellation)
    }
}
