import FrostThreads

/// The lengths of recent results by their entity tags. A response "not modified" may only have the length of the whole result.
///
/// Thread-safety: may be used from any thread.
final class KnownLengths: Sendable {
    /// The number of results after which the older ones are forgotten.
    private static let period = 4096
    private let lengths = Lock<(recent: [String: Int], older: [String: Int])>(([:], [:]))

    subscript(tag: String) -> Int? { lengths.withLock { $0.recent[tag] ?? $0.older[tag] } }

    func add(_ tag: String, _ length: Int) {
        lengths.withLock { lengths in
            if lengths.recent.count >= Self.period { lengths = ([:], lengths.recent) }
            lengths.recent[tag] = length
        }
    }
}
