import CEGL
import CGLES

/// A texture that shares its memory with a dma-buf. Draws into the texture change the buffer, and changes of the buffer
/// by other devices or processes change the texture.
///
/// The texture keeps the buffer's memory alive, so the file descriptors may be closed as soon as the texture exists.
/// Use fences to order the reads and writes of both sides, unless the kernel synchronises the buffer itself.
package struct DMABufferTexture: ~Copyable {
    /// The width of the buffer in pixels.
    package let width: Int
    /// The height of the buffer in pixels.
    package let height: Int
    /// The buffer's pixel format. Shaders always read red, green and blue in this order, even if the format stores the
    /// channels in another order. For formats without alpha, shaders read alpha as 1.
    package let format: DRMFormat
    /// The use of the texture, which determines its sampler type in shaders: `sampler2D` or `samplerExternalOES`.
    package let use: DMABufferSupport.Use
    /// The reason why the texture cannot be a render target, as far as Frost knows it in advance; nil if Frost knows no
    /// such reason. The driver may still reject the texture as a render target.
    package let obstacleToDrawing: GLError?
    private let object: OwnedObject
    var name: GLuint { object.name }
    var target: GLenum { use == .external ? GL.textureExternal : GL.texture2D }

    /// Imports a dma-buf.
    ///
    /// - Parameter use: how the buffer is used. With nil, it is used as a 2D texture if the driver supports this, and
    ///   otherwise as an external texture.
    /// - Throws: ``GLError/dmaBuffer(_:)`` if Frost or the driver finds that the buffer cannot be used;
    ///   ``GLError/tooLarge(what:value:limit:)``, ``GLError/outOfMemory(_:)``, ``GLError/contextLost(reason:)``.
    package init(
        _ buffer: DMABuffer, as use: DMABufferSupport.Use? = nil, in current: borrowing CurrentContext
    ) throws(GLError) {
        let images = current.context.images
        let chosen: DMABufferSupport.Use
        if let use {
            try images.support.check(buffer, for: use)
            chosen = use
        } else {
            chosen = try images.support.use(of: buffer)
        }
        let format = try buffer.check()
        let limit = current.limits.maximumTextureSize
        guard buffer.width <= limit else { throw .tooLarge(what: "dma-buf width", value: buffer.width, limit: limit) }
        guard buffer.height <= limit else {
            throw .tooLarge(what: "dma-buf height", value: buffer.height, limit: limit)
        }
        guard let functions = images.functions else { throw buffer.fault(.missingExtension("EGL_KHR_image_base")) }

        let gl = current.gl
        let context = current.context
        try current.checkPending()
        let attributes = buffer.imageAttributes(
            isYUV: format.isYUV, modifiers: images.support.passesModifier(of: buffer))
        // SAFETY: the list ends in EGL_NONE. EGL duplicates the descriptors.
        guard
            let image = unsafe functions.createImage(
                context.display.raw, nil, EGLenum(EGL_LINUX_DMA_BUF_EXT), nil, attributes)
        else { throw buffer.fault(.refused(context.driver.evidence("eglCreateImageKHR"))) }
        // The image can be destroyed, because the texture keeps the memory alive.
        defer { _ = unsafe functions.destroyImage(context.display.raw, image) }

        // The memory belongs to the dma-buf, so it is not counted as Frost's memory.
        let object = unsafe OwnedObject(.texture, by: gl.genTextures, in: current)
        let target = chosen == .external ? GL.textureExternal : GL.texture2D
        gl.bindTexture(target, object.name)
        // SAFETY: the image was created above.
        unsafe functions.imageTargetTexture(target, image)
        gl.texParameteri(target, GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        gl.texParameteri(target, GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        gl.texParameteri(target, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        gl.texParameteri(target, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        do throws(GLError) {
            try current.checkErrors(after: "glEGLImageTargetTexture2DOES")
        } catch .callFailed(let evidence) {
            throw buffer.fault(.refused(evidence))
        }
        self.object = object
        self.format = format
        self.use = chosen
        obstacleToDrawing = images.support.obstacle(toDrawingInto: buffer, as: chosen)
        width = buffer.width
        height = buffer.height
    }

    /// This texture in the form of a ``HostTexture``, for functions that take a texture of the host. The
    /// `DMABufferTexture` must exist as long as such a function uses the texture.
    package var hostTexture: HostTexture { HostTexture(name: name, kind: use == .external ? .external : .texture2D) }

    /// Binds the texture to a texture unit. Samplers with the value `unit` then read this texture.
    package func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.activeTexture(GL.texture0 + GLenum(unit))
        current.gl.bindTexture(target, object.name)
        try current.check("glBindTexture")
    }
}

extension CurrentContext {
    /// The driver's support of dma-bufs.
    package var dmaBuffers: DMABufferSupport { context.images.support }
}

extension DMABufferSupport {
    /// Whether an import passes the buffer's modifier to the driver. A driver that lists no modifiers for the format
    /// rejects even the linear modifier. If no modifier is passed, such a driver uses what the kernel knows about the
    /// buffer's layout.
    func passesModifier(of buffer: DMABuffer) -> Bool {
        guard takesModifiers, buffer.modifier != .implicit else { return false }
        return formats == nil || format(buffer.fourcc)?.arrangements.isEmpty == false
    }
}

extension DMABuffer {
    /// The EGL attribute names of each plane: descriptor, offset, stride, and the lower and upper halves of the
    /// modifier.
    private static let planeNames: [(EGLint, EGLint, EGLint, EGLint, EGLint)] = [
        (
            EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT,
            EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT
        ),
        (
            EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT,
            EGL_DMA_BUF_PLANE1_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE1_MODIFIER_HI_EXT
        ),
        (
            EGL_DMA_BUF_PLANE2_FD_EXT, EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT,
            EGL_DMA_BUF_PLANE2_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE2_MODIFIER_HI_EXT
        ),
        (
            EGL_DMA_BUF_PLANE3_FD_EXT, EGL_DMA_BUF_PLANE3_OFFSET_EXT, EGL_DMA_BUF_PLANE3_PITCH_EXT,
            EGL_DMA_BUF_PLANE3_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE3_MODIFIER_HI_EXT
        ),
    ]

    /// Returns the attribute list for eglCreateImageKHR. The buffer must have been checked.
    func imageAttributes(isYUV: Bool, modifiers: Bool) -> [EGLint] {
        var list = [
            EGL_WIDTH, EGLint(width), EGL_HEIGHT, EGLint(height),
            EGL_LINUX_DRM_FOURCC_EXT, EGLint(bitPattern: fourcc.rawValue),
        ]
        for (plane, names) in zip(planes, Self.planeNames) {
            list += [names.0, plane.descriptor, names.1, EGLint(plane.offset), names.2, EGLint(plane.stride)]
            if modifiers {
                list += [
                    names.3, EGLint(truncatingIfNeeded: modifier.rawValue),
                    names.4, EGLint(truncatingIfNeeded: modifier.rawValue >> 32),
                ]
            }
        }
        if isYUV {
            let matrix =
                switch yuv.matrix {
                case .bt601: EGL_ITU_REC601_EXT
                case .bt709: EGL_ITU_REC709_EXT
                case .bt2020: EGL_ITU_REC2020_EXT
                }
            func value(_ siting: YUVColor.Siting) -> EGLint {
                siting == .first ? EGL_YUV_CHROMA_SITING_0_EXT : EGL_YUV_CHROMA_SITING_0_5_EXT
            }
            list += [
                EGL_YUV_COLOR_SPACE_HINT_EXT, matrix,
                EGL_SAMPLE_RANGE_HINT_EXT, yuv.range == .full ? EGL_YUV_FULL_RANGE_EXT : EGL_YUV_NARROW_RANGE_EXT,
                EGL_YUV_CHROMA_HORIZONTAL_SITING_HINT_EXT, value(yuv.horizontalSiting),
                EGL_YUV_CHROMA_VERTICAL_SITING_HINT_EXT, value(yuv.verticalSiting),
            ]
        }
        return list + [EGL_NONE]
    }
}

extension Framebuffer {
    /// Creates a framebuffer that draws into a dma-buf, which was imported as a 2D texture.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` for external textures and for cases in which the driver is known to fail,
    ///   ``GLError/framebufferIncomplete(status:format:width:height:)`` for formats and modifiers that the driver can only
    ///   sample, or another error of the GL.
    package init(_ texture: borrowing DMABufferTexture, in current: borrowing CurrentContext) throws(GLError) {
        if let obstacle = texture.obstacleToDrawing { throw obstacle }
        try self.init(
            texture: texture.name, width: texture.width, height: texture.height, format: texture.format.readFormat,
            label: "dma-buf \(texture.format.fourcc)", in: current)
    }
}
