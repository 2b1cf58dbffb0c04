import FrostCPU
import FrostCore
import FrostTestSupport
import Testing

/// Tests laws that every blur obeys, whatever its parameters are.
struct LawTests {
    /// These sigmas need different plans: a convolution without decimation, one decimation level, several levels, and more
    /// than three levels, for which the CPU cuts the plan into three parts. The largest blur is much wider than the image.
    static let sigmas = [0.6, 2, 3.3, 7, 21, 60, 1000]

    @Test("a constant stays constant, to the last integer", arguments: [EdgeMode.clamp, .mirror, .reflect101, .repeat])
    func constant(_ edge: EdgeMode) throws {
        for sigma in Self.sigmas {
            let blur = try GaussianBlur(sigma: sigma, edge: edge)
            for format in [PixelFormat(.rgba), PixelFormat(.rgb, .u16), PixelFormat(.greyAlpha, alpha: .premultiplied)]
            {
                // Sigma 1000 is tested with only one value, because its sums have many terms.
                for value in sigma == 1000 ? [0.5] : [0, 0.2, 0.5, 1] {
                    let image = try TestImage.make(53, 37, format) { _, _, c in c == 3 ? 0.6 : value }
                    try expectIdentical(Blurring.cpu(blur, image).image, image, "\(blur) \(format)")
                }
            }
        }
    }

    @Test("a transparent edge takes from alpha, never from straight colour")
    func transparentEdge() throws {
        for sigma in [1.5, 6, 30] {
            let image = try TestImage.make(60, 40, PixelFormat(.rgb)) { _, _, c in [0.9, 0.5, 0.1][c] }
            let result = try Blurring.cpu(GaussianBlur(sigma: sigma, edge: .clear), image).image
            #expect(result.format == PixelFormat(.rgba))
            #expect(result[0, 0, 3] < 128)
            for y in 0..<40 {
                for x in 0..<60 {
                    let alpha = result[x, y, 3]
                    guard alpha > 0 else { continue }
                    for c in 0..<3 {
                        // The result's colour is rounded by up to half a step. It is also divided by an alpha that is
                        // rounded by up to half a step. The tolerance allows both errors.
                        #expect(abs(result[x, y, c] - image[x, y, c]) <= 0.5 + 0.5 * image[x, y, c] / alpha + 0.01)
                    }
                }
            }
        }
    }

    @Test(
        "sigma 0 and all sigmas below the smallest copy every byte, colour under alpha 0 included",
        arguments: TestImage.formats)
    func identity(_ format: PixelFormat) throws {
        let image = try TestImage.make(29, 13, format, padding: 1) { x, y, c in
            c == 3 ? Double((x + y) % 3) / 2 : Double((x * 7 + y * 31 + c) % 256) / 255
        }
        for sigma in [0, 0.19] {
            for edge in EdgeMode.allCases {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                try expectIdentical(Blurring.cpu(blur, image).image, image)
                let part = Rect(x: 5, y: 2, width: 11, height: 9)
                try expectIdentical(Blurring.cpu(blur, image, region: part).image, image.cropped(to: part))
            }
        }
    }

    @Test("sigma 0 between alpha modes converts and nothing else")
    func identityConverts() throws {
        let straight = try TestImage.make(.softAlpha, 20, 20, PixelFormat(.rgba))
        let plan = try GaussianBlur(sigma: 0).plan(extent: straight.layout.extent)
        let premultiplied = try Blurring.execute(plan, straight, format: PixelFormat(.bgra, alpha: .premultiplied))
        #expect(premultiplied.format.channels == .bgra)
        try expectClose(
            premultiplied, straight, within: Tolerance("rounding", steps: 0.5001, reason: "one rounding of the product")
        )
    }

