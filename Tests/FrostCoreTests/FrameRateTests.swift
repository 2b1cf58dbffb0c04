import Testing

@testable import FrostCore

/// Tests that frame rates are exact fractions and that frame times do not drift.
@Suite struct FrameRateTests {
    @Test(
        "A rate is read exactly and in lowest terms",
        arguments: [
            ("60", 60, 1), ("59.94", 2997, 50), ("30000/1001", 30000, 1001), ("50/2", 25, 1), ("23.976", 2997, 125),
            ("0.01", 1, 100), ("1000", 1000, 1), ("12.50", 25, 2), ("1/3", 1, 3),
        ])
    func parsing(text: String, numerator: Int, denominator: Int) throws {
        let rate = try FrameRate(parsing: text)
        #expect(rate.numerator == numerator && rate.denominator == denominator)
        #expect(try FrameRate(parsing: "\(rate)") == rate)
    }

    @Test(
        "Other texts are malformed",
        arguments: [
            "", "x", "60fps", "-60", "+60", "6e1", " 60", "60/", "/1", "1/2/3", "1.2.3", "1.5/2", ".", ".5", "5.",
            "nan",
            "inf", "٦٠", "99999999999999999999", "1.0000000000",
        ])
    func malformed(text: String) {
        let error = #expect(throws: ParameterError.self) { try FrameRate(parsing: text) }
        guard case .malformed(_, text, _) = error else {
            Issue.record("\(text): \(String(describing: error))")
            return
        }
    }

    @Test(
        "Rates out of range are refused with their value", arguments: ["0", "0.009", "1000.1", "1001/1", "1/0", "0/0"])
    func ranges(text: String) {
        let error = #expect(throws: ParameterError.self) { try FrameRate(parsing: text) }
        guard case .outOfRange = error else {
            Issue.record("\(text): \(String(describing: error))")
            return
        }
    }

    @Test("Extreme fractions never trap")
    func extremes() throws {
        for (numerator, denominator) in [
            (Int.max, 1), (1, Int.max), (Int.min, 1), (1, Int.min), (Int.max, Int.max - 1),
        ] {
            #expect(throws: ParameterError.self) { try FrameRate(numerator, per: denominator) }
        }
        #expect(try FrameRate(Int.max, per: Int.max) == FrameRate(1))
        #expect(try FrameRate(1, per: 100).start(of: .max, ticksPerSecond: .max) == .max)
    }

    @Test(
        "Every frame begins within half a tick of its exact time",
        arguments: ["60", "59.94", "30000/1001", "24000/1001", "1000", "0.01", "7/3"])
    func noDrift(text: String) throws {
        let rate = try FrameRate(parsing: text)
        for ticks in [1000, 65535] as [Int32] {
            for frame in [0, 1, 2, 3, 59, 60, 61, 1000, 99_999, 10_000_000] {
                // |time - frame / rate| <= 1 / (2 ticks), in whole numbers.
                let time = Int128(rate.start(of: frame, ticksPerSecond: ticks))
                let error = time * Int128(rate.numerator) - Int128(frame) * Int128(ticks) * Int128(rate.denominator)
                #expect(2 * error.magnitude <= Int128(rate.numerator).magnitude, "\(frame)")
            }
        }
        // A sum of rounded durations would drift.
        let drifting = 1_000_000 * rate.start(of: 1, ticksPerSecond: 1000)
        let isWhole = 1000 * rate.denominator % rate.numerator == 0
        #expect((drifting == rate.start(of: 1_000_000, ticksPerSecond: 1000)) == isWhole)
    }

    @Test("A duration has a whole number of frames")
    func durationsHaveWholeFrames() throws {
        #expect(try FrameRate(60).frames(in: 1.2) == 72)
        #expect(try FrameRate(30000, per: 1001).frames(in: 10) == 300)
        #expect(try FrameRate(25).frames(in: 0) == 0)
        for seconds in [Double.nan, .infinity, -1, 1e300] { #expect(try FrameRate(25).frames(in: seconds) == nil) }
    }

    @Test("A floating-point rate is the decimal number or the simple fraction that it stands for")
    func nearest() throws {
        for (number, numerator, denominator) in [
            (23.976023976023978, 24000, 1001), (29.97002997002997, 30000, 1001), (59.94005994005994, 60000, 1001),
            (119.88011988011988, 120_000, 1001), (33.333333333333336, 100, 3), (33.33333333, 100, 3),
            (23.976023976, 24000, 1001), (0.14285714285714285, 1, 7), (999.9999999999, 1000, 1),
            (59.94, 2997, 50), (23.976, 2997, 125), (60, 60, 1), (0.1, 1, 10), (12.5, 25, 2),
        ] {
            #expect(try FrameRate(nearest: number) == FrameRate(numerator, per: denominator), "\(number)")
        }
        // Irrational numbers, too, get a fraction that is close.
        for index in 0..<2000 {
            let number = (Double(index) * 1.618033988749895).truncatingRemainder(dividingBy: 999) + 0.1
            let rate = try FrameRate(nearest: number)
            #expect(abs(rate.framesPerSecond - number) <= 1e-9 * number, "\(number)")
        }
        for number in [Double.nan, .infinity, 0, -1, 1e9] {
            #expect(throws: ParameterError.self) { try FrameRate(nearest: number) }
        }
    }
}
