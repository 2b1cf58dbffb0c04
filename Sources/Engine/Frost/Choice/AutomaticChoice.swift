import FrostCore
import FrostCPU
import FrostGLES
import FrostGPU
import FrostLog
import FrostThreads

/// Chooses between the CPU and a hardware GPU for each blur, by measurements.
///
/// A GPU is opened only when this is worth its cost. If the GPU was measured before, it is opened as soon as it would have
/// saved more time than opening it costs. If the GPU was never measured, it is opened as soon as the CPU has worked for
/// longer than opening and measuring a GPU takes. A program that blurs a single picture therefore never pays for opening a
/// GPU. A program that blurs many pictures takes at most twice as long as with the best choice.
///
/// Thread safety: may be used from any thread. Opening and measuring a GPU blocks the thread that does it; other threads use
/// the CPU in the meantime.
final class AutomaticChoice: Sendable {
    /// The usual time to open and measure a GPU, in seconds.
    static let usualPrice = 0.3
    /// The part of ``usualPrice`` that measuring takes, in seconds.
    static let usualProbe = 0.1

    private struct State {
        /// The identity of this machine, determined once.
        var machine: String?
        /// For each pixel format, the seconds that a GPU would have saved so far: see
        /// ``BackendChoice/init(cpu:gpu:opening:missed:device:)``.
        var missed: [String: Double] = [:]
        /// For each pixel format, the seconds that the CPU has worked so far.
        var spent: [String: Double] = [:]
        /// For each pixel format that could not be measured, the reason for this failure.
        var failures: [String: String] = [:]
        var experience = Experience()
        var isPreparing = false
    }

    private let slot: GPUSlot
    private let cpu: CPUExecutor
    private let environment: ChoiceEnvironment
    private let state = Lock(State())

    init(_ slot: GPUSlot, _ cpu: CPUExecutor, _ environment: ChoiceEnvironment) {
        self.slot = slot
        self.cpu = cpu
        self.environment = environment
    }

    /// A blur that needs a backend.
    struct Request {
        let shape: Experience.Shape
        let format: PixelFormat
        let work: Workload
    }

    /// Chooses the backend for a blur. The action of the result is always ``BackendChoice/Action/gpu`` or
    /// ``BackendChoice/Action/cpu``. It is `gpu` only if a GPU is open.
    func choose(_ request: Request) -> BackendChoice {
        let choice = decide(request)
        switch choice.action {
        case .cpu, .gpu: return choice
        case .openGPU, .measureGPU:
            guard prepare(request.format) else {
                return BackendChoice(action: .cpu, reason: "the GPU is still being measured")
            }
            let second = decide(request)
            return second.action == .gpu ? second : BackendChoice(action: .cpu, reason: second.reason)
        }
    }

    /// Opens the GPU and measures both backends with images of a pixel format, unless this was done before.
    ///
    /// - Returns: false if another thread is opening or measuring the GPU.
    @discardableResult
    func prepare(_ format: PixelFormat) -> Bool {
        let isFree = state.withLock { state in
            defer { state.isPreparing = true }
            return !state.isPreparing
        }
        guard isFree else { return false }
        defer { state.withLock { $0.isPreparing = false } }
        guard slot.reasonForCPU == nil else { return true }
        do throws(FrostError) {
            try measure(format)
        } catch {
            let reason = "the GPU could not be measured: \(error)"
            Log.write(.warning, "the CPU is used for \(format): \(reason)")
            state.withLock { $0.failures[format.description] = reason }
        }
        return true
    }

    /// Records how long a blur took.
    func learn(_ request: Request, seconds: Double, on backend: Backend) {
        let seconds = environment.reading(backend, request.work, seconds)
        state.withLock {
            $0.experience.add(request.shape, seconds: seconds, on: backend)
            if backend == .cpu { $0.spent[request.format.description, default: 0] += seconds }
        }
    }

    /// Returns the expected times of both backends for a blur; nil if the backends were not measured yet.
    private func prospects(_ request: Request, _ state: inout State) -> Prospects? {
        guard let pair = stored(&state)?.pairs[request.format.description] else { return nil }
        return state.experience.prospects(
            request.shape, cpu: pair.cpu.seconds(for: request.work), gpu: pair.gpu.seconds(for: request.work))
    }

    private func stored(_ state: inout State) -> CostProfile? {
        environment.cache.profile(of: machine(&state), at: environment.now())
    }

    private func machine(_ state: inout State) -> String {
        let machine = state.machine ?? MachineIdentity.machine(threads: cpu.threads)
        state.machine = machine
        return machine
    }

    private func decide(_ request: Request) -> BackendChoice {
        if let reason = slot.reasonForCPU { return BackendChoice(action: .cpu, reason: reason) }
        let executor = slot.executor
        let format = request.format.description
        return state.withLock {
            if let failure = $0.failures[format] { return BackendChoice(action: .cpu, reason: failure) }
            guard let profile = stored(&$0), let prospects = prospects(request, &$0) else {
                return BackendChoice(
                    cpu: CostModel.typicalCPU(threads: cpu.threads).seconds(for: request.work),
                    spent: $0.spent[format] ?? 0, price: executor == nil ? Self.usualPrice : Self.usualProbe)
            }
            if let executor { return BackendChoice(prospects, device: executor.device.renderer) }
            return BackendChoice(
                cpu: prospects.cpu.seconds, gpu: prospects.gpu.seconds, opening: profile.opening,
                missed: &$0.missed[format, default: 0],
                device: profile.deviceName)
        }
    }

    private func measure(_ format: PixelFormat) throws(FrostError) {
        let clock = ContinuousClock()
        let start = clock.now
        let wasOpen = slot.executor != nil
        slot.open()
        guard let executor = slot.executor, let first = ProbeCase.usual.first else { return }
        let subjects = ProbeSubjects(cpu: cpu, gpu: executor)
        // The first run on a newly opened GPU compiles the programs, so its time counts as part of opening.
        if !wasOpen { _ = try subjects.seconds(first, format, on: .gpu) }
        let opening = (clock.now - start).seconds

        let device = CostProfile.line(executor.device.costIdentity)
        let known = state.withLock { stored(&$0) }
        var profile = CostProfile(
            machine: CostProfile.line(state.withLock { machine(&$0) }), device: device,
            deviceName: CostProfile.line(executor.device.renderer), opening: opening, made: environment.now())
        if let known, known.device == device {
            profile = known
            // Opening a GPU is faster once a cache contains the compiled programs, so the profile keeps the shorter time.
            if !wasOpen { profile.opening = min(opening, known.opening) }
        }
        if profile.pairs[format.description] == nil {
            let cpu = try model(.cpu, format, subjects)
            let gpu = try model(.gpu, format, subjects)
            profile.pairs[format.description] = CostProfile.Pair(cpu: cpu, gpu: gpu)
        }
        if profile != known { environment.cache.keep(profile) }
    }

    private func model(
        _ backend: Backend, _ format: PixelFormat, _ subjects: ProbeSubjects
    ) throws(FrostError) -> CostModel {
        let samples = try ProbeCase.samples(format) { (one) throws(FrostError) in
            try environment.probe(one, format, backend, subjects)
        }
        guard let model = CostModel(fitting: samples) else {
            throw .deviceUnavailable(
                reason:
                    "no cost model fits the measured times \(samples.map { milliseconds($0.seconds) }.joined(separator: ", "))"
            )
        }
        return model
    }
}
