import CEGL
import CGLES

/// A texture whose pixels are a dma-buf's: draws into it change the buffer, and it shows what others write there.
///
/// The buffer's memory is kept alive; its descriptors may be closed at once. Fences order reads and writes of both
/// sides, or the kernel does for buffers that it synchronises itself.
public struct DMABufferTexture: ~Copyable {
    /// The buffer's, in pixels.
    public let width: Int
    /// The buffer's, in pixels.
    public let height: Int
    /// The buffer's format. Alpha is 1 if it has none, and channels read as red, green and blue in any order.
    public let format: DRMFormat
    /// How shaders declare its sampler: `sampler2D` or `samplerExternalOES`.
    public let use: DMABufferSupport.Use
    /// Why it cannot be a render target, as far as that is known before the driver is asked.
    package let obstacleToDrawing: GLError?
    private let object: OwnedObject
    var name: GLuint { object.name }
    var target: GLenum { use == .external ? GL.textureExternal : GL.texture2D }

    /// Imports a buffer.
    ///
    /// - Parameter use: nil for a 2D texture if the driver has it, else an external one.
    /// - Throws: ``GLError/dmaBuffer(_:)`` for what cannot be, found by Frost or by the driver;
    ///   ``GLError/tooLarge(what:value:limit:)``, ``GLError/outOfMemory(_:)``, ``GLError/contextLost(reason:)``.
    public init(
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
        context.drainErrors()
        let attributes = buffer.imageAttributes(
            isYUV: format.isYUV, modifiers: images.support.passesModifier(of: buffer))
        // SAFETY: the list ends in EGL_NONE; EGL keeps descriptors of its own.
        guard
            let image = unsafe functions.createImage(
                context.display.raw, nil, EGLenum(EGL_LINUX_DMA_BUF_EXT), nil, attributes)
        else { throw buffer.fault(.refused(context.library.evidence("eglCreateImageKHR"))) }
        // The texture still holds the memory.
        defer { _ = unsafe functions.destroyImage(context.display.raw, image) }

        var name: GLuint = 0
        // SAFETY: one name is asked for and one is received.
        unsafe gl.genTextures(1, &name)
        // The memory is not Frost's, so it is not counted.
        let object = OwnedObject(.texture, UInt(name), in: current)
        let target = chosen == .external ? GL.textureExternal : GL.texture2D
        gl.bindTexture(target, name)
        // SAFETY: the image was just made.
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

    /// The texture as others of the context see it. It has to outlive their use.
    package var hostTexture: HostTexture { HostTexture(name: name, kind: use == .external ? .external : .texture2D) }

    /// Makes the texture the one that a sampler of value `unit` reads.
    public func bind(unit: Int, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.activeTexture(GL.texture0 + GLenum(unit))
        current.gl.bindTexture(target, name)
        try current.check("glBindTexture")
    }
}

extension CurrentContext {
    /// What the driver does with dma-bufs.
    public var dmaBuffers: DMABufferSupport { context.images.support }
}

extension DMABufferSupport {
    /// Whether the modifier is passed to the driver. A driver that lists none for the format does not accept "linear"
    /// either: it relies on what the kernel knows of the buffer.
    func passesModifier(of buffer: DMABuffer) -> Bool {
        guard takesModifiers, buffer.modifier != .implicit else { return false }
        return formats == nil || format(buffer.fourcc)?.arrangements.isEmpty == false
    }
}

extension DMABuffer {
    /// The names of each plane's attributes: descriptor, offset, stride, halves of the modifier.
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

    /// The list for eglCreateImageKHR, of a buffer that was checked.
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
