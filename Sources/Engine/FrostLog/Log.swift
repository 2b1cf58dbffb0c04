import Glibc
import Synchronization

/// The importance of a log message. `error` is the most important level.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// - `error`: work failed, or the driver reports a serious error.
    /// - `warning`: Frost continues in another way than requested: the CPU replaces a GPU, a GPU is opened again, or a
    ///   stored program cannot be used.
    /// - `info`: what Frost has found and chosen once, such as the GPU that it opened.
    /// - `debug`: what Frost does for single images and programs, and all notes of the driver.
    case error, warning, info, debug

    public static func < (first: LogLevel, second: LogLevel) -> Bool { first.rawValue < second.rawValue }
}

/// The log of the process. A handler receives messages about the choice of backends, fallbacks and their reasons, messages
/// of GL drivers (KHR_debug), and faults of the program cache. Without a handler, which is the default, Frost writes
/// nothing.
///
/// Messages are meant for people: their wording may change with every version.
///
/// Thread safety: may be used from any thread.
public enum Log {
    /// A function that receives messages. Frost calls it from any thread, including threads of GL drivers, but never from
    /// two threads at the same time. A message is a single text without a line break at its end.
    ///
    /// The function should return quickly, because the thread that calls it waits for it. While it runs, messages of other
    /// threads are kept, and passed to it afterwards. It may call functions of Frost; what these calls would log on its own
    /// thread is dropped.
    public typealias Handler = @Sendable (_ level: LogLevel, _ message: String) -> Void

    private static let handler = Mutex<Handler?>(nil)
    /// The raw value of the least important level that the handler receives, or -1 without a handler.
    private static let threshold = Atomic<Int>(-1)
    /// The thread that runs the handler; 0 if none does.
    private static let runner = Atomic<UInt>(0)

    private struct WaitingMessages {
        var list: [(level: LogLevel, text: String)] = []
        /// The number of messages that found no room.
        var lost = 0
    }

    /// Messages that the handler has not received yet. A thread that logs must not wait for the handler: the handler may
    /// have called a function of Frost that waits for this thread.
    private static let waiting = Mutex(WaitingMessages())
    /// The maximum number of messages that are kept, and that one call passes to the handler.
    private static let limit = 256

    /// Sets the function that receives messages, in place of the earlier function. When this function returns, the earlier
    /// function is not running, and it is not called again.
    ///
    /// Contexts report messages of their driver only if they were created while a handler was set.
    ///
    /// - Parameters:
    ///   - level: the least important level to receive.
    ///   - handler: the function; nil for no log.
    /// - Returns: false if the call comes from a handler. Nothing has changed then.
    @discardableResult
    public static func setHandler(upTo level: LogLevel = .info, _ handler: Handler?) -> Bool {
        guard !isInHandler else { return false }
        Self.handler.withLock {
            $0 = handler
            threshold.store(handler == nil ? -1 : level.rawValue, ordering: .relaxed)
            waiting.withLock { $0 = WaitingMessages() }
        }
        return true
    }

    /// Whether the handler receives messages of a level.
    package static func receives(_ level: LogLevel) -> Bool { level.rawValue <= threshold.load(ordering: .relaxed) }

    /// Passes a message to the handler.
    ///
    /// - Parameter message: evaluated only if the handler receives the level.
    package static func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard receives(level), !isInHandler else { return }
        let text = message()
        waiting.withLock { waiting in
            if waiting.list.count < limit { waiting.list.append((level, text)) } else { waiting.lost += 1 }
        }
        // If another thread runs the handler, that thread passes the message on. It looks for messages once more after it has
        // released the handler, so that none stays.
        var count = 0
        while count < limit, waiting.withLock({ !$0.list.isEmpty }) {
            guard handler.withLockIfAvailable({ pass(to: $0, &count) }) != nil else { return }
        }
    }

    /// Passes the messages that wait to the handler.
    ///
    /// - Parameter count: the number of messages that this call has passed.
    private static func pass(to handler: Handler?, _ count: inout Int) {
        runner.store(UInt(pthread_self()), ordering: .relaxed)
        defer { runner.store(0, ordering: .relaxed) }
        while count < limit, let message = next() {
            count += 1
            if let handler, receives(message.level) { handler(message.level, message.text) }
        }
    }

    /// Removes the message that has waited longest.
    private static func next() -> (level: LogLevel, text: String)? {
        waiting.withLock { waiting in
            guard waiting.list.isEmpty else { return waiting.list.removeFirst() }
            defer { waiting.lost = 0 }
            return waiting.lost == 0
                ? nil : (.warning, "the log's function was too slow: \(waiting.lost) messages are missing")
        }
    }

    /// Whether the calling thread runs the handler. Other threads cannot store this thread's identity, so the answer cannot
    /// change meanwhile.
    private static var isInHandler: Bool { runner.load(ordering: .relaxed) == UInt(pthread_self()) }
}
