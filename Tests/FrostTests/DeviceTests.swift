@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// Tests that a renderer uses the device that its caller names. The tests run one at a time, because opening contexts
/// is slow.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct DeviceTests {
    private let device: DeviceInfo

    init() throws { device = try #require(try TestGPU.renderer().slot.executor?.device) }

    @Test func byIndex() throws {
        let renderer = try Renderer(backend: .gpu, device: String(device.index))
        #expect(renderer.deviceName == device.renderer)
    }

    /// A device can be selected by a part of its name, in upper or lower case. If a device is named, the automatic choice
    /// requires a GPU.
    @Test func byPartOfItsName() throws {
        let word = try #require(device.renderer.split(separator: " ").first.map { String($0.prefix(6)) })
        for name in [word.uppercased(), word.lowercased()] {
            let renderer = try Renderer(device: name)
            #expect(renderer.backend == .gpu)
            #expect(renderer.deviceName?.lowercased().contains(word.lowercased()) == true)
            let report = try renderer.blurNow(TestImage.noise(8, 8), GaussianBlur(sigma: 2)).report
            #expect(report.backend == .gpu)
            #expect(report.reason == "as requested")
        }
    }

    @Test func byWhatItCallsItself() throws {
        #expect(try Renderer(backend: .gpu, device: device.id).deviceName == device.renderer)
    }

    @Test(arguments: ["nonsense", "999", "-1", "", "/dev/dri/renderD999", "/dev/null"])
    func unknown(name: String) {
        for backend in [Backend.gpu, .auto] {
            do {
                _ = try Renderer(backend: backend, device: name)
                Issue.record("\(name) is no device")
            } catch {
                guard case .deviceUnavailable(let reason) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(reason.contains("\"\(name)\""), "\(reason)")
                #expect(!reason.contains("\n"))
            }
        }
    }

    /// If a GPU is required but EGL is missing, the error names the missing library.
    @Test func withoutEGL() {
        let options = GPUOptions(context: ContextOptions(libraryName: "libEGL-that-is-missing.so.1"))
        do {
            _ = try Renderer(backend: .gpu, options: options)
            Issue.record("there is no such library")
        } catch {
            guard case .deviceUnavailable(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.contains("libEGL-that-is-missing.so.1"))
        }
    }

    /// If EGL is missing, the automatic choice is the CPU, and the report states the reason.
    @Test func withoutEGLAndWithoutADemand() throws {
        let options = GPUOptions(context: ContextOptions(libraryName: "libEGL-that-is-missing.so.1"))
        let renderer = try Renderer(options: options)
        renderer.prepare()
        let report = try renderer.blurNow(TestImage.noise(8, 8), GaussianBlur(sigma: 2)).report
        #expect(report.backend == .cpu)
        #expect(report.reason.hasPrefix("no hardware GPU") || report.reason.contains("libEGL-that-is-missing.so.1"))
    }
}
