@testable import Frost
import FrostCore
import FrostTestSupport

/// A simulated machine whose CPU and GPU have known costs.
struct SyntheticMachine: Sendable, CustomStringConvertible {
    let description: String
    /// The seconds of a blur besides its pixels, and the seconds per pixel.
    let cpu: (call: Double, pixel: Double)
    let gpu: (call: Double, pixel: Double)

    /// Simulated machines. In the first one the GPU is always slower than the CPU; in the last one it is faster from a few
    /// thousand pixels on.
    static let all = [
        SyntheticMachine("software GL", cpu: (20e-6, 0.3e-9), gpu: (500e-6, 10e-9)),
        SyntheticMachine("a card behind a slow bus", cpu: (20e-6, 0.3e-9), gpu: (200e-6, 1e-9)),
        SyntheticMachine("a card as fast as the CPU", cpu: (20e-6, 0.3e-9), gpu: (150e-6, 0.28e-9)),
        SyntheticMachine("a card behind a fast bus", cpu: (20e-6, 0.3e-9), gpu: (80e-6, 0.15e-9)),
        SyntheticMachine("one slow thread", cpu: (100e-6, 3e-9), gpu: (100e-6, 0.4e-9)),
    ]

    /// A machine whose GPU always fails.
    static let broken = SyntheticMachine("broken", cpu: (20e-6, 0.3e-9), gpu: (.infinity, 0))

    private init(_ name: String, cpu: (Double, Double), gpu: (Double, Double)) {
        description = name
        self.cpu = cpu
        self.gpu = gpu
    }

    func seconds(_ request: BlurRequest, on backend: Backend) -> Double {
        let (call, pixel) = backend == .gpu ? gpu : cpu
        return call + pixel * request.pixels
    }

    /// The seconds on the faster backend.
    func best(_ request: BlurRequest) -> Double { min(seconds(request, on: .cpu), seconds(request, on: .gpu)) }

    /// Blurs of different sizes and sigmas.
    static let blurs: [BlurRequest] = [
        (32, 32), (64, 64), (256, 256), (640, 480), (1024, 1024), (1920, 1080), (3840, 2160), (7680, 4320),
    ].flatMap { (width, height) in
        [0.5, 2, 3, 30, 1000].compactMap { sigma in
            try? GaussianBlur(sigma: sigma).plan(extent: Rect(x: 0, y: 0, width: width, height: height))
        }.map { BlurRequest($0, PixelFormat(.rgba)) }
    }
}

/// A simulated program on a machine: it chooses and learns like ``AutomaticChoice``.
struct SimulatedProgram {
    let machine: SyntheticMachine
    var experience = Experience(created: 0)
    var budget = ChoiceBudget()
    var isOpen: Bool
    /// The seconds of all blurs so far and of opening the GPU, and those of the best choices for each blur.
    var (spent, best) = (0.0, 0.0)
    /// The seconds by which the slowest trial was slower than the other backend.
    var slowestTrial = 0.0
    private var noise: SeededGenerator
    private let error: Double

    /// - Parameter error: the maximum relative error of the measured times.
    init(_ machine: SyntheticMachine, isOpen: Bool, error: Double = 0, seed: Int = 1) {
        self.machine = machine
        self.isOpen = isOpen
        self.error = error
        noise = SeededGenerator(seed: UInt64(seed))
    }

    /// Does a blur. Returns the backend and whether it was on trial.
    mutating func blur(_ request: BlurRequest) -> (backend: Backend, isTrial: Bool) {
        var times = experience.times[request.shape] ?? BlurTimes()
        if !isOpen, budget.mayOpen(times, pixels: request.pixels) {
            isOpen = true
            spent += ChoiceBudget.opening
        }
        var backend = Backend.cpu
        var isTrial = false
        if isOpen {
            switch BackendChoice(times, pixels: request.pixels, mayTry: budget.mayTry, device: "GPU") {
            case .cpu(let reason): isTrial = reason.contains("on trial")
            case .gpu(let reason): (backend, isTrial) = (.gpu, reason.contains("on trial"))
            }
        }
        let truth = machine.seconds(request, on: backend)
        let seconds = noise.around(truth, error)
        budget.add(seconds, on: backend, times, pixels: request.pixels, isOpen: isOpen)
        times.add(seconds / request.pixels, on: backend)
        experience.keep(times, of: request.shape)
        spent += truth
        best += machine.best(request)
        if isTrial { slowestTrial = max(slowestTrial, truth - machine.best(request)) }
        return (backend, isTrial)
    }
}
