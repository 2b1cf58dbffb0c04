import Glibc

/// A damped spring of mass 1 that pulls a value to its target. Its motion is a closed form, so it can be sampled at any
/// time without the times before.
public struct Spring: Sendable, Hashable {
    /// The force per unit of distance, in 1/s².
    public let stiffness: Double
    /// The force per unit of speed, in 1/s. At twice the square root of the stiffness the spring does not overshoot.
    public let damping: Double

    /// The allowed stiffness, damping, duration and bounce.
    static let stiffnessRange = 0.01...100_000.0
    static let dampingRange = 0.01...10_000.0
    static let durationRange = 0.02...60.0
    static let bounceRange = -0.95...0.95

    /// Returns the remaining distance to the target after a time in seconds, as a fraction of the first distance. The value
    /// starts at rest.
    public func displacement(after time: Double) -> Double {
        guard time > 0 else { return 1 }
        let half = damping / 2
        let square = stiffness - half * half
        if abs(square) < 1e-9 * stiffness { return exp(-half * time) * (1 + half * time) }
        if square > 0 {
            let frequency = square.squareRoot()
            return exp(-half * time) * (cos(frequency * time) + half / frequency * sin(frequency * time))
        }
        let root = (-square).squareRoot()
        // The slow rate is written as a quotient, because the difference of two large numbers would lose digits.
        let (slow, fast) = (stiffness / (half + root), half + root)
        return (fast * exp(-slow * time) - slow * exp(-fast * time)) / (fast - slow)
    }

    /// The time in seconds after which the remaining distance stays below a millionth of the first distance, and counts
    /// as 0.
    public var settlingTime: Double {
        let half = damping / 2
        let square = stiffness - half * half
        let rate = square > 0 ? half : stiffness / (half + (-square).squareRoot())
        // The factor before the exponential is at most 1 + rate · time near critical damping, and ω / √square otherwise.
        // A quarter more time covers it.
        let factor = square > 0 ? max(1, (stiffness / square).squareRoot()) : 2
        return 1.25 * log(1e6 * min(factor, 1e3)) / rate
    }
}

extension Spring {
    /// Creates a spring from the period of its undamped oscillation in seconds, and from its bounce b, as SwiftUI does:
    ///
    ///     ω = 2π / duration
    ///     stiffness = ω²
    ///     damping = 2 ω (1 - b) if b >= 0, else 2 ω / (1 + b)
    ///
    /// With bounce 0 the spring is critically damped, which is the fastest way without overshoot. Positive numbers swing, and 1
    /// would never come to rest. Negative numbers are overdamped, and -1 would never move.
    public init(duration: Double, bounce: Double) {
        let frequency = 2 * Double.pi / duration
        let ratio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
        self.init(stiffness: frequency * frequency, damping: 2 * frequency * ratio)
    }
}
