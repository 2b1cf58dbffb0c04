import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests effects that are computed row by row while the rows of the image arrive.
struct RowRendererTests {
    /// Renders an image row by row. Returns nil if the effect needs all rows of the image before it can start.
    static func streamed(
        _ effect: Effect, _ image: PixelBuffer, mask: MaskImage? = nil, by renderer: Renderer
    ) throws -> (image: PixelBuffer, report: RenderReport)? {
        guard let rows = try renderer.rows(of: image.layout, effect, mask: mask)?.makeRenderer() else { return nil }
        var bytes: [UInt8] = []
        let source = unsafe image.bytes.span.bytes
        for y in 0..<image.height {
            let row = source.extracting(y * image.layout.bytesPerRow..<(y + 1) * image.layout.bytesPerRow)
            try rows.push(row) { row in unsafe row.withUnsafeBytes { unsafe bytes += $0 } }
        }
        return (try PixelBuffer(layout: rows.output, bytes: bytes), rows.report)
    }

    @Test(
        "Rows give the bytes of the whole image, for every effect that accepts rows",
        arguments: [
            PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey, .u16),
        ])
    func effects(_ format: PixelFormat) throws {
        let renderer = try Renderer(backend: .cpu, threads: 2)
        let image = try TestImage.make(.softAlpha, 61, 83, format)
        let mask = MaskImage(try TestImage.make(.gradient, 9, 7, PixelFormat(.grey)))
        var streamed: Set<String> = []
        let label = ContentLayer(ContentImage(try ContentTests.label()), mode: .center)
        for description in EffectCatalog.all {
            let plain = try description.make().keyed(for: .frames)
            var linear = plain
            linear.decoding = .sRGB
            var staged = plain
            staged.outputStages.content = [label]
            staged.outputStages.clip = OutputStagesTests.rounded
            let mask = plain.mask == .image ? mask : nil
            for (kind, effect) in [("", plain), (" in linear light", linear), (" with stages", staged)] {
                guard let rows = try Self.streamed(effect, image, mask: mask, by: renderer) else { continue }
                let whole = try renderer.renderNow(image, effect, mask: mask)
                #expect(rows.image == whole.image, "\(description.name)\(kind)")
                #expect(rows.report.errorBound == whole.report.errorBound && rows.report.passes == whole.report.passes)
                #expect(rows.report.backend == .cpu && rows.report.reason == whole.report.reason)
                streamed.insert(description.name + kind)
            }
        }
        #expect(
            streamed.isSuperset(of: [
                "light", "7blur-dark", "blur-light", "material-thick-dark", "light in linear light",
                "tilt-shift with stages", "blur-dark with stages",
            ]), "\(streamed)")
    }

    @Test(
        "A Gaussian of any sigma and edge gives the bytes of the whole image",
        arguments: [EdgeMode.clamp, .mirror, .clear])
    func gaussians(_ edge: EdgeMode) throws {
        let renderer = try Renderer(backend: .cpu, threads: 3)
        for (width, height) in [(1, 1), (70, 1), (1, 70), (61, 83)] {
            let image = try TestImage.make(.uniformNoise, width, height, PixelFormat(.rgb))
            for sigma in [0, 0.2, 1, 8, 30, 1000] {
                let effect = Effect(try GaussianBlur(sigma: sigma, edge: edge))
                let rows = try #require(try Self.streamed(effect, image, by: renderer))
                #expect(rows.image == (try renderer.renderNow(image, effect).image), "\(width)x\(height), \(sigma)")
            }
        }
    }

    @Test("Effects that read far along y, and other backends, need the whole image")
    func whole() throws {
        let cpu = try Renderer(backend: .cpu)
        let image = try TestImage.make(.photograph, 40, 30, PixelFormat(.rgb))
        let plain = Effect(try GaussianBlur(sigma: 3))
        #expect(try Self.streamed(plain, image, by: cpu) != nil)
        for name in ["zoom", "disc", "progressive"] {
            #expect(try Self.streamed(try EffectCatalog.effect(name).make(), image, by: cpu) == nil, "\(name)")
        }
        #expect(try Self.streamed(Effect(GaussianBlur(sigma: 3, edge: .repeat)), image, by: cpu) == nil)
        #expect(try Self.streamed(plain, image, by: Renderer(backend: .exact)) == nil)
        if TestGPU.isWanted { #expect(try Self.streamed(plain, image, by: TestGPU.renderer()) == nil) }
    }
}
