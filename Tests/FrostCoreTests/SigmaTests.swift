import FrostTestSupport
import Testing

@testable import FrostCore

/// Computes the sigma that a plan achieves.
enum SigmaLaw {
    /// Returns the composite kernel along an axis, derived from the plan's passes alone.
    static func kernel(_ plan: Plan, _ axis: Axis) -> CompositeKernel {
        let (orders, taps) = plan.filters(along: axis)
        return CompositeKernel(chain: ResamplingChain(orders: orders), taps: taps)
    }

    /// Returns the kernel's second moment about the output pixel. It is averaged over all phases, which are the output
    /// pixel's possible positions in a low-resolution sample.
    static func variance(_ kernel: CompositeKernel) -> Double {
        var sum = 0.0
        for phase in 0..<kernel.chain.factor {
            let (start, weights) = kernel.weights(phase: phase)
            for (i, weight) in weights.enumerated() {
                let distance = Double(start + i - phase)
                sum += weight * distance * distance
            }
        }
        return sum / Double(kernel.chain.factor)
    }

    static func sampled(_ sigma: Double) -> Double {
        LowResolutionFit.secondMoment(SampledGaussian.taps(sigma: sigma)).squareRoot()
    }

    /// Sigmas from 0.5 to 64. Each is larger than the one before it by 0.05 or by 1 %, whichever is more.
    static let sweep = Array(sequence(first: 0.5) { $0 + max(0.05, 0.01 * $0) }.prefix { $0 <= 64 })
    /// About four sigmas per octave, from 0.2 (a smaller sigma does not blur) to 1000 (the largest allowed sigma).
    static let wide = (0...48).map { min(1000, 0.2 * Double(sigma: $0)) }
}

extension Double {
    /// Creates 2^(step / 3.9). A plan's resolution changes at certain sigmas, at most once per octave. Because 3.9 is not a
    /// whole number, the values lie at different distances from these changes.
    fileprivate init(sigma step: Int) {
        var value = 1.0
        for _ in 0..<step { value *= 1.194_5 }
        self = value
    }
}

struct SigmaTests {
    @Test(
        "as sigma rises, so does the blur, without a jump where the resolution changes",
        arguments: [Accuracy.eightBit, .sixteenBit])
    func sweep(_ accuracy: Accuracy) throws {
        let extent = Rect(x: 0, y: 0, width: 100, height: 100)
        var last: (effective: Double, sampled: Double, factor: Int)?
        var factors: Set<Int> = []
        for sigma in SigmaLaw.sweep {
            let plan = try GaussianBlur(sigmaX: sigma, sigmaY: 0).plan(extent: extent, accuracy: accuracy)
            let kernel = SigmaLaw.kernel(plan, .x)
            let effective = SigmaLaw.variance(kernel).squareRoot()
            let sampled = SigmaLaw.sampled(sigma)
            #expect(abs(effective / sampled - 1) < 0.005, "sigma \(sigma): \(effective) instead of \(sampled)")
            if let last {
                #expect(effective > last.effective, "sigma \(sigma)")
                let jump = (effective - last.effective) - (sampled - last.sampled)
                #expect(
                    abs(jump) < 0.001 * sigma,
                    "sigma \(sigma): a jump of \(jump), resolution 1/\(last.factor) to 1/\(kernel.chain.factor)")
            }
            last = (effective, sampled, kernel.chain.factor)
            factors.insert(kernel.chain.factor)
        }
        // The test has a meaning only if the resolution changes several times within the sweep.
        #expect(factors.count >= 4)
    }

    @Test("a plan's bound is within its budget, for every sigma", arguments: [Accuracy.eightBit, .sixteenBit])
    func budget(_ accuracy: Accuracy) throws {
        let extent = Rect(x: 0, y: 0, width: 100, height: 100)
        for sigma in SigmaLaw.wide + SigmaLaw.sweep.filter({ $0 > 1 && $0 < 12 }) {
            let plan = try GaussianBlur(sigma: sigma).plan(extent: extent, accuracy: accuracy)
            #expect(plan.errorBound <= accuracy.errorBudget, "sigma \(sigma)")
            #expect(plan.errorBound >= 0)
        }
    }

    @Test("a plan's bound follows from its passes: the worst case of each axis, as products of kernels add up")
    func boundOfPasses() throws {
        let extent = Rect(x: 0, y: 0, width: 100, height: 100)
        for (sigmaX, sigmaY) in [(0.7, 0.7), (3.0, 40.0), (0, 12), (12, 0), (5.5, 5.5), (90, 1)] {
            let plan = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY).plan(extent: extent)
            let x = sigmaX > 0 ? SigmaLaw.kernel(plan, .x).worstCase(sigma: sigmaX) : (error: 0, norm: 1)
            let y = sigmaY > 0 ? SigmaLaw.kernel(plan, .y).worstCase(sigma: sigmaY) : (error: 0, norm: 1)
            #expect(abs(plan.errorBound / 255 - (x.error + x.norm * y.error)) < 1e-12)
        }
    }

    @Test(
        "weights sum to 1 in every phase, so that a constant stays constant",
        arguments: [Accuracy.eightBit, .sixteenBit])
    func constant(_ accuracy: Accuracy) throws {
        for sigma in SigmaLaw.wide where sigma < 200 {
            let plan = try GaussianBlur(sigmaX: sigma, sigmaY: 0).plan(
                extent: Rect(x: 0, y: 0, width: 9, height: 9), accuracy: accuracy)
            let kernel = SigmaLaw.kernel(plan, .x)
            for phase in 0..<kernel.chain.factor {
                // Rounding a tap to a float changes it by at most 2^-24 of its value. The sum of the taps therefore also
                // changes by at most about 2^-24.
                #expect(abs(kernel.weights(phase: phase).weights.reduce(0, +) - 1) < 0x1p-23, "sigma \(sigma)")
            }
        }
    }
}
