import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests every format of intermediate textures. Each test disables the better formats, because some devices do not support
/// them.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct FormatTests {
    /// Each case states which formats are allowed, which of them is used, and whether the report then warns of degraded
    /// precision. `tolerance` is the largest error, in 8-bit steps, if two passes run with one intermediate image
    /// between them. It is half a unit of the intermediate image's format. For rgba16F, whose floats have 11
    /// significant bits, it is a whole unit, because llvmpipe truncates them instead of rounding.
    static let cases: [(allowed: Set<TextureFormat>, used: TextureFormat, tolerance: Double, isDegraded: Bool)] = [
        (Set(TextureFormat.allCases), .rgba16, 0.004, false),
        ([.rgba32F, .rgba16F, .rgb10A2, .rgba8], .rgba32F, 0.001, false),
        ([.rgba16F, .rgb10A2, .rgba8], .rgb10A2, 0.127, true),
        ([.rgba16F, .rgba8], .rgba16F, 0.13, true),
        ([.rgba8], .rgba8, 0.502, true),
    ]

    @Test(arguments: cases.indices)
    func fallsBack(_ index: Int) throws {
        let (allowed, used, tolerance, isDegraded) = Self.cases[index]
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(allowedFormats: allowed))
        try #require(gpu.limits.renderableFormats.contains(used))
        let source = try Samples.noise(50, 40, PixelFormat(.rgb))
        let plan = Plans.separable(Plans.skewed(3), .mirror, extent: source.layout.extent, region: source.layout.extent)
        let (output, report) = try gpu.run(plan, on: source)
        let deviation = Deviation(output, from: Reference.run(plan, on: source))
        #expect(deviation.excess <= tolerance, "\(used): \(deviation)")
        #expect(report.formats == [used])
        #expect((report.degradedPrecision != nil) == isDegraded)
    }

    @Test func tenBitsAreForOpaqueImagesOnly() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(allowedFormats: [.rgb10A2, .rgba8]))
        let source = try Samples.noise(20, 20, PixelFormat(.rgba))
        let plan = Plans.separable(Plans.skewed(3), .mirror, extent: source.layout.extent, region: source.layout.extent)
        #expect(try gpu.run(plan, on: source).report.formats == [.rgba8])
    }

    @Test func signedSlotsAndDeepImagesNeedFloats() throws {
        let gpu = try GPUExecutor(device: .any, options: GPUOptions(allowedFormats: [.rgba16, .rgba8]))
        func fails(_ format: PixelFormat, isSigned: Bool) throws {
            let source = try Samples.noise(20, 20, format)
            let plan = Plans.separable(
                Plans.skewed(3), .mirror, extent: source.layout.extent, region: source.layout.extent, isSigned: isSigned
            )
            #expect {
                try gpu.run(plan, on: source)
            } throws: { error in
                if case GPUError.unsupportedFormat = error { true } else { false }
            }
        }
        try fails(PixelFormat(.rgb), isSigned: true)
        try fails(PixelFormat(.rgb, .u16), isSigned: false)
        try fails(PixelFormat(.rgb, .f16), isSigned: false)
        try fails(PixelFormat(.rgb, .f32), isSigned: false)
    }

    /// The oldest supported GL versions give the same bits as the newest version.
    @Test(arguments: [0, 1])
    func olderVersions(_ minor: Int) throws {
        let newest = try TestGPU.shared.get()
        let gpu = try GPUExecutor(
            device: .any, options: GPUOptions(context: ContextOptions(newestMinorVersion: minor)))
        let source = try Samples.noise(50, 40, PixelFormat(.rgba))
        let plan = Plans.pyramid(
            levels: 2, filter: Plans.eight, taps: Plans.skewed(3), .clamp, extent: source.layout.extent,
            region: source.layout.extent)
        #expect(try gpu.run(plan, on: source).output == newest.run(plan, on: source).output)
    }

    /// The order of the colour channels affects only the transfer of rows, not the passes.
    @Test(arguments: [PixelFormat(.rgba), PixelFormat(.bgra), PixelFormat(.rgb), PixelFormat(.rgba, .u16)])
    func colorsInEitherOrder(_ format: PixelFormat) throws {
        let gpu = try TestGPU.shared.get()
        let source = try Samples.noise(37, 21, format)
        let plan = Plans.separable(
            Plans.skewed(3), .mirror, extent: source.layout.extent, region: source.layout.extent, isSigned: false)
        var (first, second) = (format, format)
        (first.channels, second.channels) = (.rgba, .bgra)
        let rgba = try gpu.run(plan, on: source, format: first).output
        let bgra = try gpu.run(plan, on: source, format: second).output
        #expect(rgba.bytes != bgra.bytes)
        #expect(try Comparison(rgba, bgra).worst == nil)
    }
}
