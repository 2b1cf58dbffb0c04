import FrostCPU
import FrostGLES
import FrostGPU
import FrostLog
import FrostThreads

/// Holds a renderer's GPU, or the reason why the renderer has no GPU.
///
/// Thread safety: may be used from any thread.
final class GPUSlot: Sendable {
    private enum Status {
        /// No GPU was opened or tried yet.
        case closed
        case open(GPUExecutor)
        /// The GPU has lost its context, and a thread opens the GPU again.
        case reopening
        case none(reason: String)
    }

    private let status: Monitor<Status>
    private let selector: DeviceSelector
    private let options: GPUOptions
    /// The CPU backend that checks the results of a newly opened GPU; nil if the slot never opens a GPU.
    private let cpu: CPUExecutor?

    /// Creates a slot for a renderer that uses no GPU, or that cannot have a GPU.
    init(reason: String) {
        status = Monitor(.none(reason: reason))
        selector = .any
        options = GPUOptions()
        cpu = nil
    }

    /// Creates a slot and opens its GPU immediately. If no GPU can be opened, throws the reason.
    init(demanding selector: DeviceSelector, options: GPUOptions, checkedBy cpu: CPUExecutor) throws(FrostError) {
        self.selector = selector
        self.options = options
        self.cpu = cpu
        let opened = Self.opened(selector, options, cpu)
        if case .none(let reason) = opened {
            throw EGLLibrary.isForked ? .forked : .deviceUnavailable(reason: reason)
        }
        status = Monitor(opened)
    }

    /// Creates a slot that opens its GPU later, in ``open()``.
    init(closed selector: DeviceSelector, options: GPUOptions, checkedBy cpu: CPUExecutor) {
        self.selector = selector
        self.options = options
        self.cpu = cpu
        status = Monitor(.closed)
    }

    /// Opens a GPU, and compares its results with the CPU's results. If the context is lost meanwhile, opens the GPU
    /// again, but only once.
    private static func opened(
        _ selector: DeviceSelector, _ options: GPUOptions, _ cpu: CPUExecutor?, attempts: Int = 1
    ) -> Status {
        do throws(GPUError) {
            let executor = try GPUExecutor(device: selector, options: options)
            if let cpu, let fault = try StartUpCheck.fault(of: executor, cpu) {
                if options.shaders == nil, executor.usesComputeShaders {
                    Log.write(.warning, "\(executor.device.renderer): compute shaders are not used: \(fault)")
                    var fragments = options
                    fragments.shaders = .fragment
                    return opened(selector, fragments, cpu, attempts: attempts)
                }
                Log.write(.warning, "\(executor.device.renderer) is not used: \(fault)")
                return .none(reason: fault)
            }
            Log.write(.info, "opened a GPU: \(executor.device)")
            return .open(executor)
        } catch {
            if Recovery(from: error, demanded: true, attempts: attempts) == .reopen {
                Log.write(.warning, "the GPU is opened again: \(error)")
                return opened(selector, options, cpu, attempts: attempts + 1)
            }
            Log.write(.info, "no GPU: \(error)")
            return .none(reason: error.description)
        }
    }

    /// The maximum number of images in progress on the GPU.
    var maximumInFlight: Int { options.maximumInFlight }

    /// Whether the slot can have no GPU because a parent of this process has used one.
    var isForked: Bool { cpu != nil && EGLLibrary.isForked }

    /// The status, after waiting for a GPU that is being opened again.
    private var settled: Status {
        status.wait { status in
            switch status {
            case .closed, .open, .none: status
            case .reopening: nil
            }
        }
    }

    /// The open GPU; nil if no GPU is open.
    var executor: GPUExecutor? {
        if isForked { return nil }
        return if case .open(let executor) = settled { executor } else { nil }
    }

    /// The reason why there is no GPU; nil if a GPU is open, or if Frost has not tried to open a GPU yet.
    var reasonForCPU: String? {
        if isForked { return GLError.forked.description }
        return if case .none(let reason) = settled { reason } else { nil }
    }

    /// Opens the GPU, unless an earlier call tried to open it. Takes at least 50 ms.
    func open() {
        // The lock is not held while the GPU opens, so that other threads continue with the CPU.
        guard status.withLock({ if case .closed = $0 { true } else { false } }) else { return }
        let opened = Self.opened(selector, options, cpu)
        status.update { if case .closed = $0 { $0 = opened } }
    }

    /// Gives up a GPU that blocks. From now on, the slot has no GPU.
    func close(_ failed: GPUExecutor, reason: String) {
        status.withLock {
            guard case .open(let executor) = $0, executor === failed else { return }
            $0 = .none(reason: reason)
        }
    }

    /// Replaces a GPU that lost its context. If no GPU can be opened again, the slot has no GPU, and keeps the reason.
    /// While a call of the driver blocks, the slot keeps the failed GPU, so that a later call replaces it.
    func reopen(_ failed: GPUExecutor, after error: GPUError) {
        // Other threads wait for the result, but the lock is not held meanwhile.
        let isFirst = status.update { status in
            guard case .open(let executor) = status, executor === failed else { return false }
            do throws(GLError) { try executor.checkDriver() } catch {
                Log.write(.warning, "\(executor.device.renderer) cannot be opened again yet: \(error)")
                return false
            }
            status = .reopening
            return true
        }
        guard isFirst else { return }
        Log.write(.warning, "\(failed.device.renderer) is opened again: \(error)")
        failed.shutdown()
        var opened = Self.opened(selector, options, cpu)
        if case .none(let reason) = opened {
            opened = .none(reason: "\(error); the GPU could not be reopened: \(reason)")
        }
        status.update { $0 = opened }
    }
}
