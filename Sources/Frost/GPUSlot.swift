import FrostCPU
import FrostGLES
import FrostGPU
import Synchronization

/// The GPU of a renderer, or why it has none.
///
/// Thread safety: may be used from any thread.
final class GPUSlot: Sendable {
    private enum State {
        /// Nothing was tried yet.
        case closed
        case open(GPUExecutor)
        case none(reason: String)
    }

    private let state: Mutex<State>
    private let selector: DeviceSelector
    private let options: GPUOptions
    /// The results of a new GPU are compared with its results; nil if no GPU is opened.
    private let cpu: CPUExecutor?

    /// For a renderer that does not want a GPU, or cannot have one.
    init(reason: String) {
        state = Mutex(.none(reason: reason))
        selector = .any
        options = GPUOptions()
        cpu = nil
    }

    /// Opens a GPU, or throws the reason why that failed.
    init(demanding selector: DeviceSelector, options: GPUOptions, checkedBy cpu: CPUExecutor) throws(FrostError) {
        self.selector = selector
        self.options = options
        self.cpu = cpu
        let opened = Self.opened(selector, options, cpu)
        if case .none(let reason) = opened { throw .deviceUnavailable(reason: reason) }
        state = Mutex(opened)
    }

    /// Leaves the GPU to be opened by ``open()``.
    init(closed selector: DeviceSelector, options: GPUOptions, checkedBy cpu: CPUExecutor) {
        self.selector = selector
        self.options = options
        self.cpu = cpu
        state = Mutex(.closed)
    }

    /// Opens a GPU and checks its results.
    private static func opened(_ selector: DeviceSelector, _ options: GPUOptions, _ cpu: CPUExecutor?) -> State {
        do throws(GPUError) {
            let executor = try GPUExecutor(device: selector, options: options)
            if let cpu, let fault = try StartUpCheck.fault(of: executor, cpu) { return .none(reason: fault) }
            return .open(executor)
        } catch {
            return .none(reason: error.description)
        }
    }

    /// How many images it may have in progress.
    var maximumInFlight: Int { options.maximumInFlight }

    /// The GPU, if it is open.
    var executor: GPUExecutor? {
        state.withLock { if case .open(let executor) = $0 { executor } else { nil } }
    }

    /// Why there is no GPU; nil if there is one, or if nothing was tried yet.
    var reasonForCPU: String? {
        state.withLock { if case .none(let reason) = $0 { reason } else { nil } }
    }

    /// Opens the GPU unless that was tried before. Takes at least 50 ms.
    func open() {
        // Other threads continue with the CPU in the meantime, so the lock is not held.
        guard state.withLock({ if case .closed = $0 { true } else { false } }) else { return }
        let opened = Self.opened(selector, options, cpu)
        state.withLock { if case .closed = $0 { $0 = opened } }
    }

    /// Replaces a context that was lost. If that fails, the slot stays empty and keeps the reason.
    func reopen(_ failed: GPUExecutor, after error: GPUError) {
        state.withLock {
            guard case .open(let executor) = $0, executor === failed else { return }
            executor.shutdown()
            $0 = Self.opened(selector, options, cpu)
            if case .none(let reason) = $0 { $0 = .none(reason: "\(error), and could not be opened again: \(reason)") }
        }
    }
}
