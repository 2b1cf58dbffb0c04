/// The distances from the edges of several shapes, which may be joined smoothly, like drops that meet.
///
/// **Apart** (a join of 0): the first of the shapes with the largest distance d counts. Distances that differ by
/// ``ShapeField/tie`` are equal.
///
/// **Joined** (a join k): d and its outward direction n are
///
///     d = Σ wᵢ dᵢ + k / 2 (1 - Σ wᵢ²),    n = Σ wᵢ nᵢ,    wᵢ = max(dᵢ - τ, 0) / k
///
/// with τ such that the weights add up to 1. This is the largest value of the first formula over all weights, so d has a
/// continuous gradient, which is -n where each nᵢ is the gradient of dᵢ; it does not depend on the order of the shapes; a
/// shape whose distance is k less than another one does not count; and two shapes have the usual polynomial smooth maximum:
/// d is k / 4 larger than both distances where they are equal. n is shorter than 1 between shapes, and 0 halfway between
/// two. d exceeds the largest distance by less than k / 2, so the outline of the group lies at most that far outside its
/// shapes. Joined shapes share the narrowest of their bands and the smallest of their depths, so that their distances have
/// no crease within the band.
package struct ShapeGroup: Sendable {
    package let fields: [ShapeField]
    /// The radius k in pixels within which shapes flow together; 0 for shapes that do not.
    package let join: Double

    /// Creates a group of shapes.
    ///
    /// - Parameters:
    ///   - join: the radius within which they flow together.
    ///   - field: creates the distances of a shape.
    package init(_ shapes: [RoundedRect], join: Double, _ field: (RoundedRect) -> ShapeField) {
        let own = shapes.map(field)
        self.join = own.count > 1 ? join : 0
        guard join > 0, own.count > 1, let band = own.map(\.band).min(), let depth = own.map({ abs($0.depth) }).min()
        else {
            fields = own
            return
        }
        let margin = Self.margin(join)
        fields = own.map { $0.sharing(band: band, depth: $0.depth < 0 ? -depth : depth, margin: margin) }
    }

    /// By how many pixels the bounds of joined shapes must be grown to contain their outline.
    package static func margin(_ join: Double) -> Int { Int((join / 2).rounded(.up)) }

    /// A place relative to the edge.
    package struct Place {
        /// The distance from the edge, negative outside.
        package var depth: Double
        /// The direction in which it falls. Where d is not less than ``ShapeField/band``, it is 0.
        package var outward: SIMD2<Double>
        /// The shape that counts; if they are joined, one of them.
        package var field: ShapeField
    }

    /// Returns the place of a point of a pixel; nil if no shape touches the pixel.
    package func place(_ point: SIMD2<Double>, _ x: Int, _ y: Int) -> Place? {
        guard join > 0 else {
            var deepest: Place?
            for field in fields where field.touches(x, y) {
                let (depth, outward) = field.distance(point)
                if depth > (deepest?.depth ?? -.infinity) + ShapeField.tie {
                    deepest = Place(depth: depth, outward: outward, field: field)
                }
            }
            return deepest
        }
        guard fields.contains(where: { $0.touches(x, y) }) else { return nil }
        let joined = joined(at: point)
        // Beside the outline, a point is at most a pixel's diagonal away from a point inside.
        return joined.depth < -1.5 ? nil : Place(depth: joined.depth, outward: joined.outward, field: fields[0])
    }

    /// Returns how far from a point of a pixel the lens reads the picture.
    package func offset(_ point: SIMD2<Double>, _ x: Int, _ y: Int) -> SIMD2<Double> {
        place(point, x, y).map { $0.field.offset($0.depth, $0.outward) } ?? .zero
    }

    /// Returns d and n of joined shapes.
    func joined(at point: SIMD2<Double>) -> (depth: Double, outward: SIMD2<Double>) {
        let found = fields.map { $0.distance(point) }
        let weights = Self.weights(found.map(\.depth), join)
        var (depth, outward, squares) = (0.0, SIMD2<Double>.zero, 0.0)
        for (weight, place) in zip(weights, found) where weight > 0 {
            depth += weight * place.depth
            outward += weight * place.outward
            squares += weight * weight
        }
        return (depth + join / 2 * (1 - squares), outward)
    }

    /// Returns the weights of distances.
    static func weights(_ depths: [Double], _ join: Double) -> [Double] {
        guard let largest = depths.max() else { return [] }
        // The sum of max(d - τ, 0) is convex and falls with τ. Newton's method begins where the sum is at least k, so it never
        // passes the solution. Each step but the last leaves out a shape, so it ends after as many steps as there are shapes.
        var tau = largest - join
        for _ in depths {
            let counting = depths.filter { $0 > tau }
            tau += (counting.reduce(0) { $0 + ($1 - tau) } - join) / Double(counting.count)
        }
        return depths.map { max($0 - tau, 0) / join }
    }
}
