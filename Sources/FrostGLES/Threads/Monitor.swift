import Glibc

/// A value protected by a lock. Threads can wait for its changes.
// SAFETY: the value is only accessed while the mutex is held.
@safe final class Monitor<Value>: @unchecked Sendable {
    // The mutex and the condition are on the heap, because a pthread object must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        // SAFETY: the memory is new, and initialising with these attributes does not fail on Linux.
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        // SAFETY: no thread waits, because a waiting thread would hold a reference to this object.
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value, and wakes all waiting threads.
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        // SAFETY: the mutex is initialised. This thread does not hold it, because `body` never calls back.
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until `body` returns a result. `body` is called at first and after each change.
    func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        // SAFETY: the mutex is initialised, and this thread does not hold it. Before pthread_cond_wait returns, it locks the
        // mutex again.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            unsafe pthread_cond_wait(changed, mutex)
        }
    }

    /// Waits like ``wait(_:)``, but at most for a number of seconds. Returns nil if the time is over.
    func wait<Result>(seconds: Double, _ body: (inout Value) -> Result?) -> Result? {
        var deadline = timespec()
        // SAFETY: the clock writes to local storage. The mutex is used as in `wait(_:)`.
        unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = deadline.tv_nsec + Int(seconds * 1e9)
        deadline.tv_sec += nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if unsafe pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return body(&value) }
        }
    }
}
