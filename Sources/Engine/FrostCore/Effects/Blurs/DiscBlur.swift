/// A disc blur: each pixel becomes the mean of a disc around it. Colours are averaged premultiplied. The result
/// resembles the picture of a lens that is out of focus.
///
/// Draw a circle around the centre of the output pixel. The weight of each pixel is the part of the pixel's area that
/// lies within the circle, divided by the circle's area. So the result changes continuously with the radius, and a
/// radius can be animated. Up to a radius of half a pixel, the blur copies every pixel.
///
/// The cost per pixel is O(radius) on the CPU for 8-bit images, O(radius log radius) for others, and O(radius^2) on a GPU.
public struct DiscBlur: Sendable, Hashable {
    /// The disc's radius in pixels of the input.
    public let radius: Double
    /// The edge mode, which defines the pixels that the blur reads outside the image.
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
    public var runs: [KernelRun] {
        guard !isIdentity else { return [KernelRun(dx: 0, dy: 0, count: 1, weight: 1)] }
        let reach = Int((radius - 0.5).rounded(.up))
        let disc = RoundedRect(discOf: radius, x: 0.5, y: 0.5)
        // Only one eighth of the disc is computed. The other seven eighths are its mirror images, so the kernel is
        // exactly symmetric.
        func area(_ x: Int, _ y: Int) -> Double {
            let (near, far) = (min(x, y), max(x, y))
            let (dx, dy) = (Double(far) + 0.5, Double(near) + 0.5)
            return dx * dx + dy * dy <= radius * radius ? 1 : disc.coverage(far, near)
        }
        return [KernelRun](
            (-reach...reach).map { dy in (dy, -reach, (-reach...reach).map { area(abs($0), abs(dy)) }) })
    }
}

extension DiscBlur: CustomStringConvertible {
    /// The blur in words, for example "disc radius 8" or "disc radius 2.5 edge mirror".
    public var description: String {
        "disc radius \(numberText(radius))" + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}

extension DiscBlur: Blur {
    public var phrase: String { "blur of a disc of radius " + text(radius) }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        try forPicture(enlargedBy: factor)
    }

    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur {
        try DiscBlur(radius: radius * factor, edge: edge)
    }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try Kernel2D(.runs(runs), edge: edge).plan(extent: request.extent, region: request.region)
    }
}
