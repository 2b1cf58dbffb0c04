import CFaultyGL
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Testing

// The suites are nested, so that they run one after the other: the driver that fails is the same for both.
extension FaultTests {
    /// Lets single calls of GL functions fail, each function's calls one after the other. Whatever call fails, a
    /// picture is right or there is an error, and the next picture is right.
    @Suite(.serialized) struct CallFaultTests {
        /// Whether the call that fails is one of the first picture, for which the GPU is opened and programs are made,
        /// or of a picture for which the renderer has everything but textures of its size.
        enum Moment: CaseIterable { case first, later }

        private static func renderer(_ name: String) throws -> Renderer {
            // SAFETY: the registered functions have the types of the EGL and GL functions.
            try unsafe EGLLibrary.register(name, faulty_get_proc_address)
            return try Renderer(
                backend: .gpu, threads: 2,
                options: GPUOptions(
                    context: ContextOptions(libraryName: name), timeout: 10, programCache: .off, filtering: .exact))
        }

        private static func effect() throws -> Effect {
            Effect(
                name: "clipped", kernel: .gaussian(try GaussianBlur(sigma: 9)),
                outputStages: OutputStages(clip: [try RoundedRect(x: 20, y: 20, width: 50, height: 40, radius: 12)]))
        }

        /// Renders a picture, with a call that fails from the given moment on. Returns nil if there is an error.
        private static func render(
            _ image: PixelBuffer, _ moment: Moment, _ name: String, _ failure: CallFailure
        ) throws -> (image: PixelBuffer?, renderer: Renderer?) {
            let effect = try effect()
            let renderer: Renderer
            switch moment {
            case .first:
                failure.set()
                guard let made = try? Self.renderer(name) else { return (nil, nil) }
                renderer = made
            case .later:
                CallFailure.none.set()
                renderer = try Self.renderer(name)
                _ = try renderer.renderNow(TestImage.noise(40, 30), effect)
                failure.set()
            }
            do throws(FrostError) {
                return (try renderer.renderNow(image, effect).image, renderer)
            } catch {
                return (nil, renderer)
            }
        }

        /// Returns the largest difference of two pictures. If a format cannot be rendered to, because a call failed
        /// while it was tried, another format stores the images between the draws. Values that lie between two steps
        /// may then be rounded differently.
        private static func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
            a.layout == b.layout ? zip(a.bytes, b.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0 : 255
        }

        /// The largest difference finds a picture with one wrong pixel.
        @Test func aWrongPixelIsFound() throws {
            let image = try TestImage.noise(9, 7)
            var bytes = image.bytes
            bytes[100] &+= 128
            #expect(Self.difference(image, image) == 0)
            #expect(try Self.difference(image, PixelBuffer(layout: image.layout, bytes: bytes)) == 128)
        }

        @Test(
            "after the failure of any driver call the picture is right, or there is an error",
            arguments: Moment.allCases)
        func anyCall(_ moment: Moment) throws {
            defer { CallFailure.none.set() }
            let image = try TestImage.noise(100, 70)
            let (name, effect) = ("faulty calls \(moment)", try Self.effect())
            // The first renderer of a process also checks the device. So the second renderer counts the calls.
            _ = try Self.render(image, moment, name, .none)
            let (first, counted) = try Self.render(image, moment, name, .none)
            let right = try #require(first)
            // The calls that close the renderer are not counted.
            let counts = withExtendedLifetime(counted) { CallFailure.counts }
            #expect(counts.count { $0 > 0 } > 20, "\(counts)")
            var table = FailureTable()
            var errors = 0
            for failure in CallFailure.all(counts, blocks: true) {
                let (picture, renderer) = try Self.render(image, moment, name, failure)
                #expect(faulty_count() == 1, "\(failure): the call was not made")
                CallFailure.none.set()
                if let picture {
                    #expect(Self.difference(picture, right) <= 1, "\(failure): a wrong picture without an error")
                } else {
                    errors += 1
                }
                table.add(failure, calls: counts, isError: picture == nil)
                guard failure.outcome != FAULTY_BLOCKED, let renderer else {
                    // The next renderer opens the driver anew.
                    try unsafe EGLLibrary.register(name, faulty_get_proc_address)
                    continue
                }
                do throws(FrostError) {
                    let next = try renderer.renderNow(image, effect).image
                    #expect(Self.difference(next, right) <= 1, "after \(failure)")
                } catch {
                    Issue.record("after \(failure): \(error)")
                }
            }
            table.print("Failures during \(moment == .first ? "the first picture of a renderer" : "a later picture")")
            #expect(errors > 0)
        }

        // MARK: - In the context of a host

        /// Renders into a texture of a host, with a call that fails, and then again without a failure. Meanwhile the
        /// host has a framebuffer of its own bound, whose pixels must stay.
        private static func renderInHost(
            _ image: PixelBuffer, _ failure: CallFailure
        ) throws -> (first: [UInt8]?, counts: [Int32], next: [UInt8]) {
            let name = "faulty calls of a host"
            // SAFETY: the registered functions have the types of the EGL and GL functions.
            try unsafe EGLLibrary.register(name, faulty_get_proc_address)
            let effect = try effect()
            return try TextureHost.perform { (_, gl) in
                let options = GPUOptions(
                    context: ContextOptions(libraryName: name), timeout: 10, programCache: .off, filtering: .exact)
                CallFailure.none.set()
                let renderer = try TextureRenderer(options: options)
                defer { renderer.destroy() }
                return try TextureHost.withTexture(of: image, in: gl) { source in
                    let own = try Texture(.rgba8, width: 4, height: 4, in: gl)
                    let framebuffer = try Framebuffer(own, in: gl)
                    var first: [UInt8]?
                    var counts: [Int32] = []
                    let drawn = try TextureHost.pixels(image.width, image.height, image.format, in: gl) { target in
                        try gl.beginDrawing(into: framebuffer)
                        failure.set()
                        let result = Result { () throws(FrostError) in
                            _ = try renderer.render(source, effect, into: target)
                        }
                        counts = CallFailure.counts
                        if case .success = result { first = [] }
                    }
                    if first != nil { first = drawn }
                    CallFailure.none.set()
                    #expect(own.width == 4 && gl.isComplete(framebuffer), "the host's framebuffer lost its texture")
                    let next = try TextureHost.pixels(image.width, image.height, image.format, in: gl) { target in
                        _ = try renderer.render(source, effect, into: target)
                    }
                    return (first, counts, next)
                }
            }
        }

        @Test("in a host's context the next picture is right after the failure of any GL call") func inAHost() throws {
            defer { CallFailure.none.set() }
            let image = try TestImage.noise(100, 70)
            let (right, counts, next) = try Self.renderInHost(image, .none)
            #expect(right == next && counts.count { $0 > 0 } > 20, "\(counts)")
            var table = FailureTable()
            var errors = 0
            // A host's context that is lost is lost for good, and a host's thread waits for its driver.
            for failure in CallFailure.all(counts, blocks: false) where failure.outcome != FAULTY_LOST {
                let (first, _, next) = try Self.renderInHost(image, failure)
                if first == nil { errors += 1 }
                table.add(failure, calls: counts, isError: first == nil)
                #expect(first == nil || first == right, "\(failure): a wrong picture without an error")
                #expect(next == right, "after \(failure)")
            }
            table.print("Failures during a render in a host's context")
            #expect(errors > 0)
        }
    }
}
