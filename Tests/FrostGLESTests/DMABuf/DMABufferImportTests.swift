@testable import FrostGLES
import FrostTestSupport
import Glibc
import Testing

@Suite(.serialized, .enabled(if: TestNode.isWanted, TestNode.skipReason))
struct DMABufferImportTests {
    /// Returns the RGBA bytes that a shader reads if a buffer of this format holds the given bytes.
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
                // Formats with one channel hold only red, and formats with two channels hold red and green. The missing
                // colours are read as 0, and alpha is read as opaque.
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

    /// GL draws into the buffer. Then the buffer is read in three ways: by the CPU from memory, by GL as a 2D texture, and
    /// by GL as an external texture.
    @Test(arguments: rgb + [.r8, .gr88]) func whatIsDrawnIsInTheMemoryAndIsSeen(_ fourcc: FourCC) throws {
        let (thread, allocator) = try TestNode.shared.get()
        let format = try #require(DRMFormat(fourcc))
        let expected = Pattern.colors(in: format, width: 37, height: 19)
        try allocator.withMemory(bytes: 19 * 192) { memory in
            let buffer = DMABuffer(
                width: 37, height: 19, fourcc: fourcc, planes: [.init(descriptor: memory, stride: 192)])
            let drawn = try thread.perform { (gl) throws(GLError) in try Pattern.draw(into: buffer, in: gl) }
            #expect(drawn == expected)
            #expect(Self.colors(fourcc, try buffer.bytes()) == expected)
            for use in [DMABufferSupport.Use.texture2D, .external] {
                let seen = try thread.perform { (gl) throws(GLError) in
                    try CopyProgram.pixels(of: DMABufferTexture(buffer, as: use, in: gl), in: gl)
                }
                #expect(seen == expected, "as \(use)")
            }
        }
    }

    @Test func whatOthersDrawIsSeenWithoutAnotherImport() throws {
        let (thread, allocator) = try TestNode.shared.get()
        let other = try GLThread.open(node: allocator.node)
        try allocator.withBuffer(.abgr8888, width: 16, height: 16) { buffer in
            // The buffer's memory holds two images, one after the other. The test imports the second image, which is the
            // lower half.
            var lower = buffer
            lower.height = 8
            lower.planes[0].offset = 8 * buffer.planes[0].stride
            try thread.perform { (gl) throws(GLError) in
                let texture = try DMABufferTexture(lower, in: gl)
                let before = try CopyProgram.pixels(of: texture, in: gl)
                _ = try other.perform { (gl) throws(GLError) in try Pattern.draw(into: buffer, in: gl) }
                let after = try CopyProgram.pixels(of: texture, in: gl)
                let format = try buffer.checkedFormat()
                #expect(before != after)
                #expect(after == Array(Pattern.colors(in: format, width: 16, height: 16).suffix(16 * 8 * 4)))
            }
        }
    }

    /// Returns an image of 21x13 pixels that lies within the memory of another image.
    private static func part(of whole: DMABuffer, offset: Int, padding: Int) -> DMABuffer {
        var part = whole
        (part.width, part.height) = (21, 13)
        part.planes[0].offset += offset
        part.planes[0].stride = 21 * 4 + padding
        return part
    }

