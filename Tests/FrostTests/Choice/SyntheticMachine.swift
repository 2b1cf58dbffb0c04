@testable import Frost
import FrostCore
import FrostTestSupport

/// A simulated machine whose CPU and GPU have known costs.
struct SyntheticMachine: Sendable, CustomStringConvertible {
    let description: String
    /// The CPU's costs: for each term of a workload, the seconds per unit of this term.
    let cpu: [Double]
    let gpu: [Double]
    /// The relative deviation of the CPU's true cost from the sum of the terms; 0 if the sum is exact. On real machines,
    /// caches cause such deviations.
    var bend = 0.0

    /// The measured costs of two threads of an EPYC processor.
    private static let twoThreads = [12e-6, 3e-6, 0.017e-9, 0.034e-9, 0.065e-9]

    /// Simulated machines. In the first one the GPU is always slower than the CPU; in the last one it is faster from a few
    /// kilobytes on.
    static let all = [
        SyntheticMachine("software GL", cpu: twoThreads, gpu: [260e-6, 57e-6, 1.5e-9, 1.1e-9, 1.8e-9]),
        SyntheticMachine("a card behind a slow bus", cpu: twoThreads, gpu: [200e-6, 15e-6, 0.25e-9, 1e-12, 1e-12]),
        SyntheticMachine("a card as fast as the CPU", cpu: twoThreads, gpu: [150e-6, 10e-6, 0.1e-9, 2e-12, 4e-12]),
        SyntheticMachine("a card behind a fast bus", cpu: twoThreads, gpu: [80e-6, 6e-6, 0.04e-9, 1e-12, 2e-12]),
        SyntheticMachine(
            "integrated", cpu: twoThreads.map { 2 * $0 }, gpu: [300e-6, 20e-6, 0.08e-9, 0.03e-9, 0.06e-9]),
        SyntheticMachine(
            "one slow thread", cpu: twoThreads.map { 8 * $0 }, gpu: [100e-6, 8e-6, 0.15e-9, 1e-12, 1e-12]),
        SyntheticMachine(
            "a card as fast as 64 threads", cpu: [60e-6, 3e-6, 4e-12, 2e-12, 3e-12],
            gpu: [60e-6, 4e-6, 4e-12, 1e-12, 2e-12]),
    ]

    private init(_ name: String, cpu: [Double], gpu: [Double]) {
        description = name
        self.cpu = cpu
        self.gpu = gpu
    }

    func bent(by bend: Double) -> SyntheticMachine {
        var machine = self
        machine.bend = bend
        return machine
    }

    func seconds(_ work: Workload, on backend: Backend) -> Double {
        let sum = zip(backend == .gpu ? gpu : cpu, work.terms).reduce(0) { $0 + $1.0 * $1.1 }
        guard backend == .cpu else { return sum }
        // The CPU is slower by `bend` for workloads above 8 MB. It is also slower between 0.25 and 2 MB, where rows are too
        // short to be divided into two bands.
        return sum * (work.bytes > 8e6 || (0.25e6...2e6).contains(work.bytes) ? 1 + bend : 1)
    }

    /// Returns how many seconds the probe takes.
    func seconds(_ one: ProbeCase, _ format: PixelFormat, on backend: Backend) throws(FrostError) -> Double {
        do throws(ParameterError) {
            return seconds(Workload(try one.plan(format), format), on: backend)
        } catch {
            throw .parameter(error)
        }
    }

    /// Returns the cost models of both backends, fitted to the times of the usual probes. Each of these times is wrong by a
    /// random factor between 1 - `noise` and 1 + `noise`.
    func pair(noise: Double = 0, seed: UInt64 = 1) -> CostProfile.Pair? {
        var random = SeededGenerator(seed: seed)
        func model(_ backend: Backend) -> CostModel? {
            let format = PixelFormat(.rgba)
            let samples = try? ProbeCase.samples(format) { (one) throws(FrostError) in
                try random.around(seconds(one, format, on: backend), noise)
            }
            return samples.flatMap { CostModel(fitting: $0) }
        }
        guard let cpu = model(.cpu), let gpu = model(.gpu) else { return nil }
        return CostProfile.Pair(cpu: cpu, gpu: gpu)
    }
}

/// A grid of blurs with different sizes and sigmas.
enum Grid {
    struct Point: Sendable {
        let name: String
        let shape: Experience.Shape
        let work: Workload
    }

    static let points: [Point] = {
        var points: [Point] = []
        for (width, height) in [
            (32, 32), (64, 64), (256, 256), (640, 480), (1024, 1024), (1920, 1080), (3840, 2160), (7680, 4320),
        ] {
            for sigma in [0.5, 1, 2, 2.4, 3, 8, 30, 100, 1000] {
                guard let effect = try? GaussianBlur(sigma: sigma),
                    let plan = try? effect.plan(extent: Rect(x: 0, y: 0, width: width, height: height))
                else { continue }
                let format = PixelFormat(.rgba)
                let shape = Experience.Shape(
                    effect: Effect(effect), accuracy: .eightBit, sourceWidth: width, sourceHeight: height, width: width,
                    height: height, format: format.description)
                points.append(
                    Point(name: "\(width)x\(height) sigma \(sigma)", shape: shape, work: Workload(plan, format)))
            }
        }
        return points
    }()
}
