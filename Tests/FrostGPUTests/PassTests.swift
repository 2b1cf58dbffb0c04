import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests that the GPU backend computes what the plan says, apart from the rounding errors of its arithmetic.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct PassTests {
    /// Returns the largest allowed error, in steps of the sample type. For 8 bits it is the sum of two errors. Each slot is
    /// rounded to RGBA16, which adds half a step of 65535, or 0.002 of an 8-bit step. Sums in float32 of weights whose total
    /// is about 1 add less than 1e-6, or 0.0003 of an 8-bit step. Straight colour is divided by alpha, but the comparison
    /// multiplies the error by alpha again.
    static func tolerance(_ plan: Plan, _ sample: SampleType) -> Double {
        switch sample {
        case .u8: 0.003 * Double(plan.separable.slots.count) + 0.001
        // Each operation has a relative error of 2^-24. There are a few tens of operations, and the multiplication by 65535
        // is one of them.
        case .u16: 65535 * 2e-6
        // A number below 1 is rounded by at most half of 2^-11.
        case .f16: 0x1p-12 + 2e-6
        case .f32: 2e-6
        }
    }

    static let operations: [Pass.Operation] = [
        .convolve(taps: [1]), .convolve(taps: Plans.skewed(1)), .convolve(taps: Plans.skewed(9)),
        .decimate(taps: [0.5, 0.5]), .decimate(taps: Plans.four), .decimate(taps: Plans.eight),
        .interpolate(taps: [0.5, 0.5]), .interpolate(taps: Plans.four), .interpolate(taps: Plans.eight),
    ]

    /// Even and odd sizes, a single pixel, a single column and a single row. Their positions are before, at and after the
    /// origin.
    static let extents = [
        Rect(x: 0, y: 0, width: 37, height: 23), Rect(x: 5, y: -11, width: 16, height: 9),
        Rect(x: -3, y: 7, width: 1, height: 1), Rect(x: 0, y: 0, width: 1, height: 13),
        Rect(x: -20, y: -1, width: 19, height: 1),
    ]

    @Test(arguments: EdgeMode.allCases, operations)
    func singlePass(_ edge: EdgeMode, _ operation: Pass.Operation) throws {
        let gpu = try TestGPU.shared.get()
        for extent in Self.extents {
            let source = try Samples.noise(extent.width, extent.height, PixelFormat(.rgba), seed: 7)
            for axis in Axis.allCases {
                // Along the axis of the pass, the region extends past the image on both sides. Along the other axis, it
                // covers a part of the image.
                let along = extent[axis].lowerBound - 5..<extent[axis].upperBound + 4
                let rows = extent.rows.dropFirst(extent.height / 4)
                let columns = extent.columns.dropFirst(extent.width / 4)
                let region =
                    axis == .x ? Rect(columns: along, rows: rows) : Rect(columns: columns, rows: along)
                let plan = Plans.single(operation, axis, edge, extent: extent, region: region)
                let output = try gpu.run(plan, on: source).output
                let deviation = Deviation(output, from: Reference.run(plan, on: source))
                #expect(
                    deviation.excess <= Self.tolerance(plan, .u8), "\(extent) \(axis) \(operation): \(deviation)")
            }
        }
    }

    static let formats: [PixelFormat] = SampleType.allCases.flatMap { sample in
        ChannelLayout.allCases.flatMap { channels in
            (channels.hasAlpha ? AlphaMode.allCases : [.straight]).map { PixelFormat(channels, sample, alpha: $0) }
        }
    }

    @Test(arguments: formats)
    func everyFormat(_ format: PixelFormat) throws {
        let gpu = try TestGPU.shared.get()
        let extent = Rect(x: 0, y: 0, width: 45, height: 31)
        // The padding after each row is not a multiple of the pixel size.
        let source = try Samples.noise(45, 31, format, seed: 3, padding: 5)
        for edge in EdgeMode.allCases {
            let plan = Plans.separable(
                Plans.skewed(3), edge, extent: extent, region: Rect(x: -4, y: 2, width: 51, height: 33))
            let output = try gpu.run(plan, on: source, padding: 3).output
            let deviation = Deviation(output, from: Reference.run(plan, on: source).onlyColor(of: format))
            #expect(deviation.excess <= Self.tolerance(plan, format.sample), "\(edge): \(deviation)")
        }
    }

    @Test(arguments: [PixelFormat(.rgb), PixelFormat(.grey), PixelFormat(.rgb, .u16), PixelFormat(.grey, .f32)])
    func alphaIsAdded(_ format: PixelFormat) throws {
        let gpu = try TestGPU.shared.get()
        var target = format
        target.channels = format.channels.addingAlpha
        let extent = Rect(x: 0, y: 0, width: 20, height: 17)
        let source = try Samples.noise(20, 17, format)
        let plan = Plans.separable(Plans.skewed(4), .clear, extent: extent, region: extent)
        let output = try gpu.run(plan, on: source, format: target).output
        let deviation = Deviation(output, from: Reference.run(plan, on: source))
        #expect(deviation.excess <= Self.tolerance(plan, format.sample), "\(deviation)")
        #expect(Samples.pixel(output, 0, 0).w < 1)
    }

    @Test(arguments: EdgeMode.allCases, [Plans.four, Plans.eight])
    func pyramid(_ edge: EdgeMode, _ filter: [Float]) throws {
        let gpu = try TestGPU.shared.get()
        for (extent, region) in [
            (Rect(x: 0, y: 0, width: 67, height: 41), Rect(x: 0, y: 0, width: 67, height: 41)),
            (Rect(x: -13, y: 3, width: 50, height: 29), Rect(x: -30, y: 11, width: 40, height: 37)),
            (Rect(x: 1, y: 1, width: 3, height: 1), Rect(x: 0, y: 0, width: 5, height: 4)),
        ] {
            let source = try Samples.noise(extent.width, extent.height, PixelFormat(.rgba), seed: 5)
            for levels in 1...3 {
                let plan = Plans.pyramid(
                    levels: levels, filter: filter, taps: Plans.skewed(4), edge, extent: extent, region: region)
                let (output, report) = try gpu.run(plan, on: source)
                let deviation = Deviation(output, from: Reference.run(plan, on: source))
                #expect(deviation.excess <= Self.tolerance(plan, .u8), "\(extent) \(region) \(levels): \(deviation)")
                #expect(report.passes == plan.separable.list.count)
            }
        }
    }

    /// Tests plans that the planner makes. They include convolutions at full resolution, up to ten levels, signed slots, and
    /// images that are as small as a single pixel.
    @Test(arguments: EdgeMode.allCases, [0.3, 5, 21, 1000])
    func plannedBlurs(_ edge: EdgeMode, _ sigma: Double) throws {
        let gpu = try TestGPU.shared.get()
        let blur = try GaussianBlur(sigmaX: sigma, sigmaY: sigma / 2, edge: edge)
        for (width, height) in [(41, 22), (1, 1), (3, 20)] {
            let source = try Samples.noise(width, height, PixelFormat(.rgba))
            let plan = try blur.plan(extent: source.layout.extent)
            guard plan.work != .copy else { continue }
            let output = try gpu.run(plan, on: source).output
            let deviation = Deviation(output, from: Reference.run(plan, on: source))
            #expect(deviation.excess <= Self.tolerance(plan, .u8), "\(width)x\(height): \(deviation)")
        }
    }

    @Test func signedSlotsKeepNegativeValues() throws {
        let gpu = try TestGPU.shared.get()
        let extent = Rect(x: 0, y: 0, width: 33, height: 18)
        let source = try Samples.noise(33, 18, PixelFormat(.rgba, alpha: .premultiplied))
        // The taps sum to 1. Nevertheless their results on noise lie far below 0 and far above 1.
        let plan = Plans.separable([-1, 0.5, 2, 0.5, -1], .mirror, extent: extent, region: extent, isSigned: true)
        let (output, report) = try gpu.run(plan, on: source)
        let deviation = Deviation(output, from: Reference.run(plan, on: source))
        #expect(deviation.excess <= 0.001, "\(deviation)")
        #expect(report.formats == [.rgba32F])
    }

    /// Some of these images are wider than the kernel, so that the inner pixels need no edge mode. Others are much narrower
    /// than the kernel.
    @Test(arguments: [(31, 80, 3), (32, 70, 5), (100, 230, 2), (100, 40, 11), (500, 30, 4)])
    func longKernels(_ radius: Int, _ width: Int, _ height: Int) throws {
        let gpu = try TestGPU.shared.get()
        let extent = Rect(x: 0, y: 0, width: width, height: height)
        let source = try Samples.noise(width, height, PixelFormat(.rgb))
        let plan = Plans.separable(Plans.skewed(radius), .repeat, extent: extent, region: extent)
        let output = try gpu.run(plan, on: source).output
        let deviation = Deviation(output, from: Reference.run(plan, on: source))
        // The tolerance is larger here, because a sum has a thousand additions in float32 instead of ten.
        #expect(deviation.excess <= Self.tolerance(plan, .u8) + 0.01, "\(deviation)")
    }

    @Test func aPlaceFarAwayGivesTheSameBits() throws {
        let gpu = try TestGPU.shared.get()
        let source = try Samples.noise(30, 21, PixelFormat(.rgba))
        func output(at place: Int) throws -> [UInt8] {
            let extent = Rect(x: place, y: -place, width: 30, height: 21)
            let plan = Plans.pyramid(
                levels: 2, filter: Plans.eight, taps: Plans.skewed(3), .repeat, extent: extent, region: extent)
            return try gpu.run(plan, on: source).output.bytes
        }
        #expect(try output(at: 1 << 40) == output(at: 0))
    }

    @Test func aRegionUploadsOnlyWhatItReads() throws {
        let gpu = try TestGPU.shared.get()
        let extent = Rect(x: 0, y: 0, width: 900, height: 300)
        let source = try Samples.noise(900, 300, PixelFormat(.rgba))
        let region = Rect(x: 400, y: 100, width: 10, height: 8)
        // The slot holds only the rows that the second pass reads.
        var plan = Plans.separable(Plans.skewed(5), .clamp, extent: extent, region: region)
        plan.separable.slots[0].window = Rect(x: 400, y: 95, width: 10, height: 18)
        let (output, report) = try gpu.run(plan, on: source)
        #expect(report.bytesUploaded == 20 * 18 * 4)
        let deviation = Deviation(output, from: Reference.run(plan, on: source))
        #expect(deviation.excess <= Self.tolerance(plan, .u8), "\(deviation)")
    }

    @Test func sourceAndTargetMayBeTheSameMemory() throws {
        let gpu = try TestGPU.shared.get()
        let extent = Rect(x: 0, y: 0, width: 300, height: 200)
        let source = try Samples.noise(300, 200, PixelFormat(.rgba))
        let plan = Plans.separable(Plans.skewed(5), .mirror, extent: extent, region: extent)
        let expected = try gpu.run(plan, on: source).output
        var image = source
        try unsafe image.withUnsafeMutableBytes { memory in
            let base = try unsafe #require(memory.baseAddress)
            try unsafe gpu.execute(
                plan, source: PixelSource(base, layout: source.layout), target: PixelTarget(base, layout: source.layout)
            )
        }
        #expect(image == expected)
    }

    /// Coordinates are exact even if an image is as wide or as high as the device's largest texture.
    @Test func theLongestSides() throws {
        let gpu = try TestGPU.shared.get()
        let side = gpu.maximumTextureSize
        for extent in [Rect(x: 0, y: 0, width: side, height: 2), Rect(x: 0, y: 0, width: 2, height: side)] {
            let source = try Samples.noise(extent.width, extent.height, PixelFormat(.rgba))
            let plan = Plans.separable(Plans.skewed(2), .repeat, extent: extent, region: extent)
            let output = try gpu.run(plan, on: source).output
            let deviation = Deviation(output, from: Reference.run(plan, on: source))
            #expect(deviation.excess <= Self.tolerance(plan, .u8), "\(extent): \(deviation)")
        }
    }

    /// The comparison detects an error of one step in any channel of any pixel, alpha included.
    @Test func theComparatorNoticesOneStep() throws {
        let source = try Samples.noise(9, 7, PixelFormat(.rgba, alpha: .premultiplied))
        let plan = Plans.single(
            .convolve(taps: [1]), .x, .clamp, extent: source.layout.extent, region: source.layout.extent)
        let exact = Reference.run(plan, on: source)
        #expect(Deviation(source, from: exact).excess == 0)
        for index in [0, 101, source.bytes.count - 1] {
            var bytes = source.bytes
            bytes[index] ^= 1
            #expect(Deviation(try PixelBuffer(layout: source.layout, bytes: bytes), from: exact).excess > 0.49)
        }
    }

    /// The image needs more bands than the ring of transfer buffers has buffers, both for the upload and for the readback. A
    /// kernel with one tap keeps every float bit for bit.
    @Test func manyBands() throws {
        let gpu = try TestGPU.shared.get()
        let extent = Rect(x: 0, y: 0, width: 600, height: 2300)
        let source = try Samples.noise(600, 2300, PixelFormat(.rgba, .f32, alpha: .premultiplied))
        let plan = Plans.single(.convolve(taps: [1]), .x, .clamp, extent: extent, region: extent)
        let (output, report) = try gpu.run(plan, on: source)
        #expect(report.bytesRead > 5 * (4 << 20))
        #expect(output == source)
    }
}

extension Reference.Image {
    /// Returns the image with the alpha that a reader of this format sees. For a format without alpha, this is 1.
    func onlyColor(of format: PixelFormat) -> Reference.Image {
        guard !format.channels.hasAlpha else { return self }
        var image = self
        for index in image.values.indices { image.values[index].w = 1 }
        return image
    }
}
