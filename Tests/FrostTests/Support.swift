@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// The GPU that the tests run on: the first device, which may be a software renderer.
enum TestGPU {
    static let shared: Result<Renderer, FrostError> = Result { () throws(FrostError) in try Renderer(backend: .gpu) }

    /// Returns the renderer that all tests share, because opening a renderer takes 50 ms.
    static func renderer() throws -> Renderer { try shared.get() }

    /// True if the test suites that need EGL run; see ``GPURequirement``.
    static let isWanted = GPURequirement.isWanted(shared)

    static let skipReason = GPURequirement.skipReason(shared)

    /// Whether the driver can store programs as bytes.
    static let hasBinaries = (try? shared.get().slot.executor?.limits.programBinaryFormats.isEmpty) == false
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the driver cannot store programs as bytes.
    static var needsProgramBinaries: Self {
        .enabled(if: TestGPU.hasBinaries, "the driver does not support program binaries")
    }
}

/// A backend, used as the argument of a test.
enum Worker: String, Sendable, CaseIterable {
    case cpu, gpu

    /// The backends that this machine must support.
    static var wanted: [Worker] {
        TestGPU.isWanted ? GPURequirement.isOnlyGPU ? [.gpu] : [.cpu, .gpu] : [.cpu]
    }

    func renderer() throws -> Renderer { self == .cpu ? try Renderer(backend: .cpu) : try TestGPU.renderer() }
}

enum Backends {
    /// Returns the backends of the list that this machine must support.
    static func wanted(_ backends: Backend...) -> [Backend] {
        backends.filter { $0 == .gpu ? TestGPU.isWanted : !GPURequirement.isOnlyGPU }
    }
}

extension Renderer {
    /// The object that holds the renderer's GPU. Tests use it to shut the GPU down.
    var slot: GPUSlot { get throws { try #require(Mirror(reflecting: self).descendant("gpu") as? GPUSlot) } }

    /// Calls the synchronous `blur`. Asynchronous tests can call this method too.
    func blurNow(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        try blur(image, effect, region: region, accuracy: nil, cancellation: cancellation)
    }

    /// Calls the synchronous `render`. Asynchronous tests can call this method too.
    func renderNow(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil
    ) throws(FrostError) -> Rendered {
        try render(image, effect, mask: mask, region: region, accuracy: nil, cancellation: nil)
    }

    /// Blurs an image in place, in its own memory.
    func blurInPlace(_ image: inout PixelBuffer, _ effect: GaussianBlur) throws -> RenderReport {
        let layout = image.layout
        return try unsafe image.withUnsafeMutableBytes { bytes in
            let base = try unsafe #require(bytes.baseAddress)
            return try unsafe blur(
                PixelSource(UnsafeRawPointer(base), layout: layout), effect, into: PixelTarget(base, layout: layout))
        }
    }
}
