@testable import Frost
import FrostCore
@testable import FrostGLES
import FrostTestSupport
import Testing

/// Helpers that run a texture renderer on a thread on which the host program's GL context is current.
enum TextureHost {
    /// Calls `body` with a renderer on a thread whose GL context is current.
    static func perform<Value>(
        _ thread: GLThread? = nil, _ body: (TextureRenderer, borrowing CurrentContext) throws -> Value
    ) throws -> Value {
        let thread = try thread ?? GLThread.open(.any)
        let result: Result<Value, any Error> = try thread.perform { (gl) throws(GLError) in
            Result {
                let renderer = try TextureRenderer(options: GPUOptions(programCache: .off))
                defer { renderer.destroy() }
                return try body(renderer, gl)
            }
        }
        return try result.get()
    }

    /// Calls `body` with a texture that contains a picture.
    static func withTexture<Value>(
        of picture: PixelBuffer, in gl: borrowing CurrentContext, _ body: (HostImage) throws -> Value
    ) throws -> Value {
        let texture = try Texture(.rgba8, width: picture.width, height: picture.height, in: gl)
        let result: Result<Void, GLError> = unsafe picture.pixelBytes.withUnsafeBytes { bytes in
            Result { () throws(GLError) in try unsafe texture.upload(rows: 0..<texture.height, from: bytes, in: gl) }
        }
        try result.get()
        return try body(
            HostImage(
                HostTexture(name: texture.name), width: picture.width, height: picture.height, format: picture.format))
    }

    /// Calls `draw`, which draws into a texture, and returns the texture's pixels.
    static func pixels(
        _ width: Int, _ height: Int, _ format: PixelFormat, in gl: borrowing CurrentContext,
        draw: (HostTarget) throws -> Void
    ) throws -> [UInt8] {
        let texture = try Texture(.rgba8, width: width, height: height, in: gl)
        try draw(HostTarget(.texture(texture.name), width: width, height: height, format: format))
        let framebuffer = try Framebuffer(texture, in: gl)
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        let result: Result<Void, GLError> = unsafe bytes.withUnsafeMutableBytes { memory in
            Result { () throws(GLError) in try unsafe framebuffer.read(rows: 0..<height, into: memory, in: gl) }
        }
        try result.get()
        return bytes
    }
}

@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct TextureRendererTests {
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)

    @Test("texture to texture gives the result in memory") func sameAsInMemory() throws {
        let picture = try TestImage.make(.softAlpha, 61, 43, Self.format)
        let effect = try EffectCatalog.effect("light").make()
        let expected = try TestGPU.renderer().renderNow(picture, effect).image
        try TextureHost.perform { (renderer, gl) in
            try TextureHost.withTexture(of: picture, in: gl) { source in
                let made = try TextureHost.pixels(61, 43, Self.format, in: gl) { target in
                    let report = try renderer.render(source, effect, into: target)
                    #expect(report.backend == .gpu && report.passes > 0)
                }
                #expect(made == expected.pixelBytes)
                #expect(made != picture.pixelBytes)
            }
        }
    }

    @Test("the default accuracy is that of 8 bits if no colours are converted") func accuracy() throws {
        func accuracy(
            _ from: ColorEncoding, _ to: ColorEncoding, depth: HostTarget.Depth = .eight
        ) -> Accuracy {
            .suited(
                from: HostImage(HostTexture(name: 1), width: 8, height: 8, format: Self.format, encoding: from),
                to: HostTarget(
                    .texture(2), width: 8, height: 8, format: Self.format, encoding: to, depth: depth))
        }
        let (dim, pq) = (try ColorEncoding(.sRGB, white: 100), try ColorEncoding(.pq))
        let eight = Accuracy.suited(to: .u8)
        #expect(accuracy(.sRGB, .sRGB) == eight && accuracy(dim, dim) == eight)
        #expect(eight != .sixteenBit)
        #expect(accuracy(.sRGB, dim) == .sixteenBit && accuracy(pq, pq) == .sixteenBit)
        #expect(accuracy(.sRGB, .sRGB, depth: .ten) == .sixteenBit)
    }

    @Test("mismatched arguments are errors of their own kinds") func errors() throws {
        let picture = try TestImage.make(.gradient, 16, 16, Self.format)
        let effect = Effect(try GaussianBlur(sigma: 2))
        try TextureHost.perform { (renderer, gl) in
            try TextureHost.withTexture(of: picture, in: gl) { source in
                _ = try TextureHost.pixels(16, 16, Self.format, in: gl) { target in
                    var (wrong, opaque) = (source, target)
                    wrong.width = 17
                    opaque.format = PixelFormat(.rgb)
                    #expect {
                        try renderer.render(
                            wrong, effect, region: Rect(x: 0, y: 0, width: 16, height: 16), into: target)
                    } throws: {
                        guard case FrostError.surface(let fault) = $0 else { return false }
                        return fault.reason == .size(width: 16, height: 16) && "\($0)".contains("17x16")
                    }
                    #expect {
                        try renderer.render(source, effect, into: opaque)
                    } throws: {
                        guard case FrostError.pixels(.mismatch("format", _, _)) = $0 else { return false }
                        return true
                    }
                    wrong.width = 0
                    #expect(throws: FrostError.pixels(.emptyImage(width: 0, height: 16))) {
                        try renderer.render(wrong, effect, into: target)
                    }
                }
            }
        }
        // No context is current on this thread.
        #expect {
            try TextureRenderer()
        } throws: {
            guard case FrostError.deviceUnavailable = $0 else { return false }
            return true
        }
    }
}

