#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A line on the terminal that says what is being done. Where standard error is no terminal there is none.
struct Progress {
    private let isShown: Bool
    private let total: Int
    private var done = 0

    init(total: Int, quiet: Bool) {
        self.total = total
        isShown = !quiet && isatty(2) == 1
    }

    /// Something begins.
    mutating func begin(_ what: String) {
        done += 1
        show("\r\u{1B}[K[\(done)/\(total)] \(what) …")
    }

    /// Makes room for other output.
    func clear() { show("\r\u{1B}[K") }

    private func show(_ text: String) {
        guard isShown else { return }
        let bytes = Array(text.utf8)
        // SAFETY: the pointer is used during the call only. A line that does not arrive is no loss.
        _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(2, $0.baseAddress, $0.count) }
    }
}
