import Frost

/// The progress of work on several pictures or frames, for the status line.
enum Progress {
    /// The time between two changes of the status line.
    static let interval = Duration.milliseconds(100)

    /// Returns a text such as "[123/2000] 45.2 a second, 0:41 left".
    ///
    /// - Parameters:
    ///   - total: the number of all items; nil if it is not known.
    ///   - time: the time that the finished items took.
    static func text(_ done: Int, of total: Int?, after time: Duration) -> String {
        let rate = Double(done) / max(time.milliseconds / 1000, 1e-3)
        guard let total, total >= done else { return "[\(done)] \(fixed(rate, 1)) a second" }
        // A larger number might not fit in an Int.
        let left = Int(min((Double(total - done) / max(rate, 1e-9)).rounded(.up), 1e7))
        let seconds = left % 60
        return "[\(done)/\(total)] \(fixed(rate, 1)) a second, \(left / 60):\(seconds < 10 ? "0" : "")\(seconds) left"
    }
}
