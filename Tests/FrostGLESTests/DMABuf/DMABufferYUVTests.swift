import FrostGLES
import Testing

@Suite(.serialized, .enabled(if: TestNode.isWanted, TestNode.skipReason))
struct DMABufferYUVTests {
    /// An NV12 image whose planes lie one after the other in the memory of `whole`, of 8 bits a pixel.
    private static func nv12(in whole: DMABuffer, width: Int, height: Int) -> DMABuffer {
        let (descriptor, stride) = (whole.planes[0].descriptor, whole.planes[0].stride)
        return DMABuffer(
            width: width, height: height, fourcc: .nv12,
            planes: [
                .init(descriptor: descriptor, stride: stride),
                .init(descriptor: descriptor, offset: stride * height, stride: stride),
            ])
    }

    @Test func thePlanesOfAnImageAreImportedOneByOne() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.r8, width: 34, height: 21 + 11) { whole in
            // Odd on both sides: the chroma's last samples belong to half a pixel.
            let image = Self.nv12(in: whole, width: 33, height: 21)
            for index in image.planes.indices {
                try image.fill(plane: index) { DMABufferImportTests.mark($0 + index, $1) }
            }
            for (index, fourcc) in [FourCC.r8, .gr88].enumerated() {
                let plane = try image.component(index)
                #expect(plane.fourcc == fourcc)
                let expected = DMABufferImportTests.colors(fourcc, try image.bytes(plane: index))
                let seen = try thread.perform { (gl) throws(GLError) in
                    try CopyProgram.pixels(of: DMABufferTexture(plane, in: gl), in: gl)
                }
                #expect(seen == expected)
            }
        }
    }

    /// Either the driver's colours are right, or nobody gets to see them. Grey, since how matrices are applied
    /// differs by a step or two.
    @Test(arguments: [(luma: 16, grey: 0), (luma: 126, grey: 128), (luma: 235, grey: 255)])
    func theDriversColoursAreRightOrRefused(_ sample: (luma: Int, grey: Int)) throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.r8, width: 64, height: 96) { whole in
            let image = Self.nv12(in: whole, width: 64, height: 64)
            try image.fill(plane: 0) { _, _ in UInt8(sample.luma) }
            try image.fill(plane: 1) { _, _ in 128 }
            do throws(GLError) {
                let seen = try thread.perform { (gl) throws(GLError) in
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
        try allocator.withBuffer(.r8, width: 64, height: 96) { whole in
            let image = Self.nv12(in: whole, width: 64, height: 64)
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
