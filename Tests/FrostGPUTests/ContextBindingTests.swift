import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// Tests Frost in a context that is current on no thread when the program calls.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct ContextBindingTests {
    private static let (width, height) = (61, 47)
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)

    /// A host that makes its context current only when Frost asks for it.
    // SAFETY: the handles are only passed to EGL, on the thread of the test.
    @safe private final class Host {
        let library: EGLLibrary
        let display: EGLDisplayHandle
        let context: UnsafeMutableRawPointer
        var (makes, releases) = (0, 0)
        var failsToMake = false
        var failsToRelease = false

        /// Takes the context of the calling thread away from it.
        init() throws(GLError) {
            library = try EGLLibrary.open()
            let current = try unsafe library.current()
            display = unsafe current.0
            unsafe context = unsafe current.1
        }

        func setCurrent(_ isCurrent: Bool) {
            let made = unsafe library.egl.makeCurrent(display.raw, nil, nil, isCurrent ? context : nil)
            #expect(made != 0)
        }

        var isCurrent: Bool { unsafe library.egl.getCurrentContext() != nil }

        var binding: ContextBinding {
            ContextBinding(
                makeCurrent: { () throws(GLError) in
                    #expect(!self.isCurrent, "pieces of work are not nested")
                    if self.failsToMake { throw .notCurrent("the display is gone") }
                    self.makes += 1
                    self.setCurrent(true)
                },
                release: { () throws(GLError) in
                    self.releases += 1
                    self.setCurrent(false)
                    if self.failsToRelease { throw .notCurrent("it stays") }
                })
        }
    }

    @Test func theContextIsCurrentOnlyWhileFrostWorks() throws {
        let test = try TestHost()
        try test.perform { gl in
            let picture = try TestImage.make(.softAlpha, Self.width, Self.height, Self.format)
            let source = gl.texture(Self.width, Self.height, picture.pixelBytes)
            let target = gl.texture(Self.width, Self.height, nil)
            let plan = try Effect(GaussianBlur(sigma: 4)).plan(
                extent: Rect(x: 0, y: 0, width: Self.width, height: Self.height))
            let image = HostImage(
                HostTexture(name: source), width: Self.width, height: Self.height, format: Self.format)
            let surface = HostTarget(
                .texture(target), width: Self.width, height: Self.height, format: Self.format)

            let host = try Host()
            host.setCurrent(false)
            let executor = try HostExecutor(binding: host.binding)
            try executor.execute(plan, source: image, target: surface)
            #expect(!host.isCurrent && host.makes > 0 && host.makes == host.releases)
            host.setCurrent(true)
            let expected = try TestGPU.shared.get().run(plan, on: picture).output.pixelBytes
            #expect(gl.pixels(target, Self.width, Self.height) == expected)
            host.setCurrent(false)

            // Without a binding, the same calls are errors.
            #expect(throws: GPUError.gl(.notCurrent("no EGL context is current on this thread"))) {
                _ = try HostExecutor()
            }

            let before = (executor.statistics.executions, host.releases)
            host.failsToMake = true
            #expect(throws: GPUError.gl(.notCurrent("the display is gone"))) {
                try executor.execute(plan, source: image, target: surface)
            }
            #expect((executor.statistics.executions, host.releases) == before)
            host.failsToMake = false
            host.failsToRelease = true
            #expect(throws: GPUError.gl(.notCurrent("it stays"))) {
                try executor.execute(plan, source: image, target: surface)
            }
            #expect(!host.isCurrent && host.makes == host.releases)
            host.failsToRelease = false
            // An error of the work itself also releases the context.
            let unknown = HostTarget(.texture(9999), width: Self.width, height: Self.height, format: Self.format)
            #expect(throws: GPUError.self) { try executor.execute(plan, source: image, target: unknown) }
            #expect(!host.isCurrent && host.makes == host.releases)

            #expect(executor.statistics.objects.total > 0)
            executor.destroy()
            #expect(executor.statistics.objects.total == 0 && !host.isCurrent)
            host.setCurrent(true)
            gl.delete(textures: [source, target])
        }
    }
}
