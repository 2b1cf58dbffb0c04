@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests how the cost of a blur is estimated.
@Suite struct CostModelTests {
    private func work(_ side: Int, _ sigmaX: Double, _ sigmaY: Double, region: Rect? = nil) throws -> Workload {
        let effect = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY)
        let plan = try effect.plan(extent: Rect(x: 0, y: 0, width: side, height: side), region: region)
        return Workload(plan, PixelFormat(.rgba))
    }

    /// A convolution at full resolution with sigma 2 has two passes with 15 taps for every pixel. It reads and writes four
    /// bytes per pixel.
    @Test func aDirectBlursWork() throws {
        let work = try work(100, 2, 2)
        #expect(work.terms == [1, 2, 80_000, 300_000, 0])
    }

    /// A blur that is computed at a lower resolution has no taps at full resolution, and its work per pixel hardly depends
    /// on sigma.
    @Test func aPyramidsWork() throws {
        let (small, large) = (try work(1024, 8, 8), try work(1024, 400, 400))
        for work in [small, large] {
            #expect(work.directTaps == 0)
            #expect(work.bytes == 8 * 1024 * 1024)
            #expect((6...13).contains(work.resampledTaps / (1024 * 1024)))
        }
        #expect(large.passes > small.passes)
    }

    /// The work along an axis depends on the sigma of this axis.
    @Test func anAxisEach() throws {
        let work = try work(256, 2, 8)
        #expect(work.directTaps > 0 && work.resampledTaps > 0)
    }

    /// For a region, only the region and the pixels around it are read, not the whole image.
    @Test func aRegionsWork() throws {
        let part = try work(1000, 2, 2, region: Rect(x: 400, y: 400, width: 100, height: 100))
        #expect(part.bytes > 80_000 && part.bytes < 100_000)
    }

    /// If a machine's costs are sums of the model's terms, the usual probes are enough to predict its time for every blur of
    /// the grid.
    @Test(arguments: SyntheticMachine.all) func recoversASum(machine: SyntheticMachine) throws {
        let pair = try #require(machine.pair())
        for point in Grid.points {
            for (model, backend) in [(pair.cpu, Backend.cpu), (pair.gpu, .gpu)] {
                let (found, truth) = (model.seconds(for: point.work), machine.seconds(point.work, on: backend))
                #expect(abs(found / truth - 1) < 0.001, "\(point.name) on the \(backend): \(found), not \(truth)")
            }
        }
    }

    /// If the terms of the workloads are independent, the fit finds the coefficients that the times were computed with.
    @Test func recoversCoefficients() throws {
        let truth = [1e-4, 2e-6, 3e-10, 4e-11, 5e-11]
        var noise = SeededGenerator(seed: 3)
        let samples = (0..<20).map { _ in
            var work = Workload()
            work.passes = 20 + 18 * noise.signed()
            work.bytes = 1e6 + 9e5 * noise.signed()
            work.directTaps = 1e7 + 9e6 * noise.signed()
            work.resampledTaps = 1e7 + 9e6 * noise.signed()
            return CostModel.Sample(work: work, seconds: zip(truth, work.terms).reduce(0) { $0 + $1.0 * $1.1 })
        }
        let found = try #require(CostModel(fitting: samples)).coefficients
        for (one, other) in zip(found, truth) { #expect(abs(one / other - 1) < 1e-6) }
    }

    /// If probes are wrong by up to 10 %, the estimates are wrong by only a little more, even for images eight times as
    /// large as those of the probes.
    @Test(arguments: SyntheticMachine.all, 1...20) func noiseIsNotAmplified(machine: SyntheticMachine, seed: Int) throws
    {
        let pair = try #require(machine.pair(noise: 0.1, seed: UInt64(seed)))
        for point in Grid.points where point.shape.sourceWidth >= 64 {
            for (model, backend) in [(pair.cpu, Backend.cpu), (pair.gpu, .gpu)] {
                let ratio = model.seconds(for: point.work) / machine.seconds(point.work, on: backend)
                #expect((0.75...1.25).contains(ratio), "\(point.name) on the \(backend): \(ratio) times the truth")
            }
        }
    }

    /// Whatever the measurements are, no coefficient of the fitted model is negative.
    @Test func nothingIsNegative() throws {
        var noise = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let samples = Grid.points.prefix(12).map {
                CostModel.Sample(work: $0.work, seconds: 0.01 + 0.0099 * noise.signed())
            }
            let model = try #require(CostModel(fitting: samples))
            #expect(model.coefficients.allSatisfy { $0 >= 0 && $0.isFinite })
        }
    }

    @Test func refusesWhatIsNoTime() {
        let work = Grid.points[0].work
        for seconds in [0, -1, Double.nan, .infinity] {
            #expect(CostModel(fitting: [CostModel.Sample(work: work, seconds: seconds)]) == nil)
        }
        #expect(CostModel(fitting: []) == nil)
        #expect(CostModel(coefficients: [1, 1, 1, 1]) == nil)
        for coefficient in [-1e-9, 2, Double.nan, .infinity] {
            #expect(CostModel(coefficients: [0, 0, 0, 0, coefficient]) == nil)
        }
    }
}
