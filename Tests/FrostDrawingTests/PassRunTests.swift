import FrostCore
import FrostTestSupport
import Testing

@testable import FrostDrawing

/// Tests how passes are grouped into draws. These tests need no GL.
@Suite struct PassRunTests {
    static func runs(_ sigmaX: Double, _ sigmaY: Double, _ edge: EdgeMode = .clamp) throws -> (Plan, [PassRun]) {
        let plan = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge).plan(
            extent: Rect(x: -5, y: 9, width: 777, height: 503))
        return (plan, plan.separable.runs(of: plan))
    }

    @Test(arguments: [(2.0, 2), (3, 6), (8, 6), (16, 6), (30, 10), (100, 10), (400, 14)])
    func aBlurHasFewDraws(_ sigma: Double, _ count: Int) throws {
        #expect(try Self.runs(sigma, sigma).1.count == count)
    }

    /// Each pass is in one run, each run reads what an earlier run has written, and along each axis the runs compute what
    /// the plan's passes compute.
    @Test(arguments: [(8.0, 8.0), (100, 100), (30, 3), (2, 60), (0, 40), (12, 0)], EdgeMode.allCases)
    func runsComputeThePlan(_ sigmas: (x: Double, y: Double), _ edge: EdgeMode) throws {
        let (plan, runs) = try Self.runs(sigmas.x, sigmas.y, edge)
        #expect(runs.reduce(0) { $0 + $1.passCount } == plan.passes.count)
        var written: [Place: Rect] = [.source: plan.extent]
        for run in runs {
            #expect(written[run.from] == run.input)
            #expect(written.updateValue(run.output, forKey: run.to) == nil)
            // Across the axis, all texels of the output exist in the input.
            let across = run.axis.other
            #expect(run.input[across].clamped(to: run.output[across]) == run.output[across])
        }
        #expect(written[.output] == plan.region)
        for axis in Axis.allCases {
            let passes = plan.passes.filter { $0.axis == axis }
            let filters = runs.filter { $0.axis == axis }.flatMap { run in
                switch run.kind {
                case .convolution(let taps): [Pass.Operation.convolve(taps: taps)]
                case .decimation(let filters): filters.map { Pass.Operation.decimate(taps: $0) }
                case .interpolation(let filters): filters.reversed().map { Pass.Operation.interpolate(taps: $0) }
                }
            }
            #expect(filters == passes.map(\.operation))
        }
    }

    /// The passes before and after the last group have the runs that the whole plan has. A kept level depends on this.
    @Test(arguments: [2.0, 8, 30, 100])
    func aCutPlanHasTheSameRuns(_ sigma: Double) throws {
        let (plan, runs) = try Self.runs(sigma, sigma)
        let cut = plan.separable.lastGroup
        var (first, second) = (plan, plan)
        var (firstPasses, secondPasses) = (plan.separable, plan.separable)
        firstPasses.list.removeSubrange(cut...)
        firstPasses.list[cut - 1].to = .output
        first.work = .passes(firstPasses)
        first.region = plan.window(of: plan.passes[cut - 1].to)
        secondPasses.list.removeSubrange(..<cut)
        second.work = .passes(secondPasses)
        let parts = first.separable.runs(of: first) + second.separable.runs(of: second)
        #expect(parts.map(\.kind) == runs.map(\.kind) && parts.map(\.axis) == runs.map(\.axis))
        #expect(parts.map(\.level) == runs.map(\.level) && parts.map(\.output) == runs.map(\.output))
    }

    /// A decoded pixel is read by as few outputs as possible.
    @Test func theFirstDecimationsOfADecodedImageAreAlone() throws {
        var (plan, _) = try Self.runs(30, 30)
        plan.decoding = .sRGB
        let runs = plan.separable.runs(of: plan)
        #expect(runs.count == 12 && runs[0].passCount == 1 && runs[1].passCount == 1 && runs[2].passCount == 2)
    }
}

extension Plan {
    /// The passes of the plan, which must consist of passes.
    fileprivate var separable: Passes { Passes(passes, slots: slots) }
}
