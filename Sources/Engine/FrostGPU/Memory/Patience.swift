import FrostCore
import FrostGLES

/// Limits how long an execution waits for the GPU. Each wait for a fence ends with an error after a number of seconds, or as
/// soon as the caller cancels.
struct Patience {
    private let clock = ContinuousClock()
    private let seconds: Double
    private let cancellation: Cancellation?

    /// The maximum wait between two checks for cancellation, in nanoseconds.
    private static let slice: UInt64 = 5_000_000

    init(seconds: Double, cancellation: Cancellation?) {
        self.seconds = seconds
        self.cancellation = cancellation
    }

    /// Whether the caller can cancel at all.
    var isCancellable: Bool { cancellation != nil }

    /// Throws ``GPUError/cancelled`` if the caller has cancelled. Call this function between pieces of work.
    func check() throws(GPUError) {
        if let cancellation, cancellation.isCancelled { throw .cancelled }
    }

    /// Waits until the GPU has finished all draws so far.
    func waitForDraws(in gl: borrowing CurrentContext) throws(GPUError) {
        try wait(for: rethrow(Fence(in: gl), as: GPUError.gl), in: gl)
    }

    func wait(for fence: borrowing Fence, in gl: borrowing CurrentContext) throws(GPUError) {
        let deadline = clock.now.advanced(by: .seconds(seconds))
        while true {
            try check()
            do throws(GLError) {
                if try fence.wait(nanoseconds: Self.slice, in: gl) { return }
            } catch {
                throw .gl(error)
            }
            if clock.now >= deadline { throw .gl(.timeout(what: "waiting for the GPU", seconds: seconds)) }
        }
    }
}

extension GPUOptions {
    /// The patience of an execution.
    func patience(_ cancellation: Cancellation?) -> Patience { Patience(seconds: timeout, cancellation: cancellation) }
}
