import FrostTestSupport
import Testing

@testable import FrostCore

struct PlanDamageTests {
    /// Returns, for each sample of a place along one axis, the image pixels on which the sample depends. The function
    /// follows the definitions of the passes' reach and of the edge mode, sample by sample and pass by pass.
    private static func read(_ plan: Plan, _ axis: Axis, at place: Place) -> [(sample: Int, pixels: Set<Int>)] {
        var passes = plan.passes
        if place != .output, let end = passes.firstIndex(where: { $0.to == place }) { passes = Array(passes[...end]) }
        var samples: [Int: Set<Int>] = [:]
        for pixel in plan.extent[axis] { samples[pixel] = [pixel] }
        for pass in passes where pass.axis == axis {
            let input = plan.window(of: pass.from)[axis]
            var next: [Int: Set<Int>] = [:]
            for sample in plan.window(of: pass.to)[axis] {
                next[sample] = pass.operation.reach(of: sample..<sample + 1)
                    .compactMap { pass.edge.map($0, into: input) }
                    .reduce(into: Set<Int>()) { $0.formUnion(samples[$1] ?? []) }
            }
            samples = next
        }
        return plan.window(of: place)[axis].map { ($0, samples[$0] ?? []) }
    }

    /// Uses ``read(_:_:at:)`` to find the samples at a place that depend on the damaged pixels.
    private static func expected(_ plan: Plan, _ damage: Rect, at place: Place) -> Region {
        func along(_ axis: Axis) -> RangeSet<Int> {
            let damaged = Set(damage[axis])
            return RangeSet(
                read(plan, axis, at: place).filter { !$0.pixels.isDisjoint(with: damaged) }
                    .map { $0.sample..<$0.sample + 1 })
        }
        return Region(columns: along(.x), rows: along(.y))
    }

    private static func random(in extent: Rect, _ generator: inout SeededGenerator) -> Rect {
        let x = Int.random(in: extent.columns, using: &generator)
        let y = Int.random(in: extent.rows, using: &generator)
        return Rect(
            columns: x..<Int.random(in: x + 1...extent.columns.upperBound, using: &generator),
            rows: y..<Int.random(in: y + 1...extent.rows.upperBound, using: &generator))
    }

    private static func plans(_ edge: EdgeMode, _ extent: Rect) throws -> [Plan] {
        var plans: [Plan] = []
        for (x, y) in [(0.7, 0.7), (3, 3), (11, 11), (2, 17), (0, 6), (40, 40)] {
            plans.append(try GaussianBlur(sigmaX: x, sigmaY: y, edge: edge).plan(extent: extent))
        }
        plans.append(try BoxBlur(width: 9, passes: 2, edge: edge).plan(extent: extent))
        if edge == .clamp { plans.append(try Mosaic(side: 8).plan(extent: extent)) }
        return plans
    }

    private static let extents = [Rect(x: 0, y: 0, width: 61, height: 47), Rect(x: -13, y: 5, width: 5, height: 90)]

    @Test("at every slot exactly the samples that read some of the damage change", arguments: EdgeMode.allCases)
    func exact(edge: EdgeMode) throws {
        var generator = SeededGenerator(seed: 3)
        for extent in Self.extents {
            for plan in try Self.plans(edge, extent) {
                let places = [Place.output] + plan.slots.indices.map { .slot($0) }
                for place in [Place.output, places.randomElement(using: &generator) ?? .output] {
                    for _ in 0..<4 {
                        let damage = Self.random(in: extent, &generator)
                        let expected = Self.expected(plan, damage, at: place)
                        #expect(plan.affected(by: damage, at: place) == expected, "\(damage) at \(place)")
                        // The comparison must fail if one column is missing.
                        if let part = expected.rects.last {
                            let column = Rect(columns: part.columns.suffix(1), rows: part.rows)
                            #expect(plan.affected(by: damage, at: place) != expected.subtracting(Region(column)))
                        }
                    }
                }
            }
        }
    }

