/// The rights that a process which decodes or encodes a picture gives up.
package enum Isolation: UInt8, Sendable, Hashable {
    /// None. Its memory and its time are limited.
    case none
    /// All that the kernel lets it give up.
    case possible
    /// All. If the kernel lacks something, it does not begin.
    case full
}

/// Takes rights away from a process. It gets the memory in bytes and the processor time in seconds that the process may use, and
/// returns the reason if it fails.
package typealias Isolate = (_ memory: UInt64, _ seconds: UInt64, Isolation) -> String?
