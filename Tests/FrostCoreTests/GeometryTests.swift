import FrostCore
import Testing

struct EdgeModeTests {
    /// Returns the pixel that the edge mode shows at an index. The function follows the definition of the edge modes: it
    /// walks from the first pixel to the index, one pixel at a time. The result nil stands for transparent black.
    static func walk(_ mode: EdgeMode, _ index: Int, _ extent: Range<Int>) -> Int? {
        var position = 0
        var step = 1
        let last = extent.count - 1
        let target = index - extent.lowerBound
        for _ in 0..<abs(target) {
            let direction = target > 0 ? step : -step
            let next = position + direction
            if (0...last).contains(next) {
                position = next
                continue
            }
            switch mode {
            case .clamp: break
            // A mirrored image repeats the pixel at the edge. So the walk stays on this pixel for one step and then turns
            // round.
            case .mirror: step = -step
            // Here the walk turns round and takes its step.
            case .reflect101:
                step = -step
                if last > 0 { position -= direction }
            case .repeat: position = next < 0 ? last : 0
            case .clear: return nil
            }
        }
        return extent.lowerBound + position
    }

    @Test("an index outside the image maps to the pixel found by walking there", arguments: EdgeMode.allCases)
    func definition(_ mode: EdgeMode) {
        for count in 1...9 {
            for start in [-20, -1, 0, 1, 13] {
                let extent = start..<start + count
                for index in start - 60...start + 60 {
                    #expect(mode.map(index, into: extent) == Self.walk(mode, index, extent), "\(index) in \(extent)")
                }
            }
        }
    }

    @Test("the farthest indices that plans can ask for map into the image", arguments: EdgeMode.allCases)
    func farAway(_ mode: EdgeMode) {
        for count in [1, 2, 3, 7, 1 << 20] {
            for offset in [0, 1, 5] {
                // If two indices differ by a multiple of the period, the edge mode maps them to the same pixel.
                let period = mode == .reflect101 ? max(1, 2 * count - 2) : 2 * count
                let periods = (1 << 42) / period * period
                let near = mode.map(offset % count, into: 0..<count)
                for index in [offset % count + periods, offset % count - periods] {
                    switch mode {
                    case .mirror, .reflect101, .repeat: #expect(mode.map(index, into: 0..<count) == near)
                    case .clamp: #expect(mode.map(index, into: 0..<count) == (index < 0 ? 0 : count - 1))
                    case .clear: #expect(mode.map(index, into: 0..<count) == nil)
                    }
                }
            }
        }
    }
}

struct RectTests {
    @Test("an intersection holds the pixels that both hold, or is nil")
    func intersection() {
        let sides = [-3, 0, 2]
        let rects = sides.flatMap { x in
            sides.flatMap { y in [1, 4].map { Rect(x: x, y: y, width: $0, height: 5 - $0) } }
        }
        func pixels(_ rect: Rect?) -> Set<[Int]> {
            guard let rect else { return [] }
            return Set(rect.columns.flatMap { x in rect.rows.map { [x, $0] } })
        }
        for a in rects {
            for b in rects {
                #expect(pixels(a.intersection(b)) == pixels(a).intersection(pixels(b)))
                #expect(a.contains(b) == pixels(b).isSubset(of: pixels(a)))
            }
        }
    }

    @Test("a rectangle prints as the command takes it")
    func description() {
        #expect("\(Rect(x: -1, y: 2, width: 30, height: 4))" == "-1,2,30,4")
    }
}
