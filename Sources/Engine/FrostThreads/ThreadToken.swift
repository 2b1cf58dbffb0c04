import Glibc

/// Identifies the calling thread.
///
/// pthread_self is not suitable. It is declared const, so the optimiser may reuse an old result after a task has
/// continued on another thread.
public enum ThreadToken {
    /// A number that no other running thread has, and that is not 0.
    public static var current: UInt {
        guard let key else { return UInt(pthread_self()) }
        if let token = unsafe pthread_getspecific(key) { return UInt(bitPattern: token) }
        let token = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        // SAFETY: the key exists. The memory, whose address is the token, is freed when the thread ends.
        guard unsafe pthread_setspecific(key, token) == 0 else {
            unsafe token.deallocate()
            return UInt(pthread_self())
        }
        return UInt(bitPattern: token)
    }

    /// The key of the thread's token; nil if the process has no more keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        // SAFETY: the destructor gets the memory that `current` allocated.
        let status = unsafe pthread_key_create(&key) { token in unsafe token?.deallocate() }
        return status == 0 ? key : nil
    }()
}
