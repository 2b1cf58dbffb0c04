import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Whole images with every instruction set, and the accuracy of what is computed in 16-bit integers.
struct KernelImageTests {
    /// How a plan's passes meet their image.
    enum Feed: CaseIterable {
        /// Rows arrive one after the other and leave through one row of memory.
        case stream
        /// Passes read and write the images where they are.
        case inPlace
        /// As in place, in two parts with an image of floats between them, if there is a pass behind the first along y.
        case parts
    }

    /// A plan carried out on one thread with the given kernels. Conversions at either end use the best ones.
    static func execute(
        _ plan: Plan, _ image: PixelBuffer, _ kernels: KernelSet, _ feed: Feed, _ format: PixelFormat
    ) throws -> PixelBuffer {
        var result = try TestImage.blank(plan.region.width, plan.region.height, format, padding: 3)
        let layout = result.layout
        let reader = RowConversion(format: image.format, addingAlpha: format.channels.hasAlpha)
        let writer = RowConversion(format: format)
        let channels = reader.working.count
        // SAFETY: both buffers are as large as their layouts say and outlive the flow.
        try unsafe image.withUnsafeBytes { source in
            try unsafe result.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                let pixels = unsafe RowEnd.pixels(
                    PixelSource(from, layout: image.layout), reader, extent: plan.extent, edge: plan.rowEdge)
                let end = unsafe RowEnd.target(PixelTarget(to, layout: layout), writer, region: plan.region)
                switch feed {
                case .stream:
                    let row = RowStorage(rows: 1, floats: (layout.rowByteCount + 3) / 4)
                    let chain = PassChain(
                        plan.passes[...], of: plan, outputRows: plan.region.rows, channels: channels,
                        output: .row(row, writer), bytesArrive: ByteKind(reader) == .plain, kernels: kernels,
                        cancellation: nil)
                    for index in chain.inputRows {
                        unsafe pixels.read(index, columns: chain.inputColumns, into: chain.inputRow(index))
                        try unsafe chain.commit(index) { (index, values) throws(CPUError) in
                            let place = unsafe to + (index - plan.region.y) * layout.bytesPerRow
                            if chain.writesDirectly {
                                unsafe place.copyMemory(from: row.row(0), byteCount: layout.rowByteCount)
                            } else {
                                unsafe writer.store(values, count: layout.width, into: place)
                            }
                        }
                    }
                case .inPlace: try run(plan, plan.passes[...], kernels, from: pixels, to: end, channels)
                case .parts:
                    // Edge rules of the rows concern the first pass along y: the image between lies behind it.
                    guard let first = plan.passes.firstIndex(where: { $0.axis == .y }), first + 1 < plan.passes.count
                    else { return try run(plan, plan.passes[...], kernels, from: pixels, to: end, channels) }
                    let cut = first + 1
                    let plane = FloatPlane(window: plan.window(of: plan.passes[cut - 1].to), channels: channels)
                    try run(plan, plan.passes[..<cut], kernels, from: pixels, to: .floats(plane), channels)
                    try run(plan, plan.passes[cut...], kernels, from: .floats(plane), to: end, channels)
                }
            }
        }
        #expect(result.hasUntouchedPadding)
        return result
    }

    private static func run(
        _ plan: Plan, _ passes: ArraySlice<Pass>, _ kernels: KernelSet, from input: RowEnd, to output: RowEnd,
        _ channels: Int
    ) throws(CPUError) {
        let rows = plan.window(of: passes[passes.endIndex - 1].to).rows
        let chain = PassChain(
            passes, of: plan, outputRows: rows, channels: channels, input: input, output: output, kernels: kernels,
            cancellation: nil)
        for row in chain.inputRows {
            if !chain.readsDirectly {
                unsafe input.read(row, columns: chain.inputColumns, into: chain.inputRow(row))
            }
            // SAFETY: the row holds the region's width.
            try unsafe chain.commit(row) { (row, values) throws(CPUError) in
                if !chain.writesDirectly { unsafe output.write(row, values) }
            }
        }
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
                // The image, and a part of it with odd borders that reaches beyond it.
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

    // MARK: Accuracy

    static let integerSigmas = [0.3, 0.5, 0.8, 1.2, 1.9, 2.4, 2.8, 3.4, 4.5, 7]

    @Test("a constant 8-bit image stays what it is, for every value", arguments: integerSigmas)
    func constants(_ sigma: Double) throws {
        // Across the usual image every weight of every phase occurs; 255 has no room for a step too many.
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

    /// The image that makes a plan's error along both axes at one pixel as large as it gets: full scale where the
    /// plan's kernel is above the Gaussian, black elsewhere.
    struct Adversary {
        let extent: Rect
        let pixel: Int
        private let signs: [[Bool]]

        init(_ plan: Plan, sigma: Double, phase: Int) {
            var orders: [Int] = []
            var taps = [1.0]
            for pass in plan.passes where pass.axis == .x {
                switch pass.operation {
                case .decimate(let filter): orders.append(filter.count)
                case .convolve(let filter): taps = filter.map { Double($0) }
                case .interpolate: break
                }
            }
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

        /// - Parameter inverted: the image that makes the error negative.
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
            // The amplitude moves the result over all fractions of a step, so that some are rounded the wrong way.
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

    /// Rows that are all the same, of values for which the products of a direct filter are cut off by as much, or as
    /// little, as there is: what the integers add at worst shows as it is, as no image can do it to floats.
    @Test(
        "the worst images for cut products are within the bound",
        arguments: [0.4, 0.6, 0.8, 1, 1.2, 1.5, 1.9, 2.2, 2.4])
    func worstProducts(_ sigma: Double) throws {
        let blur = try GaussianBlur(sigma: sigma)
        let reach = SampledGaussian.taps(sigma: sigma).count / 2
        let extent = Rect(x: -reach, y: 0, width: 2 * reach + 1, height: 1)
        let region = Rect(x: 0, y: 0, width: 1, height: 1)
        let plan = try blur.plan(extent: extent, region: region)
        let taps = plan.passes[0].operation.taps
        let radius = taps.count / 2
        #expect(plan.passes.count == 2 && taps.count & 1 == 1)
        // For each tap, the sums of the two values under it by what floats make of them above the integers.
        let orders: [[Int]] = (0...radius).map { t in
            let weight = Double(taps[radius + t])
            let integer = Int((weight * 65536).rounded())
            return (0...(t == 0 ? 255 : 510)).map {
                (sum: $0, loss: Double($0 * 128) * weight - Double($0 * 128 * integer / 65536))
            }
            .sorted { $0.loss < $1.loss }.map(\.sum)
        }
        var random = SeededGenerator(seed: 1)
        for trial in 0..<400 {
            var row = [Int](repeating: 0, count: extent.width)
            for t in 0...radius {
                let pick = Int.random(in: 0..<12, using: &random)
                let sum = trial & 1 == 0 ? orders[t][pick] : orders[t][orders[t].count - 1 - pick]
                row[reach - t] = t == 0 ? sum : sum / 2
                row[reach + t] = t == 0 ? sum : sum - sum / 2
            }
            let image = try TestImage.make(extent.width, 1, PixelFormat(.grey)) { x, _, _ in Double(row[x]) / 255 }
            let exact = try Blurring.exact(blur, image, extent: extent, region: region, threads: 1)
            let result = try Blurring.execute(plan, image, threads: 1)
            try expectClose(
                SampleRows(result), exact.rows, within: .bound(of: plan, .u8), "sigma \(sigma), trial \(trial)")
        }
    }

    /// Products that are cut off: radius + 1 of them lose less than a 128th each, and (radius + 1) / 2 is added back, so
    /// that (radius + 2) / 256 of a step is the worst for an even radius.
    /// Weights: the worst image is full scale where the rounded ones are larger, or where they are smaller.
    @Test("in the worst case direct filters in integers add what they say, and the promise has room for it")
    func room() throws {
        let sigmas = (4...60).map { Double($0) / 20 }
        for sigmaX in sigmas {
            for sigmaY in [sigmaX, sigmaX / 2, sigmaX * 0.83] {
                let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY)
                let plan = try blur.plan(extent: Rect(x: 0, y: 0, width: 64, height: 64))
                let operations = plan.passes.map(\.operation)
                guard operations.count == 2, operations.allSatisfy(\.isShortConvolution) else { continue }
                let added = operations.map { operation in
                    let taps = operation.taps.map { Double($0) * 65536 }
                    let radius = taps.count / 2
                    var weights = taps.map { $0.rounded() }
                    weights[radius] = 65536 - 2 * weights[(radius + 1)...].reduce(0, +)
                    let differences = zip(weights, taps).map { ($0 - $1) / 65536 }
                    let above = differences.reduce(0) { $0 + max(0, $1) }
                    let below = differences.reduce(0) { $0 + max(0, -$1) }
                    let cut = Double(radius / 2 + 1) / 128
                    #expect(255 * max(above, below) <= 1 / 56.0, "sigma \(sigmaX), radius \(radius)")
                    return cut + 255 * max(above, below)
                }
                // 0.4 of error and 0.1 of arithmetic, before the result is rounded.
                #expect(plan.errorBound + added.reduce(0, +) <= 0.5, "\(blur)")
            }
        }
    }
}

extension Pass.Operation {
    /// Whether ``ByteConvolver`` takes it.
    fileprivate var isShortConvolution: Bool {
        if case .convolve(let taps) = self { taps.count / 2 <= ByteConvolver.maximumRadius } else { false }
    }
}
