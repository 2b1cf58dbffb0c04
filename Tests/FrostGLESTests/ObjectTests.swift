import FrostGLES
import Testing

@Suite(.serialized, .enabled(if: TestThread.isWanted, TestThread.skipReason))
struct ObjectTests {
    static let vertex = """
        #version 300 es
        void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0); }
        """

    static func fragment(_ body: String) -> String {
        "#version 300 es\nprecision highp float;\nuniform ivec4 color;\nout vec4 result;\nvoid main() { \(body) }\n"
    }

    @Test func aCompilersLogIsInTheError() throws {
        let thread = try TestThread.shared.get()
        #expect {
            try thread.perform { (gl) throws(GLError) in
                _ = try Program(vertex: Self.vertex, fragment: Self.fragment("result = noSuchThing;"), in: gl)
            }
        } throws: { error in
            guard case GLError.shaderCompilation("fragment", let log) = error else { return false }
            return log.contains("noSuchThing")
        }
        // A failed compilation leaves no GL objects and no GL errors.
        try thread.perform { (gl) throws(GLError) in try gl.checkErrors(after: "a failed compilation") }
    }

    @Test func aLinkersLogIsInTheError() throws {
        let thread = try TestThread.shared.get()
        let fragment =
            "#version 300 es\nprecision highp float;\nin vec3 missing;\nout vec4 result;\n"
            + "void main() { result = missing.xyzz; }\n"
        #expect {
            try thread.perform { (gl) throws(GLError) in
                _ = try Program(vertex: Self.vertex, fragment: fragment, in: gl)
            }
        } throws: { error in
            guard case GLError.link(let log) = error else { return false }
            return log.contains("missing")
        }
    }

    @Test func objectsAreDeletedWhenTheirOwnersAreGone() throws {
        let thread = try GLThread.open(.any)
        let kept = try thread.perform { (gl) throws(GLError) in
            let texture = try Texture(.rgba8, width: 10, height: 20, in: gl)
            let framebuffer = try Framebuffer(texture, in: gl)
            let buffer = try Buffer(.upload, size: 100, in: gl)
            let fence = try Fence(in: gl)
            let vertexArray = try VertexArray(in: gl)
            let program = try Program(vertex: Self.vertex, fragment: Self.fragment("result = vec4(color);"), in: gl)
            try program.use(in: gl)
            let kept = try Texture(.rgba16, width: 3, height: 3, in: gl)
            #expect(thread.objectCounts.total == 7)
            #expect(thread.objectCounts.bytes == 800 + 100 + 72)
            _ = (texture.width, framebuffer.width, buffer.size, try fence.wait(nanoseconds: 0, in: gl))
            _ = vertexArray
            return Keeper(kept)
        }
        #expect(thread.objectCounts.total == 1)
        #expect(thread.objectCounts.textures == 1)
        kept.drop()
        // The texture is released on this thread. The GL thread deletes it when it does its next piece of work.
        #expect(thread.objectCounts.total == 1)
        try thread.perform { (_) throws(GLError) in }
        #expect(thread.objectCounts.total == 0)
    }

    @Test func whatIsDrawnCanBeRead() throws {
        let thread = try TestThread.shared.get()
        let bytes = try thread.perform { (gl) throws(GLError) in
            let texture = try Texture(.rgba8, width: 3, height: 2, in: gl)
            let framebuffer = try Framebuffer(texture, in: gl)
            let vertexArray = try VertexArray(in: gl)
            let program = try Program(
                vertex: Self.vertex, fragment: Self.fragment("result = vec4(color) / 255.0;"), in: gl)
            try program.use(in: gl)
            try gl.beginDrawing(into: framebuffer)
            try program.set(program.uniform("color", in: gl), SIMD4(10, 20, 30, 40), in: gl)
            try gl.drawTriangle(columns: 0..<3, rows: 0..<2, vertexArray)
            try program.set(program.uniform("color", in: gl), SIMD4(1, 2, 3, 4), in: gl)
            try gl.drawTriangle(columns: 1..<2, rows: 1..<2, vertexArray)
            let buffer = try Buffer(.readback, size: 24, in: gl)
            try framebuffer.read(rows: 0..<2, into: buffer, in: gl)
            let fence = try Fence(in: gl)
            while try !fence.wait(nanoseconds: 1_000_000, in: gl) {}
            var bytes: [UInt8] = []
            try unsafe buffer.withMapped(count: 24, in: gl) { unsafe bytes = Array($0) }
            return bytes
        }
        let around: [UInt8] = [10, 20, 30, 40]
        #expect(bytes == around + around + around + around + [1, 2, 3, 4] + around)
    }

    @Test func sizesOverTheLimitAreRefused() throws {
        let thread = try TestThread.shared.get()
        let limit = try thread.perform { (gl) throws(GLError) in gl.limits.maximumTextureSize }
        #expect(throws: GLError.tooLarge(what: "texture width", value: limit + 1, limit: limit)) {
            try thread.perform { (gl) throws(GLError) in
                _ = try Texture(.rgba8, width: limit + 1, height: 1, in: gl)
            }
        }
    }

    @Test func wrongCallsAreRefusedWithEvidence() throws {
        let thread = try GLThread.open(.any, options: ContextOptions(checksEveryCall: true))
        #expect {
            try thread.perform { (gl) throws(GLError) in
                _ = try Texture(.rgba8, width: 0, height: -1, in: gl)
            }
        } throws: { error in
            guard case GLError.callFailed(let evidence) = error else { return false }
            // The check ignores the driver's message, because not every driver gives one; llvmpipe does.
            return evidence.call == "glTexStorage2D" && evidence.code == 0x501
        }
        #expect(throws: GLError.self) {
            try thread.perform { (gl) throws(GLError) in
                let texture = try Texture(.rgba8, width: 4, height: 4, in: gl)
                let buffer = try Buffer(.upload, size: 63, in: gl)
                try texture.upload(rows: 0..<4, from: buffer, in: gl)
            }
        }
    }
}

/// Keeps a texture alive outside of its GL thread.
private final class Keeper: @unchecked Sendable {
    private var texture: Texture?
    init(_ texture: consuming Texture) { self.texture = consume texture }
    func drop() { texture = nil }
}
