import CFaultyGL
import Foundation
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

extension FaultTests {
    /// Lets single calls of the driver block for longer than the timeout.
    @Suite(.serialized) struct BlockedCallTests {
        /// The timeout in seconds. It is longer than any call takes that does not block, also on a busy machine.
        static let timeout = 1.0
        static func options(_ name: String, transfer: TransferPath? = nil) throws -> GPUOptions {
            // SAFETY: the registered functions have the types of the EGL and GL functions.
            try unsafe EGLLibrary.register(name, faulty_get_proc_address)
            return GPUOptions(
                context: ContextOptions(libraryName: name), timeout: timeout, programCache: .off, transfer: transfer)
        }

        /// Whether an error states that a call of the driver does not return.
        private static func isBlocked(_ error: FrostError, in function: String) -> Bool {
            switch error {
            case .deviceFailed(_, .gl(.driverBlocked(function, _))): true
            case .deviceUnavailable(let reason): reason.contains("has not returned from \(function)")
            default: false
            }
        }

        @Test(
            "a call that opens the GPU and does not return is an error",
            arguments: [
                "eglQueryDevicesEXT", "eglInitialize", "eglCreateContext", "glGetIntegerv",
            ]) func opening(_ function: String) throws
        {
            defer { CallFailure.none.set() }
            let options = try Self.options("blocked \(function)")
            CallFailure.of(function, FAULTY_BLOCKED, CallFailure.forever).set()
            do throws(FrostError) {
                _ = try Renderer(backend: .gpu, threads: 1, options: options)
                Issue.record("the renderer was opened")
            } catch {
                #expect(Self.isBlocked(error, in: function), "\(error)")
            }
            #expect(faulty_count() == 1)
        }

        @Test(
            "a call that does not return is an error of a demanded GPU, and of all later images while it blocks",
            arguments: [
                ("glFlush", TransferPath.direct), ("glLinkProgram", .direct), ("glDrawArrays", .direct),
                ("glDispatchCompute", .direct),
                ("glReadPixels", .direct), ("glTexSubImage2D", .direct), ("glClientWaitSync", .direct),
                ("glMapBufferRange", .buffers),
            ]) func demanded(_ function: String, _ transfer: TransferPath) throws
        {
            defer { CallFailure.none.set() }
            let image = try TestImage.noise(100, 70)
            var options = try Self.options("blocked \(function) \(transfer)", transfer: transfer)
            let shaders: [String: ShaderPath] = ["glDrawArrays": .fragment, "glDispatchCompute": .compute]
            options.shaders = shaders[function] ?? options.shaders
            let renderer = try Renderer(backend: .gpu, threads: 1, options: options)
            CallFailure.of(function, FAULTY_BLOCKED, CallFailure.forever).set()
            for effect in [try FaultTests.effect.get(), Effect(try GaussianBlur(sigma: 3))] {
                do throws(FrostError) {
                    _ = try renderer.renderNow(image, effect)
                    Issue.record("a picture although \(function) blocks")
                } catch {
                    switch error {
                    case .deviceFailed(_, .gl(.contextLost(let reason))): #expect(reason.contains(function))
                    default: #expect(Self.isBlocked(error, in: function), "\(error)")
                    }
                }
            }
            #expect(faulty_count() == 1)
            // Nothing waits for the thread, and no new renderer waits for the driver.
            let executor = try #require(renderer.slot.executor)
            #expect(throws: GLError.driverBlocked(call: function, seconds: Self.timeout)) {
                try executor.checkDriver()
            }
        }

