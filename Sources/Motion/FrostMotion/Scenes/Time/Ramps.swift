import FrostCore

/// A value that rests, except while it goes to a new target. A new ramp may begin before the last one has ended: it starts
/// from the value reached.
struct Ramps: Sendable, Hashable {
    private let initial: Double
    private var starts: [Double] = []
    private var ramps: [Keyframes<Double>] = []

    init(_ initial: Double) { self.initial = initial }

    /// Adds a ramp that begins after all ramps so far.
    mutating func add(at start: Double, to target: Double, duration: Double, _ curve: TimingCurve) {
        let from = value(at: start)
        starts.append(start)
        ramps.append(
            duration > 0
                ? Keyframes(times: [start, start + duration], values: [from, target], curves: [curve, curve])
                : Keyframes(target))
    }

    func value(at time: Double) -> Double {
        let next = starts.partitionPoint { $0 > time }
        return next > 0 ? ramps[next - 1].value(at: time) : initial
    }
}
