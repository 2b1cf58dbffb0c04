/// A rule that places a picture in a rectangle of another size. The rules have the names of UIKit's content modes.
///
/// A backdrop must line up pixel for pixel with the picture that it covers, so it needs a mode that does not scale.
/// Masks and content are stretched by default.
public enum ContentMode: String, Sendable, Hashable, CaseIterable {
    /// Stretches content to fill the rectangle. Each axis is scaled on its own.
    case scaleToFill = "scale-to-fill"
    /// Scales content equally along both axes, to the largest size that lies within the rectangle.
    case aspectFit = "aspect-fit"
    /// Scales content equally along both axes, to the smallest size that covers the rectangle.
    case aspectFill = "aspect-fill"
    /// Centres content without scaling.
    case center
    /// Aligns content with the middle of the top side, without scaling.
    case top
    /// Aligns content with the middle of the bottom side, without scaling.
    case bottom
    /// Aligns content with the middle of the left side, without scaling.
    case left
    /// Aligns content with the middle of the right side, without scaling.
    case right
    /// Aligns content with the top left corner, without scaling.
    case topLeft = "top-left"
    /// Aligns content with the top right corner, without scaling.
    case topRight = "top-right"
    /// Aligns content with the bottom left corner, without scaling.
    case bottomLeft = "bottom-left"
    /// Aligns content with the bottom right corner, without scaling.
    case bottomRight = "bottom-right"

    /// Returns the rectangle that the content covers when it is placed in `bounds`. The result may extend outside
    /// `bounds`.
    ///
    /// - Parameters:
    ///   - width: the content's width in pixels, above 0.
    ///   - height: the content's height in pixels, above 0.
    ///   - bounds: the rectangle in pixels, not empty.
    public func place(width: Int, height: Int, in bounds: Rect) -> Placement {
        var place = place(width: width, height: height, in: Placement(bounds))
        if (place.width, place.height) == (Double(width), Double(height)) {
            // A fractional offset would blur content, which must line up with pixels.
            (place.x, place.y) = (place.x.rounded(.down), place.y.rounded(.down))
        }
        return place
    }

    /// Returns the rectangle that the content covers when it is placed in `bounds`, whose edges may lie between pixels.
    package func place(width: Int, height: Int, in bounds: Placement) -> Placement {
        let (contentWidth, contentHeight) = (Double(width), Double(height))
        var scale = SIMD2(1.0, 1.0)
        let fit = SIMD2(bounds.width / contentWidth, bounds.height / contentHeight)
        switch self {
        case .scaleToFill: scale = fit
        case .aspectFit: scale = SIMD2(repeating: Swift.min(fit.x, fit.y))
        case .aspectFill: scale = SIMD2(repeating: Swift.max(fit.x, fit.y))
        case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight: break
        }
        let size = SIMD2(contentWidth, contentHeight) * scale
        let free = SIMD2(bounds.width, bounds.height) - size
        let origin = SIMD2(bounds.x, bounds.y) + free * alignment
        return Placement(x: origin.x, y: origin.y, width: size.x, height: size.y)
    }

    /// The fraction of the free width that lies to the left of the content, and the fraction of the free height that
    /// lies above the content.
    private var alignment: SIMD2<Double> {
        switch self {
        case .topLeft: SIMD2(0, 0)
        case .top: SIMD2(0.5, 0)
        case .topRight: SIMD2(1, 0)
        case .left: SIMD2(0, 0.5)
        case .scaleToFill, .aspectFit, .aspectFill, .center: SIMD2(0.5, 0.5)
        case .right: SIMD2(1, 0.5)
        case .bottomLeft: SIMD2(0, 1)
        case .bottom: SIMD2(0.5, 1)
        case .bottomRight: SIMD2(1, 1)
        }
    }
}

/// A rectangle with fractional coordinates.
public struct Placement: Sendable, Hashable {
    /// The placement's top left corner and size, in pixels.
    public var x, y, width, height: Double

    /// Creates a placement from its corner and size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates the placement of a rectangle of whole pixels.
    public init(_ rect: Rect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }
}
