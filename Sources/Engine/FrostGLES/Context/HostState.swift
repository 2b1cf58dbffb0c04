import CGLES

/// Saves and restores the part of the GL state that Frost changes in a host's context: bindings, the switches that
/// affect draws, the settings of pixel transfers, and parameters of the host's textures.
///
/// Two things are not restored. Unread errors are discarded. And if the host runs occlusion queries, they also count
/// the samples that Frost draws.
struct HostState {
    /// The number of texture units that Frost uses.
    static let textureUnits = 5
    /// The number of indexed uniform buffer bindings that Frost uses.
    static let uniformBindings = 2

    private struct TextureUnit {
        var texture2D: GLint = 0
        var external: GLint = 0
        var sampler: GLint = 0
    }
    private struct UniformBinding {
        var buffer: GLint = 0
        var start: GLint64 = 0
        var size: GLint64 = 0
    }

    private struct ImageBinding {
        var texture: GLint = 0
        var level: GLint = 0
        var isLayered: GLint = 0
        var layer: GLint = 0
        var access: GLint = 0
        var format: GLint = 0
    }

    private var program: GLint = 0
    private var vertexArray: GLint = 0
    private var drawFramebuffer: GLint = 0
    private var readFramebuffer: GLint = 0
    private var viewport: [GLint] = [0, 0, 0, 0]
    private var activeTexture: GLint = 0
    private var units = [TextureUnit](repeating: TextureUnit(), count: textureUnits)
    private var uniformBuffer: GLint = 0
    private var uniforms = [UniformBinding](repeating: UniformBinding(), count: uniformBindings)
    private var packBuffer: GLint = 0
    private var unpackBuffer: GLint = 0
    private var pixelStore: [(GLenum, GLint)] = []
    private var switches: [GLenum] = []
    private var drawBuffers: [DrawBufferState] = []
    private var pausesTransformFeedback = false
    /// What image unit 0 has; nil if the context has no compute shaders.
    private var image: ImageBinding?
    /// The state that only desktop OpenGL has.
    private var desktop: DesktopState?

    /// Saves the GL state, and sets the state that Frost's draws and transfers need. Makes about 80 queries, which
    /// drivers answer without waiting for the GPU.
    init(takingOver context: GLContext) {
        let gl = context.gl
        desktop = context.desktop.map { DesktopState(takingOver: $0, gl) }
        program = gl.integer(GLenum(GL_CURRENT_PROGRAM))
        vertexArray = gl.integer(GLenum(GL_VERTEX_ARRAY_BINDING))
        drawFramebuffer = gl.integer(GLenum(GL_DRAW_FRAMEBUFFER_BINDING))
        readFramebuffer = gl.integer(GLenum(GL_READ_FRAMEBUFFER_BINDING))
        // SAFETY: the queried parameter has four values.
        unsafe gl.getIntegerv(GLenum(GL_VIEWPORT), &viewport)
        uniformBuffer = gl.integer(GLenum(GL_UNIFORM_BUFFER_BINDING))
        // If a buffer of Frost could not be bound, its content would be written into the host's.
        gl.bindBuffer(GL.uniformBuffer, 0)
        packBuffer = gl.integer(GLenum(GL_PIXEL_PACK_BUFFER_BINDING))
        unpackBuffer = gl.integer(GLenum(GL_PIXEL_UNPACK_BUFFER_BINDING))
        for index in 0..<Self.uniformBindings {
            // SAFETY: each queried parameter has one value per index.
            unsafe gl.getIntegeriv(GLenum(GL_UNIFORM_BUFFER_BINDING), GLuint(index), &uniforms[index].buffer)
            unsafe gl.getInteger64iv(GLenum(GL_UNIFORM_BUFFER_START), GLuint(index), &uniforms[index].start)
            unsafe gl.getInteger64iv(GLenum(GL_UNIFORM_BUFFER_SIZE), GLuint(index), &uniforms[index].size)
        }
        if let compute = context.compute {
            var binding = ImageBinding()
            // SAFETY: each queried parameter has one value per index.
            unsafe gl.getIntegeriv(GLenum(GL_IMAGE_BINDING_NAME), 0, &binding.texture)
            unsafe gl.getIntegeriv(GLenum(GL_IMAGE_BINDING_LEVEL), 0, &binding.level)
            unsafe gl.getIntegeriv(GLenum(GL_IMAGE_BINDING_LAYERED), 0, &binding.isLayered)
            unsafe gl.getIntegeriv(GLenum(GL_IMAGE_BINDING_LAYER), 0, &binding.layer)
            unsafe gl.getIntegeriv(GLenum(GL_IMAGE_BINDING_ACCESS), 0, &binding.access)
            unsafe gl.getIntegeriv(GLenum(GL_IMAGE_BINDING_FORMAT), 0, &binding.format)
            image = binding
            // If a texture of Frost could not be bound, its content would be stored into the host's.
            compute.bindImageTexture(0, 0, 0, 0, 0, GLenum(GL_WRITE_ONLY), GLenum(GL_RGBA8))
        }
        let hasExternal = context.extensions.contains("GL_OES_EGL_image_external")
        activeTexture = gl.integer(GLenum(GL_ACTIVE_TEXTURE))
        let sampler = context.sampler?.name ?? 0
        for unit in 0..<Self.textureUnits {
            gl.activeTexture(GL.texture0 + GLenum(unit))
            units[unit].texture2D = gl.integer(GLenum(GL_TEXTURE_BINDING_2D))
            if hasExternal { units[unit].external = gl.integer(GLenum(GL_TEXTURE_BINDING_EXTERNAL_OES)) }
            units[unit].sampler = gl.integer(GLenum(GL_SAMPLER_BINDING))
            gl.bindSampler(GLuint(unit), sampler)
            // The texture that receives draws must not be bound for reading, even if no program reads it.
            gl.bindTexture(GL.texture2D, 0)
        }
        gl.activeTexture(GL.texture0)

        for (name, value) in Self.pixelStoreNames {
            pixelStore.append((name, gl.integer(name)))
            gl.pixelStorei(name, value)
        }
        gl.bindBuffer(GL.pixelPackBuffer, 0)
        gl.bindBuffer(GL.pixelUnpackBuffer, 0)

        drawBuffers = context.drawBufferFunctions?.takeOver() ?? []
        for name in Self.switchNames(context) where gl.isEnabled(name) != 0 {
            switches.append(name)
            gl.disable(name)
        }
        if drawBuffers.isEmpty { drawBuffers = [DrawBufferState(takingOver: gl)] }
        if context.canPauseFeedback, gl.integer(GLenum(GL_TRANSFORM_FEEDBACK_ACTIVE)) != 0,
            gl.integer(GLenum(GL_TRANSFORM_FEEDBACK_PAUSED)) == 0
        {
            pausesTransformFeedback = true
            gl.pauseTransformFeedback()
        }
        // If a program of Frost could not be bound, its uniforms would be written into the host's. The program cannot be
        // changed while transform feedback is active.
        gl.useProgram(0)
    }