    @Test("what an operation affects is the inverse of what it reads", arguments: [4, 6, 8, 10])
    func inverse(taps: Int) {
        let even = [Float](repeating: 0, count: taps)
        for operation in [
            Pass.Operation.decimate(taps: even), .interpolate(taps: even),
            .convolve(taps: [Float](repeating: 0, count: taps + 1)),
        ] {
            for input in -9...9 {
                for output in -40...40 {
                    #expect(
                        operation.affected(by: input..<input + 1).contains(output)
                            == operation.reach(of: output..<output + 1).contains(input))
                }
            }
        }
    }

    @Test("the plan of a part equals the plan restricted to it", arguments: EdgeMode.allCases)
    func restriction(edge: EdgeMode) throws {
        var generator = SeededGenerator(seed: 4)
        for extent in Self.extents {
            for sigma in [0.7, 3, 11, 40] {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                let plan = try blur.plan(extent: extent)
                for _ in 0..<8 {
                    let part = Self.random(in: extent, &generator)
                    #expect(plan.restricted(to: part) == (try blur.plan(extent: extent, region: part)), "\(part)")
                }
            }
        }
    }

    @Test(
        "samples that the damage leaves unchanged read none of it: 2-D kernels and blends", arguments: EdgeMode.allCases
    )
    func unchangedSamplesReadNoDamage(edge: EdgeMode) throws {
        let extent = Rect(x: 3, y: -4, width: 40, height: 30)
        let damage = Rect(x: 20, y: 10, width: 3, height: 2)
        for kernel in [
            try DiscBlur(radius: 4.5, edge: edge) as any Blur,
            try MotionBlur(radius: 7, angle: 0.6, edge: edge),
        ] {
            let plan = try Effect(name: "one", blur: kernel).plan(extent: extent)
            let kernel2D = try #require(plan.kernel2D)
            let affected = plan.affected(by: damage)
            for y in extent.rows {
                for x in extent.columns {
                    guard case .runs(let runs) = kernel2D.reads else { continue }
                    let reads = runs.contains { run in
                        (run.dx..<run.dx + run.count).contains { dx in
                            guard let column = edge.map(x + dx, into: extent.columns),
                                let row = edge.map(y + run.dy, into: extent.rows)
                            else { return false }
                            return damage.columns.contains(column) && damage.rows.contains(row)
                        }
                    }
                    if reads { #expect(affected.contains(x: x, y: y)) }
                }
            }
            #expect(edge == .repeat || affected.area < extent.width * extent.height)
        }
        let zoom = Effect(name: "zoom", blur: try ZoomBlur(scales: 0.9...1, edge: edge))
        #expect(try zoom.plan(extent: extent).affected(by: damage) == Region(extent))
        let variable = try VariableBlur(sigma: 3, mask: .ramp(Mask.Ramp(from: 0, to: 1)), edge: edge)
        let blend = try Effect(name: "variable", blur: variable).plan(extent: extent)
        let widest = try #require(blend.blend?.levels.last?.plan.standalone(in: blend))
        #expect(widest.affected(by: damage).subtracting(blend.affected(by: damage)).isEmpty)
    }

    @Test("nothing outside the expansion changes, and something at its edge does", arguments: EdgeMode.allCases)
    func expansion(edge: EdgeMode) throws {
        let extent = Rect(x: 0, y: 0, width: 300, height: 280)
        var effects = try [0.5, 3, 11].map { Effect(try GaussianBlur(sigma: $0, edge: edge)) }
        effects.append(Effect(name: "disc", blur: try DiscBlur(radius: 9, edge: edge)))
        effects.append(
            Effect(
                name: "variable",
                blur: try VariableBlur(sigma: 4, mask: .ramp(Mask.Ramp(from: 0, to: 1)), edge: edge)))
        // 300 pixels have 37 whole cells, and 280 have 35, so only columns show cells beside them.
        let mosaic = Effect(name: "mosaic", blur: try Mosaic(side: 8))
        #expect(try mosaic.damageExpansion(extent: extent) == (11, 7))
        #expect(
            try mosaic.plan(extent: extent).affected(by: Rect(x: 288, y: 100, width: 1, height: 1))
                == Region(Rect(x: 288, y: 96, width: 12, height: 8)))
        for effect in effects {
            let (x, y) = try effect.damageExpansion(extent: extent)
            #expect(x == y || edge == .repeat)
            let plan = try effect.plan(extent: extent)
            var farthest = 0
            for pixel in [
                0, 1, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 298, 299,
            ] {
                let damage = Rect(x: pixel, y: 100, width: 1, height: 1)
                let columns = plan.affected(by: damage).rects.map(\.columns)
                for range in columns {
                    farthest = max(farthest, pixel - range.lowerBound, range.upperBound - 1 - pixel)
                }
            }
            if edge == .repeat {
                #expect((x, y) == (300, 280))
            } else if effect.blur is VariableBlur {
                // In a variable blur, the level with the largest sigma contributes only to a part of the image. So the
                // damage may spread less far than the bound allows.
                #expect(farthest <= x && farthest > 0)
            } else {
                #expect(farthest == x, "\(effect)")
            }
        }
        let zoom = Effect(name: "zoom", blur: try ZoomBlur(scales: 0.9...1, edge: edge))
        #expect(try zoom.damageExpansion(extent: extent) == (300, 280))
        #expect(try Effect(GaussianBlur(sigma: 0, edge: edge)).damageExpansion(extent: extent) == (0, 0))
    }
}
