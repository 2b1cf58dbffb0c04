@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

/// The device that the tests run on: the first one, software included.
enum TestGPU {
    static let shared: Result<Renderer, FrostError> = Result { () throws(FrostError) in try Renderer(backend: .gpu) }

    /// A renderer that tests share, since opening one takes 50 ms.
    static func renderer() throws -> Renderer { try shared.get() }

    /// Whether the suites that need EGL run: see ``GPURequirement``.
    static let isWanted = GPURequirement.isWanted(shared)

    static let skipReason = GPURequirement.skipReason(shared)
}

/// Names a backend as a test's argument.
enum Worker: String, Sendable, CaseIterable {
    case cpu, gpu

    /// The backends that this machine has to have.
    static var wanted: [Worker] { TestGPU.isWanted ? [.cpu, .gpu] : [.cpu] }

    func renderer() throws -> Renderer { self == .cpu ? try Renderer(backend: .cpu) : try TestGPU.renderer() }
}

enum Backends {
    /// The backends of a list that this machine has to have.
    static func wanted(_ backends: Backend...) -> [Backend] { backends.filter { $0 != .gpu || TestGPU.isWanted } }
}

extension Renderer {
    /// The renderer's GPU, for tests that break it.
    var slot: GPUSlot { get throws { try #require(Mirror(reflecting: self).descendant("gpu") as? GPUSlot) } }

    /// The synchronous `blur`, in asynchronous tests too.
    func blurNow(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        try blur(image, effect, region: region, accuracy: nil, cancellation: cancellation)
    }

    /// The synchronous `render`, in asynchronous tests too.
    func renderNow(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil
    ) throws(FrostError) -> Rendered {
        try render(image, effect, mask: mask, region: region, accuracy: nil, cancellation: nil)
    }

    /// Blurs an image in its own memory.
    func blurInPlace(_ image: inout PixelBuffer, _ effect: GaussianBlur) throws -> RenderReport {
        let layout = image.layout
        return try unsafe image.withUnsafeMutableBytes { bytes in
            let base = try unsafe #require(bytes.baseAddress)
            return try unsafe blur(
                PixelSource(UnsafeRawPointer(base), layout: layout), effect, into: PixelTarget(base, layout: layout))
        }
    }
}
