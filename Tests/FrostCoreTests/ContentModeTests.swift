import FrostTestSupport
import Testing

@testable import FrostCore

struct ContentModeTests {
    static let bounds = Rect(x: 10, y: 20, width: 200, height: 100)

    @Test(
        "every mode puts content where UIKit does",
        arguments: [
            (ContentMode.scaleToFill, Placement(x: 10, y: 20, width: 200, height: 100)),
            (.aspectFit, Placement(x: 60, y: 20, width: 100, height: 100)),
            (.aspectFill, Placement(x: 10, y: -30, width: 200, height: 200)),
            (.center, Placement(x: 90, y: 50, width: 40, height: 40)),
            (.top, Placement(x: 90, y: 20, width: 40, height: 40)),
            (.bottom, Placement(x: 90, y: 80, width: 40, height: 40)),
            (.left, Placement(x: 10, y: 50, width: 40, height: 40)),
            (.right, Placement(x: 170, y: 50, width: 40, height: 40)),
            (.topLeft, Placement(x: 10, y: 20, width: 40, height: 40)),
            (.topRight, Placement(x: 170, y: 20, width: 40, height: 40)),
            (.bottomLeft, Placement(x: 10, y: 80, width: 40, height: 40)),
            (.bottomRight, Placement(x: 170, y: 80, width: 40, height: 40)),
        ])
    func modesPlaceContentAsUIKit(_ mode: ContentMode, _ expected: Placement) {
        #expect(mode.place(width: 40, height: 40, in: Self.bounds) == expected)
    }

    @Test("modes that do not scale place content on whole pixels at all sizes", arguments: ContentMode.allCases)
    func wholePixels(_ mode: ContentMode) {
        for (width, height) in [(1, 1), (3, 4), (7, 1), (333, 101), (2, 1000)] {
            let placement = mode.place(width: width, height: height, in: Self.bounds)
            guard placement.width == Double(width), placement.height == Double(height) else { continue }
            #expect(placement.x == placement.x.rounded() && placement.y == placement.y.rounded(), "\(width)x\(height)")
        }
    }

    @Test("aspect modes keep the aspect, one within the bounds and one around them")
    func aspect() {
        for (width, height) in [(1, 1), (3, 4), (16, 9), (1000, 3)] {
            let fit = ContentMode.aspectFit.place(width: width, height: height, in: Self.bounds)
            let fill = ContentMode.aspectFill.place(width: width, height: height, in: Self.bounds)
            for placement in [fit, fill] {
                #expect(abs(placement.width * Double(height) - placement.height * Double(width)) < 1e-9 * 1e5)
            }
            #expect(fit.width <= 200 + 1e-9 && fit.height <= 100 + 1e-9)
            #expect(fill.width >= 200 - 1e-9 && fill.height >= 100 - 1e-9)
        }
    }

    @Test("the window leaves out a transparent margin, and no visible pixel", arguments: [(20, 16), (61, 47), (9, 5)])
    func margin(width: Int, height: Int) throws {
        let extent = Rect(x: 3, y: -2, width: width, height: height)
        func placed(margin: Double, center: Double = 1) throws -> PlacedContent? {
            let picture = try TestImage.make(20, 16, PixelFormat(.rgba, .u16)) { x, y, _ in
                (7..<10).contains(x) && (5..<7).contains(y) ? center : margin
            }
            return PlacedContent(ContentLayer(ContentImage(picture)), extent: extent, region: extent)
        }
        let (trimmed, whole) = (try #require(try placed(margin: 0)), try #require(try placed(margin: 1.0 / 65535)))
        #expect(whole.window == extent && trimmed.window.width < width)
        for y in extent.rows {
            let row = whole.exactRow(y)
            for x in extent.columns where !trimmed.window.contains(Rect(x: x, y: y, width: 1, height: 1)) {
                #expect(row[x - extent.x][3] < 1.5 / 65535, "\(x),\(y)")
            }
        }
        #expect(try placed(margin: 0, center: 0) == nil)
    }
}
