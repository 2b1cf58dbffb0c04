@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests images that are larger than the largest texture.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct TilingTests {
    /// One renderer for each limit of the texture size that is tested.
    private static let renderers = [64, 128, 256].map { side in
        (
            side,
            Result { () throws(FrostError) in
                try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: side))
            }
        )
    }

    private func renderer(_ side: Int) throws -> Renderer {
        try #require(Self.renderers.first { $0.0 == side }).1.get()
    }

    /// The positions of low-resolution samples do not depend on the tile. So the tiles together equal the whole image, to
    /// the bit.
    @Test(arguments: [EdgeMode.clamp, .mirror, .clear], [(64, 0.7), (128, 0.7), (128, 3), (256, 3), (256, 8)])
    func tilesAreTheWhole(edge: EdgeMode, limits: (side: Int, sigma: Double)) throws {
        let effect = try GaussianBlur(sigma: limits.sigma, edge: edge)
        let image = try TestImage.noise(2 * limits.side + 45, limits.side + 70)
        let whole = try TestGPU.renderer().blurNow(image, effect)
        let tiled = try renderer(limits.side).blurNow(image, effect)
        #expect(tiled.report.backend == .gpu)
        #expect(tiled.report.errorBound == whole.report.errorBound)
        #expect(tiled.report.warning == nil)
        let steps = try Comparison(tiled.image, whole.image).maximum
        #expect(tiled.image == whole.image, "\(steps) steps")
    }

    /// Tiles also equal the whole image with 16-bit samples, with a grey image that gets an alpha channel, and with
    /// different sigmas along the axes.
    @Test func tilesOfOtherFormats() throws {
        for (format, x, y) in [
            (PixelFormat(.rgb, .u16), 2.0, 2.0), (PixelFormat(.grey), 1, 6),
            (PixelFormat(.bgra, alpha: .premultiplied), 4, 0),
        ] {
            let effect = try GaussianBlur(sigmaX: x, sigmaY: y, edge: .clear)
            let image = try TestImage.noise(300, 200, format)
            let whole = try TestGPU.renderer().blurNow(image, effect).image
            let tiled = try renderer(128).blurNow(image, effect).image
            let steps = try Comparison(tiled, whole).maximum
            #expect(tiled == whole, "\(format): \(steps) steps")
        }
    }

    /// A region that is rendered in tiles equals the same region rendered as a whole, even where it lies outside the image.
    @Test func tilesOfARegion() throws {
        let effect = try GaussianBlur(sigma: 3, edge: .clear)
        let image = try TestImage.noise(200, 150)
        for region in [Rect(x: 30, y: 10, width: 170, height: 140), Rect(x: -25, y: -25, width: 250, height: 200)] {
            let whole = try TestGPU.renderer().blurNow(image, effect, region: region).image
            let tiled = try renderer(128).blurNow(image, effect, region: region).image
            let steps = try Comparison(tiled, whole).maximum
            #expect(tiled == whole, "\(region): \(steps) steps")
        }
    }

    /// Even if source and target share memory, each tile reads the original pixels of its neighbours.
    @Test func tilesInPlace() throws {
        let effect = try GaussianBlur(sigma: 3, edge: .mirror)
        let image = try TestImage.noise(301, 200)
        let whole = try TestGPU.renderer().blurNow(image, effect).image
        var inPlace = image
        let report = try renderer(128).blurInPlace(&inPlace, effect)
        #expect(report.backend == .gpu)
        #expect(inPlace == whole)
    }

    /// With repeated edges, pixels are read from the opposite side of the image. So the image cannot be divided into tiles.
    /// If a GPU is required, this is an error.
    @Test func repeatingEdgesNeedTheWhole() throws {
        let image = try TestImage.noise(200, 150)
        try expectTooLarge(renderer(128), image, GaussianBlur(sigma: 3, edge: .repeat))
    }

    /// A kernel that is wider than a texture is also an error.
    @Test func kernelsWiderThanATexture() throws {
        let image = try TestImage.noise(400, 300)
        try expectTooLarge(renderer(64), image, GaussianBlur(sigma: 40))
    }

    private func expectTooLarge(_ renderer: Renderer, _ image: PixelBuffer, _ effect: GaussianBlur) throws {
        let limit = try #require(renderer.slot.executor?.maximumTextureSize)
        do throws(FrostError) {
            _ = try renderer.blurNow(image, effect)
            Issue.record("\(effect) went through")
        } catch {
            guard case .deviceFailed(let device, .imageTooLarge(_, let side, limit)) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(device == renderer.deviceName)
            #expect(side > limit)
            #expect(error.description.contains("\(limit)"))
        }
        // The renderer still works after the error.
        #expect(try renderer.blurNow(TestImage.noise(20, 20), GaussianBlur(sigma: 2)).report.backend == .gpu)
    }

    /// An image that fits into a texture is not divided into tiles. The only plan is then the plan that the caller passed.
    @Test func whatFitsIsNotCut() throws {
        let effect = try GaussianBlur(sigma: 3)
        let plan = try effect.plan(extent: Rect(x: 0, y: 0, width: 100, height: 100))
        #expect(try TiledWork(Effect(effect), plan, accuracy: .eightBit, side: 1024).plans == [plan])
    }

    /// Together the tiles cover every pixel of the region exactly once, and no texture exceeds the limit.
    @Test(arguments: [100, 128, 1000]) func tilesCoverTheRegion(side: Int) throws {
        let effect = try GaussianBlur(sigma: 4, edge: .mirror)
        let region = Rect(x: -7, y: 11, width: 500, height: 333)
        let plan = try effect.plan(extent: Rect(x: 0, y: 0, width: 600, height: 400), region: region)
        let plans = try TiledWork(Effect(effect), plan, accuracy: .eightBit, side: side).plans
        #expect(plans.reduce(0) { $0 + $1.region.width * $1.region.height } == region.width * region.height)
        for (index, one) in plans.enumerated() {
            #expect(region.contains(one.region))
            #expect(one.extent == plan.extent)
            for slot in one.slots { #expect(max(slot.window.width, slot.window.height) <= side) }
            for other in plans[(index + 1)...] { #expect(one.region.intersection(other.region) == nil) }
        }
    }
}
