/// How the shapes of a clip become the part of each pixel that the result covers.
///
/// Without a feather, the part is the area of the pixel within the shapes. With a feather of w pixels it depends on the distance
/// d of the pixel's middle from the nearest shape, which is negative inside:
///
///     part = s(1 - d / w),    s(t) = t² (3 - 2t) for t clamped to 0...1
///
/// So the shapes are covered as a whole, and the result fades out beside them. If the rule is inverted, the part is 1 minus the
/// area, or s(1 + d / w): what is outside is covered as a whole, and the result fades out inside the shapes.
public struct ClipRule: Sendable, Hashable {
    /// The width in pixels over which the result fades out beside the shapes; 0 for antialiased edges.
    public var feather = 0.0
    /// Whether the result is visible outside the shapes, and not inside.
    public var isInverted = false
    /// Whether every pixel that the result covers partly is covered as a whole, so that nothing of the original is mixed in.
    public var coversTouched = false

    /// Creates a rule. By default, the result is visible inside the shapes, with antialiased edges.
    public init(feather: Double = 0, isInverted: Bool = false, coversTouched: Bool = false) {
        self.feather = feather
        self.isInverted = isInverted
        self.coversTouched = coversTouched
    }

    /// The allowed values of ``feather``, in pixels.
    public static let featherRange = 0.0...4096.0

    /// By how many pixels the result may reach beyond the bounds of a shape.
    package var margin: Int { isInverted ? 0 : Int(feather.rounded(.up)) }

    /// The part of pixels that are far from all shapes.
    package var partOutside: Double { isInverted ? 1 : 0 }

    /// Whether the rule is the area within the shapes.
    package var isPlain: Bool { self == ClipRule() }

    /// Returns the covered part of a pixel.
    ///
    /// - Parameter area: the part of the pixel within the shapes.
    func part(area: Double) -> Double {
        let part = isInverted ? 1 - area : area
        return coversTouched ? part.rounded(.up) : part
    }

    /// Returns the covered part of a pixel, with a feather.
    ///
    /// - Parameter distance: the distance of the pixel's middle from the nearest shape, negative inside.
    func part(distance: Double) -> Double {
        let t = min(max(1 - (isInverted ? -distance : distance) / feather, 0), 1)
        return t * t * (3 - 2 * t)
    }
}
