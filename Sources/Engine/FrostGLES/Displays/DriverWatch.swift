import CDriverWatch
import FrostThreads
import Synchronization

/// Watches the driver calls of one thread, so that other threads notice a call that does not return.
///
/// Thread-safety: may be used from any thread, except for ``begin()``.
// SAFETY: the C functions are atomic, and the pointer is constant.
@safe final class DriverWatch: @unchecked Sendable {
    private let raw: OpaquePointer
    private let blockedCall = Mutex<BlockedCall?>(nil)

    init() throws(GLError) {
        guard let raw = unsafe frost_watch_create() else {
            throw .outOfMemory(GLEvidence(call: "the watch of a thread"))
        }
        unsafe self.raw = unsafe raw
    }

    // SAFETY: the watched thread holds a reference until it ends, so it makes no more calls. An abandoned thread never
    // ends.
    deinit { unsafe frost_watch_free(raw) }

    /// Watches the calling thread from now on.
    func begin() { unsafe frost_watch_begin(raw) }

    /// Lets only one of the threads that called this function be inside a driver call at a time. Call it on the watched
    /// thread.
    func takeTurns() { unsafe frost_watch_take_turns(raw) }

    /// Returns a function that calls the driver's function of a name, and that only the watched thread may call.
    func wrapper(_ name: String, _ function: @convention(c) () -> Void) -> @convention(c) () -> Void {
        // SAFETY: wrapper and function have the type that driver-calls.h declares for the name.
        guard
            let wrapper = unsafe frost_watch_function(
                raw, name, unsafeBitCast(function, to: UnsafeMutableRawPointer.self))
        else { preconditionFailure("\(name) is missing in driver-calls.h") }
        return unsafe unsafeBitCast(wrapper, to: (@convention(c) () -> Void).self)
    }

    /// The call during which the thread was abandoned; nil if it was not.
    var blocked: BlockedCall? { blockedCall.withLock { $0 } }

    /// Whether the call during which the thread was abandoned has returned.
    var hasReturned: Bool { unsafe frost_watch_has_returned(raw) }

    /// Waits for a change of a monitor that the watched thread makes. If the thread stays inside one driver call for too
    /// long, abandons the thread: it never returns from the call.
    ///
    /// - Parameters:
    ///   - monitor: the monitor.
    ///   - library: the library whose functions the thread calls.
    ///   - seconds: the maximum duration of a call.
    ///   - body: returns the result, or nil to wait on. It is called at first and after each change.
    ///   - whenAbandoned: called if this call has abandoned the thread.
    /// - Returns: the result of `body`, or the error of the call in which the thread was abandoned.
    func wait<Value, Found>(
        for monitor: Monitor<Value>, in library: EGLLibrary, seconds: Double, _ body: (inout Value) -> Found?,
        whenAbandoned: () -> Void = {}
    ) -> Result<Found, GLError> {
        let clock = ContinuousClock()
        let interval = min(0.25, seconds / 8)
        var (mark, since) = (UInt64(0), clock.now)
        while true {
            if let found = monitor.wait(for: .seconds(interval), body) { return .success(found) }
            if let blocked { return .failure(blocked.error) }
            let (seen, now) = (unsafe frost_watch_mark(raw), clock.now)
            if seen != mark || seen % 2 == 0 {
                (mark, since) = (seen, now)
                continue
            }
            guard now - since >= .seconds(seconds), let blocked = abandon(mark, seconds) else { continue }
            library.add(self)
            whenAbandoned()
            return .failure(blocked.error)
        }
    }

    /// Abandons the thread if its mark is still the given one. Returns nil if another thread has done so, or if the call
    /// has returned.
    private func abandon(_ mark: UInt64, _ seconds: Double) -> BlockedCall? {
        blockedCall.withLock { blocked in
            // SAFETY: the names of calls are constants.
            guard let call = unsafe frost_watch_call(raw), unsafe frost_watch_abandon(raw, mark) else { return nil }
            blocked = unsafe BlockedCall(call: String(cString: call), seconds: seconds)
            return blocked
        }
    }
}

/// A driver call that has not returned in time.
struct BlockedCall: Sendable {
    let call: String
    /// The time after which the thread was abandoned, in seconds.
    let seconds: Double

    var error: GLError { .driverBlocked(call: call, seconds: seconds) }
}
