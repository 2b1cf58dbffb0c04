@testable import FrostCore
@testable import FrostDrawing
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Testing

/// Tests the output stages alone. The passes of these plans only copy, so only the output stages change the pixels.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct OutputStagesTests {
    static let white = ColorStage.matrix(.tint(Color(unclamped: 1)))

    static func plan(
        _ extent: Rect, _ region: Rect, _ outputStages: OutputStages, edge: EdgeMode = .clamp
    ) -> Plan {
        var plan = Plans.single(.convolve(taps: [1]), .x, edge, extent: extent, region: region)
        // A second pass, which goes along y, allows the region to extend past the image along y as well.
        plan.separable.list[0].to = .slot(0)
        plan.separable.slots = [
            Slot(window: Rect(columns: region.columns, rows: extent.rows), levelX: 0, levelY: 0, isSigned: false)
        ]
        plan.separable.list.append(
            Pass(axis: .y, operation: .convolve(taps: [1]), from: .slot(0), to: .output, edge: edge))
        plan.outputStages = outputStages
        return plan
    }

    private static func black(_ size: Rect, _ format: PixelFormat = PixelFormat(.grey, .f32)) throws -> PixelBuffer {
        PixelBuffer(layout: try PixelLayout(width: size.width, height: size.height, format: format))
    }

    /// Draws white over black through the output stages. The result then shows how strongly the output stages cover each
    /// pixel.
    private func shown(_ outputStages: OutputStages, extent: Rect, region: Rect, mask: MaskImage? = nil) throws
        -> PixelBuffer
    {
        try TestGPU.shared.get().run(Self.plan(extent, region, outputStages), on: Self.black(extent), mask: mask).output
    }

    private func expect(
        _ image: PixelBuffer, _ region: Rect, within limit: Double,
        _ expected: (_ x: Int, _ y: Int) -> Double
    ) {
        var worst = 0.0
        var place = ""
        for y in region.rows {
            for x in region.columns {
                let got = Samples.value(image, x - region.x, y - region.y, 0)
                let error = abs(got - expected(x, y))
                guard !(error <= worst) else { continue }
                (worst, place) = (error, "\(x),\(y): \(got) for \(expected(x, y))")
            }
        }
        #expect(worst <= limit, "\(place)")
    }

    /// 1/10 of an 8-bit step.
    private static let tenth = 0.1 / 255

    /// The coverage of clip rectangles equals the coverage that `RoundedRect` computes, for every position of the image.
    @Test(arguments: [0, 1_000_003, -70_001]) func coverageIsTheArea(origin: Int) throws {
        let extent = Rect(x: origin, y: -2 * origin, width: 61, height: 47)
        let (x, y) = (Double(extent.x), Double(extent.y))
        let rects: [(Double, Double, Double, Double, Double)] = [
            (5, 6, 40, 30, 0), (5.25, 6.5, 40.125, 30.75, 0), (5, 6, 40, 30, 10), (3.3, 4.7, 50.2, 33.1, 7.77),
            (10, 10, 20, 20, 10), (20.4, 20.4, 0.3, 0.3, 0.15), (20.4, 20.4, 1, 1, 0.5), (20.9, 20.2, 2.5, 1.2, 0.6),
            (-30, -30, 70, 70, 35), (-100, -200, 500, 500, 250), (7, 9, 30, 4, 0.25), (30, 20, 0, 0, 0),
        ]
        for (left, top, width, height, radius) in rects {
            let rect = try RoundedRect(x: x + left, y: y + top, width: width, height: height, radius: radius)
            let outputStages = OutputStages(inside: [Self.white], clip: [rect])
            let image = try shown(outputStages, extent: extent, region: extent)
            expect(image, extent, within: Self.tenth) { rect.coverage($0, $1) }
        }
        let (a, b) = (
            try RoundedRect(x: x + 3.5, y: y + 2, width: 20, height: 30, radius: 4),
            try RoundedRect(x: x + 23.5, y: y + 2, width: 20, height: 30)
        )
        let both = try shown(OutputStages(inside: [Self.white], clip: [a, b]), extent: extent, region: extent)
        expect(both, extent, within: Self.tenth) { min(1, a.coverage($0, $1) + b.coverage($0, $1)) }
    }

    /// The coverage of turned rectangles, whose image lies beside the content, equals the coverage that `RoundedRect` computes,
    /// also in a part of the picture, beside an upright rectangle, and below content.
    @Test func coverageOfTurnedRectangles() throws {
        let extent = Rect(x: 0, y: 0, width: 61, height: 47)
        let upright = try RoundedRect(x: 2.5, y: 1, width: 9, height: 40, radius: 3)
        let rects = try [(17.0, CornerCurve.circular), (45, .continuous()), (80.5, .superellipse())].map {
            (angle, corners) throws(ParameterError) in
            try RoundedRect(x: 12, y: 6.3, width: 40, height: 25, radius: 7, corners: corners).turned(by: angle)
        }
        for rect in rects {
            for region in [extent, Rect(x: 20, y: 3, width: 13, height: 30), Rect(x: 0, y: 0, width: 5, height: 5)] {
                let alone = try shown(OutputStages(inside: [Self.white], clip: [rect]), extent: extent, region: region)
                expect(alone, region, within: Self.tenth) { rect.coverage($0, $1) }
                let both = try shown(
                    OutputStages(inside: [Self.white], clip: [upright, rect]), extent: extent, region: region)
                expect(both, region, within: Self.tenth) { min(1, upright.coverage($0, $1) + rect.coverage($0, $1)) }
            }
            let other = try #require(rects.first { $0 != rect })
            let image = try shown(OutputStages(inside: [Self.white], clip: [other]), extent: extent, region: extent)
            // The comparison finds another outline.
            var largest = 0.0
            for y in extent.rows {
                for x in extent.columns { largest = max(largest, abs(other.coverage(x, y) - rect.coverage(x, y))) }
            }
            #expect(largest > 0.3)
            expect(image, extent, within: Self.tenth) { other.coverage($0, $1) }
        }
    }

    static let curves: [CornerCurve] = [
        .continuous(), .continuous(smoothing: 0.1), .continuous(smoothing: 1), .superellipse(),
        .superellipse(exponent: 1), .superellipse(exponent: 1.5), .superellipse(exponent: 2.7),
        .superellipse(exponent: 16),
    ]

    /// The coverage of rectangles whose corners are not quarter circles equals the coverage that `RoundedRect` computes,
    /// also beside a rectangle with circular corners, whose coverage does not change.
    @Test(arguments: curves) func coverageOfCurves(corners: CornerCurve) throws {
        for origin in [0, 1_000_003] {
            let extent = Rect(x: origin, y: -2 * origin, width: 61, height: 47)
            let (x, y) = (Double(extent.x), Double(extent.y))
            let rects: [(Double, Double, Double, Double, Double)] = [
                (5, 6, 40, 30, 10), (3.3, 4.7, 50.2, 33.1, 16.5), (10, 10, 20, 20, 10), (20.4, 20.4, 0.3, 0.3, 0.15),
                (20.4, 20.4, 1, 1, 0.5), (20.9, 20.2, 2.5, 1.2, 0.6), (-30, -30, 70, 70, 35),
                (-100, -200, 500, 500, 250),
                (7, 9, 30, 4, 0.25),
            ]
            for (left, top, width, height, radius) in rects {
                let rect = try RoundedRect(
                    x: x + left, y: y + top, width: width, height: height, radius: radius / corners.reach,
                    corners: corners)
                let image = try shown(
                    OutputStages(inside: [Self.white], clip: [rect]), extent: extent, region: extent)
                expect(image, extent, within: Self.tenth) { rect.coverage($0, $1) }
            }
        }
        let extent = Rect(x: 0, y: 0, width: 61, height: 47)
        let curved = try RoundedRect(x: 3.5, y: 2, width: 20, height: 30, radius: 5, corners: corners)
        let circular = try RoundedRect(x: 25.5, y: 2.25, width: 20, height: 30.5, radius: 8.3)
        let alone = try shown(OutputStages(inside: [Self.white], clip: [circular]), extent: extent, region: extent)
        let both = try shown(
            OutputStages(inside: [Self.white], clip: [curved, circular]), extent: extent, region: extent)
        for y in extent.rows {
            for x in 24..<61 { #expect(Samples.value(both, x, y, 0) == Samples.value(alone, x, y, 0)) }
        }
        expect(both, extent, within: Self.tenth) { min(1, curved.coverage($0, $1) + circular.coverage($0, $1)) }
    }

    /// Tests curves that are much larger than the picture, where the outline crosses the picture near the diagonal, near the
    /// end of the curve and between the two.
    @Test(arguments: curves) func largeCurves(corners: CornerCurve) throws {
        let extent = Rect(x: 0, y: 0, width: 90, height: 60)
        for radius in [300.0, 2000, PreparedOutputStages.curveRadiusLimit] {
            let outline = try #require(CornerOutline(corners, radius: radius))
            for place in [0.0, 0.02, 0.3, 0.7] {
                let s = outline.diagonal + place * (outline.reach - outline.diagonal)
                let t = outline.inset(s)
                for (s, t) in [(s, t), (t, s)] {
                    let side = 2 * outline.reach + 1
                    let rect = try RoundedRect(
                        x: 45 - s, y: 30 - t, width: side, height: side, radius: radius, corners: corners)
                    let image = try shown(
                        OutputStages(inside: [Self.white], clip: [rect]), extent: extent, region: extent)
                    expect(image, extent, within: 0.25 / 255) { rect.coverage($0, $1) }
                }
            }
        }
    }

    /// Tests corner arcs that are much larger than the picture, up to the largest supported radius.
    @Test(arguments: [300.0, 2000, PreparedOutputStages.radiusLimit]) func largeCorners(radius: Double) throws {
        let extent = Rect(x: 0, y: 0, width: 90, height: 60)
        // The arc crosses the picture in one of three directions: at 45 degrees, almost horizontally or almost vertically.
        for angle in [0.785, 0.02, 1.55] {
            let (cx, cy) = (45 + radius * Self.cosine(angle), 30 + radius * Self.cosine(1.570796 - angle))
            let rect = try RoundedRect(
                x: cx - radius, y: cy - radius, width: 2 * radius, height: 2 * radius, radius: radius)
            let image = try shown(OutputStages(inside: [Self.white], clip: [rect]), extent: extent, region: extent)
            expect(image, extent, within: 0.25 / 255) { rect.coverage($0, $1) }
        }
    }

    private static func cosine(_ x: Double) -> Double {
        // This series is accurate enough to place the circle.
        let s = x * x
        return 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56)))
    }

    /// A mask image is stretched over the picture, whether the mask is larger or smaller than the picture. Outside the
    /// picture it continues.
    @Test func maskImagesAreStretched() throws {
        let extent = Rect(x: 40, y: -9, width: 53, height: 31)
        let regions = [extent, Rect(x: 47, y: 1, width: 9, height: 20), Rect(x: 20, y: -30, width: 99, height: 80)]
        for (width, height) in [(53, 31), (7, 5), (1, 1), (1, 9), (200, 310)] {
            let mask = MaskImage(try Samples.noise(width, height, PixelFormat(.grey, .u16)))
            for region in regions {
                let outputStages = OutputStages(inside: [Self.white], mask: .image)
                let image = try shown(outputStages, extent: extent, region: region, mask: mask)
                expect(image, region, within: Self.tenth) {
                    Mask.image.value(x: $0, y: $1, extent: extent, image: mask.fitted(to: extent))
                }
            }
        }
    }

    @Test func masksOfNumbers() throws {
        let extent = Rect(x: 40, y: -9, width: 53, height: 31)
        let region = Rect(x: 35, y: -20, width: 80, height: 60)
        let masks: [Mask] = [
            .band(Mask.Band(top: 0.4, bottom: 0.6, falloff: 0.2)), .band(Mask.Band(top: 0.31, bottom: 0.7, falloff: 0)),
            .circle(Mask.Circle(centerX: 0.5, centerY: 0.5, radius: 0.2, border: 0.1)),
            .circle(Mask.Circle(centerX: 0.1, centerY: 0.9, radius: 0.33, border: 0)),
        ]
        for mask in masks {
            let image = try shown(OutputStages(inside: [Self.white], mask: mask), extent: extent, region: region)
            expect(image, region, within: Self.tenth) { mask.value(x: $0, y: $1, extent: extent, image: nil) }
        }
    }

    /// Grain and dither use the bits of `PixelHash`, which depend on the absolute position of the pixel.
    @Test func noiseIsThePixels() throws {
        for extent in [
            Rect(x: 0, y: 0, width: 90, height: 70), Rect(x: -33, y: 1 << 33, width: 64, height: 64),
        ] {
            let grain = Grain(amplitude: 0.25, seed: 77)
            let half = ColorStage.matrix(.tint(Color(unclamped: 0.5)))
            let image = try shown(OutputStages(inside: [half, .grain(grain)]), extent: extent, region: extent)
            expect(image, extent, within: 1e-6) { 0.5 + grain.value(x: $0, y: $1) }

            // The value 100.3 plus any dither offset stays at least 1/300 of a step away from a value at which the rounding
            // changes.
            let value = 100.3
            let offsets = Dither(seed: 5).offsets
            let stage = ColorStage.matrix(.tint(Color(unclamped: value / 255)))
            let plan = Self.plan(extent, extent, OutputStages(inside: [stage], dither: Dither(seed: 5)))
            let output = try TestGPU.shared.get().run(plan, on: Self.black(extent, PixelFormat(.grey))).output
            expect(output, extent, within: 0) {
                let place = UInt32(truncatingIfNeeded: $0) &+ Dither(seed: 5).start(y: $1)
                let offset = offsets[Int(place) % Dither.period]
                return (value + (Double(offset) + 0.5) / 64).rounded(.down) / 255
            }
        }
    }

    /// Outside the clip rectangles, every byte equals the source's byte, in every format. There the pixels are neither
    /// dithered nor rounded, and transparent pixels keep their colour.
    @Test(arguments: TestImage.formats) func outsideIsUntouched(format: PixelFormat) throws {
        let extent = Rect(x: 3, y: 4, width: 40, height: 33)
        let image = try Samples.noise(40, 33, format)
        let clip = [try RoundedRect(x: 13, y: 14.5, width: 20.5, height: 11, radius: 5)]
        let outputStages = OutputStages(inside: [.matrix(.brightness(0.2))], clip: clip, dither: Dither())
        let output = try TestGPU.shared.get().run(Self.plan(extent, extent, outputStages), on: image).output
        var (changed, kept) = (0, 0)
        for y in extent.rows {
            for x in extent.columns {
                let place = (y - extent.y) * image.layout.bytesPerRow + (x - extent.x) * format.bytesPerPixel
                let bytes = place..<place + format.bytesPerPixel
                if image.bytes[bytes] == output.bytes[bytes] { kept += 1 } else { changed += 1 }
                if clip[0].coverage(x, y) == 0 {
                    #expect(image.bytes[bytes] == output.bytes[bytes], "\(format) at \(x), \(y)")
                }
            }
        }
        // Pixels inside the rectangle do change.
        #expect(changed > 50 && kept > 500, "\(changed) changed, \(kept) kept")
    }

    @Test func outputStagesTakeNoPassAndASecondImageNoObject() throws {
        let gpu = try GPUExecutor(device: .any)
        let extent = Rect(x: 0, y: 0, width: 120, height: 77)
        let plain = ExecutorTests.plan(120, 77)
        var plan = plain
        let source = try Samples.noise(120, 77, PixelFormat(.rgba))
        let mask = MaskImage(try Samples.noise(30, 20, PixelFormat(.grey)))
        plan.outputStages = OutputStages(
            inside: [.matrix(.saturation(1.8))], mask: .image, over: [.matrix(.contrast(0.8))],
            clip: [try RoundedRect(extent, radius: 9)], dither: Dither())
        let blurred = try gpu.run(plain, on: source).report
        try gpu.run(plan, on: source, mask: mask)
        let first = try gpu.run(plan, on: source, mask: mask)
        let before = gpu.statistics
        let second = try gpu.run(plan, on: source, mask: mask)
        // The numbers of masks and colour stages are data that a program reads. So neither another mask of the same size
        // nor other stages of the same kinds need a new program.
        plan.outputStages.inside = [.matrix(.contrast(0.5))]
        let other = MaskImage(try Samples.noise(30, 20, PixelFormat(.grey), seed: 2))
        let third = try gpu.run(plan, on: source, mask: other)
        let after = gpu.statistics
        // The images are compared outside of #expect, because a failure would print every byte of its operands.
        let (isSame, isOther) = (first.output == second.output, first.output != third.output)
        #expect(isSame && isOther)
        #expect(first.report.passes == blurred.passes)
        #expect(first.report.bytesUploaded == blurred.bytesUploaded)
        #expect(after.objects.withoutFences == before.objects.withoutFences)
        #expect(after.targetsCreated == before.targetsCreated)
        #expect(after.programsCompiled + after.programsLoaded == before.programsCompiled + before.programsLoaded)
        plan.outputStages.inside = [.grain(Grain(amplitude: 0.1, seed: 1))]
        _ = try gpu.run(plan, on: source, mask: other)
        let last = gpu.statistics
        #expect(last.programsCompiled + last.programsLoaded > after.programsCompiled + after.programsLoaded)
    }

    /// A stream gives the same results as single calls.
    @Test func streamsRunOutputStages() throws {
        let gpu = try GPUExecutor(device: .any)
        let mask = MaskImage(try Samples.noise(8, 9, PixelFormat(.grey)))
        var plan = ExecutorTests.plan(50, 40)
        plan.outputStages = OutputStages(inside: [.matrix(.saturation(2))], mask: .image, dither: Dither(seed: 3))
        let sources = try (1...3).map { try Samples.noise(50, 40, PixelFormat(.rgba), seed: $0) }
        let expected = try sources.map { try gpu.run(plan, on: $0, mask: mask).output }
        let layout = try PixelLayout(width: 50, height: 40, format: PixelFormat(.rgba))
        let tickets = try sources.map { source in
            try unsafe source.withUnsafeBytes { bytes in
                try unsafe gpu.submit(
                    plan, source: PixelSource(try #require(bytes.baseAddress), layout: layout), mask: mask,
                    format: layout.format)
            }
        }
        for (ticket, expected) in zip(tickets, expected) {
            var output = PixelBuffer(layout: layout)
            try unsafe output.withUnsafeMutableBytes { bytes in
                _ = try unsafe gpu.collect(ticket, into: PixelTarget(try #require(bytes.baseAddress), layout: layout))
            }
            let isSame = output == expected
            #expect(isSame)
        }
    }

    /// Too many stages for the uniform block are refused, and the error states the reason. A missing mask is an error too. Of
    /// rectangles there may be any number.
    @Test func limitsAreErrors() throws {
        let extent = Rect(x: 0, y: 0, width: 20, height: 20)
        let curved = try RoundedRect(
            x: 0, y: 0, width: 20_000, height: 20_000, radius: PreparedOutputStages.curveRadiusLimit + 1,
            corners: .superellipse())
        let small = try RoundedRect(x: 1, y: 1, width: 2, height: 2)
        let far = try RoundedRect(x: 100, y: 1, width: 2, height: 2)
        let huge = try RoundedRect(x: 0, y: 0, width: 20_000, height: 20_000, radius: 9000)
        let refused = [
            OutputStages(inside: Array(repeating: Self.white, count: PreparedOutputStages.stageLimit + 1)),
            OutputStages(clip: [huge]), OutputStages(clip: [curved]),
        ]
        for outputStages in refused {
            do throws(DrawingError) {
                _ = try PreparedOutputStages(Self.plan(extent, extent, outputStages))
                Issue.record("went through")
            } catch {
                guard case .unsupportedOutputStages = error else { throw error }
                #expect(error.description.contains("limit"))
            }
        }
        // Rectangles that do not overlap the region do not count towards the limit.
        let many = OutputStages(clip: Array(repeating: far, count: 1000))
        #expect(try PreparedOutputStages(Self.plan(extent, extent, many)).clip == [])
        let fits = OutputStages(
            inside: Array(repeating: Self.white, count: PreparedOutputStages.stageLimit),
            clip: Array(repeating: small, count: PreparedOutputStages.clipLimit))
        let image = try Samples.noise(20, 20, PixelFormat(.rgba))
        let output = try TestGPU.shared.get().run(Self.plan(extent, extent, fits), on: image).output
        #expect(output.bytes[4 * (20 + 1)] == 255)
        #expect(output.bytes[0..<40] == image.bytes[0..<40])
        var more = fits
        more.clip.append(small)
        #expect(try TestGPU.shared.get().run(Self.plan(extent, extent, more), on: image).output.bytes == output.bytes)
        #expect(throws: GPUError.self) {
            try TestGPU.shared.get().run(Self.plan(extent, extent, OutputStages(mask: .image)), on: image)
        }
    }

    /// Intermediate textures have 16 bits per channel. They have more only if the output stages amplify rounding errors so
    /// much that they would be visible.
    @Test func formatsFollowTheAmplification() throws {
        let gpu = try TestGPU.shared.get()
        let source = try Samples.noise(120, 77, PixelFormat(.rgba))
        var plan = ExecutorTests.plan(120, 77)
        plan.outputStages = OutputStages(inside: [.matrix(.saturation(1.8))])
        try #require(gpu.limits.renderableFormats.isSuperset(of: [.rgba16, .rgba32F]))
        #expect(try gpu.run(plan, on: source).report.formats == [.rgba16])
        plan.outputStages = OutputStages(inside: [.matrix(.contrast(20))])
        #expect(try gpu.run(plan, on: source).report.formats == [.rgba32F])
        let narrow = try GPUExecutor(device: .any, options: GPUOptions(allowedFormats: [.rgba8, .rgba16]))
        #expect(try narrow.run(plan, on: source).report.degradedPrecision != nil)
    }
}

extension Color {
    /// Creates an opaque grey. An invalid value stops the test process.
    fileprivate init(unclamped grey: Double) {
        do { try self.init(red: grey, green: grey, blue: grey) } catch { preconditionFailure("\(error)") }
    }
}
