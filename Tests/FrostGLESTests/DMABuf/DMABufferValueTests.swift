@testable import FrostGLES
import FrostTestSupport
import Glibc
import Testing

/// Tests those properties of buffers that need no device.
@Suite struct DMABufferValueTests {
    @Test func codesHaveTheirCharacters() {
        #expect(FourCC("XR24") == FourCC(rawValue: 0x3432_5258))
        #expect(FourCC("XR24").description == "XR24")
        #expect(FourCC.r8.rawValue == 0x2020_3852)
        #expect(FourCC.r8.description == "R8")
        #expect(FourCC(rawValue: 0x80).description == "0x80")
        #expect(DRMModifier.linear.description == "0x0 (linear)")
        #expect(DRMModifier(rawValue: 0x0100_0000_0000_0002).description == "0x100000000000002")
    }

    @Test func formatsKnowTheirPlanes() throws {
        let nv12 = try #require(DRMFormat(.nv12))
        #expect(nv12.isYUV && !nv12.hasAlpha)
        #expect(nv12.planes.map { $0.bytesPerRow(width: 33) } == [33, 34])
        #expect(nv12.planes.map { $0.rows(height: 5) } == [5, 3])
        #expect(try #require(DRMFormat(FourCC("YUYV"))).planes[0].bytesPerRow(width: 3) == 8)
        #expect(try #require(DRMFormat(.argb8888)).hasAlpha)
        #expect(try #require(DRMFormat(.xrgb8888)).hasAlpha == false)
        #expect(DRMFormat(FourCC("ZZZZ")) == nil)
        // Every known format can be looked up by its FourCC code.
        for (fourcc, format) in DRMFormat.known { #expect(format.fourcc == fourcc) }
    }

    @Test func aPlaneIsAnImage() throws {
        let buffer = DMABuffer(
            width: 31, height: 9, fourcc: .nv12,
            planes: [.init(descriptor: 7, stride: 64), .init(descriptor: 8, offset: 4096, stride: 32)])
        let chroma = DMABuffer(
            width: 16, height: 5, fourcc: .gr88, planes: [.init(descriptor: 8, offset: 4096, stride: 32)])
        #expect(try buffer.component(1) == chroma)
        #expect(throws: GLError.self) { try buffer.component(2) }
    }

    /// A file of 64 KiB that stands in for a buffer's memory.
    private static let memory = OwnedMemory(bytes: 65536)

    private static func buffer(
        _ fourcc: FourCC = .xrgb8888, width: Int = 64, height: Int = 64, modifier: DRMModifier = .linear,
        offsets: [Int] = [0], strides: [Int] = [256], descriptor: Int32? = nil
    ) -> DMABuffer {
        DMABuffer(
            width: width, height: height, fourcc: fourcc, modifier: modifier,
            planes: zip(offsets, strides).map {
                .init(descriptor: descriptor ?? memory.descriptor, offset: $0, stride: $1)
            })
    }

    private func reason(_ buffer: DMABuffer) -> DMABufferFault.Reason? {
        do throws(GLError) {
            try buffer.check()
            return nil
        } catch {
            guard case .dmaBuffer(let fault) = error else { return .unmappable("\(error)") }
            #expect(fault.fourcc == buffer.fourcc && fault.modifier == buffer.modifier)
            return fault.reason
        }
    }

    @Test func buffersWithinTheirMemoryPass() {
        #expect(reason(Self.buffer()) == nil)
        #expect(reason(Self.buffer(offsets: [65536 - 64 * 256])) == nil)
        #expect(reason(Self.buffer(height: 1, strides: [65536])) == nil)
        #expect(reason(Self.buffer(.nv12, offsets: [3, 4099], strides: [64, 65])) == nil)
    }

    @Test func buffersBeyondTheirMemoryAreRefused() {
        #expect(
            reason(Self.buffer(offsets: [65536 - 64 * 256 + 1]))
                == .tooSmall(plane: 0, bytes: 65536, needed: 65537))
        #expect(reason(Self.buffer(height: 257)) == .tooSmall(plane: 0, bytes: 65536, needed: 65792))
        #expect(
            reason(Self.buffer(.nv12, offsets: [0, 65536 - 32 * 64 + 1], strides: [64, 64]))
                == .tooSmall(plane: 1, bytes: 65536, needed: 65537))
        let largest = Int(Int32.max)
        #expect(
            reason(Self.buffer(.r8, width: 1, height: largest, offsets: [largest], strides: [largest]))
                == .tooSmall(plane: 0, bytes: 65536, needed: largest + largest * largest))
    }

    @Test func impossibleGeometryIsRefused() {
        func isGeometry(_ buffer: DMABuffer) -> Bool {
            if case .geometry? = reason(buffer) { true } else { false }
        }
        #expect(isGeometry(Self.buffer(width: 0)))
        #expect(isGeometry(Self.buffer(height: -1)))
        #expect(isGeometry(Self.buffer(width: Int.max)))
        #expect(isGeometry(Self.buffer(strides: [255])))
        #expect(isGeometry(Self.buffer(strides: [0])))
        #expect(isGeometry(Self.buffer(strides: [Int.max])))
        #expect(isGeometry(Self.buffer(offsets: [-1])))
        #expect(isGeometry(Self.buffer(offsets: [Int.min])))
        #expect(reason(Self.buffer(FourCC("ZZZZ"))) == .unknownFormat)
        #expect(reason(Self.buffer(.nv12)) == .planeCount(found: 1, expected: 2...2))
        #expect(
            reason(Self.buffer(offsets: [0, 0], strides: [256, 256])) == .planeCount(found: 2, expected: 1...1))
        #expect(reason(Self.buffer(offsets: [], strides: [])) == .planeCount(found: 0, expected: 1...1))
        // A compressed image has additional planes.
        #expect(
            reason(
                Self.buffer(
                    modifier: DRMModifier(rawValue: 0x0100_0000_0000_0004), offsets: [0, 32768], strides: [256, 64]))
                == nil)
    }

    @Test func closedDescriptorsAreRefused() {
        #expect(
            reason(Self.buffer(descriptor: -1)) == .badDescriptor(plane: 0, reason: "Bad file descriptor"))
        #expect(
            reason(Self.buffer(descriptor: 100_000)) == .badDescriptor(plane: 0, reason: "Bad file descriptor"))
    }

    @Test func errorsNameFormatAndModifier() {
        let buffer = Self.buffer(height: 257)
        #expect(
            buffer.fault(.refused(GLEvidence(call: "eglCreateImageKHR", code: 0x3009))).description
                == "dma-buf 64x257 XR24, modifier 0x0 (linear): "
                + "the driver refuses it: eglCreateImageKHR: EGL_BAD_MATCH (0x3009)")
        #expect(
            buffer.fault(.unsupportedModifier(supported: [.linear])).description.hasSuffix(
                "the driver does not support the modifier for this format (supported: 0x0 (linear))"))
    }
}

/// Memory whose descriptor is not a dma-buf. It serves for checks that only look at the size of the memory.
final class OwnedMemory: Sendable {
    let descriptor: Int32

    init(bytes: Int) {
        var name = Array("\(ScratchFolder.parent)/frost-test-XXXXXX".utf8CString)
        // SAFETY: the array ends in NUL, and mkstemp only overwrites its characters.
        descriptor = unsafe mkstemp(&name)
        unsafe unlink(name)
        ftruncate(descriptor, bytes)
    }

    deinit { close(descriptor) }
}
