import CEGL
import CGLES

extension Texture {
    /// Exports the texture's memory as a dma-buf, with EGL_MESA_image_dma_buf_export. The driver chooses format and
    /// modifier. Some drivers fail although they list the extension. To render into a buffer for other processes, it is more
    /// reliable to import a buffer of ``DMABufferAllocator``.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)``. The format in the error is a placeholder if the driver failed before it reported
    ///   a format.
    package func exportDMABuffer(in current: borrowing CurrentContext) throws(GLError) -> OwnedDMABuffer {
        let context = current.context
        let (display, driver, images) = (context.display, context.driver, context.images)
        // The format and modifier are placeholders until the driver reports them.
        var buffer = DMABuffer(width: width, height: height, fourcc: .abgr8888, modifier: .implicit, planes: [])
        guard images.support.canExport, let functions = images.functions, let query = unsafe functions.exportQuery,
            let export = unsafe functions.export
        else {
            throw buffer.fault(.missingExtension(images.support.missingForExport ?? "EGL_MESA_image_dma_buf_export"))
        }
        // SAFETY: the texture belongs to this context, and is passed by its name, as EGL_KHR_gl_texture_2D_image defines.
        guard
            let image = unsafe functions.createImage(
                display.raw, context.eglContext, EGLenum(EGL_GL_TEXTURE_2D_KHR),
                EGLClientBuffer(bitPattern: UInt(name)), nil)
        else { throw buffer.fault(.refused(driver.evidence("eglCreateImageKHR"))) }
        defer { _ = unsafe functions.destroyImage(display.raw, image) }

        var code: Int32 = 0
        var count: Int32 = 0
        var modifiers = [EGLuint64KHR](repeating: DRMModifier.implicit.rawValue, count: 4)
        // SAFETY: the array has room for four planes, the maximum of a DRM image.
        guard unsafe query(display.raw, image, &code, &count, &modifiers) != 0 else {
            throw buffer.fault(.refused(driver.evidence("eglExportDMABUFImageQueryMESA")))
        }
        buffer.fourcc = FourCC(rawValue: UInt32(bitPattern: code))
        buffer.modifier = DRMModifier(rawValue: modifiers[0])
        guard (1...4).contains(count) else { throw buffer.fault(.planeCount(found: Int(count), expected: 1...4)) }
        var descriptors = [Int32](repeating: -1, count: 4)
        var strides = [EGLint](repeating: 0, count: 4)
        var offsets = [EGLint](repeating: 0, count: 4)
        // SAFETY: the arrays have room for every plane.
        guard unsafe export(display.raw, image, &descriptors, &strides, &offsets) != 0 else {
            throw buffer.fault(.refused(driver.evidence("eglExportDMABUFImageMESA")))
        }
        buffer.planes = (0..<Int(count)).map {
            DMABuffer.Plane(descriptor: descriptors[$0], offset: Int(offsets[$0]), stride: Int(strides[$0]))
        }
        // `owned` closes the descriptors that the driver returned, even if the driver did not return all of them.
        let owned = OwnedDMABuffer(owning: buffer)
        guard descriptors.prefix(Int(count)).allSatisfy({ $0 >= 0 }) else {
            throw buffer.fault(.noDescriptor(call: "eglExportDMABUFImageMESA"))
        }
        return owned
    }
}
