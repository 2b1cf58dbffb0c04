import FrostCore
import Testing

@testable import Frost

struct FrameTimeTests {
    @Test(
        "frame n has the time n/rate exactly, and a million frames do not drift",
        arguments: [(24, 1), (30, 1), (60000, 1001), (60, 1), (120, 1), (1_509_375, 25177)])
    func exact(numerator: Int, denominator: Int) throws {
        let rate = try FrameRate(numerator, per: denominator)
        for frame in stride(from: 0, through: 1_000_000, by: 997) {
            let time = try FrameTime(frame: frame, at: rate)
            // n/rate = whole + part/parts, in integers.
            #expect(time.whole * time.parts + time.part == frame * rate.denominator * time.parts / rate.numerator)
            #expect(frame * rate.denominator * time.parts % rate.numerator == 0)
            #expect(time.part >= 0 && time.part < time.parts)
        }
        // The comparison must detect the drift of a sum of rounded nanoseconds.
        let step = try FrameTime(frame: 1, at: rate).nanoseconds
        let last = try FrameTime(frame: 1_000_000, at: rate)
        #expect(
            (try FrameTime(nanoseconds: step * 1_000_000) == last) == (1_000_000_000 * denominator % numerator == 0))
    }

    @Test("advancing a time by frames equals the time of the sum, from any start")
    func addition() throws {
        let rate = try FrameRate(60000, per: 1001)
        for nanoseconds in [-4_000_000_000_000_000_000, -1, 0, 1, 123_456_789_012_345_678, 4_000_000_000_000_000_000] {
            let start = try FrameTime(nanoseconds: nanoseconds)
            #expect(start.nanoseconds == nanoseconds)
            var sum = start
            for frame in 1...500 {
                sum = sum.advanced(by: 1, at: rate)
                #expect(sum == start.advanced(by: frame, at: rate))
                #expect(sum > start && !(sum < start))
            }
            // 60000 frames are 1001 seconds.
            #expect(start.advanced(by: 60000, at: rate).nanoseconds - nanoseconds == 1_001_000_000_000)
            #expect(start.advanced(by: -60000, at: rate).advanced(by: 60000, at: rate) == start)
        }
    }

    @Test("nanoseconds are rounded down, also before 0")
    func rounding() throws {
        let rate = try FrameRate(60)
        #expect(FrameTime.zero.advanced(by: 1, at: rate).nanoseconds == 16_666_666)
        #expect(FrameTime.zero.advanced(by: -1, at: rate).nanoseconds == -16_666_667)
        #expect(try FrameTime(seconds: 0.1).nanoseconds == 100_000_000)
        #expect(try FrameTime(seconds: -0.1).nanoseconds == -100_000_000)
        #expect(try FrameTime(seconds: 3_999_999_999.5).nanoseconds == 3_999_999_999_500_000_000)
        #expect(try FrameTime(seconds: 0.999_999_999_9).nanoseconds == 1_000_000_000)
    }

    @Test("times that are not finite or too far away are refused with their value")
    func refused() {
        for seconds in [Double.infinity, -.infinity, 4.1e9, -4.1e9, .greatestFiniteMagnitude] {
            #expect(
                throws: ParameterError.outOfRange(parameter: "time in seconds", value: seconds, allowed: -4e9...4e9)
            ) {
                try FrameTime(seconds: seconds)
            }
        }
        let error = #expect(throws: ParameterError.self) { try FrameTime(seconds: .nan) }
        #expect(error?.description.contains("time in seconds nan is out of range") == true)
        for nanoseconds in [Int.min, Int.max] {
            #expect(throws: ParameterError.self) { try FrameTime(nanoseconds: nanoseconds) }
        }
        for frame in [Int.min, Int.max] {
            #expect(throws: ParameterError.self) { try FrameTime(frame: frame, at: .hertz60) }
        }
    }

    @Test("a rate is a reduced fraction within its range")
    func rates() throws {
        #expect(try FrameRate(120, per: 2) == .hertz60)
        #expect(try FrameRate(60000, per: 1001).description == "60000/1001")
        #expect(try FrameRate(1000).framesPerSecond == 1000)
        #expect(try FrameRate(1, per: 100).framesPerSecond == 0.01)
        let refused = [(0, 1), (-60, 1), (60, 0), (60, -1), (1001, 1), (1, 1001), (Int.min, 1)]
        for (numerator, denominator) in refused {
            #expect(throws: ParameterError.self) { try FrameRate(numerator, per: denominator) }
        }
        #expect(throws: ParameterError.outOfRange(parameter: "frame rate", value: 1001, allowed: 0.01...1000)) {
            try FrameRate(1001)
        }
    }

    @Test("the progress of an animation is elapsed/duration, 0 before it and 1 after it")
    func progress() throws {
        let rate = FrameRate.hertz60
        let start = try FrameTime(nanoseconds: 5_000_000_007)
        let span = try AnimationSpan(start: start, duration: 1.2)
        var previous = 0.0
        for frame in -10...100 {
            let progress = span.progress(at: start.advanced(by: frame, at: rate))
            // Two roundings separate the result from frame/72.
            #expect(abs(progress - min(max(Double(frame) / 72, 0), 1)) <= 2 * Double(1).ulp)
            #expect(progress >= previous)
            previous = progress
        }
        #expect(span.progress(at: start) == 0)
        #expect(span.progress(at: start.advanced(by: 72, at: rate)) == 1)
        #expect(span.progress(at: start.advanced(by: 71, at: rate)) < 1)
        let immediate = try AnimationSpan(start: start, duration: 0)
        #expect(immediate.progress(at: start) == 1)
        #expect(immediate.progress(at: start.advanced(by: -1, at: rate)) == 0)
        for duration in [-1, Double.nan, .infinity, -.leastNonzeroMagnitude] {
            #expect(throws: ParameterError.self) { try AnimationSpan(start: start, duration: duration) }
        }
    }
}
