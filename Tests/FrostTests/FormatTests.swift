@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests tags of images. Also tests GPUs that lack the render targets which 16-bit and float images need.
@Suite struct FormatTests {
    /// The result has the same colour space tag as the image. The tag does not affect the pixels.
    @Test(arguments: Worker.wanted) func keepsTheColorSpace(worker: Worker) throws {
        let effect = try GaussianBlur(sigma: 2)
        let tagged = try TestImage.noise(9, 9, PixelFormat(.rgb, colorSpace: .icc([1, 2, 3])))
        let plain = try TestImage.noise(9, 9, PixelFormat(.rgb))
        let rendered = try worker.renderer().blurNow(tagged, effect).image
        #expect(rendered.format == tagged.format)
        #expect(rendered.bytes == (try worker.renderer().blurNow(plain, effect).image.bytes))
    }
}

/// Tests sets of texture formats, as different devices support them.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct FormatFallbackTests {
    private static let all = Set(TextureFormat.allCases)

    private func renderer(_ formats: Set<TextureFormat>) throws -> Renderer {
        try Renderer(backend: .gpu, options: GPUOptions(allowedFormats: formats))
    }

    /// If the render target is exact enough, there is no warning.
    @Test func floatsReplace16Bits() throws {
        let image = try TestImage.noise(60, 50)
        let effect = try GaussianBlur(sigma: 9)
        let rendered = try renderer([.rgba8, .rgba32F]).blurNow(image, effect)
        #expect(rendered.report.warning == nil)
        let exact = try Renderer(backend: .exact).exact(image, effect)
        #expect(try Comparison(SampleRows(rendered.image), exact).maximum <= 1)
    }

    /// If precision is lost, the report states the cause, and the true error does not exceed the reported error. Each pass
    /// adds an error of half a step. These errors partly cancel, so an error of more than four steps would be a fault.
    @Test(arguments: [TextureFormat.rgba8, .rgba16F, .rgb10A2]) func poorFormatsAreSaid(format: TextureFormat) throws {
        let renderer = try renderer(format == .rgba8 ? [.rgba8] : [.rgba8, format])
        let exact = try Renderer(backend: .exact)
        let image = try TestImage.noise(60, 50, PixelFormat(.rgb))
        for sigma in [1.5, 3] {
            let effect = try GaussianBlur(sigma: sigma)
            let rendered = try renderer.blurNow(image, effect)
            let warning = try #require(rendered.report.warning)
            #expect(warning.contains(format.rawValue))
            #expect(rendered.report.backend == .gpu)
            let steps = try Comparison(SampleRows(rendered.image), exact.exact(image, effect)).maximum
            #expect(steps <= 4, "sigma \(sigma)")
        }
    }

    /// If no render target is deep enough and a GPU is required, the result is an error with the reason. The result is never
    /// less exact than guaranteed.
    @Test func deepImagesNeedFloats() throws {
        let renderer = try renderer([.rgba8, .rgba16, .rgba16F, .rgb10A2])
        for sample in [SampleType.u16, .f16, .f32] {
            do throws(FrostError) {
                _ = try renderer.blurNow(try small(sample), try small())
                Issue.record("\(sample) went through")
            } catch {
                guard case .deviceFailed(_, .unsupportedFormat(let reason)) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(reason.contains("32-bit float"))
            }
        }
        #expect(try renderer.blurNow(TestImage.noise(9, 9), GaussianBlur(sigma: 2)).report.warning == nil)
    }

    private func small(_ sample: SampleType) throws(FrostError) -> PixelBuffer {
        do { return try TestImage.noise(9, 9, PixelFormat(.rgba, sample)) } catch { throw .cancelled }
    }

    private func small() throws(FrostError) -> GaussianBlur {
        do { return try GaussianBlur(sigma: 2) } catch { throw .parameter(error) }
    }

    /// If only 8-bit targets are supported, every sigma gives either a result with a warning or an error with a reason.
    @Test(arguments: [0.7, 2, 5, 8, 13, 21, 40, 100, 300]) func neverSilent(sigma: Double) throws {
        let renderer = try renderer([.rgba8])
        do throws(FrostError) {
            let report = try renderer.blurNow(try small(.u8), try GaussianBlur.make(sigma)).report
            #expect(report.warning != nil)
        } catch {
            guard case .deviceFailed(_, .unsupportedFormat(let reason)) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!reason.isEmpty)
        }
    }
}

extension GaussianBlur {
    fileprivate static func make(_ sigma: Double) throws(FrostError) -> GaussianBlur {
        do throws(ParameterError) { return try GaussianBlur(sigma: sigma) } catch { throw .parameter(error) }
    }
}
