import CFiles
import FrostCore
import FrostThreads
import Glibc

/// A timer of the kernel (timerfd) on CLOCK_MONOTONIC. Its file descriptor is readable once the timer has expired.
///
/// The child of a fork has a descriptor of the same timer, and must not change it: see ``isOwn``.
///
/// Thread safety: may be used from any thread.
// SAFETY: the descriptor is closed only when the timer is destroyed, and the kernel synchronises its calls.
@safe final class MonotonicTimer: @unchecked Sendable {
    let descriptor: Int32
    private let generation = ForkGeneration.current

    /// Whether this process made the timer, and not a parent of it.
    var isOwn: Bool { generation.isCurrent }

    /// Creates a timer that is not set.
    ///
    /// - Throws: ``DisplayLinkError/systemCallFailed(call:code:)``.
    init() throws(DisplayLinkError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else { throw .systemCallFailed(call: "timerfd_create", code: errno) }
    }

    deinit { close(descriptor) }

    /// The current time of CLOCK_MONOTONIC, in nanoseconds.
    static var now: Int {
        var time = timespec()
        // SAFETY: the structure is a local variable. The call does not fail for this clock.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * FrameTime.nanosecondsPerSecond + time.tv_nsec
    }

    /// Sets the timer to expire at a time, once. If the time has passed, the timer expires immediately.
    ///
    /// - Parameter nanoseconds: the time of CLOCK_MONOTONIC. Nil switches the timer off.
    /// - Throws: ``DisplayLinkError/systemCallFailed(call:code:)``.
    func set(_ nanoseconds: Int?) throws(DisplayLinkError) {
        // A time of 0 would switch the timer off.
        let time = nanoseconds.map { max($0, 1) } ?? 0
        var setting = itimerspec()
        setting.it_value = timespec(
            tv_sec: time / FrameTime.nanosecondsPerSecond, tv_nsec: time % FrameTime.nanosecondsPerSecond)
        // SAFETY: the structure is a local variable, and the old setting is not requested.
        guard unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            throw .systemCallFailed(call: "timerfd_settime", code: errno)
        }
    }

    /// Waits until the timer expires. Times at which the timer was switched off or set again are waited for, too.
    ///
    /// - Throws: ``DisplayLinkError/systemCallFailed(call:code:)``.
    func wait() throws(DisplayLinkError) {
        var count = [UInt8](repeating: 0, count: MemoryLayout<UInt64>.size)
        switch Descriptor.read(descriptor, into: &count) {
        case .success: return
        case .failure(let error): throw .systemCallFailed(call: "read of a timerfd", code: error.code)
        }
    }

    /// Makes the descriptor not readable until the timer expires again. Does not wait.
    func acknowledge() {
        var count: UInt64 = 0
        // SAFETY: the buffer is a local variable of the given size. The call fails if the timer has not expired, and
        // then nothing has to be done.
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
