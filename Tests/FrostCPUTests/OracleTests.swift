import FrostExact
import FrostCore
import FrostTestSupport
import Glibc
import Testing

/// Compares the exact reference with the definition of the Gaussian blur. All other tests rely on this reference.
struct OracleTests {
    /// Computes one output pixel straight from the two-dimensional definition: the weighted mean of all pixels within 6
    /// sigma. Outside the image, the edge mode supplies the pixels. This function shares no code with the library.
    static func naive(_ image: PixelBuffer, _ sigma: (x: Double, y: Double), _ edge: EdgeMode, _ x: Int, _ y: Int)
        -> [Double]
    {
        let (width, height) = (image.width, image.height)
        let format = image.format
        // Returns a premultiplied pixel: first its colours, then its alpha. If the layout has no alpha, the pixel is opaque.
        func pixel(_ x: Int, _ y: Int) -> [Double] {
            let maximum = format.sample.maximum
            var values = (0..<format.channels.count).map { image[x, y, $0] / maximum }
            let alpha = format.channels.hasAlpha ? values.removeLast() : 1
            if format.channels == .bgra { values.swapAt(0, 2) }
            if format.channels.hasAlpha, format.alpha == .straight { values = values.map { $0 * alpha } }
            return values + [alpha]
        }
        func weight(_ distance: Int, _ sigma: Double) -> Double {
            sigma == 0 ? 1 : exp(-Double(distance * distance) / (2 * sigma * sigma))
        }
        let reach = (x: Int((6 * sigma.x).rounded(.up)), y: Int((6 * sigma.y).rounded(.up)))
        let pixels = (0..<height).map { y in (0..<width).map { pixel($0, y) } }
        var sums = [Double](repeating: 0, count: pixels[0][0].count)
        var total = 0.0
        for dy in -reach.y...reach.y {
            for dx in -reach.x...reach.x {
                let weight = weight(dx, sigma.x) * weight(dy, sigma.y)
                total += weight
                guard let column = edge.place(x + dx, of: width), let row = edge.place(y + dy, of: height) else {
                    continue
                }
                for (c, value) in pixels[row][column].enumerated() { sums[c] += weight * value }
            }
        }
        return sums.map { $0 / total }
    }

    static let sizes = [(1, 1), (1, 5), (4, 1), (3, 2), (6, 5)]
    static let sigmas = [(0.5, 0.5), (1.0, 2.3), (0, 3.0), (12, 0), (20, 31)]

    @Test("the exact reference is the two-dimensional definition, for every edge", arguments: EdgeMode.allCases)
    func definition(_ edge: EdgeMode) throws {
        for (index, (width, height)) in Self.sizes.enumerated() {
            for (sigmaX, sigmaY) in Self.sigmas {
                for format in [
                    PixelFormat(.grey), PixelFormat(.bgra), PixelFormat(.greyAlpha, .u16, alpha: .premultiplied),
                    PixelFormat(.rgba, .f32), PixelFormat(.rgb, .u16),
                ] {
                    let image = try TestImage.make(.uniformNoise, width, height, format, seed: UInt64(index))
                    let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
                    let region = Rect(x: -1, y: 0, width: width + 2, height: height + 1)
                    let exact = try Blurring.exact(blur, image, region: region)
                    #expect(exact.channels == blur.outputFormat(for: format).channels.canonical)
                    let count = exact.channels.count
                    for (x, y) in [(0, 0), (width - 1, height - 1), (width / 2, height / 2), (-1, height)] {
                        let expected = Self.naive(image, (sigmaX, sigmaY), edge, x, y)
                        let from = ((y - region.y) * region.width + x - region.x) * count
                        for c in 0..<count {
                            #expect(
                                abs(exact.values[from + c] - expected[c]) < 1e-12,
                                "\(width)x\(height) \(blur) \(format): \(x),\(y)")
                        }
                    }
                }
            }
        }
    }

    @Test("the exact reference gives the same bits for every number of threads, every region and origin")
    func regions() throws {
        let image = try TestImage.make(.uniformNoise, 41, 23)
        for edge in EdgeMode.allCases {
            let blur = try GaussianBlur(sigmaX: 4, sigmaY: 7, edge: edge)
            let whole = try Blurring.exact(blur, image, threads: 1)
            #expect(try Blurring.exact(blur, image, threads: 5).values == whole.values)
            let moved = Rect(x: -77, y: 1 << 30, width: 41, height: 23)
            #expect(try Blurring.exact(blur, image, extent: moved).values == whole.values)
            let part = try Blurring.exact(blur, image, region: Rect(x: 7, y: 5, width: 11, height: 3))
            for y in 0..<3 { #expect(part.rows[y][...] == whole.rows[y + 5][7 * 4..<18 * 4]) }
        }
    }

    @Test("the exact reference refuses pixels of another size, and can be cancelled")
    func refusals() throws {
        let image = try TestImage.make(.uniformNoise, 10, 10)
        let blur = try GaussianBlur(sigma: 3)
        #expect(throws: ExactError.self) {
            try Blurring.exact(blur, image, extent: Rect(x: 0, y: 0, width: 10, height: 11))
        }
        let cancellation = Cancellation()
        cancellation.cancel()
        let extent = image.layout.extent
        var error: ExactError?
        do throws(ExactError) {
            // SAFETY: the pointer does not leave the closure.
            try unsafe image.withUnsafeBytes { bytes throws(ExactError) in
                guard let base = bytes.baseAddress else { return }
                _ = try unsafe ExactGaussian.render(
                    blur, source: PixelSource(base, layout: image.layout), extent: extent, region: extent, threads: 2,
                    cancellation: cancellation)
            }
        } catch let caught {
            error = caught
        }
        #expect(error == .cancelled)
    }

    @Test(
        "the exact image is written as the nearest sample, colour divided by the alpha that was written",
        arguments: TestImage.formats)
    func writing(_ format: PixelFormat) throws {
        let image = try TestImage.make(.softAlpha, 21, 17, format)
        let exact = try Blurring.exact(GaussianBlur(sigma: 2), image)
        var written = try TestImage.blank(21, 17, format, padding: 3)
        let layout = written.layout
        // SAFETY: the buffer has the size of its layout.
        try unsafe written.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try unsafe exact.write(to: PixelTarget(base, layout: layout))
        }
        #expect(written.hasUntouchedPadding)
        let half = Tolerance.rounding(format.sample) + (format.sample.isFloat ? 1e-4 : 1e-9)
        try expectClose(
            SampleRows(written), exact.rows,
            within: Tolerance("rounding", steps: half, reason: "half a step; floats have 24 or 11 bits"), "\(format)")
    }
}
