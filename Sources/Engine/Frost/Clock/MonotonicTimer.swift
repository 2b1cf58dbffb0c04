import FrostCore
import Glibc

/// A timer of the kernel (timerfd) on CLOCK_MONOTONIC. Its file descriptor is readable once the timer has expired.
///
/// Thread safety: may be used from any thread.
// SAFETY: the descriptor is closed only when the timer is destroyed, and the kernel synchronises its calls.
@safe final class MonotonicTimer: @unchecked Sendable {
    let descriptor: Int32
    private let functions: TimerFunctions

    /// Creates a timer that is not set.
    ///
    /// - Throws: ``DisplayLinkError/systemCallFailed(call:code:)``.
    init() throws(DisplayLinkError) {
        guard let functions = TimerFunctions.shared else {
            throw .systemCallFailed(call: "timerfd_create", code: ENOSYS)
        }
        // <sys/timerfd.h> defines TFD_CLOEXEC and TFD_NONBLOCK as these values.
        descriptor = functions.create(CLOCK_MONOTONIC, O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .systemCallFailed(call: "timerfd_create", code: errno) }
        self.functions = functions
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
        // <sys/timerfd.h> defines TFD_TIMER_ABSTIME as 1.
        // SAFETY: the structure is a local variable, and the old setting is not requested.
        guard unsafe functions.set(descriptor, 1, &setting, nil) == 0 else {
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

/// The functions of <sys/timerfd.h>, which Swift's Glibc module does not declare.
// SAFETY: the functions are those of the C library, which stays open.
@safe private struct TimerFunctions: @unchecked Sendable {
    let create: @convention(c) (Int32, Int32) -> Int32
    let set: @convention(c) (Int32, Int32, UnsafePointer<itimerspec>, UnsafeMutablePointer<itimerspec>?) -> Int32

    /// The functions; nil if the C library does not have them.
    static let shared: TimerFunctions? = {
        guard let library = try? SharedLibrary("libc.so.6"),
            let create = unsafe library.address(of: "timerfd_create"),
            let set = unsafe library.address(of: "timerfd_settime")
        else { return nil }
        // SAFETY: the types are those of the declarations in <sys/timerfd.h>.
        return unsafe TimerFunctions(
            create: unsafeBitCast(create, to: (@convention(c) (Int32, Int32) -> Int32).self),
            set: unsafeBitCast(
                set,
                to: (@convention(c) (
                    Int32, Int32, UnsafePointer<itimerspec>, UnsafeMutablePointer<itimerspec>?
                ) -> Int32).self))
    }()
}
