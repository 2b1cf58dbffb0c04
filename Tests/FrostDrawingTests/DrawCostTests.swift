import FrostCore
import FrostTestSupport
import Testing

@testable import FrostDrawing

/// Tests the costs that `frost plan` prints. These tests need no GL.
@Suite struct DrawCostTests {
    static let extent = Rect(x: 0, y: 0, width: 1920, height: 1080)

    static func costs(_ sigma: Double) throws -> [DrawCost] {
        try GaussianBlur(sigma: sigma).plan(extent: extent).drawCosts()
    }

    /// Two passes at full resolution fetch each of their taps once for each pixel. They read the picture, write and
    /// read an image of 8 bytes a texel, and write the result.
    @Test func aDirectFilterFetchesItsTaps() throws {
        let plan = try GaussianBlur(sigma: 2).plan(extent: Self.extent)
        let taps = plan.passes.map { Double($0.operation.taps.count) }
        let costs = try plan.drawCosts()
        #expect(costs.map(\.fetches) == taps)
        #expect(costs.map(\.bytesRead) == [4, 8] && costs.map(\.bytesWritten) == [8, 4])
    }

    /// What a draw writes, the next draw reads. At least the whole picture is read and written.
    @Test(arguments: [3.0, 8, 30, 100])
    func bytesAreReadAsTheyWereWritten(_ sigma: Double) throws {
        let costs = try Self.costs(sigma)
        for (draw, next) in zip(costs, costs.dropFirst()) {
            #expect(abs(draw.bytesWritten - next.bytesRead) < 1e-9)
        }
        #expect(costs.first?.bytesRead == 4 && costs.last?.bytesWritten == 4)
        #expect(costs.last?.width == 1920 && costs.last?.height == 1080)
    }

    /// Larger sigmas need fewer fetches, because most of the work is done at a lower resolution.
    @Test func fetchesFallWithSigma() throws {
        let sums = try [2.0, 3, 8, 30].map { DrawCost(sum: try Self.costs($0)).fetches }
        #expect(sums == sums.sorted(by: >) && Set(sums).count == sums.count, "\(sums)")
    }

    /// The last draw of an effect with a mask also fetches the original's pixel.
    @Test func aMaskFetchesTheOriginal() throws {
        let plan = try EffectCatalog.effect("tilt-shift").make().plan(extent: Self.extent)
        #expect(plan.outputStages.readsOriginal)
        var plain = plan
        plain.outputStages = OutputStages()
        let (masked, blur) = (DrawCost(sum: try plan.drawCosts()), DrawCost(sum: try plain.drawCosts()))
        #expect(abs(masked.fetches - blur.fetches - 1) < 1e-9 && abs(masked.bytesRead - blur.bytesRead - 4) < 1e-9)
    }

    /// A blend has an entry for each level and for each mixture of levels.
    @Test func aBlendListsItsLevels() throws {
        let plan = try EffectCatalog.effect("progressive").make().plan(extent: Self.extent)
        guard case .blend(let blend) = plan.work else { Issue.record("not a blend"); return }
        #expect(try plan.drawCosts().count == blend.levels.count + blend.spans.count)
    }

    @Test func aCopyHasNoDraws() throws {
        #expect(try Self.costs(0).isEmpty)
    }
}
