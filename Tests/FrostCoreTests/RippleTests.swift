import Glibc
import Testing

@testable import FrostCore

/// Tests that a ripple bends the picture without folding it.
struct RippleTests {
    /// Returns the smallest slope of the distance that is read, by the formula in Ripple.swift.
    private static func slope(width: Double, scale: Double, crest: Double) -> Double {
        func read(_ r: Double) -> Double {
            let phase = (r - crest) / width
            let height = abs(phase) <= 1 ? (1 + cos(.pi * phase)) / 2 : 0
            return r - scale * height * min(1, r / width)
        }
        let step = width / 1000
        return (1..<4000).map { (read(Double($0) * step) - read(Double($0 - 1) * step)) / step }.min() ?? 0
    }

    @Test("the distance that is read grows with the distance, for all widths and scales")
    func neverFolds() {
        let canvas = Rect(x: 0, y: 0, width: 640, height: 480)
        let frame = TransitionFrame(extent: canvas, shadowExtent: canvas, canvas: canvas, time: 0.3, decoding: nil)
        for width in [1.0, 7, 60, 100, 900] {
            for scale in [-50.0, -3, 0, 2, 50, 10_000] {
                let drawing = Ripple(center: SIMD2(0.5, 0.5), width: width, scale: scale).drawing(frame)
                for part in stride(from: -1.0, through: 2.5, by: 0.1) {
                    let slope = Self.slope(width: width, scale: drawing.scale, crest: part * width)
                    #expect(slope > 0.1, "width \(width), scale \(scale): \(slope)")
                }
            }
        }
        // Core Image's default numbers fold without the limit.
        let slopes = stride(from: -1.0, through: 2.5, by: 0.1).map {
            Self.slope(width: 100, scale: 50, crest: 100 * $0)
        }
        #expect(slopes.contains { $0 < 0 })
    }
}