    /// Restores the saved state.
    func restore(in context: GLContext) {
        let gl = context.gl
        // A program that the host has marked for deletion was deleted when Frost made another one current.
        let name = GLuint(bitPattern: program)
        gl.useProgram(gl.isProgram(name) != 0 ? name : 0)
        if pausesTransformFeedback { gl.resumeTransformFeedback() }
        gl.bindVertexArray(GLuint(bitPattern: vertexArray))
        gl.bindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), GLuint(bitPattern: drawFramebuffer))
        gl.bindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), GLuint(bitPattern: readFramebuffer))
        gl.viewport(viewport[0], viewport[1], viewport[2], viewport[3])
        for (index, binding) in uniforms.enumerated() {
            let buffer = GLuint(bitPattern: binding.buffer)
            if binding.size > 0 {
                gl.bindBufferRange(GL.uniformBuffer, GLuint(index), buffer, Int(binding.start), Int(binding.size))
            } else {
                gl.bindBufferBase(GL.uniformBuffer, GLuint(index), buffer)
            }
        }
        gl.bindBuffer(GL.uniformBuffer, GLuint(bitPattern: uniformBuffer))
        if let compute = context.compute, let image {
            compute.bindImageTexture(
                0, GLuint(bitPattern: image.texture), image.level, GLboolean(image.isLayered == 0 ? 0 : 1), image.layer,
                GLenum(bitPattern: image.access), GLenum(bitPattern: image.format))
        }
        context.restoreTextures()
        let hasExternal = context.extensions.contains("GL_OES_EGL_image_external")
        for (index, unit) in units.enumerated() {
            gl.activeTexture(GL.texture0 + GLenum(index))
            gl.bindTexture(GL.texture2D, GLuint(bitPattern: unit.texture2D))
            if hasExternal { gl.bindTexture(GLenum(GL_TEXTURE_EXTERNAL_OES), GLuint(bitPattern: unit.external)) }
            gl.bindSampler(GLuint(index), GLuint(bitPattern: unit.sampler))
        }
        gl.activeTexture(GLenum(bitPattern: activeTexture))
        for (name, value) in pixelStore { gl.pixelStorei(name, value) }
        gl.bindBuffer(GL.pixelPackBuffer, GLuint(bitPattern: packBuffer))
        gl.bindBuffer(GL.pixelUnpackBuffer, GLuint(bitPattern: unpackBuffer))
        for name in switches { gl.enable(name) }
        if let functions = context.drawBufferFunctions {
            functions.restore(drawBuffers)
        } else {
            drawBuffers.first?.restore(gl)
        }
        if let functions = context.desktop { desktop?.restore(functions, gl) }
    }

    /// The settings for the memory layout of pixel transfers, with the values that Frost needs.
    private static let pixelStoreNames: [(GLenum, GLint)] = [
        (GLenum(GL_PACK_ALIGNMENT), 1), (GLenum(GL_PACK_ROW_LENGTH), 0), (GLenum(GL_PACK_SKIP_ROWS), 0),
        (GLenum(GL_PACK_SKIP_PIXELS), 0), (GLenum(GL_UNPACK_ALIGNMENT), 1), (GLenum(GL_UNPACK_ROW_LENGTH), 0),
        (GLenum(GL_UNPACK_IMAGE_HEIGHT), 0), (GLenum(GL_UNPACK_SKIP_ROWS), 0), (GLenum(GL_UNPACK_SKIP_PIXELS), 0),
        (GLenum(GL_UNPACK_SKIP_IMAGES), 0),
    ]

    /// Returns the switches (for glEnable) that would change or prevent Frost's draws. If each draw buffer has its own
    /// blending switch, blending is not among them, because these switches are saved separately.
    private static func switchNames(_ context: GLContext) -> [GLenum] {
        var names = [
            GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_CULL_FACE, GL_RASTERIZER_DISCARD,
            GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_DITHER,
        ].map { GLenum($0) }
        if context.drawBufferFunctions == nil { names.append(GLenum(GL_BLEND)) }
        if context.isES(3, 1) { names.append(GLenum(GL_SAMPLE_MASK)) }
        if !context.isDesktop, context.controlsSRGB { names.append(GLenum(GL_FRAMEBUFFER_SRGB_EXT)) }
        return names
    }
}
