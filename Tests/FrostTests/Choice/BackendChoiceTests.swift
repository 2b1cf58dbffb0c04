@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests laws that the choice of the backend obeys, on simulated machines whose costs are known.
@Suite struct BackendChoiceTests {
    /// The machine's costs are sums of the model's terms, and its probes have no error. Then every first choice is the
    /// faster backend.
    @Test(arguments: SyntheticMachine.all) func theFirstChoiceIsTheBetter(machine: SyntheticMachine) throws {
        let pair = try #require(machine.pair())
        for point in Grid.points {
            let prospects = Experience().prospects(
                point.shape, cpu: pair.cpu.seconds(for: point.work), gpu: pair.gpu.seconds(for: point.work))
            let loss = loss(BackendChoice(prospects, device: "GPU"), machine, point)
            #expect(loss < 1.01, "\(point.name): \(loss)")
        }
    }

    /// The probes are wrong by up to 10 %. The first choice may then be slower than the better backend by a factor of 1.1 /
    /// 0.9, which is the error of the estimates. A margin is added, because the model is fitted to probes with errors.
    @Test(arguments: SyntheticMachine.all, 1...20) func theFirstChoiceInNoise(machine: SyntheticMachine, seed: Int)
        throws
    {
        let pair = try #require(machine.pair(noise: 0.1, seed: UInt64(seed)))
        for point in Grid.points {
            let prospects = Experience().prospects(
                point.shape, cpu: pair.cpu.seconds(for: point.work), gpu: pair.gpu.seconds(for: point.work))
            let loss = loss(BackendChoice(prospects, device: "GPU"), machine, point)
            #expect(loss <= 1.25, "\(point.name): \(loss)")
        }
    }

    /// If the same blur is repeated, the choice settles within six runs on a backend that is at most 20 % slower than the
    /// better one. This holds although probes and runs are wrong by up to 10 %. It also holds for a CPU that is 50 % slower,
    /// or 30 % faster, than its model at sizes that were not probed.
    @Test(arguments: SyntheticMachine.all.flatMap { [$0, $0.bent(by: 0.5), $0.bent(by: -0.3)] }, 1...20)
    func aStreamSettlesOnTheBetter(machine: SyntheticMachine, seed: Int) throws {
        let pair = try #require(machine.pair(noise: 0.1, seed: UInt64(seed)))
        var noise = SeededGenerator(seed: UInt64(seed) + 1000)
        for point in Grid.points {
            var experience = Experience()
            var choices: [Backend] = []
            for run in 0..<12 {
                let choice = BackendChoice(
                    experience.prospects(
                        point.shape, cpu: pair.cpu.seconds(for: point.work), gpu: pair.gpu.seconds(for: point.work)),
                    device: "GPU")
                let backend: Backend = choice.action == .gpu ? .gpu : .cpu
                choices.append(backend)
                experience.add(
                    point.shape, seconds: noise.around(machine.seconds(point.work, on: backend), 0.1), on: backend)
                guard run >= 2 * Prospect.enoughRuns else { continue }
                let loss = loss(choice, machine, point)
                #expect(loss <= 1.2, "\(point.name), run \(run): \(loss)")
            }
            // The backend changes at most twice: once to try the other backend, and once to return.
            let changes = zip(choices, choices.dropFirst()).filter { $0 != $1 }.count
            #expect(changes <= 2, "\(point.name): \(choices)")
        }
    }

    /// The law of the ski rental problem: blurs run on the CPU until the time that the GPU would have saved equals the time
    /// for opening the GPU. Whatever the number of blurs, their total time, including the time for opening the GPU, is at
    /// most twice the time of the best choice from the start.
    @Test(arguments: SyntheticMachine.all, [0.001, 0.05, 0.3, 2]) func openingPaysOff(
        machine: SyntheticMachine, opening: Double
    ) throws {
        let pair = try #require(machine.pair())
        for point in Grid.points {
            let (cpu, gpu) = (pair.cpu.seconds(for: point.work), pair.gpu.seconds(for: point.work))
            var missed = 0.0
            var spent = 0.0
            var isOpen = false
            for count in 1...300 {
                if !isOpen {
                    let choice = BackendChoice(cpu: cpu, gpu: gpu, opening: opening, missed: &missed, device: "GPU")
                    isOpen = choice.action == .openGPU
                    if isOpen { spent += opening }
                }
                spent += isOpen ? gpu : cpu
                let best = min(Double(count) * cpu, opening + Double(count) * gpu)
                #expect(spent <= 2 * best * (1 + 1e-9), "\(count) times \(point.name): \(spent), not \(best)")
            }
        }
    }

