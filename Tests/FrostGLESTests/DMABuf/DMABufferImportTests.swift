import FrostGLES
import Glibc
import Testing

@Suite(.serialized, .enabled(if: TestNode.isWanted, TestNode.skipReason))
struct DMABufferImportTests {
    /// A number that differs between neighbours in both directions.
    static func mark(_ row: Int, _ offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: row &* 37 &+ offset &* 11 &+ 5) }

    /// What shaders make of a buffer's bytes: RGBA.
    static func colors(_ fourcc: FourCC, _ bytes: [UInt8]) -> [UInt8] {
        let channels: [Int?] =
            switch fourcc {
            case .argb8888: [2, 1, 0, 3]
            case .xrgb8888: [2, 1, 0, nil]
            case .abgr8888: [0, 1, 2, 3]
            case .xbgr8888: [0, 1, 2, nil]
            case .gr88: [0, 1]
            default: [0]
            }
        let bytesPerPixel = fourcc == .r8 ? 1 : fourcc == .gr88 ? 2 : 4
        return stride(from: 0, to: bytes.count, by: bytesPerPixel).flatMap { pixel in
            (0..<4).map { channel in
                // Red and green of what has no more; no blue; opaque.
                if channel >= channels.count { return channel == 3 ? 255 : 0 }
                return channels[channel].map { bytes[pixel + $0] } ?? 255
            }
        }
    }

    static let rgb: [FourCC] = [.argb8888, .xrgb8888, .abgr8888, .xbgr8888]

    @Test func formatsAreListed() throws {
        let (thread, _) = try TestNode.shared.get()
        let support = try thread.perform { (gl) throws(GLError) in gl.dmaBuffers }
        #expect(support.canImport)
        let formats = try #require(support.formats)
        for fourcc in [FourCC.argb8888, .xrgb8888] { #expect(support.format(fourcc) != nil) }
        #expect(Set(formats.map(\.fourcc)).count == formats.count)
        #expect(formats.allSatisfy { DRMFormat($0.fourcc) != nil })
    }

    @Test(arguments: rgb + [.r8, .gr88]) func pixelsAreSeenAsTheyLie(_ fourcc: FourCC) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(fourcc, width: 37, height: 19) { buffer in
            try buffer.fill(Self.mark)
            let expected = Self.colors(fourcc, try buffer.bytes())
            for use in [DMABufferSupport.Use.texture2D, .external] {
                let seen = try thread.perform { (gl) throws(GLError) in
                    try CopyProgram.pixels(of: DMABufferTexture(buffer, as: use, in: gl), in: gl)
                }
                #expect(seen == expected, "\(fourcc) as \(use)")
            }
        }
    }

    @Test(arguments: rgb) func whatIsDrawnIsInTheMemory(_ fourcc: FourCC) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(fourcc, width: 33, height: 7) { buffer in
            try buffer.fill { _, _ in 99 }
            let seen = try thread.perform { (gl) throws(GLError) in
                let framebuffer = try Framebuffer(DMABufferTexture(buffer, in: gl), in: gl)
                let program = try Program(
                    vertex: ObjectTests.vertex,
                    fragment: ObjectTests.fragment(
                        "result = vec4(color.xyz + ivec3(gl_FragCoord.xyx), color.w) / 255.0;"),
                    in: gl)
                let vertexArray = try VertexArray(in: gl)
                try program.use(in: gl)
                try program.set(program.uniform("color", in: gl), SIMD4(10, 60, 120, 200), in: gl)
                try gl.beginDrawing(into: framebuffer)
                try gl.drawTriangle(columns: 0..<33, rows: 0..<7, vertexArray)
                _ = try gl.fenceSubmittedWork(patience: 10)
                return try framebuffer.pixels(in: gl)
            }
            let expected = (0..<7).flatMap { row in
                (0..<33).flatMap { column in
                    [10 + column, 60 + row, 120 + column, 200].map { UInt8($0) }
                }
            }
            let hasAlpha = try #require(DRMFormat(fourcc)).hasAlpha
            let opaque = expected.enumerated().map { $0 % 4 == 3 && !hasAlpha ? 255 : $1 }
            #expect(seen == opaque)
            #expect(Self.colors(fourcc, try buffer.bytes()) == opaque)
        }
    }

    @Test func whatOthersWriteIsSeenWithoutAnotherImport() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.abgr8888, width: 8, height: 8) { buffer in
            try thread.perform(failure: { $0 as any Error }) { (gl) throws(any Error) in
                let texture = try DMABufferTexture(buffer, in: gl)
                for step: UInt8 in [1, 2, 3] {
                    try buffer.fill { row, offset in Self.mark(row, offset) &+ step }
                    #expect(try CopyProgram.pixels(of: texture, in: gl) == buffer.bytes())
                }
            }
        }
    }

    @Test(arguments: [(offset: 4096, padding: 0), (64, 64), (192, 4), (4, 12), (4100, 20)])
    func anyPlaceInTheMemoryWillDo(_ place: (offset: Int, padding: Int)) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.abgr8888, width: 64, height: 64) { whole in
            // An image of 21x13 somewhere in the memory of another.
            var buffer = whole
            (buffer.width, buffer.height) = (21, 13)
            buffer.planes[0].offset += place.offset
            buffer.planes[0].stride = 21 * 4 + place.padding
            try whole.fill { _, _ in 77 }
            try buffer.fill(Self.mark)
            let expected = try buffer.bytes()
            let seen = try thread.perform { (gl) throws(GLError) in
                try CopyProgram.pixels(of: DMABufferTexture(buffer, in: gl), in: gl)
            }
            #expect(seen == expected)
        }
    }

    @Test func theMemoryOutlivesItsDescriptors() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try thread.perform(failure: { $0 as any Error }) { (gl) throws(any Error) in
            var expected: [UInt8] = []
            let texture: DMABufferTexture
            do {
                let owned = try allocator.allocate(width: 16, height: 16, fourcc: .abgr8888)
                try owned.buffer.fill(Self.mark)
                expected = try owned.buffer.bytes()
                texture = try DMABufferTexture(owned.buffer, in: gl)
            }
            #expect(try CopyProgram.pixels(of: texture, in: gl) == expected)
        }
    }

    @Test func importsLeaveNothingOpen() throws {
        let (_, allocator) = try TestNode.shared.get()
        // Of its own, since its objects are counted.
        let thread = try GLThread.open(node: allocator.node)
        try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { buffer in
            let grows = try OpenDescriptors.grow {
                try thread.perform { (gl) throws(GLError) in
                    _ = try Framebuffer(DMABufferTexture(buffer, in: gl), in: gl)
                }
            }
            #expect(!grows)
            // As do those that fail.
            let memory = OwnedMemory(bytes: 65536)
            var stranger = buffer
            stranger.planes[0].descriptor = memory.descriptor
            let growsByFailures = OpenDescriptors.grow {
                #expect(throws: GLError.self) { try thread.importing(stranger) }
            }
            #expect(!growsByFailures)
        }
        #expect(thread.objectCounts.total == 0)
    }

    @Test func buffersThatAreTooSmallAreRefusedBeforeTheDriverSeesThem() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { buffer in
            try thread.importing(buffer)
            var larger = buffer
            larger.height = 1000
            #expect {
                try thread.importing(larger)
            } throws: { error in
                guard case GLError.dmaBuffer(let fault) = error, case .tooSmall(0, let bytes, let needed) = fault.reason
                else { return false }
                return bytes >= 64 * 64 * 4 && bytes < needed && needed == larger.planes[0].stride * 1000
            }
            var wider = buffer
            wider.width = 100_000
            wider.planes[0].stride = 400_000
            #expect(throws: GLError.self) { try thread.importing(wider) }
        }
    }

    @Test func theDriversRefusalIsTyped() throws {
        let (thread, allocator) = try TestNode.shared.get()
        // Memory, but no dma-buf.
        let memory = OwnedMemory(bytes: 65536)
        let stranger = DMABuffer(
            width: 64, height: 64, fourcc: .xrgb8888, planes: [.init(descriptor: memory.descriptor, stride: 256)])
        #expect {
            try thread.importing(stranger)
        } throws: { error in
            guard case GLError.dmaBuffer(let fault) = error, case .refused(let evidence) = fault.reason else {
                return false
            }
            return evidence.call == "eglCreateImageKHR" && evidence.code != 0x3000
                && "\(error)".contains("XR24, modifier 0x0 (linear)")
        }
        // Nothing of the failure is left: the next import succeeds.
        try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { try thread.importing($0) }
    }

    @Test func unsupportedCombinationsAreNamedAndSupportedOnesPass() throws {
        let (thread, allocator) = try TestNode.shared.get()
        let support = try thread.perform { (gl) throws(GLError) in gl.dmaBuffers }
        try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { buffer in
            try thread.importing(buffer)
            var tiled = buffer
            // A tiling of a vendor that does not exist.
            tiled.modifier = DRMModifier(rawValue: 0xfe00_0000_0000_0001)
            #expect {
                try thread.importing(tiled)
            } throws: { error in
                guard case GLError.dmaBuffer(let fault) = error, case .unsupportedModifier = fault.reason else {
                    return false
                }
                return "\(error)".contains("XR24, modifier 0xfe00000000000001")
            }
            let missing = DRMFormat.known.keys.filter { support.format($0) == nil }
            for fourcc in missing where DRMFormat(fourcc)?.planes.count == 1 && DRMFormat(fourcc)?.isYUV == false {
                var other = buffer
                other.fourcc = fourcc
                #expect {
                    try thread.importing(other)
                } throws: { error in
                    guard case GLError.dmaBuffer(let fault) = error else { return false }
                    return fault.reason == .unsupportedFormat && "\(error)".contains(" \(fourcc), modifier 0x0")
                }
            }
        }
    }

    @Test func externalTexturesAreNoTargets() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.xrgb8888, width: 8, height: 8) { buffer in
            #expect(throws: GLError.unsupported("rendering to external textures")) {
                try thread.perform { (gl) throws(GLError) in
                    _ = try Framebuffer(DMABufferTexture(buffer, as: .external, in: gl), in: gl)
                }
            }
        }
    }
}

extension GLThread {
    /// Imports a buffer and lets go of it.
    func importing(_ buffer: DMABuffer) throws(GLError) {
        try perform { (gl) throws(GLError) in _ = try DMABufferTexture(buffer, in: gl) }
    }
}
