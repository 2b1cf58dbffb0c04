@testable import Frost
import FrostCore
import FrostTestSupport
import Synchronization
import Testing

/// Tests effects that are clipped to small shapes: they give what the exact backend gives, which computes the whole picture,
/// and compute little more than the shapes.
@Suite struct ClippedCostTests {
    /// Shapes that overlap, that end between pixels, and that lie partly and wholly outside the picture.
    private static func shapes() throws -> [RoundedRect] {
        [
            try RoundedRect(x: 20.5, y: 8, width: 60, height: 40, radius: 12),
            try RoundedRect(x: 70, y: 30.25, width: 40, height: 30),
            try RoundedRect(x: -9, y: 150, width: 30, height: 90, radius: 4),
            try RoundedRect(x: 900, y: 150, width: 30, height: 20),
        ]
    }

    private static let formats = [
        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey, .u16),
    ]

    @Test(
        "shapes have the exact result, and all other pixels their bytes", arguments: Backends.wanted(.cpu, .gpu),
        formats)
    func results(backend: Backend, format: PixelFormat) throws {
        let renderer = backend == .gpu ? try TestGPU.renderer() : try Renderer(backend: backend, threads: 2)
        let shapes = try Self.shapes()
        let bounds = shapes.map(\.bounds)
        let image = try TestImage.make(format.channels.hasAlpha ? .softAlpha : .photograph, 400, 300, format)
        for sigma in [0.7, 6, 40] {
            var effect = Effect(try GaussianBlur(sigma: sigma, edge: .mirror))
            effect.outputStages.clip = shapes
            let exact = try Renderer(backend: .exact).render(image, effect).image
            let result = try renderer.render(image, effect).image
            try expectClose(
                SampleRows(result), SampleRows(exact), within: format.sample == .u8 ? .promise8 : .promise16)
            let size = format.bytesPerPixel
            for y in 0..<image.height {
                for x in 0..<image.width
                where !bounds.contains(where: { $0.contains(Rect(x: x, y: y, width: 1, height: 1)) }) {
                    let at = (y * image.width + x) * size
                    guard result.bytes[at..<at + size] != image.bytes[at..<at + size] else { continue }
                    Issue.record("sigma \(sigma): the pixel at \(x),\(y) has changed")
                    return
                }
            }
            var inPlace = image
            try unsafe inPlace.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                _ = try unsafe renderer.render(
                    PixelSource(base, layout: image.layout), effect, into: PixelTarget(base, layout: image.layout))
            }
            try expectIdentical(inPlace, result)
            // A region has the pixels of the whole.
            let region = Rect(x: 30, y: 20, width: 350, height: 260)
            try expectIdentical(renderer.render(image, effect, region: region).image, result.cropped(to: region))
        }
    }

    /// The number of checks for cancellation is the measure of work; see `CancellationTests`.
    @Test("a small shape costs a small part of the picture") func cost() throws {
        let renderer = try Renderer(backend: .cpu, threads: 1)
        let image = try TestImage.make(.uniformNoise, 2000, 1500, PixelFormat(.rgba))
        func checks(_ shapes: [RoundedRect]) throws -> Int {
            let counter = CancellationTests.Counter()
            var effect = Effect(try GaussianBlur(sigma: 9))
            effect.outputStages.clip = shapes
            _ = try renderer.render(image, effect, cancellation: counter.cancellation)
            return counter.checks
        }
        let whole = try checks([RoundedRect(x: 0, y: 0, width: 2000, height: 1500)])
        let small = try checks([RoundedRect(x: 500, y: 500, width: 100, height: 100, radius: 50)])
        #expect(small * 8 <= whole, "\(small) checks for the shape, \(whole) for the picture")
    }
}
