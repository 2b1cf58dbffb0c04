import FrostCore
import Testing

@testable import FrostImages

/// Tests that the frames of an animated PNG last as long as their rate says.
@Suite struct APNGTimingTests {
    @Test(
        "The delays of an animated PNG are exact, or add up to the exact time",
        arguments: ["60", "59.94", "30000/1001", "120000/1001", "0.01", "1/99", "999.999", "0.0123456", "1000"])
    func delays(text: String) throws {
        let rate = try FrameRate(parsing: text)
        let timing = APNGTiming(rate)
        var time = 0.0
        for frame in 0..<500 {
            let delay = timing.delay(of: frame)
            #expect(delay.denominator > 0)
            time += Double(delay.numerator) / Double(delay.denominator)
            // The time of a frame is at most half a tick off. 1e-9 allows for the rounding of the sum of Doubles.
            let exact = Double(frame + 1) / rate.framesPerSecond
            let isExact = max(rate.numerator, rate.denominator) <= 65535
            #expect(abs(time - exact) <= (isExact ? 0 : 0.5 / Double(delay.denominator)) + 1e-9 * exact)
        }
    }
}
