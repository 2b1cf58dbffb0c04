import FrostCore
import Testing

struct EffectTests {
    @Test("a sigma that is not a number or out of range is refused with name, value and range")
    func sigmaRange() throws {
        for sigma in [-1, -0.0001, 1000.001, 1001, .infinity, -.infinity] {
            #expect(throws: ParameterError.outOfRange(parameter: "sigma", value: sigma, allowed: 0...1000)) {
                try GaussianBlur(sigma: sigma)
            }
            #expect(throws: ParameterError.outOfRange(parameter: "sigma x", value: sigma, allowed: 0...1000)) {
                try GaussianBlur(sigmaX: sigma, sigmaY: 1)
            }
            #expect(throws: ParameterError.outOfRange(parameter: "sigma y", value: sigma, allowed: 0...1000)) {
                try GaussianBlur(sigmaX: 1, sigmaY: sigma)
            }
        }
        #expect(throws: ParameterError.self) { try GaussianBlur(sigma: .nan) }
        #expect(throws: ParameterError.self) { try GaussianBlur(sigmaX: 0, sigmaY: .signalingNaN) }
        for sigma in [0, 1000, 0.2, .leastNonzeroMagnitude] { #expect(try GaussianBlur(sigma: sigma).sigmaX == sigma) }
    }

    @Test("an error prints parameter, value and allowed range in one line")
    func errorText() {
        let error = ParameterError.outOfRange(parameter: "sigma", value: -1, allowed: 0...1000)
        #expect("\(error)" == "sigma -1 is out of range (allowed: 0 to 1000)")
        for value in [Double.nan, .infinity, 1e300, -0.0] {
            #expect(!"\(ParameterError.outOfRange(parameter: "sigma", value: value, allowed: 0...1000))".isEmpty)
        }
        let rect = Rect(x: 1, y: 2, width: 0, height: 4)
        #expect("\(ParameterError.emptyRegion(rect))".contains("1,2,0,4"))
        #expect("\(ParameterError.coordinatesTooLarge(rect, limit: 77))".contains("77"))
    }

    @Test("an axis below the smallest sigma is copied, one at it is blurred")
    func smallest() throws {
        #expect(try GaussianBlur(sigma: 0.199).effectiveSigma(.x) == 0)
        #expect(try GaussianBlur(sigma: 0.2).effectiveSigma(.x) == 0.2)
        let blur = try GaussianBlur(sigmaX: 3, sigmaY: 0.1)
        #expect(blur.effectiveSigma(.x) == 3 && blur.effectiveSigma(.y) == 0)
        // If sigma is just below 0.2, the axis is copied instead of blurred. As documented, this causes an error of less
        // than 0.002 8-bit steps.
        let taps = SampledGaussian.taps(sigma: 0.2.nextDown)
        #expect((1 - taps[taps.count / 2]) * 255 < 0.002)
    }

    @Test("transparent edges add alpha if something is blurred, and nothing else changes the format")
    func outputFormats() throws {
        for edge in EdgeMode.allCases {
            for (sigmaX, sigmaY) in [(0.0, 0.0), (0.1, 0.1), (2, 0), (0, 2), (2, 2)] {
                let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
                let bleeds = edge == .clear && max(sigmaX, sigmaY) >= GaussianBlur.smallestSigma
                for channels in ChannelLayout.allCases {
                    var expected = PixelFormat(channels, .u16, alpha: .premultiplied, colorSpace: .linear)
                    let output = blur.outputFormat(for: expected)
                    if bleeds { expected.channels = channels.addingAlpha }
                    #expect(output == expected)
                }
            }
        }
    }

    @Test("an effect prints its parameters, and its edge unless that is the default")
    func description() throws {
        #expect(try "\(GaussianBlur(sigma: 8))" == "gaussian sigma 8")
        #expect(try "\(GaussianBlur(sigmaX: 3, sigmaY: 40.5, edge: .mirror))" == "gaussian sigma 3,40.5 edge mirror")
    }

    @Test("a blur prints the digits that it was given, an effect at most four decimals of what it computed")
    func roundedDescription() throws {
        let kernel = try GaussianBlur(sigmaX: 28.495613697550013, sigmaY: 3.00001)
        #expect("\(Effect(name: "x", blur: kernel))" == "x (gaussian sigma 28.4956,3)")
        #expect(try "\(Effect(GaussianBlur(sigma: 2.00001)))" == "gaussian sigma 2.00001")
        let part = Effect(name: "x", blur: ProportionalBlur(fraction: 1 / 30.0, of: .y, edge: .clamp))
        #expect("\(part)" == "x (sigma 0.0333 of the height)")
        for effect in EffectCatalog.all {
            let text = try "\(effect.make())"
            for number in text.split(whereSeparator: { !$0.isNumber && $0 != "." }) {
                #expect((number.split(separator: ".").dropFirst().first?.count ?? 0) <= 4, "\(text)")
            }
        }
    }

    @Test("an error budget that is not a number, or that floats cannot keep, is refused")
    func budgets() throws {
        for budget in [-1, 0, 0.0019, 1.01, .infinity, .nan] {
            #expect(throws: ParameterError.self) { try Accuracy(errorBudget: budget) }
        }
        #expect(try Accuracy(errorBudget: 0.4) == .eightBit)
        #expect(Accuracy.suited(to: .u8) == .eightBit)
        #expect(Accuracy.suited(to: .u16) == .sixteenBit && Accuracy.suited(to: .f32) == .sixteenBit)
    }

    @Test("a cancellation is permanent")
    func cancellation() {
        let cancellation = Cancellation()
        #expect(!cancellation.isCancelled)
        cancellation.cancel()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
    }
}