    @Test("an impulse sums to 1 and is nowhere negative by more than the bound")
    func impulse() throws {
        for (sigma, side) in [(0.6, 15), (2, 41), (3.3, 61), (7, 121), (21, 361)] {
            for offset in [0, 1, 5] {
                let image = try TestImage.make(.impulse, side, side, PixelFormat(.grey, .f32))
                let result = try Blurring.cpu(
                    GaussianBlur(sigma: sigma, edge: .clear), image,
                    extent: Rect(x: offset, y: -offset, width: side, height: side),
                    format: PixelFormat(.greyAlpha, .f32, alpha: .premultiplied))
                var sum = 0.0
                for y in 0..<side {
                    for x in 0..<side {
                        sum += result.image[x, y, 0]
                        #expect(result.image[x, y, 0] >= -result.plan.errorBound / 255)
                    }
                }
                // The sum omits only the Gaussian's tails beyond 8 sigma, which lie outside the image. The sum of all taps
                // has a rounding error of 2^-24 per tap.
                #expect(abs(sum - 1) < 1e-5, "sigma \(sigma)")
            }
        }
    }

    @Test("a flipped image gives the flipped blur", arguments: EdgeMode.allCases)
    func mirrorSymmetry(_ edge: EdgeMode) throws {
        for sigma in Self.sigmas where sigma < 100 {
            let blur = try GaussianBlur(sigma: sigma, edge: edge)
            for (width, height) in [(64, 64), (67, 45), (65, 33)] {
                let format = PixelFormat(.rgba, .f32, alpha: .premultiplied)
                let image = try TestImage.make(.uniformNoise, width, height, format)
                let result = try Blurring.cpu(blur, image)
                let coarsest = 1 << (result.plan.slots.flatMap { [$0.levelX, $0.levelY] }.max() ?? 0)
                // If the image's sides are whole numbers of low-resolution samples, flipping changes only the order in which
                // the samples are added. For reflect-101, this is true of the distances between the first and the last pixels.
                // Otherwise the flipped image has its samples at other positions. Then each of the
                // two results may differ from the exact blur by the error bound.
                let sides = [width, height].map { edge == .reflect101 ? $0 - 1 : $0 }
                let bound = sides.allSatisfy { $0 % coarsest == 0 } ? 0 : 2 * result.plan.errorBound
                let tolerance = Tolerance(
                    "symmetry", steps: bound + 2 * Tolerance.floatRoundingError(result.plan),
                    reason: "\(coarsest) pixels a low-resolution sample")
                let flipped = try Blurring.cpu(blur, image.flippedHorizontally()).image
                try expectClose(flipped.flippedHorizontally(), result.image, within: tolerance, "\(blur), across")
                let turned = try Blurring.cpu(blur, image.flippedVertically()).image
                try expectClose(turned.flippedVertically(), result.image, within: tolerance, "\(blur), upside down")
            }
            // Two 8-bit results are compared: the blurred image, and the blurred flip of the image, flipped back. Each
            // differs from the exact value by less than one step.
            let image = try TestImage.make(.binaryNoise, 67, 45, PixelFormat(.rgb))
            let flipped = try Blurring.cpu(blur, image.flippedHorizontally()).image.flippedHorizontally()
            try expectClose(flipped, Blurring.cpu(blur, image).image, within: .promise8, "\(blur), 8 bits")
        }
    }

    @Test("rows and columns are treated alike: a transposed image gives the transposed blur")
    func transposition() throws {
        for sigma in Self.sigmas where sigma < 100 {
            let image = try TestImage.make(.uniformNoise, 71, 43, PixelFormat(.rgb, .f32))
            func transposed(_ image: PixelBuffer) throws -> PixelBuffer {
                try image.rearranged(width: image.height, height: image.width) { ($1, $0) }
            }
            let result = try Blurring.cpu(GaussianBlur(sigmaX: sigma, sigmaY: 2, edge: .mirror), image)
            let other = try Blurring.cpu(GaussianBlur(sigmaX: 2, sigmaY: sigma, edge: .mirror), transposed(image))
            let error = 2 * Tolerance.floatRoundingError(result.plan)
            try expectClose(
                transposed(other.image), result.image,
                within: Tolerance("transposition", steps: error, reason: "the order of sums"), "sigma \(sigma)")
        }
    }

