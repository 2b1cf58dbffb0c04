@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests laws that the choice of the backend obeys, on simulated machines whose costs are known.
@Suite struct BackendChoiceTests {
    /// If the same blur is repeated, the choice settles on a backend that is at most 20 % slower than the better one, although
    /// measured times are wrong by up to 10 %. The backend changes at most twice: once to try the other backend, and once to
    /// return.
    @Test(arguments: SyntheticMachine.all, 1...20) func aStreamSettlesOnTheBetter(machine: SyntheticMachine, seed: Int)
    {
        for blur in SyntheticMachine.blurs {
            var program = SimulatedProgram(machine, isOpen: true, error: 0.1, seed: seed)
            let runs = (0..<60).map { _ in program.blur(blur) }
            let trials = runs.count { $0.isTrial }
            #expect(trials <= 2 * BlurTimes.Runs.enough)
            #expect(!runs.suffix(10).contains { $0.isTrial }, "\(blur.shape)")
            for (backend, _) in runs.suffix(10) {
                let loss = machine.seconds(blur, on: backend) / machine.best(blur)
                #expect(loss <= 1.2, "\(blur.shape): \(loss)")
            }
        }
    }

    /// In any mixture of blurs, all trials together lose at most as much time as the other blurs take. The slowest trial is
    /// added, and the first blur of each class, which runs on the CPU.
    @Test(arguments: SyntheticMachine.all, 1...10) func trialsAreBounded(machine: SyntheticMachine, seed: Int) {
        var program = SimulatedProgram(machine, isOpen: true, seed: seed)
        var random = SeededGenerator(seed: UInt64(seed))
        var first = 0.0
        for _ in 0..<1000 {
            let blur = SyntheticMachine.blurs[Int(random.next() % UInt64(SyntheticMachine.blurs.count))]
            if program.experience.times[blur.shape] == nil { first += machine.seconds(blur, on: .cpu) }
            _ = program.blur(blur)
            #expect(program.spent <= 2 * (program.best + program.slowestTrial) + first)
        }
    }

    /// The law of the ski rental problem: whatever the number of blurs, their total time, including the time for opening a
    /// GPU and for trying it, is at most about twice the time of the best choice from the start. The blur that is in progress
    /// when a GPU becomes worth opening, and the trials of a slower GPU, are added.
    @Test(arguments: SyntheticMachine.all) func openingPaysOff(machine: SyntheticMachine) {
        for blur in SyntheticMachine.blurs {
            var program = SimulatedProgram(machine, isOpen: false)
            let (cpu, gpu) = (machine.seconds(blur, on: .cpu), machine.seconds(blur, on: .gpu))
            for count in 1...300 {
                _ = program.blur(blur)
                let best = min(Double(count) * cpu, ChoiceBudget.opening + Double(count) * gpu)
                let rest = max(cpu, Double(BlurTimes.Runs.enough) * max(cpu, gpu))
                #expect(program.spent <= 2 * best + rest, "\(count) times \(blur.shape)")
            }
            // A GPU is opened if the CPU has worked longer than that takes.
            #expect(program.isOpen == (cpu * 299 > ChoiceBudget.opening), "\(blur.shape)")
        }
    }

