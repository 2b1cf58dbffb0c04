import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Glibc
import Testing

/// Tests Frost in the GL context of a host program.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct HostTests {
    private static let options = GPUOptions()
    private static let (width, height) = (70, 53)
    private static let extent = Rect(x: 0, y: 0, width: width, height: height)
    private static let premultiplied = PixelFormat(.rgba, alpha: .premultiplied)
    private static let straight = PixelFormat(.rgba, alpha: .straight)

    /// Effects that together use every kind of draw and output stage.
    private static let effects: Result<[Effect], ParameterError> = Result { () throws(ParameterError) in
        let blur = try GaussianBlur(sigma: 3, edge: .mirror)
        let clip = [try RoundedRect(x: 7.5, y: 5, width: 50, height: 40, radius: 9)]
        let curves = [
            try RoundedRect(x: 2.5, y: 1, width: 40, height: 30, radius: 9, corners: .continuous()),
            try RoundedRect(x: 40, y: 20.25, width: 28, height: 30, radius: 14, corners: .superellipse()),
        ]
        let band = Mask.band(Mask.Band(top: 0.2, bottom: 0.5, falloff: 0.3))
        return [
            Effect(blur), Effect(try GaussianBlur(sigma: 0.7)), Effect(try GaussianBlur(sigma: 0)),
            Effect(
                name: "clipped", blur: blur,
                outputStages: OutputStages(clip: clip, dither: Dither(seed: 3))),
            Effect(
                name: "curves", blur: blur,
                outputStages: OutputStages(clip: curves, dither: Dither(seed: 3))),
            Effect(
                name: "colored", blur: try GaussianBlur(sigma: 12),
                outputStages: OutputStages(inside: [.matrix(.saturation(1.8))], dither: Dither())),
            Effect(name: "disc", blur: try DiscBlur(radius: 4), outputStages: OutputStages(clip: clip)),
            Effect(name: "variable", blur: try VariableBlur(sigma: 5, mask: band)),
        ]
    }

    /// Returns the result of the executor that copies pixels to the GPU and back.
    private func expected(_ plan: Plan, _ picture: PixelBuffer, _ format: PixelFormat) throws -> PixelBuffer {
        try TestGPU.shared.get().run(plan.replacingCopy(.clamp), on: picture, format: format).output
    }

    /// How a texture stores its image.
    private struct Order {
        var transform = SurfaceTransform.normal
        var rises = false

        static let all = SurfaceTransform.allCases.flatMap { transform in
            [false, true].map { Order(transform: transform, rises: $0) }
        }
    }

    /// Draws one frame as a host program does. It uploads a picture as a texture, draws an effect into another texture, and
    /// returns the pixels of this other texture.
    private func frame(
        _ plan: Plan, _ picture: PixelBuffer, to format: PixelFormat, from source: Order, into target: Order,
        framebuffer: Bool,
        _ executor: HostExecutor, _ gl: HostGL
    ) throws -> PixelBuffer {
        let stored = try picture.stored(source.transform, rises: source.rises)
        let from = gl.texture(
            stored.width, stored.height, stored.pixelBytes, channels: picture.format.channels.count)
        // The target is larger than the region, so the test also detects pixels that are drawn at wrong positions.
        let (width, height, x, y) = (plan.region.width + 9, plan.region.height + 13, 4, 6)
        let filler = [UInt8](repeating: 0x5A, count: 4 * width * height)
        let (wide, high) = target.transform.turned(width: width, height: height)
        let texture = gl.texture(wide, high, filler)
        let name = framebuffer ? gl.framebuffer(texture) : 0
        defer { gl.delete(textures: [from, texture], framebuffers: framebuffer ? [name] : []) }
        try executor.execute(
            plan,
            source: HostImage(
                HostTexture(name: from), width: picture.width, height: picture.height, format: picture.format,
                rises: source.rises, transform: source.transform),
            target: HostTarget(
                framebuffer ? .framebuffer(name) : .texture(texture), width: width, height: height, format: format,
                x: x, y: y, rises: target.rises, transform: target.transform))
        let image = try PixelBuffer(
            layout: PixelLayout(width: wide, height: high, format: Self.premultiplied),
            bytes: gl.pixels(texture, wide, high)
        ).seen(target.transform, rises: target.rises)
        var outside = image.pixelBytes
        for row in y..<y + plan.region.height {
            for byte in 4 * x..<4 * (x + plan.region.width) { outside[4 * width * row + byte] = 0x5A }
        }
        #expect(outside == filler, "pixels around the region")
        return try image.cropped(to: Rect(x: x, y: y, width: plan.region.width, height: plan.region.height))
    }

    @Test(
        "from texture to texture comes what comes from memory to memory, to the bit, however textures store their images",
        arguments: 0..<8)
    func sameAsCopied(_ index: Int) throws {
        let effect = try Self.effects.get()[index]
        let host = try TestHost()
        try host.perform { gl in
            let executor = try HostExecutor(options: Self.options)
            var share = index
            for (from, to) in [
                (Self.premultiplied, Self.premultiplied), (Self.straight, Self.straight),
                (PixelFormat(.rgb), PixelFormat(.rgb)),
            ] {
                let picture = try TestImage.make(.softAlpha, Self.width, Self.height, from)
                for region in [Self.extent, Rect(x: 11, y: 7, width: 33, height: 40)] {
                    let plan = try effect.plan(extent: Self.extent, region: region)
                    let expected = try expected(plan, picture, to)
                    // The regions and the effects share the 16 orders of a source, and those of a target, because each kind of
                    // order is another program to compile.
                    let shares = TestCases.every ? 2 : from == Self.premultiplied ? 4 : 8
                    share = (share + 1) % shares
                    for i in stride(from: share, to: Order.all.count, by: shares) {
                        let source = Order.all[i]
                        let target = Order.all[(5 * i + 2 * index) % 16]
                        let image = try frame(
                            plan, picture, to: to, from: source, into: target, framebuffer: i.isMultiple(of: 3),
                            executor, gl)
                        let bytes =
                            to.channels == .rgb
                            ? image.pixelBytes.enumerated().filter { $0.offset & 3 != 3 }.map(\.element)
                            : image.pixelBytes
                        #expect(
                            Self.firstDifference(bytes, expected.pixelBytes) == nil,
                            "\(effect), \(from), \(source) \(target), \(region)")
                    }
                }
            }
            executor.destroy()
        }
    }

    @Test("alpha of textures described as RGB reads as 1, whatever is stored", arguments: [false, true])
    func storedAlpha(_ rises: Bool) throws {
        var effects = try Self.effects.get()
        effects += effects.map { effect in
            var effect = effect
            effect.decoding = .sRGB
            return effect
        }
        try TestHost().perform { gl in
            let executor = try HostExecutor(options: Self.options)
            let noise = SeededNoise(seed: 8)
            func texture(_ alpha: (Int) -> UInt8) -> GLuint {
                var pixels: [UInt8] = []
                for i in 0..<Self.width * Self.height {
                    let (x, y) = (i % Self.width / 4, i / Self.width / 4)
                    for channel in 0..<3 { pixels.append(UInt8(255 * noise.value(x, y, channel))) }
                    pixels.append(alpha(i))
                }
                return gl.texture(Self.width, Self.height, pixels)
            }
            let opaque = texture { _ in 255 }
            let others = [texture { _ in 0 }, texture { UInt8(truncatingIfNeeded: 7 * $0) }]
            func draw(_ source: GLuint, _ effect: Effect, _ format: PixelFormat) throws -> [UInt8] {
                let target = gl.texture(Self.width, Self.height, nil)
                defer { gl.delete(textures: [target]) }
                try executor.execute(
                    effect.plan(extent: Self.extent),
                    source: HostImage(
                        HostTexture(name: source), width: Self.width, height: Self.height, format: format, rises: rises),
                    target: HostTarget(.texture(target), width: Self.width, height: Self.height, format: format))
                return gl.pixels(target, Self.width, Self.height)
            }
            for effect in TestCases.share(effects, of: 2, from: rises ? 1 : 0) {
                let wanted = try draw(opaque, effect, PixelFormat(.rgb))
                for other in others {
                    let made = try draw(other, effect, PixelFormat(.rgb))
                    let light = effect.decoding == nil ? "" : " in linear light"
                    #expect(Self.firstDifference(made, wanted) == nil, "\(effect)\(light)")
                    // The stored alpha changes results if the texture is described as RGBA.
                    #expect(try draw(other, effect, Self.premultiplied) != wanted)
                }
            }
            gl.delete(textures: others + [opaque])
            executor.destroy()
        }
    }

    /// Float textures hold values beyond 0...1. Straight colour is divided by alpha in the shader.
    @Test("textures of 16-bit floats are blurred within the bound, and keep values beyond 0...1", arguments: 0..<8)
    func floatTextures(_ index: Int) throws {
        let effect = try Self.effects.get()[index]
        let host = try TestHost()
        try host.perform { gl in
            let executor = try HostExecutor(options: Self.options)
            for (from, to) in [(AlphaMode.premultiplied, AlphaMode.premultiplied), (.straight, .straight)] {
                let format = PixelFormat(.rgba, .f16, alpha: from)
                let noise = SeededNoise(seed: 5)
                let peak = effect.outputStages.isEmpty ? 8.0 : 1
                let picture = try TestImage.make(Self.width, Self.height, format) { x, y, c in
                    let value = noise.value(x, y, c)
                    return c == 3 ? 0.5 + value / 2 : value < 0.1 ? peak * value / 0.1 : value / 2
                }
                let plan = try effect.plan(extent: Self.extent, accuracy: .sixteenBit)
                let wanted = try expected(plan, picture, PixelFormat(.rgba, .f16, alpha: to))
                let textures = [
                    gl.floatTexture(Self.width, Self.height, picture.pixelBytes),
                    gl.floatTexture(Self.width, Self.height, nil),
                ]
                try executor.execute(
                    plan,
                    source: HostImage(
                        HostTexture(name: textures[0]), width: Self.width, height: Self.height, format: format),
                    target: HostTarget(
                        .texture(textures[1]), width: Self.width, height: Self.height,
                        format: PixelFormat(.rgba, .f16, alpha: to)))
                let made = try PixelBuffer(
                    layout: wanted.layout, bytes: gl.halves(textures[1], Self.width, Self.height))
                // Both results are rounded in the same way. Sums of straight colours differ by their last bits, because only
                // the shader multiplies by alpha, and a difference can lead to the neighbouring number.
                try expectClose(
                    made, wanted,
                    within: Tolerance(
                        "two roundings", steps: 2 * peak * Tolerance.roundingOfHalves + 0.01,
                        reason: "neighbouring numbers of 11 bits below \(peak)"),
                    "\(effect), \(from)")
                gl.delete(textures: textures)
            }
            executor.destroy()
        }
    }

    private static func firstDifference(_ bytes: [UInt8], _ expected: [UInt8]) -> String? {
        guard bytes.count == expected.count else { return "\(bytes.count) bytes of \(expected.count)" }
        return bytes.indices.first { bytes[$0] != expected[$0] }.map { "byte \($0): \(bytes[$0]), not \(expected[$0])" }
    }

    @Test("the comparison would tell a source that is upside down") func comparisonTellsDirections() throws {
        let effect = try Self.effects.get()[0]
        try TestHost().perform { gl in
            let executor = try HostExecutor(options: Self.options)
            let picture = try TestImage.make(.gradient, Self.width, Self.height, Self.premultiplied)
            let plan = try effect.plan(extent: Self.extent)
            let right = try expected(plan, picture, Self.premultiplied)
            let upsideDown = try frame(
                plan, try picture.flippedVertically(), to: Self.premultiplied, from: Order(), into: Order(),
                framebuffer: false,
                executor, gl)
            #expect(upsideDown.pixelBytes != right.pixelBytes)
            executor.destroy()
        }
    }

    @Test("all state is as it was, however far it is from where Frost needs it") func stateIsKept() throws {
        let host = try TestHost()
        try host.perform { gl in
            let executor = try HostExecutor(options: Self.options)
            let picture = try TestImage.make(.softAlpha, Self.width, Self.height, Self.premultiplied)
            let source = gl.texture(Self.width, Self.height, picture.pixelBytes)
            let target = gl.texture(Self.width, Self.height, nil)
            let others = (0..<6).map { _ in gl.texture(8, 8, nil) }
            let framebuffer = gl.framebuffer(others[0])
            gl.disturb(textures: others, framebuffer: framebuffer)
            let before = gl.state()
            for effect in try Self.effects.get() {
                let plan = try effect.plan(extent: Self.extent)
                try Self.execute(plan, by: executor, from: source, to: target)
                #expect(Self.differences(before, gl.state()) == [], "\(effect)")
                // The result must be right even though the host has enabled other GL state.
                let pixels = gl.pixelsKeepingState(target, Self.width, Self.height)
                let wanted = try expected(plan, picture, Self.premultiplied).pixelBytes
                #expect(Self.firstDifference(pixels, wanted) == nil, "\(effect)")
            }
            // A new executor examines the context again. This must not change the GL state either.
            let another = try HostExecutor(options: Self.options)
            #expect(Self.differences(before, gl.state()) == [])
            another.destroy()
            executor.destroy()
            #expect(Self.differences(before, gl.state()) == [])
            // After two deliberate changes, the comparison of the GL states must report two differences.
            gl.gl.disable(GLenum(GL_BLEND))
            gl.gl.activeTexture(GL.texture0 + 2)
            #expect(Self.differences(before, gl.state()).count == 2)
        }
    }

    /// Executes a plan from one texture of the host to another.
    private static func execute(
        _ plan: Plan, by executor: HostExecutor, from source: GLuint, to target: GLuint
    ) throws {
        try executor.execute(
            plan, source: HostImage(HostTexture(name: source), width: width, height: height, format: premultiplied),
            target: HostTarget(.texture(target), width: width, height: height, format: premultiplied))
    }

    /// An advanced blend equation forbids draws while any draw buffer blends, also one that Frost does not write.
    @Test("advanced blend equations do not disturb draws, and the switches of all draw buffers stay")
    func advancedBlending() throws {
        let host = try TestHost()
        try host.perform { gl in
            let driver = Driver(try EGLLibrary.open())
            guard let enable: PFNGLENABLEIPROC = driver.optionalFunction("glEnablei"),
                let isEnabled: PFNGLISENABLEDIPROC = driver.optionalFunction("glIsEnabledi"),
                let setEquation: PFNGLBLENDEQUATIONPROC = driver.optionalFunction("glBlendEquation"),
                gl.hasExtension("GL_KHR_blend_equation_advanced")
            else { try Test.cancel("the driver has no advanced blend equations") }
            let executor = try HostExecutor(options: Self.options)
            let picture = try TestImage.make(.softAlpha, Self.width, Self.height, Self.premultiplied)
            let plan = try GaussianBlur(sigma: 3).plan(extent: Self.extent)
            let source = gl.texture(Self.width, Self.height, picture.pixelBytes)
            let target = gl.texture(Self.width, Self.height, nil)
            for buffers: [GLuint] in [[0, 1, 2, 3], [2], [0, 3]] {
                gl.gl.disable(GLenum(GL_BLEND))
                setEquation(GLenum(GL_MULTIPLY))
                for buffer in buffers { enable(GLenum(GL_BLEND), buffer) }
                try Self.execute(plan, by: executor, from: source, to: target)
                #expect((0..<4).filter { isEnabled(GLenum(GL_BLEND), $0) != 0 } == buffers)
                #expect(gl.integers(GL_BLEND_EQUATION_RGB) == [GL_MULTIPLY])
                gl.gl.disable(GLenum(GL_BLEND))
                let pixels = gl.pixelsKeepingState(target, Self.width, Self.height)
                let wanted = try expected(plan, picture, Self.premultiplied).pixelBytes
                #expect(Self.firstDifference(pixels, wanted) == nil, "\(buffers)")
            }
            executor.destroy()
        }
    }

    private static func differences(_ before: [String], _ after: [String]) -> [String] {
        zip(before, after).filter { $0 != $1 }.map { "\($0) became \($1)" }
    }

    @Test("frames make no GL objects once the first ones of a size are over") func steadyState() throws {
        let host = try TestHost()
        try host.perform { gl in
            let executor = try HostExecutor(options: Self.options)
            let source = gl.texture(Self.width, Self.height, nil)
            let target = gl.texture(Self.width, Self.height, nil)
            let plans = try Self.effects.get().map { try $0.plan(extent: Self.extent) }
            func draw(_ frames: Range<Int>) throws {
                for frame in frames {
                    try executor.execute(
                        plans[frame % plans.count],
                        source: HostImage(
                            HostTexture(name: source), width: Self.width, height: Self.height,
                            format: Self.premultiplied),
                        target: HostTarget(
                            .texture(target), width: Self.width, height: Self.height, format: Self.premultiplied))
                }
            }
            try draw(0..<10)
            let created = executor.statistics.objects.created
            try draw(10..<300)
            #expect(executor.statistics.objects.created == created)
            #expect(created > 0)
            executor.destroy()
        }
    }

    /// Draws 400 frames, or as many as FROST_FRAMES says. If FROST_FRAMES is set, for example to 20000, the test also limits
    /// the growth of the process's memory. It must then run alone.
    @Test("memory stays flat while sizes change") func flatMemory() throws {
        let wanted = environment("FROST_FRAMES").flatMap { Int($0) }
        let frames = wanted ?? 400
        let host = try TestHost()
        try host.perform { gl in
            let executor = try HostExecutor(options: GPUOptions(idleBytes: 1 << 20))
            let effects = try Self.effects.get()
            var size = Rect(x: 0, y: 0, width: 0, height: 0)
            var textures: [GLuint] = []
            var early = 0
            for frame in 0..<frames {
                if frame % max(10, min(100, frames / 40)) == 0 {
                    gl.delete(textures: textures)
                    size = Rect(x: 0, y: 0, width: 30 + frame * 7 % 53, height: 20 + frame * 11 % 41)
                    textures = (0..<2).map { _ in gl.texture(size.width, size.height, nil) }
                }
                try executor.execute(
                    try effects[frame % effects.count].plan(extent: size),
                    source: HostImage(
                        HostTexture(name: textures[0]), width: size.width, height: size.height,
                        format: Self.premultiplied),
                    target: HostTarget(
                        .texture(textures[1]), width: size.width, height: size.height, format: Self.premultiplied))
                #expect(executor.statistics.objects.bytes < 3 << 20)
                if frame == frames / 2 { early = ProcessState.current.residentKiB }
            }
            let growth = ProcessState.current.residentKiB - early
            #expect(wanted == nil || growth < 4 << 10, "\(growth) KiB in \(frames / 2) frames")
            gl.delete(textures: textures)
            executor.destroy()
        }
    }

    @Test("whatever is wrong with context, textures or target is an error that says so") func errors() throws {
        let host = try TestHost()
        let executor = try host.perform { _ in try HostExecutor(options: Self.options) }
        let plan = try Effect(GaussianBlur(sigma: 2)).plan(extent: Self.extent)
        func image(_ name: GLuint) -> HostImage {
            HostImage(HostTexture(name: name), width: Self.width, height: Self.height, format: Self.premultiplied)
        }
        func target(_ surface: HostSurface, x: Int = 0, _ format: PixelFormat = Self.premultiplied) -> HostTarget {
            HostTarget(surface, width: Self.width, height: Self.height, format: format, x: x)
        }
        func failure(_ source: HostImage, _ target: HostTarget, _ executor: HostExecutor) -> GPUError? {
            do throws(GPUError) {
                try executor.execute(plan, source: source, target: target)
                return nil
            } catch {
                return error
            }
        }
        // On this thread neither the executor's context nor any other context is current.
        guard case .gl(.notCurrent) = failure(image(1), target(.texture(2)), executor) else {
            Issue.record("works without a context")
            return
        }
        #expect(throws: GPUError.self) { try HostExecutor() }
        try host.perform { gl in
            let (a, b) = (gl.texture(Self.width, Self.height, nil), gl.texture(Self.width, Self.height, nil))
            #expect(failure(image(a), target(.texture(b)), executor) == nil)
            func fault(_ source: HostImage, _ target: HostTarget) -> SurfaceFault.Reason? {
                guard case .surface(let fault) = failure(source, target, executor) else { return nil }
                return fault.reason
            }
            #expect(fault(image(a), target(.texture(a))) == .isSource)
            #expect(
                fault(image(a), target(.texture(b), x: 1))
                    == .outside(Rect(x: 1, y: 0, width: Self.width, height: Self.height)))
            let deep = PixelFormat(.rgba, .u16)
            #expect(fault(image(a), target(.texture(b), deep)) == .format(deep))
            #expect(fault(image(a), target(.texture(b), PixelFormat(.rgba, .f16))) == .notFloats)
            let floats = gl.floatTexture(Self.width, Self.height, nil)
            #expect(fault(image(floats), target(.texture(b))) == .notNormalized)
            #expect(fault(image(a), target(.texture(floats))) == .notNormalized)
            #expect(fault(image(a), target(.framebuffer(gl.framebuffer(floats)))) == .notNormalized)
            #expect(fault(image(a), target(.texture(0))) == .missing)
            #expect(fault(image(0), target(.texture(b))) == .missing)
            let small = gl.texture(Self.width, Self.height - 1, nil)
            let asItIs = SurfaceFault.Reason.size(width: Self.width, height: Self.height - 1)
            #expect(fault(image(small), target(.texture(b))) == asItIs)
            #expect(fault(image(a), target(.texture(small))) == asItIs)
            #expect(fault(image(a), target(.framebuffer(gl.framebuffer(small)))) == asItIs)
            let wrong = HostImage(
                HostTexture(name: a), width: Self.width + 1, height: Self.height, format: Self.premultiplied)
            #expect(failure(wrong, target(.texture(b)), executor) != nil)
            executor.destroy()
            executor.destroy()
            guard case .gl(.notCurrent) = failure(image(a), target(.texture(b)), executor) else {
                Issue.record("works after it was destroyed")
                return
            }
            #expect(executor.statistics.objects.total == 0)
        }
    }
}

extension HostGL {
    /// Reads pixels like ``pixels(_:_:_:)``, but then restores the GL state. Tests use it to read pixels between calls while
    /// they check how these calls change the GL state.
    func pixelsKeepingState(_ texture: GLuint, _ width: Int, _ height: Int) -> [UInt8] {
        let names = [GL_DRAW_FRAMEBUFFER_BINDING, GL_READ_FRAMEBUFFER_BINDING].map { GLuint(integers($0)[0]) }
        let buffer = GLuint(integers(GL_PIXEL_PACK_BUFFER_BINDING)[0])
        let store = [GL_PACK_ALIGNMENT, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS]
        let values = store.map { integers($0)[0] }
        gl.bindBuffer(GL.pixelPackBuffer, 0)
        for name in store { gl.pixelStorei(GLenum(name), name == GL_PACK_ALIGNMENT ? 1 : 0) }
        let result = pixels(texture, width, height)
        for (name, value) in zip(store, values) { gl.pixelStorei(GLenum(name), value) }
        gl.bindBuffer(GL.pixelPackBuffer, buffer)
        gl.bindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), names[0])
        gl.bindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), names[1])
        return result
    }
}
