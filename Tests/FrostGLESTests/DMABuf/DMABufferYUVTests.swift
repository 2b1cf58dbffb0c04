@testable import FrostGLES
import FrostTestSupport
import Testing

@Suite(.serialized, .enabled(if: TestNode.isWanted, TestNode.skipReason))
struct DMABufferYUVTests {
    /// Returns an NV12 image whose planes follow each other in memory. Its sides are odd, so the last chroma sample of a row
    /// or a column covers only one pixel instead of two.
    private static func nv12(in memory: Int32) -> DMABuffer {
        DMABuffer(
            width: 33, height: 21, fourcc: .nv12,
            planes: [.init(descriptor: memory, stride: 64), .init(descriptor: memory, offset: 64 * 21, stride: 64)])
    }

    private static let bytes = 64 * (21 + 11)

    @Test func thePlanesOfAnImageAreImportedOneByOne() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withMemory(bytes: Self.bytes) { memory in
            let image = Self.nv12(in: memory)
            // All planes are drawn before the first one is read, so that the test detects overlapping planes.
            for index in image.planes.indices {
                let plane = try image.component(index)
                _ = try thread.perform { (gl) throws(GLError) in try Pattern.draw(into: plane, in: gl) }
            }
            for (index, fourcc) in [FourCC.r8, .gr88].enumerated() {
                let plane = try image.component(index)
                #expect(plane.fourcc == fourcc)
                let expected = Pattern.colors(
                    in: try plane.checkedFormat(), width: plane.width, height: plane.height)
                #expect(DMABufferImportTests.colors(fourcc, try image.bytes(plane: index)) == expected)
                let seen = try thread.perform { (gl) throws(GLError) in
                    try CopyProgram.pixels(of: DMABufferTexture(plane, in: gl), in: gl)
                }
                #expect(seen == expected)
            }
        }
    }

    /// The driver must either convert YUV colours correctly or refuse the import. The image is grey, because drivers use
    /// different colour matrices. On grey, the results of these matrices differ by only a step or two (1/255).
    @Test(arguments: [(luma: 16, grey: 0), (luma: 126, grey: 128), (luma: 235, grey: 255)])
    func theDriversColoursAreRightOrRefused(_ sample: (luma: Int, grey: Int)) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withMemory(bytes: Self.bytes) { memory in
            let image = Self.nv12(in: memory)
            let (luma, chroma) = (try image.component(0), try image.component(1))
            do throws(GLError) {
                let seen = try thread.perform { (gl) throws(GLError) in
                    try Pattern.fill(luma, with: sample.luma, in: gl)
                    try Pattern.fill(chroma, with: 128, in: gl)
                    let texture = try DMABufferTexture(image, in: gl)
                    #expect(texture.use == .external)
                    return try CopyProgram.pixels(of: texture, in: gl)
                }
                let wrong = seen.enumerated().filter { $0 % 4 != 3 && abs(Int($1) - sample.grey) > 2 }
                #expect(wrong.isEmpty, "\(seen.prefix(4)) instead of \(sample.grey)")
            } catch {
                guard case .dmaBuffer(let fault) = error else { throw error }
                #expect(fault.fourcc == .nv12)
                let isExpected =
                    switch fault.reason {
                    case .unreliable: thread.device.isSoftware
                    case .unsupportedFormat, .unsupportedModifier, .missingExtension: true
                    default: false
                    }
                #expect(isExpected, "\(error)")
            }
        }
    }

    @Test func yuvIsNoRenderTarget() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withMemory(bytes: Self.bytes) { memory in
            let image = Self.nv12(in: memory)
            #expect {
                try thread.perform { (gl) throws(GLError) in
                    _ = try DMABufferTexture(image, as: .texture2D, in: gl)
                }
            } throws: { error in
                guard case GLError.dmaBuffer(let fault) = error else { return false }
                return fault.reason == .externalOnly
            }
        }
    }
}
