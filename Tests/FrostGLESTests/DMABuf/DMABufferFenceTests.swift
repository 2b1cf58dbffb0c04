import CTestDRM
import FrostGLES
import FrostTestSupport
import Testing

/// Tests fences that the kernel's vgem device makes. `Tools/test-drm` runs these tests on vgem.
@Suite(.serialized, .enabled(if: VGEM.isThere, "no vgem device")) struct DMABufferFenceTests {
    @Test func aProducersFenceIsWaitedFor() throws {
        let (thread, allocator) = try TestNode.shared.get()
        try allocator.withBuffer(.xrgb8888, width: 16, height: 16) { buffer in
            // All steps run as one piece of work on the GL thread. Otherwise other tests that wait for this thread could
            // delay them, and the kernel gives up on a producer after ten seconds.
            try thread.perform(failure: { (error: GLError) -> any Error in error }) { (gl) throws in
                var fence = frost_vgem_fence()
                try #require(unsafe frost_vgem_attach(allocator.node, buffer.planes[0].descriptor, &fence) == 0)
                defer { unsafe frost_vgem_close(&fence) }
                // The producer has not signalled its fence yet.
                #expect(throws: GLError.timeout(what: "the producer's fence", seconds: 0.05)) {
                    try gl.wait(forFence: fence.sync_file, patience: 0.05)
                }
                #expect(unsafe frost_vgem_signal(&fence) == 0)
                guard case .onCPU = try gl.wait(forFence: fence.sync_file, patience: 10) else {
                    Issue.record("vgem has no GPU that could wait")
                    return
                }
            }
        }
    }
}

/// vgem, the kernel's DRM device without hardware.
enum VGEM {
    static let isThere: Bool = {
        guard case .success(let (_, allocator)) = TestNode.shared else { return false }
        let owned = try? allocator.allocate(width: 16, height: 16, fourcc: .xrgb8888)
        guard let owned else { return false }
        var fence = frost_vgem_fence()
        guard unsafe frost_vgem_attach(allocator.node, owned.buffer.planes[0].descriptor, &fence) == 0 else {
            return false
        }
        unsafe frost_vgem_close(&fence)
        return true
    }()
}
