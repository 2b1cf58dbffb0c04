/// The part of each pixel that a result within the shapes of a clip covers, by a ``ClipRule``.
///
/// Shapes that are not joined add up their areas. If they are joined (``ShapeGroup``), a pixel in which more than one of them
/// counts is covered as far as the outline of the group covers it: within each quarter of the pixel, the outline is taken for
/// the straight line of its distance and direction. The error is below 1/200 for outlines with radii of at least a pixel.
package struct ClipArea: Sendable {
    private var shapes: [Shape]
    private let rule: ClipRule
    private let group: ShapeGroup?
    private let margin: Int

    private struct Shape {
        let shape: RoundedRect
        let bounds: Rect
        /// The distance from the outline, if the rule has a feather.
        let outline: OutlineDistance?
    }

    package init(_ shapes: [RoundedRect], join: Double, rule: ClipRule = ClipRule()) {
        self.rule = rule
        self.shapes = shapes.map { shape in
            Shape(shape: shape, bounds: shape.bounds, outline: rule.feather > 0 ? OutlineDistance(shape) : nil)
        }
        group =
            join > 0 && shapes.count > 1
            ? ShapeGroup(shapes, join: join) { ShapeField(band: 1, along: $0) } : nil
        margin = rule.margin + (group.map { ShapeGroup.margin($0.join) } ?? 0)
    }

    /// Returns an area that covers pixels in some columns of a row as this one does, but has only the shapes that are near them.
    ///
    /// - Complexity: linear in the number of shapes, and so is ``coverage(_:_:)`` for each pixel.
    package func near(_ columns: Range<Int>, row y: Int) -> ClipArea {
        guard group == nil else { return self }
        // Distances are approximate: see ``distance(_:)``.
        let reach = rule.isInverted ? 0 : Int((2 * rule.feather).rounded(.up)) + 1
        var area = self
        area.shapes = shapes.filter { shape in
            let bounds = shape.bounds.grown(by: reach)
            return bounds.rows.contains(y) && bounds.columns.overlaps(columns)
        }
        return area
    }

    /// The part of all pixels that are not in ``columns(_:)``.
    package var partOutside: Double { rule.partOutside }

    /// Returns the columns of a row that may be covered in another part than those far from all shapes, in rising order.
    package func columns(_ y: Int) -> [Range<Int>] {
        Self.joined(
            shapes.compactMap { shape in
                if margin == 0 { return shape.bounds.rows.contains(y) ? shape.shape.touchedColumns(y) : nil }
                let bounds = shape.bounds.grown(by: margin)
                return bounds.rows.contains(y) ? bounds.columns : nil
            })
    }

    /// Returns columns of a row in which every pixel is covered as those in the middle of a shape are, in rising order, and the
    /// part.
    package func middle(_ y: Int) -> (columns: [Range<Int>], part: Double) {
        // An inverted feather reaches into the shapes.
        rule.isInverted && rule.feather > 0
            ? ([], 0) : (Self.joined(shapes.map { $0.shape.wholeColumns(y) }), 1 - rule.partOutside)
    }

    /// Returns the same columns in rising order, in ranges that do not overlap.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
    }

    /// The number of pixels whose nearest shapes are found together.
    private static let nearby = 256

    /// Calls a function with the covered part of each pixel in columns of a row, from left to right: with runs of pixels that have
    /// the same part, and with single pixels.
    package func forEachPart(_ columns: Range<Int>, row y: Int, _ body: (Range<Int>, Double) -> Void) {
        let all = near(columns, row: y)
        for start in stride(from: columns.lowerBound, to: columns.upperBound, by: Self.nearby) {
            let columns = start..<min(start + Self.nearby, columns.upperBound)
            all.near(columns, row: y).forEachPart(within: columns, row: y, body)
        }
    }

    private func forEachPart(within columns: Range<Int>, row y: Int, _ body: (Range<Int>, Double) -> Void) {
        let middle = middle(y)
        var x = columns.lowerBound
        func run(to end: Int, _ part: Double) {
            if x < end { body(x..<end, part) }
            x = max(x, end)
        }
        func pixels(to end: Int) {
            while x < end { run(to: x + 1, coverage(x, y)) }
        }
        for touched in self.columns(y) {
            let touched = touched.clamped(to: columns)
            run(to: touched.lowerBound, partOutside)
            for whole in middle.columns where whole.overlaps(touched) {
                pixels(to: min(whole.lowerBound, touched.upperBound))
                run(to: min(whole.upperBound, touched.upperBound), middle.part)
            }
            pixels(to: touched.upperBound)
        }
        run(to: columns.upperBound, partOutside)
    }

    /// Returns the part of a pixel that is covered, 0...1.
    package func coverage(_ x: Int, _ y: Int) -> Double {
        guard rule.feather > 0 else { return rule.part(area: area(x, y)) }
        return rule.part(distance: distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5)))
    }

    /// Returns the distance of a point from the nearest shape, negative inside; any number from the feather's width on where no shape
    /// is nearer. Most shapes are far, and their bounds tell so: the distances of outlines are approximate, but off by less than
    /// half.
    private func distance(_ point: SIMD2<Double>) -> Double {
        let farthest = rule.isInverted ? 0 : rule.feather
        var nearest = Double.infinity
        for shape in shapes {
            guard let outline = shape.outline else { continue }
            let low = SIMD2(Double(shape.bounds.x), Double(shape.bounds.y))
            let high = low + SIMD2(Double(shape.bounds.width), Double(shape.bounds.height))
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
                return sum + shape.shape.coverage(x, y)
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