    /// A program that knows from earlier measurements that the GPU is slower never opens it. If the GPU is faster, it is
    /// opened once it would have saved the time for opening it.
    @Test(arguments: SyntheticMachine.all) func earlierMeasurementsCount(machine: SyntheticMachine) {
        for blur in SyntheticMachine.blurs {
            var program = SimulatedProgram(machine, isOpen: true)
            for _ in 0..<60 { _ = program.blur(blur) }
            (program.isOpen, program.budget) = (false, ChoiceBudget())
            let saving = machine.seconds(blur, on: .cpu) - machine.seconds(blur, on: .gpu)
            for count in 1...300 {
                _ = program.blur(blur)
                #expect(
                    program.isOpen == (Double(count) * saving > ChoiceBudget.opening), "\(count) times \(blur.shape)")
                if program.isOpen { break }
            }
        }
    }

    private func times(_ cpu: Double, _ cpuRuns: Int, _ gpu: Double, _ gpuRuns: Int) -> BlurTimes {
        BlurTimes(cpu: BlurTimes.Runs(best: cpu, count: cpuRuns), gpu: BlurTimes.Runs(best: gpu, count: gpuRuns))
    }

    @Test func reasons() {
        func choice(_ times: BlurTimes, mayTry: Bool = true) -> BackendChoice {
            BackendChoice(times, pixels: 1, mayTry: mayTry, device: "a card")
        }
        #expect(choice(BlurTimes()) == .cpu(reason: "on trial, against an unknown time on a card"))
        #expect(
            choice(times(0.0081, 3, .infinity, 0)) == .gpu(reason: "hardware GPU: on trial, against 8.1 ms on the CPU"))
        #expect(
            choice(times(0.0081, 3, .infinity, 0), mayTry: false)
                == .cpu(reason: "8.1 ms, against an unknown time on a card"))
        #expect(choice(times(0.0081, 3, 0.0405, 2)) == .cpu(reason: "8.1 ms, against 41 ms on a card"))
        #expect(choice(times(0.0081, 3, .infinity, 3)) == .cpu(reason: "8.1 ms, against a failure on a card"))
        #expect(
            choice(times(0.0081, 3, 0.00012, 3)) == .gpu(reason: "hardware GPU: 0.12 ms, against 8.1 ms on the CPU"))
        #expect(choice(times(1, 3, 1, 3)) == .cpu(reason: "1000 ms, against 1000 ms on a card"))
        func closed(_ times: BlurTimes) -> BackendChoice { BackendChoice(times, pixels: 1, missed: 0.1) }
        #expect(
            closed(BlurTimes())
                == .cpu(reason: "too little work so far to open a GPU: 100 ms of work, against 300 ms to open it"))
        #expect(
            closed(times(0.015, 3, 0.003, 3))
                == .cpu(reason: "15 ms, against 3.0 ms on the GPU and 300 ms to open it first"))
        #expect(closed(times(0.003, 3, 0.015, 3)) == .cpu(reason: "3.0 ms, against 15 ms on the GPU"))
    }

    @Test(arguments: [
        (0.0, "0.00 ms"), (1e-5, "0.01 ms"), (0.00099, "0.99 ms"), (0.0010, "1.0 ms"), (0.00996, "10.0 ms"),
        (0.0105, "11 ms"), (12.3456, "12346 ms"), (Double.infinity, "inf ms"), (1e300, "1e+303 ms"),
    ])
    func times(seconds: Double, text: String) { #expect(milliseconds(seconds) == text) }

    /// Blurs with about the same cost per pixel share a class; others do not.
    @Test func shapeClasses() throws {
        func shape(_ effect: Effect, _ width: Int, _ format: PixelFormat = PixelFormat(.rgba)) throws -> String {
            BlurRequest(try effect.plan(extent: Rect(x: 0, y: 0, width: width, height: 1000)), format).shape
        }
        func gaussian(_ sigma: Double) throws -> Effect { Effect(try GaussianBlur(sigma: sigma)) }
        let usual = try shape(gaussian(8), 1000)
        #expect(usual == "rgba u8 straight: Passes, 10 filters, 2^6 taps, 2^20 pixels")
        #expect(try shape(gaussian(8.2), 1010) == usual)
        #expect(try shape(gaussian(2), 1000) != usual)
        #expect(try shape(gaussian(8), 4000) != usual)
        #expect(try shape(gaussian(8), 1000, PixelFormat(.rgba, .u16)) != usual)
        #expect(try shape(#require(EffectCatalog.all.first { $0.name == "disc" }).make(), 1000) != usual)
    }

    /// In a stream of different blurs, the memory for the measured times stays limited.
    @Test func experienceIsBounded() {
        var experience = Experience(created: 0)
        for shape in 0..<Experience.capacity { experience.keep(times(1, 1, 2, 1), of: "\(shape)") }
        #expect(experience.times.count == Experience.capacity)
        experience.keep(times(1, 1, 2, 1), of: "another")
        #expect(Array(experience.times.keys) == ["another"])
    }
}
