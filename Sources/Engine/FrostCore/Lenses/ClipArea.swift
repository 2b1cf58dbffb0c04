/// The part of each pixel that a result within the shapes of a clip covers, by a ``ClipRule``.
///
/// Shapes that are not joined add up their areas. If they are joined (``ShapeGroup``), a pixel in which more than one of them
/// counts is covered as far as the outline of the group covers it: within each quarter of the pixel, the outline is taken for
/// the straight line of its distance and direction. The error is below 1/200 for outlines with radii of at least a pixel.
package struct ClipArea: Sendable {
    private let shapes: [RoundedRect]
    private let rule: ClipRule
    private let group: ShapeGroup?
    /// The distances from the shapes, if the rule has a feather, and the corners of their bounds.
    private let distances: [(outline: OutlineDistance, low: SIMD2<Double>, high: SIMD2<Double>)]
    private let margin: Int

    package init(_ shapes: [RoundedRect], join: Double, rule: ClipRule = ClipRule()) {
        (self.shapes, self.rule) = (shapes, rule)
        group =
            join > 0 && shapes.count > 1
            ? ShapeGroup(shapes, join: join) { ShapeField(band: 1, along: $0) } : nil
        distances =
            rule.feather > 0
            ? shapes.map { shape in
                let bounds = shape.bounds
                let low = SIMD2(Double(bounds.x), Double(bounds.y))
                return (OutlineDistance(shape), low, low + SIMD2(Double(bounds.width), Double(bounds.height)))
            } : []
        margin = rule.margin + (group.map { ShapeGroup.margin($0.join) } ?? 0)
    }

    /// The part of all pixels that are not in ``columns(_:)``.
    package var partOutside: Double { rule.partOutside }

    /// Returns the columns of a row that may be covered in another part than those far from all shapes.
    package func columns(_ y: Int) -> [Range<Int>] {
        shapes.compactMap { shape in
            if margin == 0 { return shape.bounds.rows.contains(y) ? shape.touchedColumns(y) : nil }
            let bounds = shape.bounds.grown(by: margin)
            return bounds.rows.contains(y) ? bounds.columns : nil
        }
    }

    /// Returns columns of a row in which every pixel is covered as those in the middle of a shape are, and the part.
    package func middle(_ y: Int) -> (columns: [Range<Int>], part: Double) {
        // An inverted feather reaches into the shapes.
        rule.isInverted && rule.feather > 0 ? ([], 0) : (shapes.map { $0.wholeColumns(y) }, 1 - rule.partOutside)
    }

    /// Returns the part of a pixel that is covered, 0...1.
    package func coverage(_ x: Int, _ y: Int) -> Double {
        guard !distances.isEmpty else { return rule.part(area: area(x, y)) }
        return rule.part(distance: distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5)))
    }

    /// Returns the distance of a point from the nearest shape, negative inside; any number from the feather's width on where no shape
    /// is nearer. Most shapes are far, and their bounds tell so: the distances of outlines are approximate, but off by less than
    /// half.
    private func distance(_ point: SIMD2<Double>) -> Double {
        let farthest = rule.isInverted ? 0 : rule.feather
        var nearest = Double.infinity
        for (outline, low, high) in distances {
            let beside = pointwiseMax(low - point, point - high).max()
            if beside > 0, beside / 2 >= min(nearest, farthest) { continue }
            nearest = min(nearest, outline.value(point))
        }
        return nearest
    }

    /// Returns the part of a pixel that is inside the shapes, 0...1.
    private func area(_ x: Int, _ y: Int) -> Double {
        let apart = min(
            1,
            shapes.reduce(0) { sum, shape in
                guard shape.bounds.rows.contains(y), shape.bounds.columns.contains(x) else { return sum }
                return sum + shape.coverage(x, y)
            })
        guard let group, apart < 1 else { return apart }
        let (left, top) = (Double(x), Double(y))
        let middle = group.fields.map { $0.distance(SIMD2(left + 0.5, top + 0.5)).depth }
        // Where one shape counts alone, its own area is exact.
        if ShapeGroup.weights(middle, group.join).contains(where: { $0 == 1 }) { return apart }
        var sum = 0.0
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let (depth, outward) = group.joined(at: SIMD2(left + dx, top + dy))
            // Halfway between two shapes the direction is 0.
            let length = max((outward.x * outward.x + outward.y * outward.y).squareRoot(), 0x1p-6)
            sum += Self.halfPlane(depth / length * 2, abs(outward.x) / length, abs(outward.y) / length)
        }
        return max(sum / 4, apart)
    }

    /// Returns the part of a square of side 1 within a half-plane.
    ///
    /// - Parameters:
    ///   - distance: the distance of the square's middle from the edge, positive inside.
    ///   - a, b: the magnitudes of the coordinates of the edge's unit normal.
    private static func halfPlane(_ distance: Double, _ a: Double, _ b: Double) -> Double {
        let (larger, smaller, reach) = (max(a, b), min(a, b), (a + b) / 2)
        if abs(distance) >= reach { return distance > 0 ? 1 : 0 }
        if abs(distance) <= (larger - smaller) / 2 { return 0.5 + distance / max(larger, 0x1p-6) }
        let rest = reach - abs(distance)
        let corner = rest * rest / (2 * larger * smaller)
        return distance > 0 ? 1 - corner : corner
    }
}
