import CGLES
import FrostCore
@testable import FrostGLES

/// A stand-in for a host program that has its own GL context. It has a thread on which this context is current, and makes GL
/// calls without informing Frost.
///
/// SAFETY: all GL calls run on the thread, within `perform`.
@safe final class TestHost {
    private let thread: GLThread

    init() throws(GLError) { thread = try GLThread.open(.any) }

    /// Calls `body` on the host's thread, with its GL context current.
    func perform<Value>(_ body: (HostGL) throws -> Value) throws -> Value {
        let result: Result<Value, any Error> = try thread.perform { (gl) throws(GLError) in
            Result { try body(HostGL(gl: gl.gl)) }
        }
        return try result.get()
    }
}

/// Plain GL calls of the host program, without Frost.
struct HostGL {
    let gl: GLFunctions

    /// Creates an RGB or RGBA texture with 8 bits per channel.
    ///
    /// - Parameter pixels: rows in memory order; nil leaves the texture's contents undefined.
    func texture(_ width: Int, _ height: Int, _ pixels: [UInt8]?, channels: Int = 4) -> GLuint {
        var name: GLuint = 0
        // SAFETY: glGenTextures writes one name. `pixels` has width * height * channels bytes, and the unpack alignment is
        // 1.
        unsafe gl.genTextures(1, &name)
        gl.bindTexture(GL.texture2D, name)
        gl.texStorage2D(
            GL.texture2D, 1, GLenum(channels == 3 ? GL_RGB8 : GL_RGBA8), GLsizei(width), GLsizei(height))
        gl.texParameteri(GL.texture2D, GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR_MIPMAP_LINEAR)
        gl.pixelStorei(GL.unpackAlignment, 1)
        if let pixels {
            unsafe gl.texSubImage2D(
                GL.texture2D, 0, 0, 0, GLsizei(width), GLsizei(height), GLenum(channels == 3 ? GL_RGB : GL_RGBA),
                GLenum(GL_UNSIGNED_BYTE), pixels)
        }
        gl.bindTexture(GL.texture2D, 0)
        return name
    }

    /// Creates an RGBA texture of 16-bit floats.
    ///
    /// - Parameter pixels: rows in memory order; nil leaves the texture's contents undefined.
    func floatTexture(_ width: Int, _ height: Int, _ pixels: [UInt8]?) -> GLuint {
        var name: GLuint = 0
        // SAFETY: glGenTextures writes one name. `pixels` has 8 bytes per pixel.
        unsafe gl.genTextures(1, &name)
        gl.bindTexture(GL.texture2D, name)
        gl.texStorage2D(GL.texture2D, 1, GLenum(GL_RGBA16F), GLsizei(width), GLsizei(height))
        if let pixels {
            unsafe gl.texSubImage2D(
                GL.texture2D, 0, 0, 0, GLsizei(width), GLsizei(height), GL.rgba, GLenum(GL_HALF_FLOAT), pixels)
        }
        gl.bindTexture(GL.texture2D, 0)
        return name
    }

    /// Reads a float texture's pixels as RGBA halves, in the texture's row order.
    func halves(_ texture: GLuint, _ width: Int, _ height: Int) -> [UInt8] {
        var floats = [Float](repeating: 0, count: 4 * width * height)
        var name = framebuffer(texture)
        gl.bindFramebuffer(GL.framebuffer, name)
        // SAFETY: the array has 4 floats for each pixel that glReadPixels writes.
        unsafe gl.readPixels(0, 0, GLsizei(width), GLsizei(height), GL.rgba, GLenum(GL_FLOAT), &floats)
        gl.bindFramebuffer(GL.framebuffer, 0)
        unsafe gl.deleteFramebuffers(1, &name)
        return floats.flatMap { value in
            let bits = Float16(value).bitPattern
            return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
        }
    }

    /// Writes RGBA pixels into a rectangle of a texture.
    func update(_ texture: GLuint, _ rect: Rect, _ pixels: [UInt8]) {
        gl.bindTexture(GL.texture2D, texture)
        gl.pixelStorei(GL.unpackAlignment, 1)
        // SAFETY: `pixels` has 4 bytes per pixel of the rectangle, and the unpack alignment is 1.
        unsafe gl.texSubImage2D(
            GL.texture2D, 0, GLint(rect.x), GLint(rect.y), GLsizei(rect.width), GLsizei(rect.height), GL.rgba,
            GLenum(GL_UNSIGNED_BYTE), pixels)
        gl.bindTexture(GL.texture2D, 0)
    }

    /// Creates a framebuffer with the texture as its colour attachment.
    func framebuffer(_ texture: GLuint) -> GLuint {
        var name: GLuint = 0
        // SAFETY: glGenFramebuffers writes one name.
        unsafe gl.genFramebuffers(1, &name)
        gl.bindFramebuffer(GL.framebuffer, name)
        gl.framebufferTexture2D(GL.framebuffer, GL.colorAttachment0, GL.texture2D, texture, 0)
        gl.bindFramebuffer(GL.framebuffer, 0)
        return name
    }

