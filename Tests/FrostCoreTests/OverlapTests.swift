import FrostCore
import Testing

/// Tests the rule that decides whether source and target images may share memory.
@Suite struct OverlapTests {
    /// Places two small images in a few bytes, at every pair of positions, and checks the rule against the bytes that the
    /// pixels of the two images use.
    @Test func agreesWithThePixelsBytes() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { unsafe memory.deallocate() }
        var counts = [true: 0, false: 0]
        for (channels, stride, width, otherStride, otherWidth) in cases {
            let format = PixelFormat(channels)
            let from = try PixelLayout(width: width, height: 3, format: format, bytesPerRow: stride)
            let to = try PixelLayout(width: otherWidth, height: 3, format: format, bytesPerRow: otherStride)
            for place in 0..<24 {
                for otherPlace in 0..<24 {
                    let source = unsafe PixelSource(memory + place, layout: from)
                    let target = unsafe PixelTarget(memory + otherPlace, layout: to)
                    for isWhole in [true, false] where !isWhole || from.width == to.width {
                        let mayReplace = unsafe target.canReplace(source, isWhole: isWhole)
                        let read = bytes(from, place)
                        let written = bytes(to, otherPlace)
                        let isApart = read.isDisjoint(with: written)
                        let isSame = isWhole && place == otherPlace && (stride == otherStride)
                        // The rule also refuses images whose rows alternate in memory without overlapping.
                        if mayReplace { #expect(isApart || isSame) }
                        if isSame || (isApart && stride == otherStride && abs(place - otherPlace) < stride) {
                            #expect(mayReplace, "\(from) at \(place), \(to) at \(otherPlace)")
                        }
                        counts[mayReplace, default: 0] += 1
                    }
                }
            }
        }
        #expect(counts.values.allSatisfy { $0 > 100 })
    }

    private var cases: [(ChannelLayout, Int, Int, Int, Int)] {
        [
            (.grey, 8, 4, 8, 4), (.grey, 8, 3, 8, 5), (.greyAlpha, 10, 3, 10, 3), (.grey, 8, 4, 9, 4),
            (.grey, 5, 5, 5, 5),
        ]
    }

    private func bytes(_ layout: PixelLayout, _ place: Int) -> Set<Int> {
        Set((0..<layout.height).flatMap { y in (0..<layout.rowByteCount).map { place + y * layout.bytesPerRow + $0 } })
    }
}
