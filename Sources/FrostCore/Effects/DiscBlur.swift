/// A disc blur: the mean of a disc around each pixel, of premultiplied colour. It resembles the picture of a lens that
/// is out of focus.
///
/// A pixel's weight is its area within the circle around the centre of the output pixel, divided by the circle's area.
/// So the result changes continuously with the radius, and a radius can be animated. Up to a radius of half a pixel,
/// the disc is the pixel itself.
///
/// The CPU takes O(radius log radius) per pixel, a GPU O(radius^2).
public struct DiscBlur: Sendable, Hashable {
    /// The disc's radius in pixels of the input.
    public let radius: Double
    /// The edge mode, which extends the image for reads outside it.
    public let edge: EdgeMode

    /// The range of accepted radii. Every GPU has room for the weights of the largest disc.
    public static let radiusRange: ClosedRange<Double> = 0...100

    /// Creates a disc blur.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a radius outside 0...100.
    public init(radius: Double, edge: EdgeMode = .clamp) throws(ParameterError) {
        guard Self.radiusRange.contains(radius) else {
            throw .outOfRange(parameter: "radius", value: radius, allowed: Self.radiusRange)
        }
        self.radius = radius
        self.edge = edge
    }

    /// Whether the blur copies every pixel.
    public var isIdentity: Bool { radius <= 0.5 }

    /// The blur's kernel. Its weights sum to 1.
    ///
    /// - Complexity: O(radius^2).
    public var runs: [Kernel2D.Run] {
        guard !isIdentity else { return [Kernel2D.Run(dx: 0, dy: 0, count: 1, weight: 1)] }
        let reach = Int((radius - 0.5).rounded(.up))
        let disc = RoundedRect(discOf: radius, x: 0.5, y: 0.5)
        // One eighth of the disc is computed and mirrored, so that the kernel is exactly symmetric.
        func area(_ x: Int, _ y: Int) -> Double {
            let (near, far) = (min(x, y), max(x, y))
            let (dx, dy) = (Double(far) + 0.5, Double(near) + 0.5)
            return dx * dx + dy * dy <= radius * radius ? 1 : disc.coverage(far, near)
        }
        return [Kernel2D.Run](
            (-reach...reach).map { dy in (dy, -reach, (-reach...reach).map { area(abs($0), abs(dy)) }) })
    }
}

extension DiscBlur: CustomStringConvertible {
    /// The blur in words, for example "disc radius 8" or "disc radius 2.5 edge mirror".
    public var description: String {
        "disc radius \(numberText(radius))" + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