/// Tests texture renderers that use dma-bufs. They run on the same device as the other dma-buf tests.
@Suite(.serialized, .enabled(if: TestNode.isWanted, TestNode.skipReason))
struct TextureRendererDMABufferTests {
    private static let (width, height) = (48, 37)

    private static func effects() throws -> [Effect] {
        [
            Effect(try GaussianBlur(sigma: 0)), Effect(try GaussianBlur(sigma: 5, edge: .mirror)),
            try EffectCatalog.effect("blur-dark").make(),
        ]
    }

    /// Drawing from dma-buf to dma-buf gives the same bytes as drawing from texture to texture. This is tested for
    /// every channel order and for both kinds of textures.
    @Test(arguments: [FourCC.abgr8888, .argb8888, .xrgb8888], [DMABufferSupport.Use.texture2D, .external])
    func fromBufferToBufferComesWhatComesFromTextureToTexture(_ fourcc: FourCC, _ use: DMABufferSupport.Use) throws {
        let (thread, allocator) = try TestNode.shared.get()
        let hasAlpha = fourcc != .xrgb8888
        let format = hasAlpha ? PixelFormat(.rgba, alpha: .premultiplied) : PixelFormat(.rgb)
        let picture = try TestImage.make(
            hasAlpha ? .softAlpha : .photograph, Self.width, Self.height, PixelFormat(.rgba, alpha: .premultiplied))
        let identity = Effect(try GaussianBlur(sigma: 0))
        try TextureHost.perform(thread) { (renderer, gl) in
            func open(_ use: DMABufferSupport.Use?) throws -> (HostBuffer, HostBuffer) {
                // On return, the allocator closes its descriptors. The opened buffers still keep the memory.
                let owned = try allocator.allocate(width: Self.width, height: Self.height, fourcc: fourcc)
                return (try renderer.open(owned.buffer), try renderer.open(owned.buffer, as: use))
            }
            let (drawn, read) = try open(use)
            let (result, shown) = try open(nil)
            try TextureHost.withTexture(of: picture, in: gl) { image in
                var image = image
                image.format = format
                try renderer.render(image, identity, into: drawn.target())
                for effect in try Self.effects() {
                    let expected = try TextureHost.pixels(Self.width, Self.height, format, in: gl) {
                        try renderer.render(image, effect, into: $0)
                    }
                    try renderer.render(read.image(), effect, into: result.target())
                    if case .fence(let fence) = try renderer.fence() { try renderer.wait(forFence: fence.descriptor) }
                    let made = try TextureHost.pixels(Self.width, Self.height, format, in: gl) {
                        try renderer.render(shown.image(), identity, into: $0)
                    }
                    #expect(made == expected, "\(effect)")
                }
                // For a different picture, the comparison must fail.
                let other = try TextureHost.pixels(Self.width, Self.height, format, in: gl) {
                    try renderer.render(drawn.image(rises: true), identity, into: $0)
                }
                let right = try TextureHost.pixels(Self.width, Self.height, format, in: gl) {
                    try renderer.render(drawn.image(), identity, into: $0)
                }
                #expect(other != right)
            }
        }
    }

    /// A picture of 8 bits is drawn into a dma-buf of 16-bit floats, and is blurred from there.
    @Test("dma-bufs of 16-bit floats are read and written as floats", arguments: [FourCC("AB4H"), FourCC("XB4H")])
    func floatBuffers(_ fourcc: FourCC) throws {
        let (thread, allocator) = try TestNode.shared.get()
        let isSupported = try TextureHost.perform(thread) { (renderer, _) in
            try renderer.dmaBufferSupport().kinds.contains { $0.fourcc == fourcc && $0.use == .texture2D }
        }
        if !isSupported { try Test.cancel("the driver does not support \(fourcc)") }
        let format = PixelFormat(.rgb)
        let picture = try TestImage.make(.photograph, Self.width, Self.height, PixelFormat(.rgba))
        let identity = Effect(try GaussianBlur(sigma: 0))
        let effect = Effect(try GaussianBlur(sigma: 5))
        try TextureHost.perform(thread) { (renderer, gl) in
            let owned = try allocator.allocate(width: Self.width, height: Self.height, fourcc: fourcc)
            let buffer = try renderer.open(owned.buffer)
            #expect(buffer.image().format.sample == .f16)
            try TextureHost.withTexture(of: picture, in: gl) { image in
                var image = image
                image.format = format
                var target = try buffer.target()
                target.format.channels = .rgb
                try renderer.render(image, identity, into: target)
                var results: [PixelBuffer] = []
                for var source in [buffer.image(), image] {
                    source.format.channels = .rgb
                    let bytes = try TextureHost.pixels(Self.width, Self.height, format, in: gl) {
                        try renderer.render(source, effect, into: $0)
                    }
                    results.append(try PixelBuffer(layout: picture.layout, bytes: bytes))
                }
                // The buffer rounds samples to 11 bits, which is less than an eighth of an 8-bit step. So a result may
                // be rounded to the neighbouring step.
                try expectClose(
                    results[0], results[1], within: Tolerance("a step", steps: 1, reason: "rounded twice"), "\(fourcc)")
            }
        }
    }