    /// A single blur runs on the CPU if the GPU would save less time than it takes to open the GPU. If the GPU would save
    /// more, the blur runs on the GPU.
    @Test func oneBlur() {
        var missed = 0.0
        let small = BackendChoice(cpu: 0.015, gpu: 0.003, opening: 0.12, missed: &missed, device: "a card")
        #expect(small.action == .cpu)
        #expect(small.reason == "15 ms estimated, against 3.0 ms estimated on a card and 120 ms to open it first")
        #expect(missed == 0.012)
        missed = 0
        let large = BackendChoice(cpu: 0.2, gpu: 0.003, opening: 0.12, missed: &missed, device: "a card")
        #expect(large.action == .openGPU)
        missed = 0
        let slower = BackendChoice(cpu: 0.2, gpu: 0.201, opening: 0, missed: &missed, device: "a card")
        #expect(slower.action == .cpu && missed == 0)
        #expect(slower.reason == "200 ms estimated, against 201 ms estimated on a card")
    }

    /// Before any measurement, blurs run on the CPU until their total time reaches the time that a measurement would take.
    @Test func beforeMeasuring() {
        let early = BackendChoice(cpu: 0.008, spent: 0.1, price: 0.25)
        #expect(early.action == .cpu)
        #expect(
            early.reason
                == "too little work so far to measure a GPU: 108 ms of work, against 250 ms for the measurement")
        #expect(BackendChoice(cpu: 0.2, spent: 0.1, price: 0.25).action == .measureGPU)
    }

    @Test func reasons() {
        let estimated = Prospects(cpu: Prospect(estimate: 0.0081), gpu: Prospect(estimate: 0.031))
        #expect(
            BackendChoice(estimated, device: "a card")
                == BackendChoice(action: .cpu, reason: "8.1 ms estimated, against 31 ms estimated on a card"))
        let measured = Prospects(
            cpu: Prospect(estimate: 0.0081, measured: 0.0405, runs: 3),
            gpu: Prospect(estimate: 0.031, measured: 0.00012, runs: 3))
        #expect(
            BackendChoice(measured, device: "a card")
                == BackendChoice(
                    action: .gpu, reason: "hardware GPU: 0.12 ms measured, against 41 ms measured on the CPU"))
        // Three runs on the CPU took as long as estimated. Then the GPU is tried, because it may be faster than estimated.
        let doubtful = Prospects(
            cpu: Prospect(estimate: 0.008, measured: 0.0081, runs: 3), gpu: Prospect(estimate: 0.011))
        #expect(
            BackendChoice(doubtful, device: "a card")
                == BackendChoice(
                    action: .gpu,
                    reason: "hardware GPU: on trial, 11 ms estimated, against 8.1 ms measured on the CPU"))
        let equal = Prospects(cpu: Prospect(estimate: 1), gpu: Prospect(estimate: 1))
        #expect(BackendChoice(equal, device: "a card").action == .cpu)
    }

    @Test(arguments: [
        (0.0, "0.00 ms"), (1e-5, "0.01 ms"), (0.00099, "0.99 ms"), (0.0010, "1.0 ms"), (0.00996, "10.0 ms"),
        (0.0105, "11 ms"), (12.3456, "12346 ms"), (Double.infinity, "inf ms"), (1e300, "1e+303 ms"),
    ])
    func times(seconds: Double, text: String) { #expect(milliseconds(seconds) == text) }

    /// In a stream of different blurs, the memory for the measured times stays limited.
    @Test func experienceIsBounded() throws {
        var experience = Experience()
        let point = Grid.points[0]
        func shape(_ width: Int) -> Experience.Shape {
            Experience.Shape(
                effect: point.shape.effect, accuracy: .eightBit, sourceWidth: width, sourceHeight: 1, width: width,
                height: 1, format: "rgba u8 straight")
        }
        for width in 1...Experience.capacity { experience.add(shape(width), seconds: 1, on: .cpu) }
        #expect(experience.prospects(shape(1), cpu: 2, gpu: 3).cpu.runs == 1)
        experience.add(shape(Experience.capacity + 1), seconds: 1, on: .gpu)
        #expect(experience.prospects(shape(1), cpu: 2, gpu: 3).cpu.runs == 0)
        #expect(experience.prospects(shape(Experience.capacity + 1), cpu: 2, gpu: 3).gpu.measured == 1)
    }

    /// Returns the true time of the chosen backend divided by the true time of the better backend.
    private func loss(_ choice: BackendChoice, _ machine: SyntheticMachine, _ point: Grid.Point) -> Double {
        let (cpu, gpu) = (machine.seconds(point.work, on: .cpu), machine.seconds(point.work, on: .gpu))
        return (choice.action == .gpu ? gpu : cpu) / min(cpu, gpu)
    }
}
