@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests that masks, corners and content change no bit of the pixels beside them. There are several implementations of the
/// output stages, which round differently. If the implementation were chosen by what a row contains, these tests would detect
/// it. PropertyTests compares parts of pictures with the whole.
@Suite(.serialized)
struct PartTests {
    private static let clip = [
        try? RoundedRect(x: 20.5, y: 8, width: 200, height: 90, radius: 30),
        try? RoundedRect(x: 230, y: 40.25, width: 60, height: 40),
    ].compactMap { $0 }

    private static let formats = [
        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.bgra, alpha: .premultiplied),
        PixelFormat(.rgb), PixelFormat(.rgba, .u16),
    ]

    /// Returns noise, or a picture for premultiplied RGBA. In premultiplied noise, colours exceed alpha. Output stages limit
    /// such colours, but plain blurs do not.
    private static func image(_ format: PixelFormat) throws -> PixelBuffer {
        format == PixelFormat(.rgba, alpha: .premultiplied)
            ? try TestImage.make(.softAlpha, 310, 120, format) : try TestImage.noise(310, 120, format)
    }

    /// Returns a mask image that is 1 on the left, 0 on the right, and between them grows downwards from 0 to 1.
    private static func mask() throws -> MaskImage {
        MaskImage(try TestImage.make(9, 7, PixelFormat(.grey)) { x, y, _ in x < 3 ? 1 : x > 5 ? 0 : Double(y) / 6 })
    }

    /// Returns effects whose output stages affect only a part of the picture, together with their masks.
    private static func subjects(_ sigma: Double) throws -> [(String, Effect, MaskImage?)] {
        let content = [
            ContentLayer(
                ContentImage(try ContentTests.label()), mode: .center, bounds: Rect(x: 60, y: 20, width: 90, height: 50)
            )
        ]
        let mask = try mask()
        var plain = Effect(try GaussianBlur(sigma: sigma, edge: .mirror))
        var colored = Effect(
            name: "colored", blur: plain.blur,
            outputStages: try EffectCatalog.effect("material-thin-light").make().outputStages
        )
        var subjects: [(String, Effect, MaskImage?)] = []
        for (name, effect) in [("plain", plain), ("colored", colored)] {
            subjects.append((name, effect, nil))
            var effect = effect
            effect.outputStages.content = content
            subjects.append((name + ", content", effect, nil))
            effect.outputStages.clip = clip
            subjects.append((name + ", content, corners", effect, nil))
            effect.outputStages.mask = .image
            subjects.append((name + ", content, corners, mask", effect, mask))
            effect.outputStages.content = []
            subjects.append((name + ", corners, mask", effect, mask))
            effect.outputStages.clip = []
            subjects.append((name + ", mask", effect, mask))
        }
        plain.outputStages.mask = .circle(Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.3, border: 0.1))
        colored.outputStages.mask = .band(Mask.Band(top: 0.4, bottom: 0.5, falloff: 0.2))
        return subjects + [("circle", plain, nil), ("band", colored, nil)]
    }

    /// A clip makes pixels take the general implementation of the output stages. The picture is opaque and soft in turn.
    @Test(
        "a clip that contains the picture changes nothing, with each mask, and with dither or without",
        arguments: [Picture.photograph, .softAlpha], [AlphaMode.straight, .premultiplied])
    func wholeClip(_ kind: Picture, alpha: AlphaMode) throws {
        let image = try TestImage.make(kind, 1100, 60, PixelFormat(.rgba, alpha: alpha))
        let masks: [Mask] = [
            .image, .band(Mask.Band(top: 0.3, bottom: 0.4, falloff: 0.3)),
            .circle(Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.3, border: 0.1)),
            .circle(Mask.Circle(centerX: 0.5, centerY: 0.5, radius: 0.2, border: 0)),
        ]
        let renderer = try Renderer(backend: .cpu, threads: 2)
        for sigma in [0.8, 3, 11] {
            for (mask, dither) in masks.flatMap({ [($0, Dither?.none), ($0, Dither())] }) {
                var effect = Effect(try GaussianBlur(sigma: sigma))
                (effect.outputStages.mask, effect.outputStages.dither) = (mask, dither)
                let picture = mask == .image ? try Self.mask() : nil
                let plain = try renderer.renderNow(image, effect, mask: picture).image
                effect.outputStages.clip = [try RoundedRect(x: -1, y: -1, width: 1102, height: 62)]
                try expectIdentical(
                    plain, renderer.renderNow(image, effect, mask: picture).image,
                    "sigma \(sigma), \(mask), dither \(dither != nil)")
                #expect(plain.bytes != image.bytes)
            }
        }
    }

    @Test(
        "content, clips and masks leave the pixels beside them unchanged, to the bit",
        arguments: Backends.wanted(.cpu, .gpu), formats)
    func beside(backend: Backend, format: PixelFormat) throws {
        let image = try Self.image(format)
        let renderer = try ContentTests.renderer(backend)
        // The rectangles lie beside and below the content. In them the mask is 1, and the rounded corners clip nothing.
        let beside = [Rect(x: 52, y: 12, width: 8, height: 85), Rect(x: 61, y: 71, width: 22, height: 26)]
        for sigma in backend == .gpu ? [3] : [0.8, 3, 11] {
            var alone: PixelBuffer?
            // A plain blur without other stages uses its own rounding to straight alpha. So plain blurs are excluded for
            // formats with straight alpha.
            let isStraight = format.needsPremultiplication
            let subjects = try Self.subjects(sigma).filter {
                $0.1.outputStages.mask ?? .image == .image && !(isStraight && $0.1.outputStages.inside.isEmpty)
            }
            for (name, effect, mask) in subjects {
                let result = try renderer.renderNow(image, effect, mask: mask).image
                guard let alone, effect.outputStages.hasParts else {
                    alone = result
                    continue
                }
                for part in beside {
                    try expectIdentical(
                        result.cropped(to: part), alone.cropped(to: part), "\(name), sigma \(sigma), \(part)")
                }
                #expect(result.bytes != alone.bytes, "\(name), sigma \(sigma) changes nothing")
            }
        }
    }
}

extension OutputStages {
    /// True if the stages include content, a clip or a mask.
    fileprivate var hasParts: Bool { mask != nil || !clip.isEmpty || !content.isEmpty }
}
