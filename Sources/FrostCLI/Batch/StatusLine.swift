import Glibc
import Synchronization

/// The progress line at the bottom of the terminal. It is removed while other output is printed. If standard error is
/// not a terminal, nothing is shown.
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

    /// Prints something in place of the line and then shows the line again.
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

    /// Clears the line before the program ends. Async-signal-safe.
    static func erase() {
        guard isShown.load(ordering: .relaxed) else { return }
        let erasure: StaticString = "\r\u{1B}[K"
        // SAFETY: a static string's bytes are always there.
        _ = unsafe systemWrite(2, erasure.utf8Start, erasure.utf8CodeUnitCount)
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // SAFETY: the pointer is used during the call only. A failed write does no harm.
        _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(2, $0.baseAddress, $0.count) }
    }
}

/// write(2), under a name that does not hide methods called `write`.
@unsafe private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
