import Glibc
import Synchronization

/// The progress line at the bottom of the terminal. It is removed while other output is printed. If standard error is
/// not a terminal, no line is shown.
///
/// Thread-safety: may be used from any thread.
package enum StatusLine {
    private static let text = Mutex("")
    private static let isShown = Atomic<Bool>(false)

    static let isPossible = isatty(2) == 1

    /// Shows a progress line in place of the previous one.
    package static func show(_ line: String) {
        guard isPossible else { return }
        text.withLock { text in
            text = line
            isShown.store(!line.isEmpty, ordering: .relaxed)
            write("\r\u{1B}[K" + line)
        }
    }

    /// Removes the progress line, calls `body`, which may print, and shows the line again.
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

    /// Clears the progress line before the program ends. This function is async-signal-safe.
    static func erase() {
        guard isShown.load(ordering: .relaxed) else { return }
        let erasure: StaticString = "\r\u{1B}[K"
        // SAFETY: the bytes of a static string exist until the program ends.
        _ = unsafe systemWrite(2, erasure.utf8Start, erasure.utf8CodeUnitCount)
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // SAFETY: the pointer is used only during the call. A failed write does no harm.
        _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(2, $0.baseAddress, $0.count) }
    }
}

/// Calls write(2). The separate name is necessary because methods called `write` would hide the function.
@unsafe private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
