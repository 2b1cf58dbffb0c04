import Frost
package import FrostMotion

extension FrameTimes {
    /// Creates the times of an animation whose rate and duration `--fps` and `--duration` state.
    ///
    /// - Throws: the errors of ``rate(_:)``, and ``CommandError/usage(_:)`` if `--duration` is missing or has no valid
    ///   number of frames.
    package init(_ arguments: Arguments) throws(CommandError) {
        let duration = try arguments.required(.duration, as: Double.self)
        let rate = try Self.rate(arguments)
        self = try rethrow(
            FrameTimes(sharesOf: duration, rate: rate),
            as: { (error: FrameTimesError) in CommandError.usage("--duration \(numberText(duration)): \(error)") })
    }

    /// Reads `--fps`.
    ///
    /// - Throws: ``CommandError/usage(_:)`` for another text than a rate, and for a rate out of range.
    static func rate(_ arguments: Arguments) throws(CommandError) -> FrameRate {
        let text = try arguments.required(.fps)
        do throws(ParameterError) { return try FrameRate(parsing: text) } catch {
            if case .malformed = error { throw .usage("--fps \(text): not \(FrameRate.forms)") }
            throw .usage("--fps \(text): \(error)")
        }
    }
}
