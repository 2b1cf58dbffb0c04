@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests that every backend keeps the guaranteed error, and tests the reports.
@Suite struct RendererTests {
    private let effect: GaussianBlur
    private let picture: PixelBuffer

    init() throws {
        effect = try GaussianBlur(sigma: 3, edge: .mirror)
        picture = try TestImage.noise(61, 47)
    }

    /// The guaranteed error is one step: 0.4 for the plan, 0.1 for the arithmetic and 0.5 for the rounding. Results are
    /// compared with the exact result before rounding. The test uses every edge mode, and sigmas for which the blur does or
    /// does not use lower resolutions.
    @Test(arguments: Worker.wanted, EdgeMode.allCases)
    func staysWithinOneStepOfTheDefinition(worker: Worker, edge: EdgeMode) throws {
        let renderer = try worker.renderer()
        let exact = try Renderer(backend: .exact)
        for (x, y) in [(0.7, 0.7), (3, 3), (12, 12), (2, 40), (0, 5)] {
            let effect = try GaussianBlur(sigmaX: x, sigmaY: y, edge: edge)
            let rendered = try renderer.blurNow(picture, effect)
            let reference = try exact.exact(picture, effect)
            let found = try Comparison(SampleRows(rendered.image), reference).maximum
            // The report's bound excludes rounding (0.5) and arithmetic (0.1), so both are added.
            #expect(found <= rendered.report.errorBound + 0.5 + 0.1, "\(effect)")
            #expect(rendered.report.errorBound > 0 && rendered.report.errorBound <= 0.4, "\(effect)")
        }
    }

    @Test func reportsTheCPU() throws {
        let report = try Renderer(backend: .cpu).blurNow(picture, effect).report
        #expect(report.backend == .cpu)
        #expect(report.device == nil)
        #expect(report.reason == "as requested")
        #expect(report.warning == nil)
        #expect(report.uploadMilliseconds == 0 && report.readbackMilliseconds == 0)
        #expect(report.blurMilliseconds > 0)
        #expect(report.errorBound == (try effect.plan(extent: picture.layout.extent)).errorBound)
    }

    @Test func reportsTheDefinition() throws {
        let report = try Renderer(backend: .exact).blurNow(picture, effect).report
        #expect(report.backend == .exact)
        #expect(report.device == nil)
        #expect(report.reason == "as requested")
        #expect(report.errorBound == 0)
        #expect(report.warning == nil)
    }

    @Test(.enabled(if: TestGPU.isWanted, TestGPU.skipReason)) func reportsTheGPU() throws {
        let renderer = try TestGPU.renderer()
        let report = try renderer.blurNow(picture, effect).report
        #expect(report.backend == .gpu)
        #expect(report.device == renderer.deviceName)
        #expect(report.device?.isEmpty == false)
        #expect(report.reason == "as requested")
        #expect(renderer.reasonForCPU == nil)
        #expect(report.warning == nil)
        #expect(report.errorBound == (try effect.plan(extent: picture.layout.extent)).errorBound)
        #expect(report.uploadMilliseconds > 0 && report.readbackMilliseconds > 0 && report.blurMilliseconds >= 0)
    }

    /// The automatic choice is a hardware GPU or the CPU. If it is the CPU, the report states the reason.
    @Test func choosesNoSoftwareGPU() throws {
        let renderer = try Renderer()
        let report = try renderer.blurNow(picture, effect).report
        switch report.backend {
        case .cpu:
            #expect(report.device == nil)
            // On a machine with a GPU, the reason contains the measured times.
            let reason = renderer.reasonForCPU ?? report.reason
            #expect(report.reason == reason)
            #expect(reason.hasPrefix("no hardware GPU") || reason.contains(", against "))
        case .gpu:
            let device = try #require(renderer.slot.executor?.device)
            #expect(!device.isSoftware)
            #expect(report.device == device.renderer)
            #expect(report.reason.hasPrefix("hardware GPU: "))
        case .auto, .exact:
            Issue.record("\(report.backend) is no choice")
        }
    }

