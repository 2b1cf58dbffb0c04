import FrostCLI

/// The progress line of a benchmark. If standard error is not a terminal, no line is shown.
struct Progress {
    private let isShown: Bool
    private let total: Int
    private var done = 0

    init(total: Int, quiet: Bool) {
        self.total = total
        isShown = !quiet
    }

    /// Shows the next step in the progress line.
    mutating func begin(_ what: String) {
        done += 1
        if isShown { StatusLine.show("[\(done)/\(total)] \(what) …") }
    }

    /// Removes the progress line before other output.
    func clear() { StatusLine.clear() }
}
