/// The time that a program may spend on opening a GPU and on trying backends: about as much as the rest of its blurs take.
struct ChoiceBudget: Sendable {
    /// The seconds that opening a GPU usually takes, with compiling its first programs.
    static let opening = 0.3

    /// The seconds that an open GPU might have saved so far.
    private(set) var missed = 0.0
    /// The seconds of all blurs, and those that trials have lost.
    private var total = 0.0
    private var lost = 0.0

    /// Whether a backend may be tried that may be slower.
    var mayTry: Bool { 2 * lost <= total }

    /// Whether a GPU is worth opening before a blur: with this blur, it might have saved more time than opening it takes.
    func mayOpen(_ times: BlurTimes, pixels: Double) -> Bool {
        let rate = times.cpu.best.isFinite ? times.cpu.best : 0
        return missed + times.saving(rate) * pixels > Self.opening
    }

    /// Adds a blur.
    ///
    /// - Parameters:
    ///   - times: the times of its class before this blur.
    ///   - isOpen: whether a GPU is open.
    mutating func add(_ seconds: Double, on backend: Backend, _ times: BlurTimes, pixels: Double, isOpen: Bool) {
        guard seconds.isFinite else { return }
        total += seconds
        let (own, other) = times[backend]
        if !own.isKnown(against: other), other.best.isFinite { lost += max(0, seconds - other.best * pixels) }
        if !isOpen { missed += times.saving(seconds / pixels) * pixels }
    }
}
