package import Frost

/// The rectangles to which an effect is applied, before the size of the picture is known.
package struct RegionPlaces: Sendable {
    private let places: [RectPlace]
    private let radius: CornerRadius
    private let corners: CornerCurve
    private let isBounded: Bool
    private let maskPlacement: MaskPlacement

    /// Creates a list of rectangles. An empty list means the whole picture.
    ///
    /// - Parameters:
    ///   - radius: the radius of the corners. As in CSS, a radius that is too large for a rectangle is reduced.
    ///   - corners: the curve of the corners.
    ///   - isBounded: whether only pixels inside a rectangle contribute to its result.
    ///   - maskPlacement: where masks lie.
    package init(
        _ places: [RectPlace] = [], radius: CornerRadius = .pixels(0), corners: CornerCurve = .circular,
        isBounded: Bool = false, maskPlacement: MaskPlacement = .rect
    ) {
        self.maskPlacement = maskPlacement
        self.places = places
        self.radius = radius
        self.corners = corners
        self.isBounded = isBounded
    }

    /// Whether the effect covers the whole picture, because there is no rectangle.
    package var isEmpty: Bool { places.isEmpty }

    /// Checks the corners before any picture is read. This is possible if all rectangles are in pixels.
    package func check() throws(ParameterError) {
        if places.allSatisfy(\.isAbsolute) { _ = try placed(width: 1, height: 1) }
    }

    /// Returns the rectangles for a picture of the given size.
    package func placed(width: Int, height: Int) throws(ParameterError) -> EffectRegions {
        EffectRegions(
            try places.map { (place) throws(ParameterError) in
                let rect = place.rect(width: width, height: height)
                return try RoundedRect(rect, radius: radius.pixels(in: rect, corners), corners: corners)
            }, isBounded: isBounded, maskPlacement)
    }
}

/// The radius of the corners of a rectangle, as users write it.
package enum CornerRadius: Sendable, Hashable {
    case pixels(Double)
    /// In percent of the shorter side.
    case percent(Double)

    /// The maximum number of pixels. Sums of such lengths are exact.
    package static let maximum = 0x1p29

    /// Parses a radius such as "20" or "50%".
    package init?(written text: String) {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text), (0...Self.maximum).contains(number)
        else {
            return nil
        }
        self = isPercent ? .percent(number) : .pixels(number)
    }

    /// Returns the radius in a rectangle, reduced to the largest one that fits.
    func pixels(in rect: Rect, _ corners: CornerCurve) -> Double {
        let (width, height) = (Double(rect.width), Double(rect.height))
        let radius =
            switch self {
            case .pixels(let number): number
            case .percent(let number): number / 100 * min(width, height)
            }
        return min(radius, corners.maximumRadius(width: width, height: height))
    }
}

/// The regions of a picture to which an effect is applied. All other pixels keep their exact bytes. If the effect has
/// content, the content is drawn into each rectangle.
package struct EffectRegions {
    private let rects: [RoundedRect]
    package let isBounded: Bool
    private let maskPlacement: MaskPlacement

    /// Whether the effect covers the whole picture, because there is no rectangle.
    package var isEmpty: Bool { rects.isEmpty }

    fileprivate init(_ rects: [RoundedRect], isBounded: Bool, _ maskPlacement: MaskPlacement) {
        self.rects = rects
        self.maskPlacement = maskPlacement
        self.isBounded = isBounded
    }

    /// Returns the regions for a picture whose width is smaller by the factor `x` and whose height is smaller by the
    /// factor `y`. Radii are divided by the larger factor, so that corners stay round.
    package func divided(by x: Double, _ y: Double) throws(ParameterError) -> EffectRegions {
        EffectRegions(
            try rects.map { (rect) throws(ParameterError) in
                try RoundedRect(
                    x: rect.x / x, y: rect.y / y, width: rect.width / x, height: rect.height / y,
                    radius: rect.radius / max(x, y), corners: rect.corners)
            }, isBounded: isBounded, maskPlacement)
    }

    /// Returns the bounding rectangles of the regions in a plane that has one sample for 2^x columns and 2^y rows of
    /// the picture.
    package func bounds(shiftedBy x: Int, _ y: Int) -> [Rect] {
        rects.map { rect in
            let bounds = rect.bounds
            let (left, top) = (bounds.x >> x, bounds.y >> y)
            return Rect(
                x: left, y: top, width: (bounds.x + bounds.width - 1) >> x + 1 - left,
                height: (bounds.y + bounds.height - 1) >> y + 1 - top)
        }
    }

    /// The first two rectangles that overlap; nil if there are none.
    package var overlap: (Rect, Rect)? {
        for (index, rect) in rects.enumerated() {
            let other = rects[..<index].first { $0.bounds.intersection(rect.bounds) != nil }
            if let other { return (other.bounds, rect.bounds) }
        }
        return nil
    }

    /// Returns the exact result of ``render(_:_:mask:with:)``, for comparison.
    package func exact(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> SampleRows {
        rects.isEmpty
            ? try renderer.exact(image, effect, mask: mask)
            : try renderer.exact(
                image, effect, within: rects, isBounded: isBounded, mask: mask, maskPlacement: maskPlacement)
    }

    /// Renders the effect on the whole picture, or on the rectangles if there are any.
    package func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        rects.isEmpty
            ? try renderer.render(image, effect, mask: mask, cancellation: cancellation)
            : try renderer.render(
                image, effect, within: rects, isBounded: isBounded, mask: mask, maskPlacement: maskPlacement,
                cancellation: cancellation)
    }

    /// Returns the effect with the colour of its content decided for the regions of a picture: see
    /// ``OutputStages/automaticContrast``.
    package func decidingContent(of effect: Effect, on image: PixelBuffer) throws(FrostError) -> Effect {
        try effect.decidingContent(of: image, within: rects.isEmpty ? [image.layout.extent] : rects.map(\.bounds))
    }

    /// Measures the contrast of a picture's pixels in the regions: see ``ContrastReport/init(of:content:minimum:within:)``.
    package func contrast(of image: PixelBuffer, to content: Color, minimum: Double) -> ContrastReport {
        ContrastReport(of: image, content: content, minimum: minimum, within: rects)
    }
}
