@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import Glibc
import Testing

/// The device the tests run on: any, software included.
enum TestGPU {
    static let shared: Result<Renderer, FrostError> = Result { () throws(FrostError) in try Renderer(backend: .gpu) }

    /// A renderer that many tests use: opening one takes 50 ms.
    static func renderer() throws -> Renderer { try shared.get() }

    /// With FROST_REQUIRE_GPU=1 the suites that need EGL run, and fail where there is none.
    static let isWanted: Bool = {
        if let flag = unsafe getenv("FROST_REQUIRE_GPU"), unsafe String(cString: flag) == "1" { return true }
        if case .success = shared { return true }
        return false
    }()

    static let skipReason: Comment = {
        if case .failure(let error) = shared { return "no EGL device: \(error)" }
        return "has an EGL device"
    }()
}

/// Names a backend as a test's argument.
enum Worker: String, Sendable, CaseIterable {
    case cpu, gpu

    /// Those that this machine has to have.
    static var wanted: [Worker] { TestGPU.isWanted ? [.cpu, .gpu] : [.cpu] }

    func renderer() throws -> Renderer { self == .cpu ? try Renderer(backend: .cpu) : try TestGPU.renderer() }
}

enum Backends {
    /// Those of a list that this machine has to have.
    static func wanted(_ backends: Backend...) -> [Backend] { backends.filter { $0 != .gpu || TestGPU.isWanted } }
}

extension Renderer {
    /// The GPU behind it, for tests that break it.
    var slot: GPUSlot { get throws { try #require(Mirror(reflecting: self).descendant("gpu") as? GPUSlot) } }

    /// As `blur`, never its async twin.
    func blurNow(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        try blur(image, effect, region: region, accuracy: nil, cancellation: cancellation)
    }

    /// As `render`, never its async twin.
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

enum Pixels {
    /// Noise in every sample, alpha included, alike in every run: all frequencies at once, so that a wrong pixel
    /// anywhere shows.
    static func noise(_ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.rgba), seed: UInt64 = 1) throws
        -> PixelBuffer
    {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(width) << 32 &+ UInt64(height)
        func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        let layout = try PixelLayout(width: width, height: height, format: format)
        let count = width * height * format.channels.count
        let bytes: [UInt8] =
            switch format.sample {
            case .u8: (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 40) }
            case .u16: (0..<2 * count).map { _ in UInt8(truncatingIfNeeded: next() >> 40) }
            case .f32: (0..<count).flatMap { _ in littleEndian((Float(next() >> 40) / 0x1p24).bitPattern) }
            }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }

    private static func littleEndian(_ bits: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
    }

    static func crop(_ image: PixelBuffer, _ rect: Rect) throws -> PixelBuffer {
        let size = image.format.bytesPerPixel
        let bytes = rect.rows.flatMap { y in
            image.bytes[
                y * image.layout.bytesPerRow + rect.x * size..<y * image.layout.bytesPerRow + (rect.x + rect.width)
                    * size]
        }
        return try PixelBuffer(
            layout: PixelLayout(width: rect.width, height: rect.height, format: image.format), bytes: bytes)
    }

    /// The largest difference in 8-bit steps of premultiplied colour and alpha.
    static func steps(_ a: PixelBuffer, _ b: PixelBuffer) throws -> Double { try Comparison(a, b).maximum }
}
