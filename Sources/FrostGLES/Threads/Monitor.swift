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
        // SAFETY: the memory is new, and initialising with default attributes does not fail on Linux.
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
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
}