    /// Opens the devices, whereas the automatic choice may already stop after a look into /dev. If all devices are software
    /// renderers, the error must also state that there is no hardware GPU, and it must name the software renderers.
    @Test(.enabled(if: TestGPU.isWanted, TestGPU.skipReason)) func saysWhichSoftwareGPUItDeclined() throws {
        do throws(GPUError) {
            let device = try GPUExecutor(device: .anyHardware).device
            #expect(!device.isSoftware)
        } catch {
            #expect(error.description.hasPrefix("no hardware GPU: "))
            #expect(error.description.contains("is a software renderer"))
        }
    }

    @Test(arguments: [0, -1, 1 << 20]) func refusesThreads(threads: Int) {
        do {
            _ = try Renderer(backend: .cpu, threads: threads)
            Issue.record("a renderer with \(threads) threads was created")
        } catch {
            guard case .parameter(.outOfRange(_, let value, _)) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(value == Double(threads))
        }
    }

    /// If sigma is 0 or below the minimum, the result equals the image, byte for byte. This includes the colour of
    /// transparent pixels and special float values.
    @Test(arguments: Backends.wanted(.auto, .cpu, .gpu, .exact), [0, 0.19])
    func leavesTheImageAlone(backend: Backend, sigma: Double) throws {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        for sample in SampleType.allCases {
            for channels in ChannelLayout.allCases {
                var image = try TestImage.noise(13, 9, PixelFormat(channels, sample))
                // These floats are a NaN with a payload, minus zero and infinity.
                let odd: [UInt32] =
                    switch sample {
                    case .u8, .u16: []
                    case .f16: [0x7E45, 0x8000, 0x7C00]
                    case .f32: [0x7FC1_2345, 0x8000_0000, 0x7F80_0000]
                    }
                let bytes = odd.flatMap { bits in
                    (0..<sample.size).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
                }
                image = try PixelBuffer(layout: image.layout, bytes: bytes + image.bytes[bytes.count...])
                for edge in EdgeMode.allCases {
                    let rendered = try renderer.blurNow(image, GaussianBlur(sigma: sigma, edge: edge))
                    #expect(rendered.image == image, "\(image.format) \(edge)")
                    #expect(rendered.report.backend != .auto)
                    #expect(rendered.report.errorBound == 0)
                }
            }
        }
    }

    /// If sigma is 0 along an axis, the image is not blurred along this axis.
    @Test(arguments: Worker.wanted) func anAxisWithoutSigmaIsNotTouched(worker: Worker) throws {
        // All pixels of row y have the value 5 y. So a blur along x changes nothing.
        let layout = try PixelLayout(width: 40, height: 30, format: PixelFormat(.grey))
        let rows = try PixelBuffer(layout: layout, bytes: (0..<30).flatMap { [UInt8](repeating: 5 * $0, count: 40) })
        let rendered = try worker.renderer().blurNow(rows, GaussianBlur(sigmaX: 9, sigmaY: 0))
        #expect(rendered.image == rows)
    }

    /// An opaque image is blurred with transparent edges. The region is larger than the image and contains the whole blurred
    /// edge. The result gets an alpha channel, and the sum of its alpha equals the image's area.
    @Test(arguments: Worker.wanted) func aRegionBeyondTheImageGrowsWithAlpha(worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.noise(40, 30, PixelFormat(.rgb))
        let effect = try GaussianBlur(sigma: 3, edge: .clear)
        // The exact Gaussian is cut off at 6 sigma. So all pixels that are further away from the image are transparent.
        let margin = 18
        let region = Rect(x: -margin, y: -margin, width: 40 + 2 * margin, height: 30 + 2 * margin)
        let rendered = try renderer.blurNow(image, effect, region: region)
        #expect(rendered.image.format.channels == .rgba)
        #expect(rendered.image.width == region.width && rendered.image.height == region.height)
        let alpha = stride(from: 3, to: rendered.image.bytes.count, by: 4).map { Int(rendered.image.bytes[$0]) }
        // Each pixel's error is at most the error bound plus the rounding. The errors have different signs, so the mean of
        // all errors is small.
        let mean = Double(alpha.reduce(0, +)) / 255 / Double(40 * 30)
        #expect(abs(mean - 1) < 0.01)
        #expect(alpha[0] == 0)
        // Inside the image, the result equals the result for a region that is not larger than the image.
        let inside = Rect(x: margin, y: margin, width: 40, height: 30)
        #expect(try rendered.image.cropped(to: inside) == renderer.blurNow(image, effect).image)
        // Inside and outside the image, the result differs from the exact result by at most one step.
        let exact = try Renderer(backend: .exact).blurNow(image, effect, region: region).image
        #expect(try Comparison(rendered.image, exact).maximum <= 1)
    }