    @Test("channels are independent: each is as it would be alone, to the bit", arguments: SampleType.allCases)
    func channelIndependence(_ sample: SampleType) throws {
        for sigma in Self.sigmas where sigma < 100 {
            let blur = try GaussianBlur(sigma: sigma, edge: .mirror)
            let image = try TestImage.make(.uniformNoise, 45, 33, PixelFormat(.rgba, sample, alpha: .premultiplied))
            let result = try Blurring.cpu(blur, image).image
            for channel in 0..<4 {
                var grey = try TestImage.blank(45, 33, PixelFormat(.grey, sample))
                for y in 0..<33 { for x in 0..<45 { grey[x, y, 0] = image[x, y, channel] } }
                let alone = try Blurring.cpu(blur, grey).image
                var differing = 0
                for y in 0..<33 { for x in 0..<45 where alone[x, y, 0] != result[x, y, channel] { differing += 1 } }
                #expect(differing == 0, "sigma \(sigma) channel \(channel)")
            }
        }
    }

    @Test(
        "a blur after a blur is the blur of the root of the sum of squares",
        arguments: [EdgeMode.mirror, .reflect101, .repeat])
    func semigroup(_ edge: EdgeMode) throws {
        for (one, two, both) in [(3.0, 4.0, 5.0), (6, 8, 10), (20, 21, 29), (5, 12, 13)] {
            let image = try TestImage.make(.binaryNoise, 96, 75, PixelFormat(.rgb, .f32))
            let first = try Blurring.cpu(GaussianBlur(sigma: one, edge: edge), image)
            let second = try Blurring.cpu(GaussianBlur(sigma: two, edge: edge), first.image)
            let direct = try Blurring.cpu(GaussianBlur(sigma: both, edge: edge), image)
            let bounds = [first, second, direct].map { $0.plan.errorBound + Tolerance.floatRoundingError($0.plan) }
            // The convolution of two sampled Gaussians equals a sampled Gaussian within 1e-9 if both sigmas are at least 3.
            // Each Gaussian is cut off at 6 sigma, which omits 2e-9 of its weight along each of the two axes.
            let tolerance = Tolerance("three plans", steps: bounds.reduce(0, +) + 255 * 2e-8, reason: "their bounds")
            try expectClose(second.image, direct.image, within: tolerance, "sigma \(one) then \(two)")
        }
    }

    @Test("a huge sigma is not blank: it is near the mean of the extended image", arguments: EdgeMode.allCases)
    func hugeSigma(_ edge: EdgeMode) throws {
        let image = try TestImage.make(.photograph, 64, 48, PixelFormat(.rgba))
        let result = try Blurring.cpu(GaussianBlur(sigma: 1000, edge: edge), image).image
        for c in 0..<3 {
            var (low, high, mean) = (255.0, 0.0, 0.0)
            for y in 0..<48 {
                for x in 0..<64 {
                    (low, high) = (min(low, result[x, y, c]), max(high, result[x, y, c]))
                    mean += image[x, y, c] / (64 * 48)
                }
            }
            if edge == .clear {
                #expect(result[32, 24, 3] < 3)
            } else {
                #expect(low > 10 && high < 250)
                // The image has 64 columns, which is 0.064 sigma. Over this distance, the total weight of the pixels on
                // either side changes by 0.4 x 0.064, because the Gaussian's density at its centre is 0.4 / sigma.
                #expect(high - low <= 0.4 * 0.064 * 255 + 2)
                if edge != .clamp { #expect(abs(low - mean) < 2) }
            }
        }
    }

    @Test("with sigma 0 along one axis nothing moves along it")
    func oneAxis() throws {
        var image = try TestImage.blank(40, 30, PixelFormat(.grey))
        for y in 0..<30 { for x in 0..<40 { image[x, y, 0] = y == 11 ? 255 : 0 } }
        let result = try Blurring.cpu(GaussianBlur(sigmaX: 9, sigmaY: 0), image).image
        try expectIdentical(result, image)
    }

    @Test("a NaN spreads as far as the blur reaches and no further")
    func notANumber() throws {
        for sigma in [2.0, 6] {
            var image = try TestImage.make(.uniformNoise, 150, 150, PixelFormat(.grey, .f32))
            image[75, 75, 0] = .nan
            let result = try Blurring.cpu(GaussianBlur(sigma: sigma), image).image
            #expect(result[75, 75, 0].isNaN)
            for corner in [(0, 0), (149, 0), (0, 149), (149, 149), (75, 0), (0, 75)] {
                #expect(result[corner.0, corner.1, 0].isFinite)
            }
        }
    }
}
