import FrostCore
import FrostTestSupport
import Testing

/// Tests the maps between an image and the buffer that stores it against buffers that were mirrored and turned step by step.
struct SurfaceTransformTests {
    private static let (width, height) = (7, 5)

    @Test(
        "a rectangle becomes the rectangle of the buffer that stores its pixels, and back",
        arguments: SurfaceTransform.allCases)
    func rectangles(_ transform: SurfaceTransform) throws {
        let format = PixelFormat(.grey)
        let layout = try PixelLayout(width: Self.width, height: Self.height, format: format)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                for (width, height) in [(1, 1), (Self.width - x, Self.height - y), (min(3, Self.width - x), 1)] {
                    let rect = Rect(x: x, y: y, width: width, height: height)
                    var marks = PixelBuffer(layout: layout)
                    try marks.paste(
                        PixelBuffer(
                            layout: PixelLayout(width: width, height: height, format: format),
                            bytes: [UInt8](repeating: 255, count: width * height)), at: rect)
                    let stored = try marks.stored(transform)
                    #expect(
                        (stored.width, stored.height)
                            == (transform.swapsSides ? (Self.height, Self.width) : (Self.width, Self.height)))
                    let mapped = transform.toBuffer(rect, width: Self.width, height: Self.height)
                    let marked = (0..<stored.width * stored.height).filter { stored.pixelBytes[$0] == 255 }
                    let expected = mapped.rows.flatMap { row in mapped.columns.map { row * stored.width + $0 } }
                    #expect(marked == expected, "\(rect) became \(mapped)")
                    #expect(transform.fromBuffer(mapped, width: Self.width, height: Self.height) == rect)
                }
            }
        }
    }

    @Test("rows that are stored bottom-up are turned over after the transform")
    func rising() {
        let pixel = Rect(x: 1, y: 2, width: 1, height: 1)
        for transform in SurfaceTransform.allCases {
            let height = transform.swapsSides ? Self.width : Self.height
            var expected = transform.toBuffer(pixel, width: Self.width, height: Self.height)
            expected.y = height - 1 - expected.y
            let map = PixelMap(transform, width: Self.width, height: Self.height, rises: true)
            #expect(map.map(pixel) == expected && map.inverse.map(expected) == pixel, "\(transform)")
        }
    }

    @Test("the numbers are those of wl_output.transform: 90 degrees are counter-clockwise")
    func numbers() {
        // The first pixel of the buffer, as the protocol's description gives it for each number.
        let first = [(0, 0), (6, 0), (6, 4), (0, 4), (6, 0), (0, 0), (0, 4), (6, 4)]
        for (number, (x, y)) in first.enumerated() {
            let transform = SurfaceTransform(rawValue: Int32(number))
            #expect(
                transform?.fromBuffer(Rect(x: 0, y: 0, width: 1, height: 1), width: Self.width, height: Self.height)
                    == Rect(x: x, y: y, width: 1, height: 1), "\(number)")
        }
        #expect(SurfaceTransform(rawValue: 8) == nil)
    }
}
