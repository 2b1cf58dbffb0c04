import CSystem

/// A value that only one thread at a time can use.
///
/// A lock can be used in the child of a fork, whatever other threads did at that moment, because `fork` waits until no
/// thread is inside a lock. Therefore the work inside a lock must be short. It must not wait, except for another lock,
/// and must not call functions of the user. Swift's own `Mutex` does not work in a child: it stores the number of its
/// thread, and the child's thread has another number than the runtime remembers.
// SAFETY: the value is accessed only while the lock is held.
@safe public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: OpaquePointer
    private let value: UnsafeMutablePointer<Value>

    public init(_ value: consuming sending Value) {
        // A lock is a part of values whose initialisers do not throw, and takes less memory than they do.
        guard let lock = unsafe frost_lock_create() else { MissingMemory.end(bytes: 64) }
        unsafe self.lock = unsafe lock
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe frost_lock_destroy(lock)
    }

    /// Calls `body` with the value. Other threads wait meanwhile.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe frost_lock_acquire(lock)
        defer { unsafe frost_lock_release(lock) }
        return try unsafe body(&value.pointee)
    }

    /// Calls `body` with the value, at first and after each change, until it returns a result or the time is over.
    fileprivate borrowing func wait<Result: ~Copyable>(
        until end: ContinuousClock.Instant?, _ body: (inout Value) -> Result?
    ) -> Result? {
        unsafe frost_lock_acquire(lock)
        defer { unsafe frost_lock_release(lock) }
        while true {
            if let result = unsafe body(&value.pointee) { return result }
            guard let end else {
                unsafe frost_lock_wait(lock, -1)
                continue
            }
            let rest = end - ContinuousClock.now
            guard rest > .zero else { return nil }
            // The wait is limited to a day, so that the number of nanoseconds cannot overflow.
            unsafe frost_lock_wait(lock, Int64(min(rest, .seconds(86_400)) / .nanoseconds(1)))
        }
    }

    fileprivate borrowing func wake() { unsafe frost_lock_wake(lock) }
}

/// A value that only one thread at a time can use, and whose changes threads can wait for. What ``Lock`` states about
/// forks applies here, too; a thread that waits for a change is not inside the lock.
public final class Monitor<Value>: Sendable {
    private let value: Lock<Value>

    public init(_ value: sending Value) { self.value = Lock(value) }

    /// Reads or changes the value, and wakes all waiting threads.
    public func update<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            let result = body(&value)
            self.value.wake()
            return result
        }
    }

    /// Reads the value, or changes it in a way that no thread waits for.
    public func withLock<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result { value.withLock(body) }

    /// Waits until `body` returns a result. `body` is called at first and after each change.
    @discardableResult
    public func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        guard let result = value.wait(until: nil, body) else { preconditionFailure("a wait without a limit has ended") }
        return result
    }

    /// Waits until `body` returns a result. `body` is called at first and after each change.
    ///
    /// - Parameters:
    ///   - time: the maximum time to wait.
    ///   - body: the function that is called.
    /// - Returns: nil if the time is over.
    public func wait<Result>(for time: Duration, _ body: (inout Value) -> Result?) -> Result? {
        value.wait(until: ContinuousClock.now + time, body)
    }
}