    /// With clamped edges, a region far outside a corner of the image has the colour of the corner pixel everywhere.
    @Test(arguments: Worker.wanted) func aRegionFarOutsideSeesTheCorner(worker: Worker) throws {
        let image = try TestImage.noise(20, 20, PixelFormat(.rgb))
        let region = Rect(x: 500, y: 500, width: 3, height: 2)
        let corner = Array(image.bytes[(20 * 20 - 1) * 3..<20 * 20 * 3])
        for sigma in [0, 2, 20] {
            let rendered = try worker.renderer().blurNow(image, GaussianBlur(sigma: Double(sigma)), region: region)
            #expect(rendered.image.bytes == Array(repeating: corner, count: 6).flatMap { $0 }, "sigma \(sigma)")
        }
    }

    @Test(arguments: Worker.wanted) func refusesWhatIsNoRegion(worker: Worker) throws {
        let renderer = try worker.renderer()
        #expect(throws: FrostError.pixels(.emptyImage(width: 0, height: 5))) {
            try renderer.blurNow(picture, effect, region: Rect(x: 0, y: 0, width: 0, height: 5))
        }
        let far = Rect(x: 1 << 50, y: 0, width: 4, height: 4)
        #expect(throws: FrostError.parameter(.coordinatesTooLarge(far, limit: 1 << 40))) {
            try renderer.blurNow(picture, effect, region: far)
        }
    }

    /// The target's size and format are checked before any byte is written.
    @Test(arguments: Backends.wanted(.cpu, .gpu, .exact)) func refusesATargetThatDoesNotFit(backend: Backend) throws {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        for format in [PixelFormat(.rgb), PixelFormat(.greyAlpha), PixelFormat(.rgba, .u16)] {
            let layout = try PixelLayout(width: picture.width, height: picture.height, format: format)
            try expectMismatch(renderer, layout)
        }
        try expectMismatch(
            renderer, PixelLayout(width: picture.width + 1, height: picture.height, format: picture.format))
    }

    private func expectMismatch(_ renderer: Renderer, _ layout: PixelLayout) throws {
        var target = PixelBuffer(layout: layout)
        let source = picture
        let effect = effect
        try unsafe source.withUnsafeBytes { from in
            try unsafe target.withUnsafeMutableBytes { to in
                let from = try unsafe #require(from.baseAddress)
                let to = try unsafe #require(to.baseAddress)
                do throws(FrostError) {
                    _ = try unsafe renderer.blur(
                        PixelSource(from, layout: source.layout), effect, into: PixelTarget(to, layout: layout))
                    Issue.record("\(layout.format) was taken")
                } catch {
                    guard case .pixels(.mismatch) = error else {
                        Issue.record("\(error)")
                        return
                    }
                }
            }
        }
        #expect(target.bytes.allSatisfy { $0 == 0 })
    }

    /// If an alpha channel is added, the colours are copied and every pixel becomes opaque.
    @Test func copyAddsAlpha() throws {
        let renderer = try Renderer(backend: .cpu)
        let image = try TestImage.noise(9, 7, PixelFormat(.rgb))
        let copy = try renderer.copy(image, format: PixelFormat(.rgba))
        for pixel in 0..<63 {
            #expect(
                Array(copy.bytes[4 * pixel..<4 * pixel + 4]) == Array(image.bytes[3 * pixel..<3 * pixel + 3]) + [255])
        }
        #expect(throws: FrostError.self) { try renderer.copy(image, format: PixelFormat(.grey)) }
    }
}
