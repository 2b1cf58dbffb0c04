import Glibc

/// The Gaussian of the area of a rounded rectangle, averaged over pixels.
///
/// **Rectangles.** The Gaussian of a half-plane that begins at the line x = e is Φ((x - e) / sigma). For a pixel's centre x, its
/// mean over the pixel is
///
///     S(e) = sigma (ψ((x + ½ - e) / sigma) - ψ((x - ½ - e) / sigma)),    ψ(z) = z Φ(z) + φ(z)
///
/// That of a rectangle is the product of S(left) - S(right) along both axes.
///
/// **Corners.** What a rounded corner leaves out consists of a square and two mirrored halves: see ``CornerOutline``. A half is
/// the integral over strips at the distances s from one side, each of which reaches from the other side to the depth t(s). The
/// Gaussian of a strip is the product of its density along s and of S(0) - S(t) along the other axis. Gauss-Legendre
/// quadrature with 8 nodes for every 2 sigma of s replaces the integral by a sum, with an error below 10^-6.
///
/// So the whole is a sum of products of a function of x and one of y, whose values are computed once. Each of them is 0 beyond
/// 5 sigma from what it belongs to.
struct OutlineBlur: Sendable {
    private let form: Form

    private enum Form: Sendable {
        case upright(UprightOutlineBlur)
        case turned(TurnedOutlineBlur)
    }

    /// - Parameters:
    ///   - sigma: the standard deviation in pixels, above 0.
    ///   - offset: by how much the shape is moved.
    ///   - bounds: the pixels that are needed.
    init(_ shape: RoundedRect, sigma: Double, offset: SIMD2<Double>, over bounds: Rect) {
        let parts = OutlineParts(shape, sigma: sigma, offset: offset)
        form =
            shape.rotation == 0
            ? .upright(UprightOutlineBlur(parts, over: bounds)) : .turned(TurnedOutlineBlur(parts, shape.rotation))
    }

    /// Adds the values of pixels of a row.
    ///
    /// - Parameters:
    ///   - columns: columns within the bounds.
    ///   - first: the column of the first element of `sums`.
    func add(_ y: Int, _ columns: Range<Int>, to sums: inout [Double], from first: Int) {
        switch form {
        case .upright(let blur): blur.add(y, columns, to: &sums, from: first)
        case .turned(let blur): blur.add(y, columns, to: &sums, from: first)
        }
    }
}

/// The parts of a rounded rectangle, whose Gaussians along each axis are known.
struct OutlineParts: Sendable {
    let sigma: Double
    /// The middle of the shape, and half of its sides before it is turned.
    let center: SIMD2<Double>
    let half: SIMD2<Double>
    /// The side of the square that each corner leaves out; 0 without rounded corners.
    let diagonal: Double
    /// The strips of a half of a corner, ordered by their distance from a side: that distance, their depth, and their width.
    let strips: [(place: Double, depth: Double, weight: Double)]

    init(_ shape: RoundedRect, sigma: Double, offset: SIMD2<Double>) {
        self.sigma = sigma
        half = SIMD2(shape.width, shape.height) / 2
        center = SIMD2(shape.x, shape.y) + half + offset
        diagonal = shape.radius > 0 ? shape.cornerDiagonal : 0
        let width = shape.reach - diagonal
        let panels = shape.radius > 0 ? Int((width / (2 * sigma)).rounded(.up)) : 0
        strips = (0..<panels).flatMap { panel in
            let reach = width / Double(panels) / 2
            let middle = shape.reach - width + reach * Double(2 * panel + 1)
            let nodes = CornerOutline.nodes.reversed().map { (-$0.0, $0.1) } + CornerOutline.nodes
            return nodes.map { node, weight in
                let place = middle + reach * node
                return (place, shape.cornerInset(place), weight * reach)
            }
        }
    }

    /// A function along an axis, of the distance from the middle of the shape. It is the sum of a function that belongs to one
    /// side of the shape, and of its mirror image.
    struct Profile {
        /// The distances between which the function of one side is not 0.
        let support: ClosedRange<Double>
        let value: (Double) -> Double

        init(_ low: Double, _ high: Double, _ sigma: Double, _ value: @escaping (Double) -> Double) {
            support = low - OutlineParts.reach(sigma)...high + OutlineParts.reach(sigma)
            self.value = value
        }
    }

    /// The distance beyond which a Gaussian, averaged over pixels, counts as 0: its integral is below 3·10^-7.
    static func reach(_ sigma: Double) -> Double { 5 * sigma + 0.5 }

    /// The half of the rectangle on one side of its middle.
    func whole(_ axis: Int) -> Profile { strip(axis, to: half[axis]) }

    /// A strip along one side, from the side to a depth.
    func strip(_ axis: Int, to depth: Double) -> Profile {
        let (edge, sigma) = (half[axis], sigma)
        return Profile(edge - depth, edge, sigma) { place in
            Self.step(place, edge - depth, sigma) - Self.step(place, edge, sigma)
        }
    }

    /// The density of a line at a distance from one side.
    func line(_ axis: Int, at distance: Double) -> Profile {
        let (place, sigma) = (half[axis] - distance, sigma)
        return Profile(place, place, sigma) { x in
            let z = (x - place) / sigma
            return Self.normal(z + 0.5 / sigma) - Self.normal(z - 0.5 / sigma)
        }
    }

    /// S: the mean over a pixel of the Gaussian of a half-plane.
    private static func step(_ place: Double, _ edge: Double, _ sigma: Double) -> Double {
        let z = (place - edge) / sigma
        return sigma * (ramp(z + 0.5 / sigma) - ramp(z - 0.5 / sigma))
    }

    /// Φ, the integral of the standard normal density up to z.
    private static func normal(_ z: Double) -> Double { 0.5 * erfc(-z * 0.5.squareRoot()) }

    /// ψ, the integral of Φ up to z.
    private static func ramp(_ z: Double) -> Double {
        z * normal(z) + exp(-z * z / 2) / (2 * Double.pi).squareRoot()
    }
}
