import FrostGLES
import FrostTestSupport
import Glibc
import Testing

@Suite struct DMABufferNodeTests {
    @Test func aNodeThatIsNotThereIsATypedReason() {
        func isRight(_ error: any Error) -> Bool {
            switch error {
            case GLError.displayFailed("/dev/dri/renderD999", let evidence):
                return evidence.call == "open: No such file or directory"
            // A machine without libgbm or without EGL reports one of these errors instead.
            case GLError.libraryMissing, GLError.unsupported("EGL_KHR_platform_gbm"): return true
            default: return false
            }
        }
        #expect { try DMABufferAllocator(node: "/dev/dri/renderD999") } throws: { isRight($0) }
        #expect { try GLThread.open(node: "/dev/dri/renderD999") } throws: { isRight($0) }
    }
}

@Suite(.serialized, .enabled(if: TestNode.isWanted, TestNode.skipReason))
struct DMABufferAllocatorTests {
    @Test func buffersAreWhatWasAskedFor() throws {
        let (_, allocator) = try TestNode.shared.get()
        for (width, height) in [(1, 1), (63, 17), (640, 480)] {
            let owned = try allocator.allocate(width: width, height: height, fourcc: .xrgb8888)
            let buffer = owned.buffer
            #expect((buffer.width, buffer.height) == (width, height))
            #expect(buffer.fourcc == .xrgb8888)
            #expect(buffer.modifier == .linear)
            #expect(buffer.planes.count == 1)
            #expect(buffer.planes[0].stride >= width * 4)
            #expect(lseek(buffer.planes[0].descriptor, 0, SEEK_END) >= buffer.planes[0].stride * height)
        }
    }

    @Test func implicitBuffersCanBeDrawnInto() throws {
        let (thread, allocator) = try TestNode.shared.get()
        let owned = try allocator.allocate(width: 64, height: 64, fourcc: .xrgb8888, modifiers: [.implicit])
        let buffer = owned.buffer
        try thread.perform { (gl) throws(GLError) in
            _ = try Framebuffer(DMABufferTexture(buffer, in: gl), in: gl)
        }
        // The CPU cannot map a buffer with the implicit modifier, because its memory layout is unknown.
        if buffer.modifier == .implicit {
            #expect(throws: GLError.self) { try unsafe buffer.withMapped(plane: 0, for: .read) { _ in } }
        }
    }

    @Test func impossibleBuffersAreTypedErrors() throws {
        let (_, allocator) = try TestNode.shared.get()
        for (width, height) in [(0, 1), (1, -1), (Int.max, 1)] {
            #expect {
                _ = try allocator.allocate(width: width, height: height, fourcc: .xrgb8888)
            } throws: { error in
                guard case GLError.dmaBuffer(let fault) = error, case .geometry = fault.reason else { return false }
                return true
            }
        }
        #expect {
            _ = try allocator.allocate(width: 8, height: 8, fourcc: FourCC("ZZZZ"))
        } throws: { error in
            guard case GLError.dmaBuffer(let fault) = error else { return false }
            return fault.reason == .unknownFormat
        }
        // The modifier belongs to a vendor that does not exist.
        #expect {
            _ = try allocator.allocate(
                width: 8, height: 8, fourcc: .xrgb8888, modifiers: [DRMModifier(rawValue: 0xfe00_0000_0000_0001)])
        } throws: { error in
            guard case GLError.dmaBuffer(let fault) = error, case .refused(let evidence) = fault.reason else {
                return false
            }
            return evidence.call.hasPrefix("gbm_bo_create") && "\(error)".contains("modifier 0xfe00000000000001")
        }
    }

    @Test func buffersLeaveNothingOpen() throws {
        let (_, allocator) = try TestNode.shared.get()
        let grows = try OpenDescriptors.grow { try allocator.withBuffer(.xrgb8888, width: 64, height: 64) { _ in } }
        #expect(!grows)
        #expect(OpenDescriptors.areCounted())
    }

    /// GBM may return descriptors that do not allow writing. On the simulated device they can be reopened for writing; on a
    /// kernel device they cannot.
    @Test func whatTheCPUMayWriteIsSeen() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.abgr8888, width: 8, height: 8) { buffer in
            let writable = OwnedDescriptor(
                owning: unsafe open("/proc/self/fd/\(buffer.planes[0].descriptor)", O_RDWR | O_CLOEXEC))
            var copy = buffer
            if writable.descriptor >= 0 { copy.planes[0].descriptor = writable.descriptor }
            do throws(GLError) {
                try unsafe copy.withMapped(plane: 0, for: .readWrite) { memory in
                    for index in memory.indices { unsafe memory[index] = UInt8(truncatingIfNeeded: index * 7) }
                }
                let seen = try thread.perform { (gl) throws(GLError) in
                    try CopyProgram.pixels(of: DMABufferTexture(buffer, in: gl), in: gl)
                }
                let stride = buffer.planes[0].stride
                let expected = (0..<8).flatMap { row in
                    (0..<32).map { UInt8(truncatingIfNeeded: (row * stride + $0) * 7) }
                }
                #expect(seen == expected)
            } catch {
                guard case .dmaBuffer(let fault) = error else { throw error }
                #expect(fault.reason == .unmappable("mmap: Permission denied"))
                #expect(writable.descriptor < 0)
            }
        }
    }

    /// Some drivers report a successful export of a texture but return no descriptor.
    @Test func anExportIsABufferOrATypedError() throws {
        let (thread, _) = try TestNode.shared.get()
        func export() throws(GLError) {
            try thread.perform { (gl) throws(GLError) in
                let texture = try Texture(.rgba8, width: 32, height: 16, in: gl)
                let owned = try texture.exportDMABuffer(in: gl)
                #expect(owned.buffer.planes.allSatisfy { $0.descriptor >= 0 && $0.stride > 0 })
                _ = try DMABufferTexture(owned.buffer, in: gl)
            }
        }
        let grows = try OpenDescriptors.grow(times: 200) {
            do throws(GLError) {
                try export()
            } catch {
                guard case .dmaBuffer(let fault) = error else { throw error }
                switch fault.reason {
                case .noDescriptor("eglExportDMABUFImageMESA"), .missingExtension, .refused: break
                default: Issue.record("\(error)")
                }
            }
        }
        #expect(!grows)
    }
}
