import FrostCore
import FrostGLES
@testable import FrostGPU
import FrostTestSupport
import Testing

/// Compares passes that use the device's linear filter with the exact result of the plan. The tolerance is the tolerance of
/// exact passes plus the measured error of the device's filter, which the report adds to the plan's bound.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct LinearTests {
    /// A limit for the filter error. It is so high that every device's error is below it, so every suitable pass uses the
    /// linear filter.
    static let unlimited = 2000.0

    static func executor(
        _ profile: FilterProfile = .fast, limit: Double = Self.unlimited, fault: (probe: Float, draws: Float) = (0, 0),
        formats: Set<TextureFormat> = Set(TextureFormat.allCases)
    ) throws -> GPUExecutor {
        var options = GPUOptions(allowedFormats: formats, filtering: profile, filterErrorLimit: limit)
        options.filterFault = fault
        return try GPUExecutor(device: .any, options: options)
    }

    static func plan(
        _ extent: Rect, _ region: Rect? = nil, _ edge: EdgeMode = .clamp, levels: Int = 2,
        filter: [Float] = Plans.four
    ) -> Plan {
        Plans.interleaved(
            levels: levels, filter: filter, taps: Plans.skewed(2), edge, extent: extent, region: region ?? extent)
    }

    static let format = PixelFormat(.rgba, alpha: .premultiplied)

    @Test(arguments: EdgeMode.allCases, [Plans.four, Plans.eight])
    func linearPassesKeepThePlan(_ edge: EdgeMode, _ filter: [Float]) throws {
        let gpu = try Self.executor()
        for (width, height) in [(61, 50), (64, 64), (7, 33), (1, 1), (200, 3), (1500, 6), (5, 1300)] {
            let extent = Rect(x: 0, y: 0, width: width, height: height)
            for region in [extent, Rect(x: -3, y: 5, width: width + 2, height: max(1, height - 4))] {
                let source = try Samples.noise(width, height, Self.format)
                let plan = Self.plan(extent, region, edge, filter: filter)
                let (output, report) = try gpu.run(plan, on: source)
                let deviation = Deviation(output, from: Reference.run(plan, on: source))
                let tolerance = PassTests.tolerance(plan, .u8) + report.filterError
                #expect(deviation.excess <= tolerance, "\(extent) \(region): \(deviation), allowed \(tolerance)")
                #expect(report.linearDraws > 0)
                // Only filters with four taps are combined to draws along both axes. A combined decimation with eight
                // taps would take sixteen fetches for each output pixel. Two separate draws take twelve: the second
                // draw takes four, and the first draw takes eight, because its output has twice as many pixels. In
                // small images draws may stay separate, because a combined draw has to compute more pixels around the
                // image.
                if width == 64 { #expect((report.fusedDraws > 0) == (filter == Plans.four)) }
                #expect(report.passes == plan.separable.list.count)
            }
        }
    }

    @Test(arguments: [
        PixelFormat(.rgb), PixelFormat(.bgra, alpha: .premultiplied), PixelFormat(.rgba), PixelFormat(.grey),
        PixelFormat(.rgba, .u16), PixelFormat(.rgb, .f32),
    ])
    func everyFormat(_ format: PixelFormat) throws {
        let gpu = try Self.executor()
        let source = try Samples.noise(70, 41, format)
        let plan = Self.plan(source.layout.extent, nil, .mirror, levels: 3)
        let (output, report) = try gpu.run(plan, on: source)
        let deviation = Deviation(output, from: Reference.run(plan, on: source).onlyColor(of: format))
        let scale = format.sample.maximum / 255
        #expect(
            deviation.excess <= PassTests.tolerance(plan, format.sample) + report.filterError * scale, "\(deviation)")
        #expect(report.linearDraws == 6)
        // Straight colour must be multiplied by alpha per texel before any interpolation. So the first pass is a separate
        // draw.
        #expect(report.fusedDraws == (format.needsPremultiplication && format.sample == .u8 ? 5 : 6))
    }

    /// The two decimations along both axes take two draws, the two interpolations along both axes take two more, and the
    /// convolutions take two.
    @Test func passesAlongBothAxesAreOneDraw() throws {
        let gpu = try Self.executor()
        let source = try Samples.noise(90, 80, Self.format)
        let plan = Self.plan(source.layout.extent)
        let exact = try Self.executor(.exact)
        let report = try gpu.run(plan, on: source).report
        #expect(report.linearDraws == 4)
        #expect(report.fusedDraws == 4)
        #expect(report.passes == 10)
        #expect(try exact.run(plan, on: source).report.linearDraws == 0)
    }

    @Test func theDefaultLimitIsKept() throws {
        let gpu = try Self.executor(limit: GPUOptions().filterErrorLimit)
        for side in [30, 200, 600, 1100] {
            let source = try Samples.noise(side, 40, Self.format)
            let plan = Self.plan(source.layout.extent, nil, .clear, levels: 3)
            let (output, report) = try gpu.run(plan, on: source)
            #expect(report.filterError <= 0.04)
            let deviation = Deviation(output, from: Reference.run(plan, on: source))
            #expect(deviation.excess <= PassTests.tolerance(plan, .u8) + report.filterError, "\(deviation)")
        }
    }

    /// The comparison detects a pass whose interpolation fractions are wrong by 1/16 of a texel.
    @Test func theComparatorNoticesAWrongFraction() throws {
        let gpu = try Self.executor(fault: (0, 0x1p-4))
        let source = try Samples.noise(90, 80, Self.format)
        let plan = Self.plan(source.layout.extent)
        let (output, report) = try gpu.run(plan, on: source)
        #expect(report.linearDraws == 4)
        let deviation = Deviation(output, from: Reference.run(plan, on: source))
        #expect(deviation.excess > 3 * (PassTests.tolerance(plan, .u8) + report.filterError), "\(deviation)")
    }

    /// If a device's interpolation fractions have an error of 2^-9 (half of the last of 8 bits), the error of its filter
    /// exceeds the default limit. On such a device, texels are read one by one.
    @Test func aDeviceThatIsNotExactEnoughIsReadTexelByTexel() throws {
        let source = try Samples.noise(90, 80, Self.format)
        let plan = Self.plan(source.layout.extent)
        let expected = try Self.executor(.exact).run(plan, on: source).output
        let (output, report) = try Self.executor(limit: 0.04, fault: (0x1p-9, 0x1p-9)).run(plan, on: source)
        #expect(report.linearDraws == 0)
        #expect(report.filterError == 0)
        #expect(output == expected)
        // Here the texel positions have an error of 2^-6 texel in the probe, and none in the draws. The probe must
        // then measure a large filter error.
        let measured = try Self.executor(fault: (0x1p-6, 0)).run(plan, on: source).report
        #expect(measured.filterError > 4 * 2 * 255 * 0x1p-7)
    }

    @Test func theExactProfileIsUntouched() throws {
        let source = try Samples.noise(90, 80, PixelFormat(.rgba))
        let plan = Self.plan(source.layout.extent)
        let gpu = try Self.executor(.exact)
        let output = try gpu.run(plan, on: source).output
        #expect(gpu.statistics.objects.samplers == 0)
        let fast = try Self.executor(limit: 0)
        #expect(try fast.run(plan, on: source).output == output)
        #expect(try fast.run(plan, on: source).report.linearDraws == 0)
    }

    @Test func streamsAndRepetitionsGiveTheSameBits() throws {
        let gpu = try Self.executor()
        let source = try Samples.noise(90, 80, Self.format)
        let plan = Self.plan(source.layout.extent)
        let output = try gpu.run(plan, on: source).output
        let objects = gpu.statistics.objects.withoutFences
        #expect(try gpu.run(plan, on: source).output == output)
        let again = try gpu.run(plan, on: source).output
        #expect(again == output)
        #expect(gpu.statistics.objects.withoutFences == objects)
        let collected = try gpu.collect(gpu.submit(plan, source)).output
        #expect(collected == output)
    }

    /// The oldest supported GL versions give the same bits as the newest version.
    @Test(arguments: [0, 1])
    func olderVersions(_ minor: Int) throws {
        let options = GPUOptions(
            context: ContextOptions(newestMinorVersion: minor), filtering: .fast, filterErrorLimit: Self.unlimited)
        let gpu = try GPUExecutor(device: .any, options: options)
        let source = try Samples.noise(90, 80, Self.format)
        let plan = Self.plan(source.layout.extent)
        #expect(try gpu.run(plan, on: source).output == Self.executor().run(plan, on: source).output)
    }

    /// Signed slots hold floats, which the device cannot filter. A linear sampler would read them as black. So they must be
    /// fetched texel by texel, without this sampler.
    @Test func signedSlotsStayExact() throws {
        let gpu = try Self.executor()
        let source = try Samples.noise(60, 50, Self.format)
        let extent = source.layout.extent
        let plan = Plans.separable([-1, 0.5, 2, 0.5, -1], .mirror, extent: extent, region: extent, isSigned: true)
        let (output, report) = try gpu.run(plan, on: source)
        #expect(Deviation(output, from: Reference.run(plan, on: source)).excess <= 0.001)
        #expect(report.linearDraws == 0)
    }

    /// Prints the filter errors of this machine's device, for the record.
    @Test func measurements() throws {
        let thread = try GLThread.open(.any)
        try thread.perform { (gl) throws(GLError) in
            var binaries = ProgramBinaries(ProgramCache(.none(reason: "")), in: gl)
            let vertexArray = try VertexArray(in: gl)
            let probe = try FilterProbe(fault: 0, from: &binaries, in: gl)
            for format in [TextureFormat.rgba8, .rgba16, .rgba32F] {
                for length in [256, 2048, 16384] {
                    let finding = try probe.find(format, length: length, vertexArray, in: gl)
                    print("\(gl.device.renderer), \(format) to \(length): \(finding.map { "\($0)" } ?? "none")")
                }
            }
            try gl.checkErrors(after: "measuring")
        }
        #expect(thread.objectCounts.total == 0)
    }
}

