import CEGL
import CGLES

extension Texture {
    /// Shares the texture's memory as a dma-buf, by EGL_MESA_image_dma_buf_export. Its format and arrangement are the
    /// driver's choice, and some drivers fail although they list the extension: to render into a buffer for others,
    /// import one of ``DMABufferAllocator``.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)``, whose format is a placeholder if the driver failed before naming
    ///   one.
    public func exportDMABuffer(in current: borrowing CurrentContext) throws(GLError) -> OwnedDMABuffer {
        let context = current.context
        let (display, library, images) = (context.display, context.library, context.images)
        // Until the driver tells.
        var buffer = DMABuffer(width: width, height: height, fourcc: .abgr8888, modifier: .implicit, planes: [])
        guard images.support.canExport, let functions = images.functions, let query = unsafe functions.exportQuery,
            let export = unsafe functions.export
        else {
            throw buffer.fault(.missingExtension(images.support.missingForExport ?? "EGL_MESA_image_dma_buf_export"))
        }
        // SAFETY: the texture is of this context, and passed by its name, as EGL_KHR_gl_texture_2D_image defines.
        guard
            let image = unsafe functions.createImage(
                display.raw, context.eglContext, EGLenum(EGL_GL_TEXTURE_2D_KHR),
                EGLClientBuffer(bitPattern: UInt(name)), nil)
        else { throw buffer.fault(.refused(library.evidence("eglCreateImageKHR"))) }
        defer { _ = unsafe functions.destroyImage(display.raw, image) }

        var code: Int32 = 0
        var count: Int32 = 0
        var modifiers = [EGLuint64KHR](repeating: DRMModifier.implicit.rawValue, count: 4)
        // SAFETY: DRM has images of at most four planes.
        guard unsafe query(display.raw, image, &code, &count, &modifiers) != 0 else {
            throw buffer.fault(.refused(library.evidence("eglExportDMABUFImageQueryMESA")))
        }
        buffer.fourcc = FourCC(rawValue: UInt32(bitPattern: code))
        buffer.modifier = DRMModifier(rawValue: modifiers[0])
        guard (1...4).contains(count) else { throw buffer.fault(.planeCount(found: Int(count), expected: 1...4)) }
        var descriptors = [Int32](repeating: -1, count: 4)
        var strides = [EGLint](repeating: 0, count: 4)
        var offsets = [EGLint](repeating: 0, count: 4)
        // SAFETY: the arrays have room for every plane.
        guard unsafe export(display.raw, image, &descriptors, &strides, &offsets) != 0 else {
            throw buffer.fault(.refused(library.evidence("eglExportDMABUFImageMESA")))
        }
        buffer.planes = (0..<Int(count)).map {
            DMABuffer.Plane(descriptor: descriptors[$0], offset: Int(offsets[$0]), stride: Int(strides[$0]))
        }
        // The descriptors that exist are owned from here on.
        let owned = OwnedDMABuffer(owning: buffer)
        guard descriptors.prefix(Int(count)).allSatisfy({ $0 >= 0 }) else {
            throw buffer.fault(.noDescriptor(call: "eglExportDMABUFImageMESA"))
        }
        return owned
    }
}
