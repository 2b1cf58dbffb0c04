import Frost
import FrostCore
import Testing

/// Tests the guaranteed error on every backend, with an image for which the plan's error is close to the largest possible
/// error.
struct WorstImageTests {
    /// Blurs an image along x in which each row has one impulse. Column c of the result holds the weights with which the
    /// blur's pixel c reads the pixels of an image.
    private static func kernels(_ blur: GaussianBlur, side: Int) throws -> (planned: [[Double]], exact: [[Double]]) {
        let layout = try PixelLayout(width: side, height: side, format: PixelFormat(.grey, .f32))
        var bytes = [UInt8](repeating: 0, count: layout.byteCount)
        let one = Float(1).bitPattern
        for row in 0..<side {
            for byte in 0..<4 { bytes[4 * (row * side + row) + byte] = UInt8(truncatingIfNeeded: one >> (8 * byte)) }
        }
        let impulses = try PixelBuffer(layout: layout, bytes: bytes)
        let renderer = try Renderer(backend: .cpu)
        // The plan is the plan for 8-bit images. The samples are floats, so that nothing is rounded.
        let planned = SampleRows(try renderer.blur(impulses, blur, accuracy: .eightBit, cancellation: nil).image)
        let exact = try Renderer(backend: .exact).exact(impulses, blur)
        return ((0..<side).map { planned[$0] }, (0..<side).map { exact[$0] })
    }

    @Test(
        "the worst image of a plan is within its bound, rounding and 0.1 of arithmetic of the exact blur",
        arguments: [0.8, 1.6, 2.5, 4.6, 9.7, 20], Worker.wanted)
    func worst(_ sigma: Double, _ worker: Worker) throws {
        let side = 64 + 16 * Int(sigma)
        let blur = try GaussianBlur(sigmaX: sigma, sigmaY: 0)
        let (planned, exact) = try Self.kernels(blur, side: side)
        // The test uses one of the columns near the middle of the image: the column with the largest `excess`. This is the
        // sum of the amounts by which the plan's kernel exceeds the exact kernel.
        let columns = side / 2 - 16..<side / 2 + 16
        func excess(_ column: Int) -> Double {
            (0..<side).reduce(0) { $0 + max(0, planned[$1][column] - exact[$1][column]) }
        }
        let pixel = columns.max { excess($0) < excess($1) } ?? side / 2
        let signs = (0..<side).map { UInt8(planned[$0][pixel] > exact[$0][pixel] ? 255 : 0) }
        let layout = try PixelLayout(width: side, height: 1, format: PixelFormat(.grey))
        let image = try PixelBuffer(layout: layout, bytes: signs)

        let result = try worker.renderer().blurNow(image, blur)
        let wanted = try Renderer(backend: .exact).exact(image, blur)
        let comparison = try Comparison(SampleRows(result.image), wanted)
        #expect(comparison.maximum <= result.report.errorBound + 0.5 + 0.1)
        #expect(comparison.maximum <= 1)
        // The image must be close to the worst case. Without rounding, its error must be at least 90 % of the bound.
        #expect(excess(pixel) * 255 >= 0.9 * result.report.errorBound - 0.001)
    }
}
