import FrostCLI

/// The progress line. If standard error is not a terminal, nothing is shown.
struct Progress {
    private let isShown: Bool
    private let total: Int
    private var done = 0

    init(total: Int, quiet: Bool) {
        self.total = total
        isShown = !quiet
    }

    /// Shows the next step.
    mutating func begin(_ what: String) {
        done += 1
        if isShown { StatusLine.show("[\(done)/\(total)] \(what) …") }
    }

    /// Makes room for other output.
    func clear() { StatusLine.clear() }
}
