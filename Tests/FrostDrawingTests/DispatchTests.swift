import FrostCore
import Testing

@testable import FrostDrawing

/// Tests the dispatches of plans. These tests need no GL.
@Suite struct DispatchTests {
    private static let limits = DrawLimits(textureSize: .max, weights: 4096, weightAlignment: 4)
    private static let extent = Rect(x: 0, y: 0, width: 3840, height: 2160)

    /// A dispatch covers the output of each run of passes, whatever the edge mode. As fragments, the same draws have strips
    /// along the borders.
    @Test(
        "a blur takes a dispatch for each run of passes",
        arguments: [
            (0.7, 2), (2, 2), (3, 6), (8, 6), (30, 10), (100, 10), (400, 14),
        ]) func count(_ sigma: Double, _ dispatches: Int) throws
    {
        for edge in EdgeMode.allCases {
            let plan = try GaussianBlur(sigma: sigma, edge: edge).plan(extent: Self.extent)
            let draws = try DrawPlan(plan, limits: Self.limits).lists.flatMap(\.draws)
            let parts = draws.flatMap { draw in draw.draw.undivided.parts.map { (draw, $0) } }
            #expect(parts.count == dispatches, "\(edge)")
            for (draw, part) in parts {
                #expect(
                    part.columns == 0..<draw.window.width && part.rows == 0..<draw.window.height,
                    "\(draw.name), \(edge)")
            }
            #expect(draws.flatMap(\.draw.parts).count > dispatches, "\(edge)")
        }
    }

    @Test("a region without borders needs no program for borders") func inner() throws {
        let region = Rect(x: 900, y: 700, width: 64, height: 48)
        let plan = try GaussianBlur(sigma: 2).plan(extent: Self.extent, region: region)
        for draw in try DrawPlan(plan, limits: Self.limits).lists.flatMap(\.draws) {
            #expect(draw.draw.parts.count == 1 && draw.draw.undivided.kind == draw.draw.kind)
        }
    }
}