extension Plans {
    /// Returns a plan with `levels` decimations, a convolution and `levels` interpolations along each axis. The passes have
    /// the planner's order: each decimation goes along y first and then along x; each interpolation goes along x first and
    /// then along y.
    static func interleaved(
        levels: Int, filter: [Float], taps: [Float], _ edge: EdgeMode, extent: Rect, region: Rect
    ) -> Plan {
        func needs(_ axis: Axis) -> [Range<Int>] {
            var needs = [region[axis]]
            for operation in operations.reversed() { needs.append(operation.reach(of: needs[needs.count - 1])) }
            return needs.reversed()
        }
        let operations: [Pass.Operation] =
            Array(repeating: .decimate(taps: filter), count: levels) + [.convolve(taps: taps)]
            + Array(repeating: .interpolate(taps: filter), count: levels)
        let x = needs(.x)
        let y = needs(.y)
        var plan = Plan(extent: extent, region: region, list: [])
        var (columns, rows) = (extent.columns, extent.rows)
        for (index, operation) in operations.enumerated() {
            for axis in index < levels ? [Axis.y, .x] : [.x, .y] {
                if axis == .x { columns = x[index + 1] } else { rows = y[index + 1] }
                let from: Place = plan.separable.slots.isEmpty ? .source : .slot(plan.separable.slots.count - 1)
                plan.separable.slots.append(
                    Slot(window: Rect(columns: columns, rows: rows), levelX: 0, levelY: 0, isSigned: false))
                plan.separable.list.append(
                    Pass(
                        axis: axis, operation: operation, from: from, to: .slot(plan.separable.slots.count - 1),
                        edge: index == 0 ? edge : .clamp))
            }
        }
        plan.separable.slots.removeLast()
        plan.separable.list[plan.separable.list.count - 1].to = .output
        return plan
    }
}
