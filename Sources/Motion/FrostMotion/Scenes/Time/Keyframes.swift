import FrostCore

/// A value that can be mixed with another of its kind.
public protocol Interpolable: Sendable, Hashable {
    /// The neutral value of addition.
    static var zero: Self { get }
    /// Returns the sum of two values.
    static func + (a: Self, b: Self) -> Self
    /// Returns the difference of two values.
    static func - (a: Self, b: Self) -> Self
    /// Returns the value times a factor.
    static func * (a: Self, factor: Double) -> Self
}

extension Double: Interpolable {}
extension SIMD2<Double>: Interpolable {}

/// A value that changes over time, given by keyframes.
///
/// Before the first keyframe the value is the first keyframe's, and after the last keyframe the last one's.
public struct Keyframes<Value: Interpolable>: Sendable, Hashable {
    /// The times of the keyframes in seconds, in increasing order.
    public let times: [Double]
    /// The value of each keyframe.
    public let values: [Value]
    /// How the value goes from each keyframe to the next. The last keyframe's curve has no effect.
    public let curves: [TimingCurve]
    /// The longest settling time of the springs; 0 without springs.
    private let settlingTime: Double

    /// Creates a constant value.
    public init(_ value: Value) { self.init(times: [0], values: [value], curves: [.linear]) }

    /// - Parameters:
    ///   - times: increasing times, at least one.
    ///   - values: as many values as times.
    ///   - curves: as many curves as times.
    init(times: [Double], values: [Value], curves: [TimingCurve]) {
        (self.times, self.values, self.curves) = (times, values, curves)
        settlingTime = curves.dropLast().reduce(0) { longest, curve in
            switch curve {
            case .spring(let spring): max(longest, spring.settlingTime)
            case .linear, .hold, .bezier: longest
            }
        }
    }

    /// Whether the value never changes.
    public var isConstant: Bool { times.count == 1 }

    /// Returns the value at a time in seconds.
    ///
    /// - Complexity: O(log n) for n keyframes, and O(1) for each spring that is still moving.
    public func value(at time: Double) -> Value {
        // The last keyframe at or before the time.
        let index = times.partitionPoint { $0 > time } - 1
        guard index >= 0 else { return values[0] }
        var value = values[index]
        if index + 1 < times.count {
            let next = values[index + 1]
            func mix(_ share: Double) -> Value { value + (next - value) * share }
            let share = (time - times[index]) / (times[index + 1] - times[index])
            switch curves[index] {
            case .linear: value = mix(share)
            case .hold: break
            case .bezier(let curve): value = mix(curve.y(at: share))
            case .spring: value = next
            }
        }
        // The remaining motion of springs, from the latest to the earliest that may still move.
        var earlier = min(index, times.count - 2)
        while settlingTime > 0, earlier >= 0, time - times[earlier] < settlingTime {
            if case .spring(let spring) = curves[earlier], time - times[earlier] < spring.settlingTime {
                let distance = values[earlier] - values[earlier + 1]
                value = value + distance * spring.displacement(after: time - times[earlier])
            }
            earlier -= 1
        }
        return value
    }
}
