import FrostCore
import FrostTestSupport
import Testing

struct RegionTests {
    /// The definition of a region, for comparison: the set of its pixels.
    private typealias Pixels = Set<SIMD2<Int>>

    private static func pixels(_ rects: [Rect]) -> Pixels {
        Pixels(rects.flatMap { rect in rect.rows.flatMap { y in rect.columns.map { SIMD2($0, y) } } })
    }

    private static func areApart(_ rects: [Rect]) -> Bool {
        rects.indices.allSatisfy { i in rects[..<i].allSatisfy { $0.intersection(rects[i]) == nil } }
    }

    private static func random(_ count: Int, _ generator: inout SeededGenerator) -> [Rect] {
        (0..<count).map { _ in
            Rect(
                x: .random(in: -12...12, using: &generator), y: .random(in: -12...12, using: &generator),
                width: .random(in: 0...9, using: &generator), height: .random(in: 0...9, using: &generator))
        }
    }

    @Test("union, difference and intersection are those of the sets of pixels, and equal sets are equal regions")
    func algebra() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let first = Self.random(.random(in: 0...5, using: &generator), &generator)
            let second = Self.random(.random(in: 0...5, using: &generator), &generator)
            let (a, b) = (Region(first), Region(second))
            let (setA, setB) = (Self.pixels(first), Self.pixels(second))
            for (region, set) in [
                (a, setA), (a.union(b), setA.union(setB)), (a.subtracting(b), setA.subtracting(setB)),
                (a.intersection(b), setA.intersection(setB)),
            ] {
                #expect(Self.pixels(region.rects) == set)
                #expect(Self.areApart(region.rects))
                #expect(region.area == set.count && region.isEmpty == set.isEmpty)
                #expect(region == Region(region.rects.shuffled(using: &generator)))
                #expect(region.contains(x: 3, y: -2) == set.contains(SIMD2(3, -2)))
            }
            // If one of its pixels is removed, the result is a different region.
            if let any = setA.first {
                #expect(a != a.subtracting(Region(Rect(x: any.x, y: any.y, width: 1, height: 1))))
            }
        }
    }

    @Test("a cover contains the region, does not overlap, and wastes no more than allowed")
    func cover() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<200 {
            let region = Region(Self.random(.random(in: 0...8, using: &generator), &generator))
            let exact = region.cover()
            #expect(Region(exact) == region && Self.areApart(exact))
            #expect(exact.count <= region.rects.count)
            for waste in [4, 40] {
                let cover = region.cover(waste: waste)
                #expect(Self.areApart(cover) && region.subtracting(Region(cover)).isEmpty)
                #expect(cover.count <= exact.count)
            }
            let few = region.cover(limit: 2)
            #expect(few.count <= 2 && Self.areApart(few) && region.subtracting(Region(few)).isEmpty)
        }
        let far = Region([Rect(x: 0, y: 0, width: 4, height: 4), Rect(x: 1000, y: 0, width: 4, height: 4)])
        #expect(far.cover(waste: 100).count == 2)
        // A region divides the tall rectangle into bands, because another rectangle lies beside it. The cover joins the
        // bands to the tall rectangle again.
        let tall = Rect(x: 0, y: 0, width: 3, height: 30)
        #expect(Region([tall, Rect(x: 5, y: 10, width: 3, height: 2)]).cover().contains(tall))
    }

    /// Joins rectangles as the definition of a cover says, without the library's optimisations.
    private static func joined(_ rects: [Rect], waste: Int, limit: Int) -> [Rect] {
        func hull(_ a: Rect, _ b: Rect) -> Rect {
            let (x, y) = (min(a.x, b.x), min(a.y, b.y))
            let (right, bottom) = (max(a.x + a.width, b.x + b.width), max(a.y + a.height, b.y + b.height))
            return Rect(x: x, y: y, width: right - x, height: bottom - y)
        }
        func area(_ rect: Rect) -> Int { rect.width * rect.height }
        var rects = rects
        while true {
            var best: (first: Int, second: Int, waste: Int)?
            for i in rects.indices {
                for j in rects.indices where j > i {
                    let waste = area(hull(rects[i], rects[j])) - area(rects[i]) - area(rects[j])
                    if best.map({ waste < $0.waste }) ?? true { best = (i, j, waste) }
                }
            }
            guard let best, best.waste <= waste || rects.count > limit else { return rects }
            var joined = hull(rects[best.first], rects[best.second])
            while let overlapped = rects.first(where: { $0.intersection(joined) != nil && hull($0, joined) != joined })
            {
                joined = hull(overlapped, joined)
            }
            rects = rects.filter { $0.intersection(joined) == nil } + [joined]
        }
    }

    @Test("a cover repeatedly joins the two rectangles whose union wastes the fewest pixels")
    func nearest() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<150 {
            let region = Region(Self.random(.random(in: 0...14, using: &generator), &generator))
            let (waste, limit) = [(0, Int.max), (6, .max), (60, .max), (0, 3)][round % 4]
            #expect(region.cover(waste: waste, limit: limit) == Self.joined(region.rects, waste: waste, limit: limit))
        }
    }
}
