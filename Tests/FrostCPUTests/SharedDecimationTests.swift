import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

@Suite("Decimations that several levels of a blend share")
struct SharedDecimationTests {
    static let extent = Rect(x: -7, y: 5, width: 333, height: 211)
    static let masks: [Mask] = [
        .ramp(Mask.Ramp(from: 0, to: 1)), .ramp(Mask.Ramp(from: 0.1, to: 0.9, angle: 0)),
        .circle(Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.5, border: 0.5)),
    ]

    static func effect(_ mask: Mask, _ edge: EdgeMode, saturation: Double = 1) throws -> Effect {
        let blur = try VariableBlur(sigma: 24, mask: mask, edge: edge)
        let stages = OutputStages(inside: saturation == 1 ? [] : [.matrix(.saturation(saturation))])
        return Effect(name: "test", blur: blur, outputStages: stages)
    }

    /// Returns the plan with levels that are all computed from the source.
    static func unshared(_ plan: Plan) throws -> Plan {
        var blend = try #require(plan.blend)
        blend.decimations = []
        for index in blend.levels.indices { blend.levels[index].decimation = nil }
        var plan = plan
        plan.work = .blend(blend)
        return plan
    }

    @Test("the result has the same bits as that of levels that share nothing", arguments: EdgeMode.allCases)
    func sameBits(edge: EdgeMode) throws {
        let formats = [
            PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.grey), PixelFormat(.rgb, .u16),
            PixelFormat(.rgba, .f32),
        ]
        for (index, format) in formats.enumerated() {
            let image = try TestImage.make(.softAlpha, Self.extent.width, Self.extent.height, format)
            for mask in Self.masks {
                // With a saturation of 1.4, only some levels keep the bound in fixed point.
                for saturation in [1, 1.4] {
                    let region = index == 1 ? Rect(x: 20, y: 0, width: 190, height: 260) : nil
                    let effect = try Self.effect(mask, edge, saturation: saturation)
                    let plan = try effect.plan(extent: Self.extent, region: region)
                    #expect(try #require(plan.blend).decimations.count > 2)
                    let target = effect.outputFormat(for: format)
                    let shared = try Blurring.execute(plan, image, threads: 1 + index % 3, format: target)
                    let alone = try Blurring.execute(Self.unshared(plan), image, format: target)
                    #expect(shared == alone, "\(format), \(mask), saturation \(saturation)")
                }
            }
        }
    }

    @Test("a wrong shared decimation changes the result")
    func isRead() throws {
        let plan = try Self.effect(Self.masks[0], .clamp).plan(extent: Self.extent)
        let image = try TestImage.make(.uniformNoise, Self.extent.width, Self.extent.height)
        let right = try Blurring.execute(plan, image)
        let blend = try #require(plan.blend)
        for index in blend.decimations.indices {
            var wrong = blend
            // Another filter of those that fixed point supports, along both axes.
            for pass in wrong.decimations[index].passes.suffix(2) {
                let count = wrong.decimations[index].plan.passes.list[pass].operation.taps.count == 4 ? 6 : 4
                wrong.decimations[index].plan.passes.list[pass].operation = .decimate(
                    taps: ResamplingChain.binomial(count).map { Float($0) })
            }
            var plan = plan
            plan.work = .blend(wrong)
            #expect(try Blurring.execute(plan, image) != right, "decimation \(index)")
        }
    }
}
