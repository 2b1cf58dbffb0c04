import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

/// Strips along the borders of an image are drawn by other programs than the pixels inside. These programs loop over
/// their taps and apply the edge rule to each.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct BorderTests {
    static let extent = Rect(x: 0, y: 0, width: 150, height: 90)
    /// A multiple of the coarsest grid's samples, and more than the blur reaches.
    static let margin = 128

    /// Blurs an image, and the same image with its border pixels repeated `margin` times, and returns both results in
    /// the rectangle of the image.
    static func blurred(_ sigma: Double, _ edge: EdgeMode, _ format: PixelFormat) throws -> [PixelBuffer] {
        let gpu = try TestGPU.shared.get()
        let source = try Samples.noise(extent.width, extent.height, format, seed: 5)
        let wide = Rect(
            x: -margin, y: -margin, width: extent.width + 2 * margin, height: extent.height + 2 * margin)
        let size = format.bytesPerPixel
        let bytes = wide.rows.flatMap { y in
            wide.columns.flatMap { x in
                let row = source.layout.bytesPerRow * min(max(y, 0), extent.height - 1)
                let at = row + size * min(max(x, 0), extent.width - 1)
                return source.bytes[at..<at + size]
            }
        }
        let repeated = try PixelBuffer(
            layout: PixelLayout(width: wide.width, height: wide.height, format: format), bytes: bytes)
        let blur = try GaussianBlur(sigma: sigma, edge: edge)
        return [
            try gpu.run(blur.plan(extent: extent, region: extent), on: source).output,
            try gpu.run(blur.plan(extent: wide, region: extent), on: repeated).output,
        ]
    }

    /// Pixels at the border have the bits of the same pixels in the middle of an image that continues as the edge mode
    /// says.
    @Test(arguments: [0.8, 2, 3, 8, 12], [PixelFormat(.rgba), PixelFormat(.rgb, .u16), PixelFormat(.rgba, .f32)])
    func stripsHaveTheBitsOfUnrolledFilters(_ sigma: Double, _ format: PixelFormat) throws {
        let results = try Self.blurred(sigma, .clamp, format)
        #expect(results[0] == results[1])
    }

    /// The comparison above finds a border that continues in another way.
    @Test func anotherEdgeModeDiffers() throws {
        let results = try Self.blurred(3, .mirror, PixelFormat(.rgba))
        #expect(results[0] != results[1])
    }
}
