/// A line on the terminal that says what is being done. Where standard error is no terminal there is none.
struct Progress {
    private let isShown: Bool
    private let total: Int
    private var done = 0

    init(total: Int, quiet: Bool) {
        self.total = total
        isShown = !quiet
    }

    /// Something begins.
    mutating func begin(_ what: String) {
        done += 1
        if isShown { StatusLine.show("[\(done)/\(total)] \(what) …") }
    }

    /// Makes room for other output.
    func clear() { StatusLine.clear() }
}