    /// Reads a texture's pixels as RGBA bytes, in the texture's row order.
    func pixels(_ texture: GLuint, _ width: Int, _ height: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4 * width * height)
        var name = framebuffer(texture)
        gl.bindFramebuffer(GL.framebuffer, name)
        gl.pixelStorei(GL.packAlignment, 1)
        // SAFETY: the array has 4 bytes for each pixel that glReadPixels writes.
        unsafe gl.readPixels(
            0, 0, GLsizei(width), GLsizei(height), GL.rgba, GLenum(GL_UNSIGNED_BYTE), &bytes)
        gl.bindFramebuffer(GL.framebuffer, 0)
        unsafe gl.deleteFramebuffers(1, &name)
        return bytes
    }

    func delete(textures: [GLuint] = [], framebuffers: [GLuint] = []) {
        // SAFETY: the count passed to each call is the number of names in its array.
        unsafe gl.deleteTextures(GLsizei(textures.count), textures)
        unsafe gl.deleteFramebuffers(GLsizei(framebuffers.count), framebuffers)
    }

    func hasExtension(_ name: String) -> Bool {
        (0..<GLuint(integers(GL_NUM_EXTENSIONS)[0])).contains {
            // SAFETY: the index is below the number of extensions, and the string is static.
            unsafe gl.getStringi(GLenum(GL_EXTENSIONS), $0).map { unsafe String(cString: $0) } == name
        }
    }

    func integers(_ name: Int32, count: Int = 1) -> [Int32] {
        var values = [GLint](repeating: -77, count: count)
        // SAFETY: the caller passes the number of values that GL writes for `name`.
        unsafe gl.getIntegerv(GLenum(name), &values)
        return values
    }

    /// Returns the GL state that a library can disturb, one line of text per value. State that GL does not allow to query is
    /// missing.
    func state() -> [String] {
        var lines: [String] = []
        let switches: [(String, Int32)] = [
            ("blend", GL_BLEND), ("cull", GL_CULL_FACE), ("depth test", GL_DEPTH_TEST), ("dither", GL_DITHER),
            ("polygon offset", GL_POLYGON_OFFSET_FILL), ("restart", GL_PRIMITIVE_RESTART_FIXED_INDEX),
            ("discard", GL_RASTERIZER_DISCARD), ("alpha to coverage", GL_SAMPLE_ALPHA_TO_COVERAGE),
            ("coverage", GL_SAMPLE_COVERAGE), ("scissor", GL_SCISSOR_TEST), ("stencil", GL_STENCIL_TEST),
            ("debug", GL_DEBUG_OUTPUT), ("sample mask", GL_SAMPLE_MASK),
        ]
        for (name, code) in switches { lines.append("\(name): \(gl.isEnabled(GLenum(code)))") }
        let numbers: [(String, Int32, Int)] = [
            ("active texture", GL_ACTIVE_TEXTURE, 1), ("array buffer", GL_ARRAY_BUFFER_BINDING, 1),
            ("blend color", GL_BLEND_COLOR, 4), ("blend source", GL_BLEND_SRC_RGB, 1),
            ("blend target", GL_BLEND_DST_RGB, 1), ("clear color", GL_COLOR_CLEAR_VALUE, 4),
            ("color mask", GL_COLOR_WRITEMASK, 4), ("copy read", GL_COPY_READ_BUFFER_BINDING, 1),
            ("copy write", GL_COPY_WRITE_BUFFER_BINDING, 1), ("cull face", GL_CULL_FACE_MODE, 1),
            ("program", GL_CURRENT_PROGRAM, 1), ("depth func", GL_DEPTH_FUNC, 1), ("depth mask", GL_DEPTH_WRITEMASK, 1),
            ("depth range", GL_DEPTH_RANGE, 2), ("draw framebuffer", GL_DRAW_FRAMEBUFFER_BINDING, 1),
            ("front face", GL_FRONT_FACE, 1), ("line width", GL_LINE_WIDTH, 1),
            ("pack alignment", GL_PACK_ALIGNMENT, 1), ("pack row length", GL_PACK_ROW_LENGTH, 1),
            ("pack skip rows", GL_PACK_SKIP_ROWS, 1), ("pack skip pixels", GL_PACK_SKIP_PIXELS, 1),
            ("pack buffer", GL_PIXEL_PACK_BUFFER_BINDING, 1), ("unpack buffer", GL_PIXEL_UNPACK_BUFFER_BINDING, 1),
            ("read buffer", GL_READ_BUFFER, 1), ("read framebuffer", GL_READ_FRAMEBUFFER_BINDING, 1),
            ("renderbuffer", GL_RENDERBUFFER_BINDING, 1), ("scissor box", GL_SCISSOR_BOX, 4),
            ("stencil func", GL_STENCIL_FUNC, 1), ("transform feedback", GL_TRANSFORM_FEEDBACK_BINDING, 1),
            ("feedback paused", GL_TRANSFORM_FEEDBACK_PAUSED, 1), ("feedback active", GL_TRANSFORM_FEEDBACK_ACTIVE, 1),
            ("uniform buffer", GL_UNIFORM_BUFFER_BINDING, 1), ("unpack alignment", GL_UNPACK_ALIGNMENT, 1),
            ("unpack image height", GL_UNPACK_IMAGE_HEIGHT, 1), ("unpack row length", GL_UNPACK_ROW_LENGTH, 1),
            ("unpack skip images", GL_UNPACK_SKIP_IMAGES, 1), ("unpack skip pixels", GL_UNPACK_SKIP_PIXELS, 1),
            ("unpack skip rows", GL_UNPACK_SKIP_ROWS, 1), ("vertex array", GL_VERTEX_ARRAY_BINDING, 1),
            ("viewport", GL_VIEWPORT, 4), ("program pipeline", GL_PROGRAM_PIPELINE_BINDING, 1),
        ]
        for (name, code, count) in numbers { lines.append("\(name): \(integers(code, count: count))") }
        let active = integers(GL_ACTIVE_TEXTURE)[0]
        for unit in 0..<GLenum(16) {
            gl.activeTexture(GL.texture0 + unit)
            for (name, code) in [
                ("2D", GL_TEXTURE_BINDING_2D), ("3D", GL_TEXTURE_BINDING_3D), ("cube", GL_TEXTURE_BINDING_CUBE_MAP),
                ("array", GL_TEXTURE_BINDING_2D_ARRAY), ("sampler", GL_SAMPLER_BINDING),
                ("external", GL_TEXTURE_BINDING_EXTERNAL_OES),
            ] { lines.append("unit \(unit) \(name): \(integers(code))") }
        }
        gl.activeTexture(GLenum(bitPattern: active))
        for index in 0..<GLuint(8) {
            var (buffer, start, size): (GLint, GLint64, GLint64) = (0, 0, 0)
            // SAFETY: GL writes one value per index for each of these names.
            unsafe gl.getIntegeriv(GLenum(GL_UNIFORM_BUFFER_BINDING), index, &buffer)
            unsafe gl.getInteger64iv(GLenum(GL_UNIFORM_BUFFER_START), index, &start)
            unsafe gl.getInteger64iv(GLenum(GL_UNIFORM_BUFFER_SIZE), index, &size)
            lines.append("uniforms \(index): \(buffer) \(start) \(size)")
        }
        // Querying a name that this context does not support causes a GL error. These errors must not reach the caller.
        while gl.getError() != GL.noError {}
        return lines
    }

    /// Sets much of the GL state that `state()` lists to values other than the defaults, and binds the host's own objects at
    /// the binding points that Frost uses.
    func disturb(textures: [GLuint], framebuffer: GLuint) {
        for name in [
            GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_DITHER, GL_STENCIL_TEST, GL_SCISSOR_TEST,
            GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_RASTERIZER_DISCARD,
        ] { gl.enable(GLenum(name)) }
        gl.colorMask(0, 1, 0, 0)
        gl.viewport(3, 4, 5, 6)
        for (name, value) in [
            (GL_PACK_ALIGNMENT, 8), (GL_PACK_ROW_LENGTH, 33), (GL_PACK_SKIP_ROWS, 2), (GL_PACK_SKIP_PIXELS, 3),
            (GL_UNPACK_ALIGNMENT, 2), (GL_UNPACK_ROW_LENGTH, 44), (GL_UNPACK_SKIP_ROWS, 5),
            (GL_UNPACK_SKIP_PIXELS, 6), (GL_UNPACK_IMAGE_HEIGHT, 7), (GL_UNPACK_SKIP_IMAGES, 1),
        ] as [(Int32, Int32)] { gl.pixelStorei(GLenum(name), value) }
        var buffers: [GLuint] = [0, 0, 0]
        var samplers: [GLuint] = [0]
        var array: GLuint = 0
        // SAFETY: the count passed to each call is the number of names in its array or variable.
        unsafe gl.genBuffers(3, &buffers)
        unsafe gl.genSamplers(1, &samplers)
        unsafe gl.genVertexArrays(1, &array)
        gl.bindVertexArray(array)
        for (buffer, target) in zip(buffers, [GL.pixelPackBuffer, GL.pixelUnpackBuffer, GL.uniformBuffer]) {
            gl.bindBuffer(target, buffer)
            gl.bufferData(target, 4096, nil, GL.streamDraw)
        }
        gl.bindBufferRange(GL.uniformBuffer, 0, buffers[2], 1024, 512)
        gl.bindBufferBase(GL.uniformBuffer, 1, buffers[2])
        for (index, texture) in textures.enumerated() {
            gl.activeTexture(GL.texture0 + GLenum(index))
            gl.bindTexture(GL.texture2D, texture)
            gl.bindSampler(GLuint(index), samplers[0])
        }
        gl.activeTexture(GL.texture0 + 7)
        gl.bindTexture(GL.texture2D, textures[0])
        gl.bindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), framebuffer)
        gl.bindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), 0)
    }
}
