import FrostCore
import FrostGPU
import FrostTestSupport
import Testing

@testable import Frost

/// Tests masked reveal. It renders a blur once and uses it for any number of frames.
struct RevealTests {
    @Test("a frame is the clipped effect, whatever the format", arguments: Worker.wanted)
    func frames(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        for format in [PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.grey), PixelFormat(.rgba, .u16)] {
            let image = try TestImage.make(.softAlpha, 97, 61, format, padding: 1)
            var effect = try EffectCatalog.effect("light").make()
            effect.outputStages.dither = nil
            let reveal = try Reveal(image, effect, with: renderer)
            for rects in [OutputStagesTests.rounded, [OutputStagesTests.rounded[0]], []] {
                let frame = reveal.frame(within: rects)
                #expect(frame.format == effect.outputFormat(for: format))
                guard !rects.isEmpty else {
                    #expect(frame == reveal.original)
                    continue
                }
                var clipped = effect
                clipped.outputStages.clip = rects
                let exact = try Renderer(backend: .exact).exact(image, clipped)
                // The blurred and the original pixel are mixed after they were rounded, which adds an error of half a step.
                let comparison = try Comparison(SampleRows(frame), exact)
                #expect(comparison.maximum <= Tolerance.promise(format.sample).steps + 0.5, "\(format)")
            }
            let all = try RoundedRect(image.layout.extent)
            #expect(reveal.frame(within: [all]).pixelBytes == reveal.result.pixelBytes)
            #expect(reveal.result.pixelBytes != reveal.original.pixelBytes)
        }
    }

    @Test(
        "moving the shape runs no pass, and rendering again runs all of them",
        .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
    func passes() throws {
        let renderer = try Renderer(backend: .gpu)
        let executor = try #require(try renderer.slot.executor)
        let image = try TestImage.make(.photograph, 97, 61)
        let effect = try EffectCatalog.effect("blur-dark").make()
        func passes() -> Int { executor.statistics.passes }
        let reveal = try Reveal(image, effect, with: renderer)
        let once = passes()
        #expect(once > 0 && reveal.report.passes == once)
        for x in 0..<40 { _ = reveal.frame(within: [try RoundedRect(x: Double(x), y: 3.5, width: 30, height: 40)]) }
        #expect(passes() == once)
        _ = try renderer.renderNow(image, effect)
        #expect(passes() == 2 * once)
    }

    @Test("a redaction cannot be revealed, because edges would mix it with the original")
    func redaction() throws {
        let image = try TestImage.make(.photograph, 20, 20)
        for values in ["", "fill=black"] {
            let effect = try EffectCatalog.effect("redact").make(parsing: values)
            #expect(throws: FrostError.self) { try Reveal(image, effect, with: Renderer(backend: .cpu)) }
        }
    }

    @Test("an effect that is larger than the picture cannot be revealed in it")
    func growth() throws {
        let image = try TestImage.make(.photograph, 20, 20)
        #expect(throws: FrostError.self) {
            try Reveal(image, EffectCatalog.effect("ci-gaussian").make(), with: Renderer(backend: .cpu))
        }
    }
}
