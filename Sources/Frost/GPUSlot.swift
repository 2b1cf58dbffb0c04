import FrostGLES
import FrostGPU
import Synchronization

/// The GPU of a renderer, or why it has none.
///
/// Thread safety: may be used from any thread.
final class GPUSlot: Sendable {
    private enum State {
        /// Not looked for yet.
        case closed
        case open(GPUExecutor)
        case none(reason: String)
    }

    private let state: Mutex<State>
    private let selector: DeviceSelector
    private let options: GPUOptions

    /// No GPU wanted, or none to be had.
    init(reason: String) {
        state = Mutex(.none(reason: reason))
        selector = .any
        options = GPUOptions()
    }

    /// A GPU, or an error that says why not.
    init(demanding selector: DeviceSelector, options: GPUOptions) throws(FrostError) {
        self.selector = selector
        self.options = options
        do throws(GPUError) {
            state = Mutex(.open(try GPUExecutor(device: selector, options: options)))
        } catch {
            throw .deviceUnavailable(reason: error.description)
        }
    }

    /// A GPU that ``open()`` opens.
    init(closed selector: DeviceSelector, options: GPUOptions) {
        self.selector = selector
        self.options = options
        state = Mutex(.closed)
    }

    /// How many images it may have under way.
    var maximumInFlight: Int { options.maximumInFlight }

    /// The GPU, if it is open.
    var executor: GPUExecutor? {
        state.withLock { if case .open(let executor) = $0 { executor } else { nil } }
    }

    /// Why there is no GPU; nil if there is one, or was not looked for yet.
    var reasonForCPU: String? {
        state.withLock { if case .none(let reason) = $0 { reason } else { nil } }
    }

    /// Opens the GPU unless that was done, successfully or not. Takes 50 ms and more.
    func open() {
        // Others go on with the CPU meanwhile, so the lock is not held.
        guard state.withLock({ if case .closed = $0 { true } else { false } }) else { return }
        let opened: State
        do throws(GPUError) {
            opened = .open(try GPUExecutor(device: selector, options: options))
        } catch {
            opened = .none(reason: error.description)
        }
        state.withLock { if case .closed = $0 { $0 = opened } }
    }

    /// Replaces a context that was lost. If that fails, the slot stays empty and says why.
    func reopen(_ failed: GPUExecutor, after error: GPUError) {
        state.withLock {
            guard case .open(let executor) = $0, executor === failed else { return }
            executor.shutdown()
            do throws(GPUError) {
                $0 = .open(try GPUExecutor(device: selector, options: options))
            } catch let failure {
                $0 = .none(reason: "\(error), and could not be opened again: \(failure)")
            }
        }
    }
}
