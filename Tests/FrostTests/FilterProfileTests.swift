@testable import Frost
import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

/// Tests that the guaranteed error holds if the device's linear filter is used.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct FilterProfileTests {
    /// The error bound includes the error of the linear filter. This is tested with the default limit for this error and
    /// with a larger limit.
    @Test(arguments: [EdgeMode.clamp, .clear], [GPUOptions().filterErrorLimit, 2])
    func theReportsBoundHolds(_ edge: EdgeMode, _ limit: Double) throws {
        let renderer = try Renderer(
            backend: .gpu, options: GPUOptions(filtering: .fast, filterErrorLimit: limit))
        let exact = try Renderer(backend: .exact)
        for format in [PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba)] {
            let picture = try TestImage.premultiplied(121, 64, format)
            for (x, y) in [(3.0, 3.0), (12, 8)] {
                let effect = try GaussianBlur(sigmaX: x, sigmaY: y, edge: edge)
                let plan = try effect.plan(extent: picture.layout.extent)
                let rendered = try renderer.blurNow(picture, effect)
                let found = try Comparison(SampleRows(rendered.image), try exact.exact(picture, effect)).maximum
                // The tolerance allows the final rounding and the arithmetic of exact passes.
                #expect(found <= rendered.report.errorBound + 0.5 + 0.05, "\(format) \(x), \(y)")
                #expect(rendered.report.errorBound <= plan.errorBound + limit)
                #expect(rendered.report.errorBound >= plan.errorBound)
                if limit < 1 { #expect(found <= 1) }
            }
        }
    }

    /// Tiles have textures of different sizes. The bound of the whole image is the bound of the least exact texture.
    @Test func tilesKeepTheBound() throws {
        let renderer = try Renderer(
            backend: .gpu, options: GPUOptions(maximumTextureSize: 128, filtering: .fast, filterErrorLimit: 2))
        let picture = try TestImage.premultiplied(200, 140, PixelFormat(.rgba, alpha: .premultiplied))
        let effect = try GaussianBlur(sigma: 5, edge: .mirror)
        let rendered = try renderer.blurNow(picture, effect)
        let exact = try Renderer(backend: .exact).exact(picture, effect)
        #expect(try Comparison(SampleRows(rendered.image), exact).maximum <= rendered.report.errorBound + 0.55)
    }
}

extension TestImage {
    /// Creates noise. In premultiplied formats, no colour exceeds its pixel's alpha.
    static func premultiplied(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> PixelBuffer {
        let image = try noise(width, height, format)
        guard format.channels.hasAlpha, format.alpha == .premultiplied else { return image }
        var bytes = image.bytes
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            for channel in pixel..<pixel + 3 { bytes[channel] = min(bytes[channel], bytes[pixel + 3]) }
        }
        return try PixelBuffer(layout: image.layout, bytes: bytes)
    }
}
