extension Region {
    /// Returns rectangles that do not overlap and together contain the whole region. There are at most as many as in
    /// ``rects``.
    ///
    /// - Parameters:
    ///   - waste: two rectangles are joined if this adds at most `waste` pixels outside them. With 0 the result covers
    ///     exactly the region.
    ///   - limit: the maximum number of rectangles. Until it is met, rectangles are joined even if this adds more than
    ///     `waste` pixels.
    /// - Complexity: usually quadratic in the number of rectangles.
    public func cover(waste: Int = 0, limit: Int = .max) -> [Rect] {
        var cover = Cover(rects)
        while let pair = cover.nearest, pair.waste <= waste || cover.rects.count > limit {
            cover.join(pair.first, pair.second)
        }
        return cover.rects
    }
}

/// A list of rectangles that do not overlap. Each rectangle is stored together with its nearest partner: the rectangle
/// further on in the list with which it has the smallest waste.
private struct Cover {
    private(set) var rects: [Rect]
    /// For each rectangle, its nearest partner further on in the list; nil for the last rectangle. The waste of two
    /// rectangles is the area of their hull that neither of them covers.
    private var partners: [(index: Int, waste: Int)?]

    init(_ rects: [Rect]) {
        self.rects = rects
        partners = []
        partners = rects.indices.map { partner(of: $0) }
    }

    /// The two rectangles whose union has the smallest waste.
    var nearest: (first: Int, second: Int, waste: Int)? {
        var best: (first: Int, second: Int, waste: Int)?
        for case (let index, let partner?) in zip(rects.indices, partners) where partner.waste < best?.waste ?? .max {
            best = (index, partner.index, partner.waste)
        }
        return best
    }

    /// Replaces two rectangles by their hull. The hull is enlarged until it contains every rectangle that it overlaps,
    /// and these rectangles are removed.
    mutating func join(_ first: Int, _ second: Int) {
        var joined = rects[first].hull(rects[second])
        while true {
            let hull = rects.reduce(joined) { $1.intersection(joined) == nil ? $0 : $0.hull($1) }
            if hull == joined { break }
            joined = hull
        }
        let kept = rects.indices.filter { rects[$0].intersection(joined) == nil }
        var places = [Int?](repeating: nil, count: rects.count)
        for (place, index) in kept.enumerated() { places[index] = place }
        let before = partners
        rects = kept.map { rects[$0] } + [joined]
        partners = kept.map { index in
            before[index].flatMap { partner in places[partner.index].map { ($0, partner.waste) } }
        }
        partners.append(nil)
        for index in kept.indices {
            if let partner = partners[index] {
                let waste = waste(of: index, kept.count)
                if waste < partner.waste { partners[index] = (kept.count, waste) }
            } else {
                partners[index] = partner(of: index)
            }
        }
    }

    private func partner(of index: Int) -> (index: Int, waste: Int)? {
        var best: (index: Int, waste: Int)?
        for other in rects.indices.dropFirst(index + 1) {
            let waste = waste(of: index, other)
            if waste < best?.waste ?? .max { best = (other, waste) }
        }
        return best
    }

    private func waste(of first: Int, _ second: Int) -> Int {
        let (a, b, hull) = (rects[first], rects[second], rects[first].hull(rects[second]))
        return hull.width * hull.height - a.width * a.height - b.width * b.height
    }
}
