import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost
import FrostTestSupport
import Testing

/// Tests that the texels of level 0 are read and written, whatever parameters a texture of the host has.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct HostTextureParameterTests {
    private static let (width, height) = (48, 48)
    private static let format = PixelFormat(.rgba, alpha: .premultiplied)
    /// Where the blur is drawn in the target.
    private static let region = Rect(x: 0, y: 0, width: width, height: height)

    /// A parameter of a texture and a value that GL accepts for it.
    struct Parameter: Sendable, CustomTestStringConvertible {
        let name: Int32
        let value: Int32
        var testDescription: String { "\(String(name, radix: 16)) = \(String(value, radix: 16))" }
    }

    static let parameters: [[Parameter]] =
        [
            (GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR), (GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR),
            (GL_TEXTURE_MIN_FILTER, GL_NEAREST), (GL_TEXTURE_MAG_FILTER, GL_LINEAR), (GL_TEXTURE_WRAP_S, GL_REPEAT),
            (GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT), (GL_TEXTURE_BASE_LEVEL, 1), (GL_TEXTURE_BASE_LEVEL, 9),
            (GL_TEXTURE_MAX_LEVEL, 0), (GL_TEXTURE_MAX_LEVEL, 3), (GL_TEXTURE_MAX_LEVEL, 1000),
            (GL_TEXTURE_MIN_LOD, 5), (GL_TEXTURE_MAX_LOD, -5), (GL_TEXTURE_SWIZZLE_R, GL_BLUE),
            (GL_TEXTURE_SWIZZLE_G, GL_ZERO), (GL_TEXTURE_SWIZZLE_B, GL_ONE), (GL_TEXTURE_SWIZZLE_A, GL_ONE),
            (GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE), (GL_TEXTURE_COMPARE_FUNC, GL_NEVER),
        ].map { [Parameter(name: $0.0, value: $0.1)] }
        // No parameter is set: GL's own values.
        + [[]]
        + [
            [
                Parameter(name: GL_TEXTURE_BASE_LEVEL, value: 2), Parameter(name: GL_TEXTURE_MAX_LEVEL, value: 2),
                Parameter(name: GL_TEXTURE_SWIZZLE_R, value: GL_ALPHA),
                Parameter(name: GL_TEXTURE_MIN_FILTER, value: GL_NEAREST_MIPMAP_NEAREST),
            ]
        ]

    /// How a texture gets its memory.
    enum Storage: CaseIterable {
        /// One level, which can be allocated again.
        case mutable
        /// All levels, where those above the first have other pixels.
        case mutableLevels
        /// One level for good.
        case immutable
        /// All levels for good.
        case immutableLevels
    }

    private func texture(
        _ pixels: [UInt8], _ storage: Storage, _ parameters: [Parameter], _ gl: GLFunctions
    ) -> GLuint {
        var name: GLuint = 0
        // SAFETY: one name is requested. The pixels have 4 bytes for each texel of each level.
        unsafe gl.genTextures(1, &name)
        gl.bindTexture(GL.texture2D, name)
        gl.pixelStorei(GL.unpackAlignment, 1)
        let count = storage == .mutableLevels || storage == .immutableLevels ? 6 : 1
        let (width, height) = (GLsizei(Self.width), GLsizei(Self.height))
        switch storage {
        case .immutable, .immutableLevels:
            gl.texStorage2D(GL.texture2D, GLsizei(count), GLenum(GL_RGBA8), width, height)
        case .mutable, .mutableLevels: break
        }
        for level in 0..<count {
            let (w, h) = (max(1, width >> GLsizei(level)), max(1, height >> GLsizei(level)))
            let bytes = level == 0 ? pixels : [UInt8](repeating: 0x99, count: Int(4 * w * h))
            switch storage {
            case .immutable, .immutableLevels:
                unsafe gl.texSubImage2D(
                    GL.texture2D, GLint(level), 0, 0, w, h, GL.rgba, GLenum(GL_UNSIGNED_BYTE), bytes)
            case .mutable, .mutableLevels:
                unsafe gl.texImage2D(
                    GL.texture2D, GLint(level), GL_RGBA8, w, h, 0, GL.rgba, GLenum(GL_UNSIGNED_BYTE), bytes)
            }
        }
        for parameter in parameters { gl.texParameteri(GL.texture2D, GLenum(parameter.name), parameter.value) }
        gl.bindTexture(GL.texture2D, 0)
        return name
    }

    private func values(_ texture: GLuint, _ gl: GLFunctions) -> [GLint] {
        gl.bindTexture(GL.texture2D, texture)
        defer { gl.bindTexture(GL.texture2D, 0) }
        return Set(Self.parameters.flatMap { $0 }.map(\.name)).sorted().map { name in
            var value: GLint = -1
            // SAFETY: each queried parameter has one value.
            unsafe gl.getTexParameteriv(GL.texture2D, GLenum(name), &value)
            return value
        }
    }

    /// Sets the parameters with which GL lets the host read level 0 of a texture.
    private func pixels(_ texture: GLuint, _ host: HostGL) -> [UInt8] {
        host.gl.bindTexture(GL.texture2D, texture)
        host.gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_BASE_LEVEL), 0)
        host.gl.bindTexture(GL.texture2D, 0)
        return host.pixels(texture, Self.width, Self.height)
    }

    private func render(_ plan: Plan, _ source: GLuint, _ target: GLuint, _ executor: HostExecutor) throws {
        try executor.execute(
            plan,
            source: HostImage(HostTexture(name: source), width: Self.width, height: Self.height, format: Self.format),
            target: HostTarget(.texture(target), width: Self.width, height: Self.height, format: Self.format))
    }

    @Test(
        "a source and a target with any parameters give the same pixels, and keep the parameters",
        arguments: Storage.allCases)
    func anyParameter(_ storage: Storage) throws {
        let picture = try TestImage.make(.softAlpha, Self.width, Self.height, Self.format)
        let layout = picture.layout
        try TestHost().perform { host in
            let (gl, executor) = (host.gl, try HostExecutor(options: GPUOptions()))
            for sigma in [0, 1.0, 9] {
                let plan = try Effect(GaussianBlur(sigma: sigma, edge: .clamp)).plan(
                    extent: layout.extent, region: Self.region)
                let empty = [UInt8](repeating: 0, count: layout.byteCount)
                let plain = [Parameter(name: GL_TEXTURE_MIN_FILTER, value: GL_NEAREST)]
                let names = [
                    texture(picture.pixelBytes, .immutable, plain, gl), texture(empty, .immutable, plain, gl),
                ]
                try render(plan, names[0], names[1], executor)
                let expected = host.pixels(names[1], Self.width, Self.height)
                #expect(expected.contains { $0 != 0 })
                host.delete(textures: names)
                for parameters in Self.parameters {
                    let source = texture(picture.pixelBytes, storage, parameters, gl)
                    let target = texture(empty, storage, parameters, gl)
                    let before = [values(source, gl), values(target, gl)]
                    try render(plan, source, target, executor)
                    #expect([values(source, gl), values(target, gl)] == before, "\(parameters)")
                    #expect(pixels(target, host) == expected, "sigma \(sigma), \(parameters.map(\.testDescription))")
                    host.delete(textures: [source, target])
                }
            }
            executor.destroy()
        }
    }

    @Test("a sampler of the host does not matter, and stays bound") func samplerOfHost() throws {
        let picture = try TestImage.make(.softAlpha, Self.width, Self.height, Self.format)
        let plan = try Effect(GaussianBlur(sigma: 3)).plan(extent: picture.layout.extent, region: Self.region)
        try TestHost().perform { host in
            let (gl, executor) = (host.gl, try HostExecutor(options: GPUOptions()))
            var sampler: GLuint = 0
            // SAFETY: one name is requested and deleted.
            unsafe gl.genSamplers(1, &sampler)
            defer { unsafe gl.deleteSamplers(1, &sampler) }
            var results: [[UInt8]] = []
            for bound in [0, sampler] {
                for unit in 0..<GLuint(8) { gl.bindSampler(unit, bound) }
                let source = texture(picture.pixelBytes, .mutable, [], gl)
                let target = texture(picture.pixelBytes, .mutable, [], gl)
                try render(plan, source, target, executor)
                #expect(host.integers(GL_SAMPLER_BINDING) == [Int32(bitPattern: bound)])
                results.append(host.pixels(target, Self.width, Self.height))
                host.delete(textures: [source, target])
            }
            #expect(results[0] == results[1] && results[0] != picture.pixelBytes)
            #expect(results[0].contains { $0 != 0 })
            executor.destroy()
        }
    }
}
