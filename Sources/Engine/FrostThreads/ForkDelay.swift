import CSystem

/// Calls `body`. A fork in another thread waits until `body` has returned, for up to a second, and a call that begins
/// during such a fork waits for the fork.
///
/// The Swift runtime has locks of its own, which it holds while code runs for the first time: it makes the metadata of a
/// type, or initialises a global variable. If a process forked at that moment, its child would wait for the lock for ever.
/// Everything that threads do for a client of the C interface is therefore done inside this function, except waiting:
/// `body` must not wait for the work of another caller of this function, and should not call functions of the user.
public func delayingForks<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
{
    frost_call_begin()
    defer { frost_call_end() }
    return try body()
}
