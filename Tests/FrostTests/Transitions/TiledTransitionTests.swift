@testable import Frost
import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

/// Tests frames of transitions that are larger than the largest texture.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct TiledTransitionTests {
    static let names = TransitionCatalog.all.map(\.name)

    /// One renderer for each limit of the texture size that is tested.
    private static let renderers = [64, 100].map { side in
        Result { () throws(FrostError) in
            try Renderer(backend: .gpu, options: GPUOptions(maximumTextureSize: side))
        }
    }

    /// Parameters with which every part of a transition is visible.
    private static let parameters: [String: [String]] = [
        "swipe": ["angle=33 width=40 opacity=0.7"], "copy-machine": ["angle=33 width=25"],
        // The border of two bars reads places that are farther apart than a texture is wide.
        "bars-swipe": ["angle=200 width=7.5 bar-offset=3", "angle=0 width=41 bar-offset=110", "angle=80 width=20"],
        "mod": ["radius=9 compression=40"], "disintegrate-with-mask": ["shadow-radius=2"],
        "ripple": ["width=20 scale=12", "width=60 scale=-40 center-x=0.2", "width=30 scale=60"],
        "accordion-fold": ["folds=5 bottom-height=9 fold-shadow-amount=0.4", "folds=1"],
        "page-curl": ["angle=33 radius=11", "angle=180 radius=50"], "page-curl-with-shadow": ["angle=250 radius=23"],
        "flash": ["center-x=0.4 max-striation-radius=3"],
    ]

    private static func pictures(_ format: PixelFormat) throws -> TransitionPictures {
        TransitionPictures(
            try TestImage.noise(163, 109, format, seed: 1), try TestImage.noise(120, 170, format, seed: 2, padding: 3),
            mask: MaskImage(try TestImage.noise(13, 9, PixelFormat(.grey), seed: 5)),
            backside: try TestImage.noise(201, 75, format, seed: 3),
            shading: try TestImage.noise(15, 11, format, seed: 4))
    }

    private static func render(
        _ renderer: Renderer, _ transition: Transition, at time: Double, _ pictures: TransitionPictures,
        region: Rect? = nil
    ) throws -> Rendered {
        let used = transition.extraImages
        return try renderer.render(
            transition, at: time, from: pictures.source, to: pictures.target,
            extraImages: TransitionExtraImages(
                mask: used.contains(.mask) ? pictures.mask : nil,
                shading: used.contains(.shading) ? pictures.shading : nil,
                backside: used.contains(.backside) ? pictures.backside : nil), region: region)
    }

    /// Expects tiles to have the bits of the whole frame.
    private func expectEqual(
        _ transition: Transition, at time: Double, _ pictures: TransitionPictures, region: Rect? = nil
    ) throws {
        let whole = try Self.render(TestGPU.renderer(), transition, at: time, pictures, region: region)
        #expect(whole.report.passes == 1)
        for renderer in Self.renderers {
            let tiled = try Self.render(renderer.get(), transition, at: time, pictures, region: region)
            #expect(tiled.report.passes > 1)
            #expect(tiled.report.backend == .gpu)
            #expect(tiled.report.errorBound == whole.report.errorBound)
            #expect(tiled.report.shaders == whole.report.shaders)
            guard tiled.image != whole.image else { continue }
            let steps = try Comparison(tiled.image, whole.image).maximum
            Issue.record("\(transition) at \(time), \(pictures.source.format), \(region as Any): \(steps) steps")
        }
    }

    @Test(arguments: names) func tilesAreTheWhole(_ name: String) throws {
        for text in Self.parameters[name] ?? [""] {
            let transition = try TransitionCatalog.transition(name).make(parsing: text)
            for (format, times) in [
                (PixelFormat(.rgba), TestCases.share([0.07, 0.3, 0.5, 0.8, 0.99], of: 2, from: 0)),
                (PixelFormat(.rgb, .u16), [0.4]), (PixelFormat(.rgba, .f32, alpha: .premultiplied), [0.2, 0.6]),
                (PixelFormat(.bgra, .f16, alpha: .premultiplied), [0.7]),
            ] {
                let pictures = try Self.pictures(format)
                for time in times { try expectEqual(transition, at: time, pictures) }
            }
        }
    }

    /// Without images that a page can do without, its back shows the source.
    @Test(arguments: names) func tilesWithoutExtraImages(_ name: String) throws {
        for text in Self.parameters[name] ?? [""] {
            var transition = try TransitionCatalog.transition(name).make(parsing: text)
            var pictures = try Self.pictures(PixelFormat(.rgba))
            (pictures.backside, pictures.shading) = (nil, nil)
            for time in TestCases.share([0.25, 0.6, 0.9], of: 3, from: 2) {
                try expectEqual(transition, at: time, pictures)
            }
            transition.decoding = .sRGB
            try expectEqual(transition, at: 0.55, pictures)
        }
    }

    /// Regions, which may reach outside the canvas, and extents that are smaller or larger than the images.
    @Test(arguments: names) func tilesOfRegions(_ name: String) throws {
        let pictures = try Self.pictures(PixelFormat(.rgba))
        var generator = SeededGenerator(seed: 61)
        for region in [
            Rect(x: 30, y: 10, width: 133, height: 101), Rect(x: -125, y: -5, width: 300, height: 140),
            Rect(x: 50, y: 60, width: 110, height: 9),
        ] {
            for extent in [
                nil, Rect(x: 20, y: -30, width: 90, height: 120), Rect(x: -50, y: 5, width: 400, height: 99),
            ] {
                var transition = try TransitionCatalog.transition(name).random(using: &generator)
                transition.extent = extent
                try expectEqual(transition, at: 0.1 + 0.8 * generator.unit(), pictures, region: region)
            }
        }
    }

    /// The tests above also draw tiles that read two parts of the source.
    @Test(arguments: [("bars-swipe", "angle=0 width=41 bar-offset=110"), ("page-curl", "angle=180 radius=50")])
    func someTilesReadTwoParts(_ name: String, _ text: String) throws {
        let transition = try TransitionCatalog.transition(name).make(parsing: text)
        let size = Rect(x: 0, y: 0, width: 163, height: 170)
        let plan = try transition.plan(at: 0.6, from: size, to: size)
        let tiles = try #require(TiledTransition.tiles(of: plan, backside: nil, side: 64))
        let far = tiles.filter { tile in
            let parts = plan.part(tile).windows(backside: nil).source
            let hull = parts.dropFirst().reduce(parts[0]) { $0.hull($1) }
            return max(hull.width, hull.height) > 64
        }
        #expect(!far.isEmpty)
    }

    /// Together the tiles cover every pixel of the region exactly once, and no texture exceeds the limit.
    @Test(arguments: names) func tilesCoverTheRegion(_ name: String) throws {
        var generator = SeededGenerator(seed: 62)
        let (source, backside) = (Rect(x: 0, y: 0, width: 300, height: 170), Rect(x: 0, y: 0, width: 90, height: 280))
        for side in [16, 64, 100, 300] {
            let transition = try TransitionCatalog.transition(name).random(using: &generator)
            let region = Rect(x: -7, y: 11, width: 290, height: 133)
            let plan = try transition.plan(at: generator.unit(), from: source, to: source, region: region)
            let tiles = try #require(TiledTransition.tiles(of: plan, backside: backside, side: side))
            if side == 300 { #expect(tiles == [region]) }
            #expect(tiles.reduce(0) { $0 + $1.width * $1.height } == region.width * region.height)
            for (index, tile) in tiles.enumerated() {
                #expect(region.contains(tile))
                #expect(max(tile.width, tile.height) <= side)
                #expect(plan.part(tile).windows(backside: backside).longestSide <= side)
                for other in tiles[(index + 1)...] { #expect(tile.intersection(other) == nil) }
            }
        }
    }

    /// Every tile may need all of the shading image, so one that is larger than a texture is refused.
    @Test func largeShadingImagesAreRefused() throws {
        let ripple = try TransitionCatalog.transition("ripple").make()
        var pictures = try Self.pictures(PixelFormat(.rgba))
        pictures.shading = try TestImage.noise(70, 11)
        #expect {
            try Self.render(Self.renderers[0].get(), ripple, at: 0.5, pictures)
        } throws: { error in
            guard case .deviceFailed(_, .imageTooLarge("the shading image", 70, 64))? = error as? FrostError else {
                return false
            }
            return true
        }
        try #expect(Self.render(Self.renderers[1].get(), ripple, at: 0.5, pictures).report.passes > 1)
    }
}
