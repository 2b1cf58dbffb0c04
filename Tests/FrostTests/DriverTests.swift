@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostLog
import FrostTestSupport
import Synchronization
import Testing

/// Blurs with the driver that the environment selects. `Tools/test-drivers` runs this suite alone with each driver, because
/// a process has only one, and because the log must have no messages of other suites.
@Suite(.serialized, .enabled(if: GPURequirement.isDriverTest, "Tools/test-drivers runs this suite"))
struct DriverTests {
    @Test("blurs are exact, and the driver has nothing to report", arguments: [1.3, 12, 90]) func blurs(sigma: Double)
        throws
    {
        let messages = Mutex<[String]>([])
        Log.setHandler(upTo: .info) { _, message in
            if message.hasPrefix("GL driver:") { messages.withLock { $0.append(message) } }
        }
        defer { Log.setHandler(nil) }
        let image = try TestImage.make(.softAlpha, 301, 203, PixelFormat(.rgba, alpha: .premultiplied))
        let effect = Effect(try GaussianBlur(sigma: sigma, edge: .mirror))
        let expected = try Renderer(backend: .exact).renderNow(image, effect).image
        // A debug context reports everything that the driver finds wrong.
        let options = GPUOptions(context: ContextOptions(checksEveryCall: true), programCache: .off)
        let renderer = try Renderer(backend: .gpu, threads: 1, options: options)
        let rendered = try renderer.renderNow(image, effect)
        let worst = zip(rendered.image.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        let device = try #require(renderer.device)
        let warning = rendered.report.warning ?? ""
        print("driver | \(device.renderer) | \(device.version) | \(sigma) | \(worst) | \(warning)")
        #expect(worst <= (rendered.report.warning == nil ? 1 : 2))
        #expect(messages.withLock { $0 } == [])
    }
}