        @Test("if the driver blocks, the CPU makes this picture and all later ones, and the report has the reason")
        func automatic() throws {
            defer { CallFailure.none.set() }
            let image = try TestImage.noise(200, 140)
            let effect = try FaultTests.effect.get()
            let expected = try Renderer(backend: .cpu).renderNow(image, effect).image
            let renderer = try FaultTests.automatic(Self.options("blocked automatic"))
            renderer.prepare(for: image.layout.format)
            #expect(renderer.deviceName != nil)
            CallFailure.of("glReadPixels", FAULTY_BLOCKED, CallFailure.forever).set()
            for _ in 0..<2 {
                let rendered = try renderer.renderNow(image, effect)
                #expect(rendered.report.backend == .cpu && rendered.image == expected)
                #expect(rendered.report.reason.contains("glReadPixels"), "\(rendered.report.reason)")
            }
            #expect(faulty_count() == 1 && renderer.reasonForCPU?.contains("glReadPixels") == true)
        }

        @Test("when the call has returned, a demanded GPU is opened again") func recovery() throws {
            defer { CallFailure.none.set() }
            let image = try TestImage.noise(100, 70)
            let effect = try FaultTests.effect.get()
            let renderer = try Renderer(backend: .gpu, threads: 1, options: Self.options("blocked for a while"))
            let expected = try renderer.renderNow(image, effect).image
            CallFailure.of("glReadPixels", FAULTY_BLOCKED, UInt32(Self.timeout * 2500)).set()
            #expect(throws: FrostError.self) { try renderer.renderNow(image, effect) }
            let executor = try #require(renderer.slot.executor)
            while (try? executor.checkDriver()) == nil { usleep(20_000) }
            let next = try renderer.renderNow(image, effect)
            #expect(next.image == expected && next.report.backend == .gpu)
        }

        @Test("the images of a queue fail together, and the queue ends while the driver blocks") func queue() throws {
            defer { CallFailure.none.set() }
            let image = try TestImage.noise(100, 70)
            let effect = try FaultTests.effect.get()
            var options = try Self.options("blocked queue")
            options.shaders = .fragment
            let renderer = try Renderer(backend: .gpu, threads: 1, options: options)
            let queue = try RenderQueue(renderer, depth: 3)
            CallFailure.of("glDrawArrays", FAULTY_BLOCKED, CallFailure.forever).set()
            let tickets = try (0..<3).map { _ in try queue.submit(image, effect) }
            queue.waitUntilIdle()
            for ticket in tickets { #expect(throws: FrostError.self) { try ticket.wait() } }
            let executor = try #require(renderer.slot.executor)
            #expect(throws: GLError.self) { try executor.checkDriver() }
        }

        @Test("closing a GPU ends although the driver blocks") func shutdown() throws {
            defer { CallFailure.none.set() }
            let executor = try GPUExecutor(device: .any, options: Self.options("blocked shutdown"))
            CallFailure.of("eglDestroyContext", FAULTY_BLOCKED, CallFailure.forever).set()
            executor.shutdown()
            #expect(throws: GLError.driverBlocked(call: "eglDestroyContext", seconds: Self.timeout)) {
                try executor.checkDriver()
            }
        }

        /// Progress is the return of a call. Work that takes longer than the timeout is not blocked while its calls
        /// return, or while it computes between two calls.
        @Test("work that makes progress is not abandoned") func progress() throws {
            var options = try Self.options("slow").context
            options.timeout = 0.4
            let thread = try GLThread.open(.any, options: options)
            try thread.performBounded(failure: { $0 }) { (gl) throws(GLError) in
                for _ in 0..<10 {
                    usleep(100_000)
                    gl.flush()
                }
                usleep(800_000)
            }
            try thread.checkDriver()
        }

        /// The process ends although a thread is inside the driver.
        @Test func exiting() async {
            await #expect(processExitsWith: .success) {
                let renderer = try Renderer(backend: .gpu, threads: 1, options: BlockedCallTests.options("exit"))
                CallFailure.of("glFlush", FAULTY_BLOCKED, CallFailure.forever).set()
                let image = try TestImage.noise(40, 30)
                guard (try? renderer.blurNow(image, GaussianBlur(sigma: 4))) == nil, faulty_count() == 1 else {
                    exit(1)
                }
            }
        }
    }
}