    /// A picture is drawn into a dma-buf of 10 bits in PQ, and is read from there as PQ.
    @Test(
        "dma-bufs of 10 bits hold PQ in steps of 1/1023",
        arguments: [FourCC("AB30"), FourCC("XB30"), FourCC("AR30"), FourCC("XR30")])
    func tenBitBuffers(_ fourcc: FourCC) throws {
        let (thread, allocator) = try TestNode.shared.get()
        let isSupported = try TextureHost.perform(thread) { (renderer, _) in
            try renderer.dmaBufferSupport().kinds.contains { $0.fourcc == fourcc && $0.use == .texture2D }
        }
        if !isSupported { try Test.cancel("the driver does not support \(fourcc)") }
        // With other primaries, the matrix back would enlarge the steps.
        let pq = try ColorEncoding(.pq)
        let picture = try TestImage.make(.photograph, Self.width, Self.height, PixelFormat(.rgba))
        let identity = Effect(try GaussianBlur(sigma: 0))
        try TextureHost.perform(thread) { (renderer, gl) in
            let owned = try allocator.allocate(width: Self.width, height: Self.height, fourcc: fourcc)
            let buffer = try renderer.open(owned.buffer)
            let external = try renderer.open(owned.buffer, as: .external)
            #expect(buffer.depth == .ten)
            // Half a step of 10-bit PQ is at most 0.53 of an 8-bit step of sRGB, below 203 nits. The comparison must
            // fail for steps of 8 bits, and for another encoding.
            let ways: [(depth: HostTarget.Depth, readAs: ColorEncoding, differences: ClosedRange<Int>)] = [
                (.ten, pq, 0...1), (.eight, pq, 2...20), (.ten, .sRGB, 50...255),
            ]
            for way in ways {
                try TextureHost.withTexture(of: picture, in: gl) { image in
                    var image = image
                    image.format = PixelFormat(.rgb)
                    var target = try buffer.target(encoding: pq)
                    target.format.channels = .rgb
                    target.depth = way.depth
                    try renderer.render(image, identity, into: target)
                    for read in [buffer, external] {
                        var source = read.image(encoding: way.readAs)
                        source.format.channels = .rgb
                        let bytes = try TextureHost.pixels(Self.width, Self.height, PixelFormat(.rgb), in: gl) {
                            try renderer.render(source, identity, into: $0)
                        }
                        let difference = zip(bytes, picture.pixelBytes)
                            .reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
                        #expect(way.differences.contains(difference), "\(fourcc), \(way)")
                    }
                }
            }
        }
    }

    @Test func whatIsListedIsTakenAndWhatIsNotIsRefused() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try TextureHost.perform(thread) { (renderer, _) in
            let kinds = try renderer.dmaBufferSupport().kinds
            #expect(kinds.contains { $0.fourcc == .xrgb8888 && $0.use == .texture2D })
            for kind in kinds where kind.modifier == .linear && DRMFormat(kind.fourcc)?.planes.count == 1 {
                // This buffer has enough memory for each of the formats.
                let owned = try allocator.allocate(width: 512, height: 16, fourcc: .xrgb8888)
                let buffer = DMABuffer(
                    width: 32, height: 16, fourcc: kind.fourcc,
                    planes: [.init(descriptor: owned.buffer.planes[0].descriptor, stride: 512)])
                let opened = try renderer.open(buffer)
                #expect(opened.image().texture.kind == (kind.use == .external ? .external : .texture2D))
            }
            let owned = try allocator.allocate(width: 32, height: 16, fourcc: .xrgb8888)
            var buffer = owned.buffer
            buffer.modifier = DRMModifier(rawValue: 0xfe00_0000_0000_0001)
            #expect {
                _ = try renderer.open(buffer)
            } throws: {
                guard case FrostError.deviceFailed(_, .gl(.dmaBuffer)) = $0 else { return false }
                return "\($0)".contains("XR24, modifier 0xfe00000000000001")
            }
            // A buffer that can only be sampled cannot be used as a target.
            let external = try renderer.open(owned.buffer, as: .external)
            #expect(throws: GPUError.self) { try external.target() }
            // The descriptor passed as a fence is invalid.
            #expect {
                try renderer.wait(forFence: 1 << 20, patience: 0.01)
            } throws: {
                guard case FrostError.deviceFailed(_, .gl(.callFailed)) = $0 else { return false }
                return true
            }
        }
    }
}
