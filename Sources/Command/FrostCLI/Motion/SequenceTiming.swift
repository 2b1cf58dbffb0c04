package import Frost

/// The rate and the number of an animation's frames, as `--fps` and `--duration` describe them.
package struct SequenceTiming: Sendable, Hashable {
    /// The number of frames per second.
    package let rate: FrameRate
    /// The number of frames: duration * rate, rounded to the nearest whole number.
    package let frames: Int

    /// The maximum number of frames of an animation: more than four hours at 60 frames per second.
    package static let maximumFrames = 1_000_000

    /// Reads `--fps` and `--duration`.
    ///
    /// - Throws: the errors of ``rate(_:)`` and ``init(duration:rate:)``, and ``CommandError/usage(_:)`` if
    ///   `--duration` is missing.
    package init(_ arguments: Arguments) throws(CommandError) {
        let duration = try arguments.required(.duration, as: Double.self)
        try self.init(duration: duration, rate: try Self.rate(arguments))
    }

    /// Creates the timing of an animation of `duration` seconds.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if the duration is shorter than half a frame, or if there would be more
    ///   than ``maximumFrames`` frames.
    package init(duration: Double, rate: FrameRate) throws(CommandError) {
        let frames = rate.frames(in: duration)
        guard let frames, frames <= Self.maximumFrames else {
            let most = numberText((Double(Self.maximumFrames) / rate.framesPerSecond).rounded(.down))
            throw .usage(
                "--duration \(numberText(duration)): too many frames at \(rate) frames per second (allowed: up to "
                    + "\(Self.maximumFrames) frames, or \(most) seconds)")
        }
        guard frames > 0 else {
            throw .usage(
                "--duration \(numberText(duration)): shorter than a frame at \(rate) frames per second; use at least "
                    + "\(fixed(1 / rate.framesPerSecond, 4)) seconds")
        }
        self.frames = frames
        self.rate = rate
    }

    /// Reads `--fps`.
    ///
    /// - Throws: ``CommandError/usage(_:)`` for another text than a rate, and for a rate out of range.
    package static func rate(_ arguments: Arguments) throws(CommandError) -> FrameRate {
        let text = try arguments.required(.fps)
        do throws(ParameterError) { return try FrameRate(parsing: text) } catch {
            if case .malformed = error { throw .usage("--fps \(text): not \(FrameRate.forms)") }
            throw .usage("--fps \(text): \(error)")
        }
    }

    /// Returns the share of the animation that has passed at a frame: 0 for the first frame and 1 for the last. A
    /// single frame is at 0.
    package func progress(of frame: Int) -> Double { frames == 1 ? 0 : Double(frame) / Double(frames - 1) }
}
