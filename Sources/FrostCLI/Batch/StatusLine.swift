import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The last line of the terminal, which says what is being done and makes room for all other output. Where standard error is
/// no terminal there is none.
///
/// Thread-safety: may be used from any thread.
package enum StatusLine {
    private static let text = Mutex("")
    private static let isShown = Atomic<Bool>(false)

    static let isPossible = isatty(2) == 1

    /// Shows a line in place of the last.
    package static func show(_ line: String) {
        guard isPossible else { return }
        text.withLock { text in
            text = line
            isShown.store(!line.isEmpty, ordering: .relaxed)
            write("\r\u{1B}[K" + line)
        }
    }

    /// Prints something where the line is, which is shown again behind it.
    static func making<Result>(room body: () -> Result) -> Result {
        guard isPossible else { return body() }
        return text.withLock { text in
            guard !text.isEmpty else { return body() }
            write("\r\u{1B}[K")
            defer { write(text) }
            return body()
        }
    }

    package static func clear() { show("") }

    /// Clears it for a program that ends. Async-signal-safe.
    static func erase() {
        guard isShown.load(ordering: .relaxed) else { return }
        let erasure: StaticString = "\r\u{1B}[K"
        // SAFETY: a static string's bytes are always there.
        _ = unsafe systemWrite(2, erasure.utf8Start, erasure.utf8CodeUnitCount)
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // SAFETY: the pointer is used during the call only. A line that does not arrive is no loss.
        _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(2, $0.baseAddress, $0.count) }
    }
}
