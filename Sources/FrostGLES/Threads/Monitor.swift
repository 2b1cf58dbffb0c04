import Glibc

/// A value behind a lock whose changes can be waited for.
// SAFETY: the value is only touched with the mutex held.
@safe final class Monitor<Value>: @unchecked Sendable {
    // On the heap: a pthread object must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        // SAFETY: fresh memory; initialising with default attributes does not fail on Linux.
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        // SAFETY: nobody waits: a waiter would hold a reference.
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value, and wakes those who wait.
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        // SAFETY: the mutex is initialised, and not held by this thread: `body` never calls back.
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until `body`, called after each change, has an answer.
    func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        // SAFETY: as above; pthread_cond_wait gives the mutex back to this thread.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            unsafe pthread_cond_wait(changed, mutex)
        }
    }
}
