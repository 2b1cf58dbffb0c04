package import FrostCore

/// The times at which the frames of an animation are rendered, and their rate.
package struct FrameTimes: Sendable, Hashable {
    /// The number of frames per second.
    package let rate: FrameRate
    /// The time of each frame. There is at least one frame.
    package let values: [Double]

    /// The maximum number of frames of an animation: more than four hours at 60 frames per second.
    package static let maximumCount = 1_000_000

    /// Creates the time of a single frame.
    package init(_ time: Double, rate: FrameRate) { (self.rate, values) = (rate, [time]) }

    /// Creates the times of an animation of `duration` seconds as the share that has passed: 0 for the first frame and 1
    /// for the last. A single frame is at 0.
    ///
    /// - Throws: ``FrameTimesError/tooMany(_:)``, and ``FrameTimesError/tooShort(_:)`` if the duration is shorter than
    ///   half a frame.
    package init(sharesOf duration: Double, rate: FrameRate) throws(FrameTimesError) {
        let count = try Self.count(duration, rate)
        guard count > 0 else { throw .tooShort(rate) }
        self.rate = rate
        values = count == 1 ? [0] : (0..<count).map { Double($0) / Double(count - 1) }
    }

    /// Creates the times of an animation of `duration` seconds in seconds. There is at least one frame.
    ///
    /// - Throws: ``FrameTimesError/tooMany(_:)``.
    package init(secondsOf duration: Double, rate: FrameRate) throws(FrameTimesError) {
        self.rate = rate
        // Number and rate are whole numbers, so the quotient is the double that is closest to the exact time.
        values = (0..<max(1, try Self.count(duration, rate))).map {
            Double($0 * rate.denominator) / Double(rate.numerator)
        }
    }

    /// Returns the number of frames: duration * rate, rounded to the nearest whole number.
    private static func count(_ duration: Double, _ rate: FrameRate) throws(FrameTimesError) -> Int {
        guard let count = rate.frames(in: duration), count <= maximumCount else { throw .tooMany(rate) }
        return count
    }
}

/// A duration that has no valid number of frames at a rate.
package enum FrameTimesError: Error, Hashable, CustomStringConvertible {
    case tooMany(FrameRate)
    case tooShort(FrameRate)

    package var description: String {
        switch self {
        case .tooMany(let rate):
            let seconds = (Double(FrameTimes.maximumCount) / rate.framesPerSecond).rounded(.down)
            return "too many frames at \(rate) frames per second (allowed: up to \(FrameTimes.maximumCount) frames, or "
                + "\(numberText(seconds)) seconds)"
        case .tooShort(let rate):
            return "shorter than a frame at \(rate) frames per second; use at least "
                + "\(numberText(1 / rate.framesPerSecond, decimals: 4)) seconds"
        }
    }
}
