import FrostCore
import FrostTestSupport
import Testing

@testable import Frost

/// Tests that short forms make what the long forms make.
struct EffectNamesTests {
    @Test("effects by short names equal those of the catalogue") func effects() throws {
        #expect(try .gaussian(8, edge: .mirror) == Effect(GaussianBlur(sigma: 8, edge: .mirror)))
        #expect(try Effect.named("gaussian", ["sigma": 8, "edge": "mirror"]) == .gaussian(8, edge: .mirror))
        for (effect, name) in [(try Effect.light, "light"), (try .dark, "dark"), (try .extraLight, "extra-light")] {
            #expect(try effect == EffectCatalog.effect(name).make())
        }
        #expect(try .light != Effect.dark)
        for thickness in BlurStyle.Thickness.allCases {
            for appearance in Appearance.allCases {
                let name = "material-\(thickness.rawValue)-\(appearance.rawValue)"
                #expect(
                    try .material(thickness, appearance, scale: 2)
                        == EffectCatalog.effect(name).make(["scale": .number(2)]))
            }
        }
        #expect(try Effect.redact(cell: 16).blur as? Mosaic == Mosaic(side: 16))
        #expect(throws: ParameterError.self) { try Effect.named("lihgt") }
        #expect(throws: ParameterError.self) { try Effect.gaussian(-1) }
        #expect(throws: ParameterError.self) { try Effect.named("zoom", ["amount": "far"]) }
    }

    @Test("a picture from bytes, and a blur by its sigma") func blur() async throws {
        let bytes = (0..<60 * 40 * 4).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 20) }
        let picture = try PixelBuffer(width: 60, height: 40, format: .rgba8, bytes: bytes)
        #expect(try picture == PixelBuffer(layout: PixelLayout(width: 60, height: 40, format: .rgba8), bytes: bytes))
        #expect(throws: PixelError.self) { try PixelBuffer(width: 60, height: 41, format: .rgba8, bytes: bytes) }
        let renderer = try Renderer(backend: .cpu)
        let expected = try renderer.renderNow(picture, .gaussian(3, edge: .mirror)).image
        #expect(try await renderer.blur(picture, sigma: 3, edge: .mirror).image == expected)
        let soft: () throws -> PixelBuffer = { try renderer.blur(picture, sigma: 3, edge: .mirror).image }
        #expect(try soft() == expected && expected != picture)
        await #expect(throws: FrostError.self) { try await renderer.blur(picture, sigma: 1001) }
    }
}
