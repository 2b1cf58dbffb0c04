import FrostCore
import FrostGLES
import FrostGPU
import FrostThreads

/// Chooses between the CPU and a hardware GPU for each blur, by the times of earlier blurs.
///
/// Once a GPU is open, the first blurs of each shape class run on both backends, and later ones on the backend that was
/// faster. A blur on trial is a user's blur, so no work is thrown away. The results are remembered for a week. Trials cost
/// time, so they pause while they have lost more than half of the time of all blurs.
///
/// A GPU is opened as soon as it might have saved more time than opening it costs. It might have saved all of the time that
/// the CPU spent on classes which the GPU never tried. A program that blurs a single picture therefore never pays for
/// opening a GPU. A program that blurs many pictures takes little more than twice as long as with the best choice.
///
/// Thread safety: may be used from any thread. Opening a GPU blocks the thread that does it; other threads use the CPU in
/// the meantime.
final class AutomaticChoice: Sendable {
    private struct ChoiceState {
        /// The identity of this machine, determined once.
        var machine: String?
        var budget = ChoiceBudget()
        var isOpening = false
    }

    private let slot: GPUSlot
    private let threads: Int
    private let environment: ChoiceEnvironment
    private let state = Lock(ChoiceState())

    init(_ slot: GPUSlot, threads: Int, _ environment: ChoiceEnvironment) {
        self.slot = slot
        self.threads = threads
        self.environment = environment
    }

    /// Chooses the backend for a blur. It is the GPU only if a GPU is open.
    func choose(_ request: BlurRequest) -> BackendChoice {
        if let reason = slot.reasonForCPU { return .cpu(reason: reason) }
        let times = access { $0.times[request.shape] ?? environment.unmeasured }
        let budget = state.withLock { $0.budget }
        if let device = slot.executor?.device.renderer {
            return BackendChoice(times, pixels: request.pixels, mayTry: budget.mayTry, device: device)
        }
        guard budget.mayOpen(times, pixels: request.pixels) else {
            return BackendChoice(times, pixels: request.pixels, missed: budget.missed)
        }
        return open() ? choose(request) : .cpu(reason: "the GPU is being opened")
    }

    /// Opens the GPU, unless this was tried before.
    ///
    /// - Returns: false if another thread is opening the GPU.
    @discardableResult
    func open() -> Bool {
        let isFree = state.withLock { state in
            defer { state.isOpening = true }
            return !state.isOpening
        }
        guard isFree else { return false }
        defer { state.withLock { $0.isOpening = false } }
        slot.open()
        if let device = slot.executor?.device { access { $0.open(device.costIdentity) } }
        return true
    }

    /// Opens the GPU and blurs a small picture, which compiles the programs that most blurs of a format need.
    func prepare(_ format: PixelFormat) {
        guard open(), let executor = slot.executor else { return }
        // A device that fails here will fail again when it is tried, and then the report states the reason.
        try? Self.warmUp(executor, format)
    }

    private static func warmUp(_ executor: GPUExecutor, _ format: PixelFormat) throws {
        let source = PixelBuffer(layout: try PixelLayout(width: 64, height: 64, format: format))
        let plan = try GaussianBlur(sigma: 8).plan(
            extent: source.layout.extent, accuracy: .suited(to: format.sample))
        var target = source
        try unsafe source.withUnsafeBytes { from in
            try unsafe target.withUnsafeMutableBytes { to in
                guard let from = from.baseAddress, let to = to.baseAddress else { return }
                // SAFETY: both buffers have this layout and outlive the call.
                _ = try unsafe executor.execute(
                    plan, source: PixelSource(from, layout: source.layout),
                    target: PixelTarget(to, layout: source.layout))
            }
        }
    }

    /// Records how long a blur took. If the backend failed, the time is infinite.
    func learn(_ request: BlurRequest, seconds: Double, on backend: Backend) {
        let seconds = environment.reading(backend, request, seconds)
        let isOpen = slot.executor != nil
        let isNews = access { experience in
            var times = experience.times[request.shape] ?? environment.unmeasured
            let wasSettled = times.isSettled
            state.withLock {
                $0.budget.add(seconds, on: backend, times, pixels: request.pixels, isOpen: isOpen)
            }
            times.add(seconds / request.pixels, on: backend)
            experience.keep(times, of: request.shape)
            return times.isSettled && !wasSettled
        }
        if isNews { environment.cache.save(machine) }
    }

    private func access<Result>(_ body: (inout Experience) -> Result) -> Result {
        environment.cache.access(machine, at: environment.now(), body)
    }

    private var machine: String {
        state.withLock {
            let machine = $0.machine ?? MachineIdentity.machine(threads: threads)
            $0.machine = machine
            return machine
        }
    }
}