    @Test(arguments: [(offset: 4096, padding: 0), (64, 64), (192, 4), (4, 12), (4100, 20)])
    func anImageIsSeenAnywhereInTheMemory(_ place: (offset: Int, padding: Int)) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.abgr8888, width: 64, height: 64) { whole in
            let part = Self.part(of: whole, offset: place.offset, padding: place.padding)
            let seen = try thread.perform { (gl) throws(GLError) in
                try Pattern.draw(into: whole, in: gl)
                return try CopyProgram.pixels(of: DMABufferTexture(part, in: gl), in: gl)
            }
            #expect(Set(seen).count > 100)
            #expect(try part.bytes() == seen)
        }
    }

    /// The driver may refuse the import at offsets at which a software renderer would crash.
    @Test(arguments: [(offset: 4096, padding: 12), (64, 44), (16, 60), (4, 12), (64, 0)])
    func drawingTouchesTheImageAlone(_ place: (offset: Int, padding: Int)) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.abgr8888, width: 64, height: 64) { whole in
            let part = Self.part(of: whole, offset: place.offset, padding: place.padding)
            let stride = part.planes[0].stride
            try thread.perform { (gl) throws(GLError) in try Pattern.fill(whole, with: 3, in: gl) }
            do throws(GLError) {
                _ = try thread.perform { (gl) throws(GLError) in try Pattern.draw(into: part, in: gl) }
            } catch {
                guard case .dmaBuffer(let fault) = error, case .unreliable = fault.reason else { throw error }
                #expect(thread.device.isSoftware && !(place.offset.isMultiple(of: 16) && stride.isMultiple(of: 16)))
                return
            }
            #expect(try part.bytes() == Pattern.colors(in: part.checkedFormat(), width: 21, height: 13))
            let (rowBytes, rowStride) = (64 * 4, whole.planes[0].stride)
            let changed = try whole.bytes().enumerated().filter { $1 != 3 }.map {
                $0.offset / rowBytes * rowStride + $0.offset % rowBytes - place.offset
            }
            #expect(changed.allSatisfy { $0 >= 0 && $0 / stride < 13 && $0 % stride < 21 * 4 })
            #expect(changed.count > 1000)
        }
    }

    @Test func theMemoryOutlivesItsDescriptors() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try thread.perform { (gl) throws(GLError) in
            let format: DRMFormat
            let texture: DMABufferTexture
            do {
                let owned = try allocator.allocate(width: 16, height: 16, fourcc: .abgr8888)
                let buffer = owned.buffer
                format = try buffer.checkedFormat()
                try Pattern.draw(into: buffer, in: gl)
                texture = try DMABufferTexture(buffer, in: gl)
            }
            let seen = try CopyProgram.pixels(of: texture, in: gl)
            #expect(seen == Pattern.colors(in: format, width: 16, height: 16))
        }
    }

    @Test func importsLeaveNothingOpen() throws {
        let (_, allocator) = try TestNode.shared.get()
        // The test counts GL objects, so it uses a GL thread that no other test shares.
        let thread = try GLThread.open(node: allocator.node)
        // Each call allocates a new buffer. If a reference to the buffer's memory leaks on the simulated device, a
        // descriptor stays open. This test counts open descriptors.
        let grows = try OpenDescriptors.grow {
            try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { buffer in
                try thread.perform { (gl) throws(GLError) in
                    _ = try Framebuffer(DMABufferTexture(buffer, in: gl), in: gl)
                }
            }
        }
        #expect(!grows)
        // Failed imports must not leave descriptors open either.
        let memory = OwnedMemory(bytes: 65536)
        let stranger = DMABuffer(
            width: 64, height: 64, fourcc: .xrgb8888, planes: [.init(descriptor: memory.descriptor, stride: 256)])
        let growsByFailures = OpenDescriptors.grow {
            #expect(throws: GLError.self) { try thread.importing(stranger) }
        }
        #expect(!growsByFailures)
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
        // This memory is not a dma-buf.
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
        // A failed import must not disturb the next one, which succeeds.
        try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { try thread.importing($0) }
    }

    @Test func unsupportedCombinationsAreNamedAndSupportedOnesPass() throws {
        let (thread, allocator) = try TestNode.shared.get()
        let support = try thread.perform { (gl) throws(GLError) in gl.dmaBuffers }
        try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { buffer in
            try thread.importing(buffer)
            var tiled = buffer
            // The modifier belongs to a vendor that does not exist.
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
            #expect {
                try thread.perform { (gl) throws(GLError) in
                    _ = try Framebuffer(DMABufferTexture(buffer, as: .external, in: gl), in: gl)
                }
            } throws: { error in
                guard case GLError.dmaBuffer(let fault) = error else { return false }
                return fault.reason == .externalOnly
            }
        }
    }
}

extension GLThread {
    /// Imports a buffer as a texture and releases the texture.
    func importing(_ buffer: DMABuffer) throws(GLError) {
        try perform { (gl) throws(GLError) in _ = try DMABufferTexture(buffer, in: gl) }
    }
}
