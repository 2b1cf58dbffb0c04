import FrostTestSupport
import Testing

@testable import FrostCore

struct PlanTests {
    static let sigmas = [0.2, 0.5, 1, 2.3, 2.6, 4, 7, 12, 30, 100, 1000]

    /// Returns random blurs, extents and regions. The regions include single pixels, negative coordinates, and rectangles
    /// inside, partly outside and wholly outside the extent.
    static func cases(_ count: Int, seed: UInt64) throws -> [(blur: GaussianBlur, extent: Rect, region: Rect)] {
        var random = SeededGenerator(seed: seed)
        func range(_ limit: Int) -> Range<Int> {
            let length = Int.random(in: 1...(Bool.random(using: &random) ? 3 : limit), using: &random)
            let start = Int.random(in: -300...300, using: &random)
            return start..<start + length
        }
        return try (0..<count).map { index in
            let extent = Rect(columns: range(200), rows: range(200))
            func within(_ range: Range<Int>) -> Range<Int> {
                let a = Int.random(in: range, using: &random)
                let b = Int.random(in: range, using: &random)
                return min(a, b)..<max(a, b) + 1
            }
            let region =
                switch index % 4 {
                case 0: extent
                case 1: Rect(columns: within(extent.columns), rows: within(extent.rows))
                case 2: Rect(columns: range(150), rows: range(150))
                default:
                    Rect(x: extent.x - 40, y: extent.y - 3, width: extent.width + 77, height: extent.height + 50)
                }
            let sigmas = Self.sigmas + [0]
            let sigmaX = sigmas[Int.random(in: 0..<sigmas.count, using: &random)]
            let sigmaY = sigmas[Int.random(in: 0..<sigmas.count, using: &random)]
            let edge = EdgeMode.allCases[index / 4 % 4]
            return (try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge), extent, region)
        }
    }

    @Test("the same effect, extent, region and accuracy give an equal plan")
    func purity() throws {
        for (blur, extent, region) in try Self.cases(40, seed: 1) {
            let plan = try blur.plan(extent: extent, region: region)
            #expect(try blur.plan(extent: extent, region: region) == plan)
            var other = region
            other.width += 1
            #expect(try blur.plan(extent: extent, region: other) != plan)
        }
        let extent = Rect(x: 0, y: 0, width: 50, height: 50)
        #expect(
            try GaussianBlur(sigma: 9).plan(extent: extent)
                != GaussianBlur(sigma: 9).plan(extent: extent, accuracy: .sixteenBit))
    }

    @Test("passes form one chain from source to output, and slots describe what passes write")
    func structure() throws {
        for (blur, extent, region) in try Self.cases(200, seed: 2) {
            let plan = try blur.plan(extent: extent, region: region)
            #expect(plan.extent == extent && plan.region == region)
            guard !plan.passes.isEmpty else {
                #expect(extent.contains(region) && blur.effectiveSigma(.x) == 0 && blur.effectiveSigma(.y) == 0)
                #expect(plan.errorBound == 0 && plan.slots.isEmpty)
                continue
            }
            #expect(plan.slots.count == plan.passes.count - 1)
            var levels = (x: 0, y: 0)
            var isSigned = false
            var isFirst: Set<Axis> = Set(Axis.allCases)
            for (index, pass) in plan.passes.enumerated() {
                #expect(pass.from == (index == 0 ? .source : .slot(index - 1)))
                #expect(pass.to == (index == plan.passes.count - 1 ? .output : .slot(index)))
                #expect(
                    pass.edge
                        == (isFirst.remove(pass.axis) != nil
                            ? EdgeRule(blur.edge) : Self.levelRule(pass, levels, blur, extent)))
                let change =
                    switch pass.operation {
                    case .decimate: 1
                    case .convolve: 0
                    case .interpolate: -1
                    }
                switch pass.axis {
                case .x: levels.x += change
                case .y: levels.y += change
                }
                isSigned = isSigned || pass.operation.taps.contains { $0 < 0 }
                // A horizontal pass reads and writes the same rows, and a vertical pass the same columns. The input window must
                // therefore cover all rows, or all columns, that the pass writes.
                let other = pass.axis == .x ? Axis.y : .x
                let before = index == 0 ? extent : plan.slots[index - 1].window
                let after = index == plan.slots.count ? region : plan.slots[index].window
                if index == 0 {
                    #expect(before[other].clamped(to: after[other]) == after[other])
                } else {
                    #expect(before[other] == after[other])
                }
                guard index < plan.slots.count else { continue }
                let slot = plan.slots[index]
                #expect(slot.levelX == levels.x && slot.levelY == levels.y)
                #expect(slot.isSigned == isSigned, "a slot's sign has to follow from the taps before it")
                #expect(!slot.window.isEmpty)
            }
            #expect(levels == (0, 0))
        }
    }

    /// Returns the rule of a pass that reads a level. The level is mirrored if it is on the way down, and if both borders of the
    /// image are borders between samples of the finer level. They may run through the middle of samples of the level itself.
    /// For reflect-101 the levels are those of the means of neighbouring pixels, which are one less than the pixels.
    private static func levelRule(
        _ pass: Pass, _ levels: (x: Int, y: Int), _ blur: GaussianBlur, _ extent: Rect
    ) -> EdgeRule {
        let size = 1 << (pass.axis == .x ? levels.x : levels.y)
        let start = extent[pass.axis].lowerBound
        let end = extent[pass.axis].upperBound - (blur.edge == .reflect101 ? 1 : 0)
        guard [.mirror, .reflect101].contains(blur.edge), start < end, start % (size / 2) == 0, end % (size / 2) == 0
        else { return EdgeRule(.clamp) }
        switch pass.operation {
        case .interpolate: return EdgeRule(.clamp)
        case .decimate, .convolve:
            return EdgeRule(.mirror, isFirstShared: start % size != 0, isLastShared: end % size != 0)
        }
    }

    @Test("a level of a mirrored image is mirrored by its rule")
    func mirroredLevels() {
        let extents = [0..<8, 0..<1, 3..<4, 4..<11, -7..<5, -3..<16, 5..<10]
        let cases = [
            (EdgeMode.mirror, [1, 7, 21, 35, 35, 21, 7, 1]), (.reflect101, [1, 8, 28, 56, 70, 56, 28, 8, 1]),
        ]
        for (mode, taps, extent) in cases.flatMap({ mode, taps in extents.map { (mode, taps, $0) } }) {
            let edge = EdgeRule(mode)
            /// Returns a sample of the level of the extended image. The pixels are powers, so that all samples differ.
            func sample(_ i: Int) -> Int {
                taps.enumerated().reduce(0) { sum, tap in
                    let pixel = edge.map(2 * i + tap.offset - 3, into: extent).map { $0 - extent.lowerBound } ?? 0
                    return sum + tap.element * (pixel * pixel * pixel + 1)
                }
            }
            guard let level = edge.decimated(extent) else {
                // A single pixel is repeated.
                #expect(mode == .reflect101 && extent.count == 1, "the level of \(extent) is not mirrored")
                continue
            }
            for i in -40..<40 {
                #expect(
                    level.rule.map(i, into: level.samples).map { sample($0) } == sample(i), "\(extent), sample \(i)")
                // A part of the level that a pass stores gives the same values.
                let need = i..<i + 3
                let window = level.rule.window(of: need, in: level.samples)
                for place in need { #expect(level.rule.map(place, into: window).map { sample($0) } == sample(place)) }
            }
            #expect((level.rule.decimated(level.samples) == nil) == (level.rule != EdgeRule(.mirror)))
        }
        #expect(EdgeMode.allCases.filter { EdgeRule($0).decimated(0..<8) != nil } == [.mirror, .reflect101])
    }

    @Test("from the first negative tap on, slots are signed")
    func signs() throws {
        var signed = 0
        for budget in [0.4, 0.2, 0.05, 0.002] {
            for step in 0..<140 {
                let sigma = 1 + 0.25 * Double(step)
                let plan = try GaussianBlur(sigmaX: sigma, sigmaY: 2).plan(
                    extent: Rect(x: 0, y: 0, width: 64, height: 64), accuracy: Accuracy(errorBudget: budget))
                var isSigned = false
                for (pass, slot) in zip(plan.passes, plan.slots) {
                    isSigned = isSigned || pass.operation.taps.contains { $0 < 0 }
                    #expect(slot.isSigned == isSigned, "sigma \(sigma), budget \(budget)")
                }
                signed += isSigned ? 1 : 0
            }
        }
        // At least one plan must have negative taps. Plans for the two named accuracies have none, but plans for other error
        // budgets do.
        #expect(signed > 0)
    }

    @Test("windows and edge rules change no value: a plan computes what its formulas say on an axis without ends")
    func windows() throws {
        let noise = SeededNoise(seed: 11)
        for (index, (blur, extent, region)) in try Self.cases(160, seed: 3).enumerated() {
            let plan = try blur.plan(extent: extent, region: region)
            for axis in Axis.allCases {
                let passes = plan.passes.filter { $0.axis == axis }
                guard !passes.isEmpty else { continue }
                func extended(_ place: Int) -> Double {
                    blur.edge.map(place, into: extent[axis]).map { noise.value($0, index, 0) } ?? 0
                }
                // Each pass reads an input window and writes an output window, as it does in the backends. The edge mode is
                // applied to the input window.
                var window = axis == .x ? WindowedAxis.input(plan, .x) : WindowedAxis.input(plan, .y)
                #expect(extent[axis].lowerBound <= window.lowerBound && window.upperBound <= extent[axis].upperBound)
                var samples = window.map { extended($0) }
                for pass in passes {
                    let output = WindowedAxis.output(plan, pass)
                    let next = output.map { sample in
                        Formula.output(pass.operation, sample) { place in
                            pass.edge.map(place, into: window).map { samples[$0 - window.lowerBound] } ?? 0
                        }
                    }
                    (window, samples) = (output, next)
                }
                #expect(window == region[axis])
                let truth = InfiniteAxis(passes.map(\.operation), source: extended)
                var worst = 0.0
                for (index, value) in zip(window, samples) { worst = max(worst, abs(value - truth.output(index))) }
                #expect(worst < 1e-12, "\(blur) on \(extent), region \(region), axis \(axis)")
            }
        }
    }

    @Test("a part of an image is computed by the same kernels from the same absolute low-resolution samples")
    func parts() throws {
        let extent = Rect(x: -5, y: 3, width: 300, height: 200)
        let part = Rect(x: 101, y: 77, width: 37, height: 41)
        for edge in EdgeMode.allCases {
            for sigma in Self.sigmas {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                let whole = try blur.plan(extent: extent)
                let plan = try blur.plan(extent: extent, region: part)
                #expect(plan.passes == whole.passes)
                #expect(plan.errorBound == whole.errorBound)
                for (a, b) in zip(plan.slots, whole.slots) {
                    #expect(a.levelX == b.levelX && a.levelY == b.levelY && a.isSigned == b.isSigned)
                    #expect(b.window.contains(a.window), "sigma \(sigma): \(a.window) of \(b.window)")
                }
            }
        }
    }

    @Test("a picture moved by whole low-resolution samples has the same plan, moved")
    func translation() throws {
        let extent = Rect(x: 0, y: 0, width: 130, height: 90)
        for sigma in Self.sigmas {
            // The image is moved by a multiple of 2^10 pixels, because the largest low-resolution sample is 2^10 pixels
            // wide.
            let move = (x: 3 << 10, y: -7 << 10)
            let blur = try GaussianBlur(sigma: sigma, edge: .mirror)
            let plan = try blur.plan(extent: extent)
            let moved = try blur.plan(extent: Rect(x: move.x, y: move.y, width: 130, height: 90))
            #expect(plan.passes == moved.passes)
            for (a, b) in zip(plan.slots, moved.slots) {
                #expect(b.window.width == a.window.width && b.window.height == a.window.height)
                #expect(b.window.x == a.window.x + move.x >> a.levelX)
                #expect(b.window.y == a.window.y + move.y >> a.levelY)
            }
        }
    }

    @Test("the memory of slots grows with the image, not with sigma")
    func slotSizes() throws {
        /// Whether no window of the plans is much larger than the image at its level.
        func keepsSize(_ edge: EdgeMode, _ extent: Rect) throws -> Bool {
            try Self.sigmas.allSatisfy { sigma in
                let plan = try GaussianBlur(sigma: sigma, edge: edge).plan(extent: extent)
                return plan.slots.filter { $0.levelX + $0.levelY > 0 }.allSatisfy { slot in
                    // A window holds the samples that the image touches, and one more sample on each side. At the lowest
                    // resolution it also holds the samples that the convolution reads (6 sigma, where sigma is at most 2.4
                    // samples) and the samples that the interpolation reads.
                    slot.window.width <= (extent.width >> slot.levelX) + 48
                        && slot.window.height <= (extent.height >> slot.levelY) + 48
                }
            }
        }
        let extent = Rect(x: 0, y: 0, width: 640, height: 480)
        for edge in [EdgeMode.clamp, .clear] { #expect(try keepsSize(edge, extent), "\(edge)") }
        // All levels of these sides are mirrored. The means of neighbouring pixels are one less than the pixels.
        #expect(try keepsSize(.mirror, Rect(x: 0, y: 0, width: 1024, height: 512)))
        #expect(try keepsSize(.reflect101, Rect(x: 0, y: 0, width: 1025, height: 513)))
        #expect(try !keepsSize(.reflect101, Rect(x: 0, y: 0, width: 1024, height: 512)))
        #expect(try !keepsSize(.repeat, extent))
    }

    @Test("an image of one pixel and sigma 1000 have plans, in every edge mode", arguments: EdgeMode.allCases)
    func extremes(_ edge: EdgeMode) throws {
        for sigma in [0.2, 1, 30, 1000] {
            for side in [1, 2] {
                let plan = try GaussianBlur(sigma: sigma, edge: edge).plan(
                    extent: Rect(x: 0, y: 0, width: side, height: 1))
                #expect(plan.passes.contains { $0.to == .output })
            }
        }
    }

    @Test("an empty rectangle is refused with its numbers")
    func emptyRectangles() throws {
        let full = Rect(x: 0, y: 0, width: 5, height: 5)
        for empty in [Rect(x: 1, y: 2, width: 0, height: 5), Rect(x: 0, y: 0, width: 5, height: -1)] {
            let blur = try GaussianBlur(sigma: 2)
            #expect(throws: ParameterError.emptyRegion(empty)) { try blur.plan(extent: full, region: empty) }
            #expect(throws: ParameterError.emptyRegion(empty)) { try blur.plan(extent: empty) }
        }
    }

    @Test("coordinates that could overflow are refused, the largest accepted ones planned")
    func hugeCoordinates() throws {
        let full = Rect(x: 0, y: 0, width: 5, height: 5)
        let limit = 1 << 40
        for edge in EdgeMode.allCases {
            let blur = try GaussianBlur(sigma: 1000, edge: edge)
            for huge in [
                Rect(x: limit + 1, y: 0, width: 1, height: 1), Rect(x: 0, y: Int.min, width: 1, height: 1),
                Rect(x: Int.max, y: 0, width: Int.max, height: 1), Rect(x: 0, y: 0, width: limit + 1, height: 1),
            ] {
                #expect(throws: ParameterError.coordinatesTooLarge(huge, limit: limit)) {
                    try blur.plan(extent: full, region: huge)
                }
                #expect(throws: ParameterError.coordinatesTooLarge(huge, limit: limit)) { try blur.plan(extent: huge) }
            }
            for far in [
                Rect(x: limit, y: -limit, width: limit, height: 3), Rect(x: -limit, y: limit, width: 2, height: limit),
            ] {
                #expect(try blur.plan(extent: far).extent == far)
                let inside = Rect(x: far.x, y: far.y, width: 2, height: 3)
                #expect(try blur.plan(extent: far, region: inside).region == inside)
            }
        }
    }

    @Test("no effect is planned for a region so far outside that the way to it does not fit in memory")
    func farRegions() throws {
        let full = Rect(x: 0, y: 0, width: 12, height: 14)
        let farthest = 1 << 20
        for effect in EffectCatalog.all {
            let made = try effect.make()
            for far in [
                Rect(x: farthest + 12, y: 0, width: 1, height: 1), Rect(x: 0, y: -farthest - 1, width: 1, height: 1),
                Rect(x: 0, y: 0, width: 1, height: farthest + 15), Rect(x: 1 << 31, y: 1 << 31, width: 5, height: 5),
            ] {
                #expect(throws: ParameterError.self, "\(effect.name), \(far)") {
                    try made.plan(extent: full, region: far)
                }
            }
        }
        for blur in [try GaussianBlur(sigma: 0), try GaussianBlur(sigma: 8)] {
            let last = Rect(x: farthest + 11, y: -farthest, width: 1, height: 1)
            #expect(try blur.plan(extent: full, region: last).region == last)
        }
    }

    @Test("only pixels that fit the plan are accepted")
    func pixels() throws {
        let plan = try GaussianBlur(sigma: 2).plan(
            extent: Rect(x: 0, y: 0, width: 9, height: 7), region: Rect(x: 1, y: 1, width: 4, height: 3))
        func layout(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> PixelLayout {
            try PixelLayout(width: width, height: height, format: format)
        }
        for source in TestImage.formats {
            for target in TestImage.formats {
                let isGrey = source.channels.addingAlpha == .greyAlpha
                let fits =
                    source.sample == target.sample && isGrey == (target.channels.addingAlpha == .greyAlpha)
                    && (target.channels.hasAlpha || !source.channels.hasAlpha)
                let (from, to) = (try layout(9, 7, source), try layout(4, 3, target))
                if fits {
                    try plan.check(source: from, target: to)
                } else {
                    #expect(throws: PixelError.self, "\(source) to \(target)") {
                        try plan.check(source: from, target: to)
                    }
                }
            }
        }
        for (width, height) in [(9, 8), (8, 7), (4, 3)] {
            #expect(throws: PixelError.self) {
                try plan.check(
                    source: layout(width, height, PixelFormat(.rgb)), target: layout(4, 3, PixelFormat(.rgb)))
            }
        }
        for (width, height) in [(9, 7), (3, 3), (4, 4)] {
            #expect(throws: PixelError.self) {
                try plan.check(
                    source: layout(9, 7, PixelFormat(.rgb)), target: layout(width, height, PixelFormat(.rgb)))
            }
        }
    }

    @Test("the reach of an operation is the range of samples that its formula reads")
    func reach() {
        let operations: [Pass.Operation] =
            [1, 3, 9].map { .convolve(taps: [Float](repeating: 1, count: $0)) }
            + [2, 4, 6, 8, 10].flatMap { count -> [Pass.Operation] in
                let taps = [Float](repeating: 1, count: count)
                return [.decimate(taps: taps), .interpolate(taps: taps)]
            }
        for operation in operations {
            for first in -9...9 {
                for length in 1...5 {
                    var read: Set<Int> = []
                    for i in first..<first + length {
                        _ = Formula.output(operation, i) {
                            read.insert($0)
                            return 0
                        }
                    }
                    #expect(read == Set(operation.reach(of: first..<first + length)), "\(operation) \(first) \(length)")
                }
            }
            #expect(operation.reach(of: 3..<3).isEmpty)
        }
    }
}

