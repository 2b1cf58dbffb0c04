import FrostExact
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Tests that every instruction set blurs whole images correctly. Also tests the accuracy of 16-bit integer arithmetic.
struct KernelImageTests {
    /// The way in which a plan's passes access the source and target images.
    enum Feed: CaseIterable {
        /// Source rows arrive one after the other. Result rows leave through a buffer that holds two rows.
        case stream
        /// The passes read and write the images directly in memory.
        case inPlace
        /// Like `inPlace`, but the plan is run in two parts, with an image of floats between them. A plan is not split if no
        /// pass follows its first step along y.
        case parts
    }

    /// Runs a plan on one thread with the given kernels. The conversions at either end use the best kernels of the machine.
    static func execute(
        _ plan: Plan, _ image: PixelBuffer, _ kernels: KernelSet, _ feed: Feed, _ format: PixelFormat
    ) throws -> PixelBuffer {
        var result = try TestImage.blank(plan.region.width, plan.region.height, format, padding: 3)
        let layout = result.layout
        let cpu = CPUPlan(plan, source: image.format, target: format, kernels: kernels)
        // SAFETY: both buffers have the sizes of their layouts and outlive the drivers.
        try unsafe image.withUnsafeBytes { source in
            try unsafe result.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                let pixels = unsafe PixelSource(from, layout: image.layout)
                var memory = unsafe CallerMemory(
                    source: pixels, target: TargetRows(PixelTarget(to, layout: layout), region: plan.region))
                let rows = plan.region.rows
                switch feed {
                case .stream:
                    unsafe memory.source = nil
                    let row = try RowStorage(rows: 2, floats: (layout.rowByteCount + 3) / 4)
                    let listener = RowListener()
                    memory.target = TargetRows(row)
                    memory.listener = listener
                    listener.rowIsComplete = { index in
                        unsafe Row(to + (index - plan.region.y) * layout.bytesPerRow)
                            .copy(from: row.row(index & 1), byteCount: layout.rowByteCount)
                    }
                    let driver = try cpu.driver(rows, memory)
                    for index in driver.inputRows {
                        try driver.push(index, unsafe Row(reading: pixels.row(index - plan.extent.y)))
                    }
                case .inPlace: try cpu.driver(rows, memory).advance(to: rows.upperBound - 1)
                case .parts:
                    // Only the first step along y applies the edge mode to rows. So the plan is split after that step.
                    let steps = cpu.steps(plan.passes.indices)
                    guard let first = steps.firstIndex(where: { $0.outputKind == .fixed || $0.last?.axis == .y }),
                        let last = steps[first].last, let cut = plan.passes.firstIndex(of: last),
                        first + 1 < steps.count
                    else { return try cpu.driver(rows, memory).advance(to: rows.upperBound - 1) }
                    let plane = try cpu.plane(at: last.to)
                    try PassDriver(
                        cpu, passes: 0..<cut + 1, rows: plane.window.rows, read: nil, output: .plane(plane), memory
                    ).advance(to: plane.window.rows.upperBound - 1)
                    try PassDriver(
                        cpu, passes: cut + 1..<plan.passes.count, rows: rows, read: plane, output: cpu.output(), memory
                    ).advance(to: rows.upperBound - 1)
                }
            }
        }
        #expect(result.hasUntouchedPadding)
        return result
    }

    static let sigmas: [(Double, Double)] = [
        (0.7, 0.7), (2, 2), (2.6, 1.1), (3.3, 3.3), (8, 8), (25, 25), (0, 5), (5, 0), (2, 30),
    ]

    @Test(
        "the result is the same bytes with every instruction set, and however rows arrive",
        arguments: EdgeMode.allCases,
        [
            PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey),
            PixelFormat(.greyAlpha), PixelFormat(.greyAlpha, alpha: .premultiplied), PixelFormat(.bgra),
            PixelFormat(.rgba, .u16), PixelFormat(.grey, .f32),
        ])
    func sameBits(_ edge: EdgeMode, _ format: PixelFormat) throws {
        for (index, (sigmaX, sigmaY)) in Self.sigmas.enumerated() {
            let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
            for (width, height) in [(61, 43), (2 + index, 17)] {
                let extent = Rect(x: -5, y: 3, width: width, height: height)
                // There are two regions: the whole image, and a rectangle that extends past the image and whose borders have
                // odd coordinates.
                for region in [extent, Rect(x: extent.x + 1, y: extent.y - 3, width: width + 2, height: height)] {
                    let image = try TestImage.make(.uniformNoise, width, height, format, padding: 1)
                    let plan = try blur.plan(
                        extent: extent, region: region, accuracy: Accuracy.suited(to: format.sample))
                    let output = blur.outputFormat(for: format)
                    let expected = try Blurring.execute(plan, image, threads: 2, format: output)
                    for kernels in KernelSet.all {
                        for feed in Feed.allCases {
                            let actual = try Self.execute(plan, image, kernels, feed, output)
                            try expectIdentical(
                                actual, expected, "\(kernels.name), \(feed), \(blur) of \(region) \(format)")
                        }
                    }
                }
            }
        }
    }

    // MARK: Accuracy of 16-bit integer arithmetic

    static let integerSigmas = [0.3, 0.5, 0.8, 1.2, 1.9, 2.4, 2.8, 3.4, 4.5, 7]

    @Test("a constant 8-bit image stays what it is, for every value", arguments: integerSigmas)
    func constants(_ sigma: Double) throws {
        // The image is large enough for every weight of every phase to occur. At the value 255, a result that is one step
        // too high would overflow.
        for format in [PixelFormat(.grey), PixelFormat(.rgba, alpha: .premultiplied)] {
            let size = (21, 18)
            let plan = try GaussianBlur(sigma: sigma).plan(extent: Rect(x: 0, y: 0, width: size.0, height: size.1))
            for value in 0...255 {
                let image = try TestImage.make(size.0, size.1, format) { _, _, channel in
                    channel == 3 ? 1 : Double(value) / 255
                }
                let result = try Blurring.execute(plan, image, threads: 1)
                try expectIdentical(result, image, "sigma \(sigma), value \(value), \(format)")
            }
        }
    }

    /// A worst-case test image: it maximises the plan's error at one chosen pixel. The plan blurs along both axes. A pixel
    /// is full scale if its weight in the plan's kernel exceeds its weight in the Gaussian, and black otherwise.
    struct Adversary {
        let extent: Rect
        let pixel: Int
        private let signs: [[Bool]]

        init(_ plan: Plan, sigma: Double, phase: Int) {
            let (orders, taps) = plan.filters(along: .x)
            let kernel = CompositeKernel(chain: ResamplingChain(orders: orders), taps: taps)
            let gaussian = SampledGaussian.taps(sigma: sigma)
            let reach = gaussian.count / 2
            let (start, weights) = kernel.weights(phase: phase)
            let range = min(start, phase - reach) - 1..<max(start + weights.count, phase + reach + 1) + 1
            let planned = range.map { weights.indices.contains($0 - start) ? weights[$0 - start] : 0 }
            let exact = range.map { abs($0 - phase) <= reach ? gaussian[$0 - phase + reach] : 0 }
            signs = range.indices.map { y in
                range.indices.map { x in
                    let (x, y) = (x - range.lowerBound, y - range.lowerBound)
                    return planned[x] * planned[y] > exact[x] * exact[y]
                }
            }
            extent = Rect(columns: range, rows: range)
            pixel = phase
        }

        /// Creates the worst-case image.
        ///
        /// - Parameter inverted: true to exchange black and full scale, so that the error is negative.
        func image(_ format: PixelFormat, amplitude: Int, inverted: Bool) throws -> PixelBuffer {
            try TestImage.make(extent.width, extent.height, format) { x, y, channel in
                channel == 3 ? 1 : signs[y][x] != inverted ? Double(amplitude) / 255 : 0
            }
        }
    }

    @Test(
        "the worst images are within the plan's bound, half a step and what the integers add",
        arguments: integerSigmas, [PixelFormat(.grey), PixelFormat(.rgba, alpha: .premultiplied)])
    func worstCase(_ sigma: Double, _ format: PixelFormat) throws {
        let blur = try GaussianBlur(sigma: sigma)
        let first = try blur.plan(extent: Rect(x: 0, y: 0, width: 1, height: 1))
        let factor = 1 << (first.slots.map(\.levelX).max() ?? 0)
        for phase in 0..<factor {
            let adversary = Adversary(first, sigma: sigma, phase: phase)
            let region = Rect(x: phase - 1, y: phase - 1, width: 3, height: 3)
            let plan = try blur.plan(extent: adversary.extent, region: region)
            let tolerance = Tolerance.bound(of: plan, .u8)
            // The amplitude varies, so that the exact results take all fractions of an 8-bit step, and some blurred values
            // are rounded to the wrong integer.
            for amplitude in stride(from: 255, through: 200, by: -factor) {
                for inverted in [false, true] {
                    let image = try adversary.image(format, amplitude: amplitude, inverted: inverted)
                    let exact = try Blurring.exact(blur, image, extent: adversary.extent, region: region, threads: 1)
                    let result = try Blurring.execute(plan, image, threads: 1)
                    try expectClose(
                        SampleRows(result), exact.rows, within: tolerance,
                        "sigma \(sigma), phase \(phase), amplitude \(amplitude), \(format)")
                }
            }
        }
    }

    /// Large images are fast because of fixed-point arithmetic. This test detects sigmas for which plans would silently use
    /// floats instead.
    @Test("every 8-bit plan of one sigma has room for fixed-point numbers, and one without room goes without")
    func plansHaveRoomForFixedPoint() throws {
        let conversion = RowConversion(format: PixelFormat(.rgba))
        for sigma in stride(from: 0.3, through: 6, by: 0.05).map({ $0 }) + [8, 12, 20, 30, 55, 100, 333, 1000] {
            var plan = try GaussianBlur(sigma: sigma).plan(extent: Rect(x: 0, y: 0, width: 64, height: 64))
            let noise = try #require(FixedRoundingError(plan, straight: true), "sigma \(sigma)")
            #expect(plan.errorBound + noise.steps <= Arithmetic.allowance, "sigma \(sigma)")
            #expect(Arithmetic(plan, reader: conversion, writer: conversion).fixedLevel != nil)
            plan.errorBound = Arithmetic.allowance
            #expect(Arithmetic(plan, reader: conversion, writer: conversion).fixedLevel == nil)
        }
    }

    @Test("no fixed-point numbers without a halving or a short filter along both axes, nor for other samples")
    func floats() throws {
        let extent = Rect(x: 0, y: 0, width: 64, height: 64)
        for (sigmaX, sigmaY) in [(0.0, 12.0), (12, 0), (0, 1)] {
            let plan = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY).plan(extent: extent)
            #expect(FixedRoundingError(plan, straight: false) == nil)
        }
        let plan = try GaussianBlur(sigma: 8).plan(extent: extent)
        for format in [PixelFormat(.rgba, .u16), PixelFormat(.grey, .f32), PixelFormat(.bgra), PixelFormat(.greyAlpha)]
        {
            let conversion = RowConversion(format: format)
            #expect(Arithmetic(plan, reader: conversion, writer: conversion).fixedLevel == nil, "\(format)")
        }
    }
}

extension ChainStep {
    /// The pass that ends the step; nil if the step is a 2-D kernel or a lens.
    fileprivate var last: Pass? {
        switch self {
        case .kernel2D, .lens: nil
        case .pass(let pass): pass
        case .decimation(_, let pass), .convolution(_, let pass), .interpolation(_, let pass): pass
        case .means(let passes), .copies(let passes): passes.last
        }
    }
}
