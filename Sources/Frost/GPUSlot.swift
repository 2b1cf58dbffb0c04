import FrostGLES
import FrostGPU
import Synchronization

/// The GPU of a renderer, or why it has none.
///
/// Thread safety: may be used from any thread.
final class GPUSlot: Sendable {
    private enum State {
        case open(GPUExecutor)
        case none(reason: String)
    }

    private let state: Mutex<State>
    private let selector: DeviceSelector
    private let options: GPUOptions

    /// No GPU wanted.
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

    /// The first hardware GPU, if there is one.
    init(ifHardware options: GPUOptions) {
        selector = .anyHardware
        self.options = options
        guard HardwareProbe.mayHaveGPU else {
            state = Mutex(.none(reason: "no hardware GPU: no GPU device in /dev"))
            return
        }
        do throws(GPUError) {
            state = Mutex(.open(try GPUExecutor(device: .anyHardware, options: options)))
        } catch {
            state = Mutex(.none(reason: error.description))
        }
    }

    var executor: GPUExecutor? {
        state.withLock { if case .open(let executor) = $0 { executor } else { nil } }
    }

    var reasonForCPU: String? {
        state.withLock { if case .none(let reason) = $0 { reason } else { nil } }
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