/// The windows along one axis that a plan's passes read and write.
enum WindowedAxis {
    static func output(_ plan: Plan, _ pass: Pass) -> Range<Int> {
        switch pass.to {
        case .slot(let index): plan.slots[index].window[pass.axis]
        case .output, .source: plan.region[pass.axis]
        }
    }

    /// Returns the range along an axis that the first pass along this axis reads. If passes along the other axis come before
    /// this pass, the range is the window of the slot that they write.
    static func input(_ plan: Plan, _ axis: Axis) -> Range<Int> {
        guard let first = plan.passes.first(where: { $0.axis == axis }) else { return plan.region[axis] }
        switch first.from {
        case .slot(let index): return plan.slots[index].window[axis]
        case .source, .output: return plan.extent[axis]
        }
    }
}

struct PlanDescriptionTests {
    @Test("a plan prints a line a pass with its size and resolution, and its bound rounded up")
    func description() throws {
        let extent = Rect(x: 0, y: 0, width: 640, height: 480)
        for sigma in PlanTests.sigmas {
            let plan = try GaussianBlur(sigma: sigma, edge: .mirror).plan(extent: extent)
            let lines = "\(plan)".split(separator: "\n")
            #expect(lines.count == plan.passes.count + 2)
            #expect(lines[plan.passes.count - 1].contains("640x480 at 1/1 x 1/1"))
            #expect("\(plan)".contains("edge mirror"))
            let bound = lines[lines.count - 1].split(separator: " ").compactMap { Double($0) }.first
            #expect(try #require(bound) >= plan.errorBound && #require(bound) < plan.errorBound + 0.01)
        }
        #expect(try "\(GaussianBlur(sigma: 0).plan(extent: extent))".hasPrefix("copy 640x480"))
    }

    @Test("a plan counts the samples that its passes read and write")
    func samples() throws {
        let plan = try GaussianBlur(sigma: 1).plan(extent: Rect(x: 0, y: 0, width: 100, height: 80))
        #expect(plan.passes.count == 2)
        #expect(plan.samplesRead == 2 * 8000 && plan.samplesWritten == 2 * 8000)
        let low = try GaussianBlur(sigma: 10).plan(extent: Rect(x: 0, y: 0, width: 1024, height: 1024))
        let direct = 2.0 * 1024 * 1024
        #expect(low.samplesWritten < 3 * direct && low.samplesWritten > direct)
    }

    @Test("every plan that is accepted can be printed, the largest included")
    func largest() async {
        // The test runs in a separate process, because an overflow would end the process.
        await #expect(processExitsWith: .success) {
            let side = 1 << 40
            for sigma in [0.0, 2, 30] {
                let plan = try GaussianBlur(sigma: sigma).plan(extent: Rect(x: 0, y: 0, width: side, height: side))
                #expect("\(plan)".contains("\(side)x\(side)"))
            }
        }
    }
}
