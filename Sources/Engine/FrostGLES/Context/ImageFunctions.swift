import CEGL
import CGLES

/// The functions of EGL's extensions for images and dma-bufs, if a display and its context support them.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe struct ImageFunctions {
    let createImage: PFNEGLCREATEIMAGEKHRPROC
    let destroyImage: PFNEGLDESTROYIMAGEKHRPROC
    let imageTargetTexture: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC
    /// This function and `queryModifiers` belong to EGL_EXT_image_dma_buf_import_modifiers. Both are nil without this
    /// extension.
    let queryFormats: PFNEGLQUERYDMABUFFORMATSEXTPROC?
    let queryModifiers: PFNEGLQUERYDMABUFMODIFIERSEXTPROC?
    /// This function and `export` belong to EGL_MESA_image_dma_buf_export. Both are nil without this extension.
    let exportQuery: PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC?
    let export: PFNEGLEXPORTDMABUFIMAGEMESAPROC?

    /// Loads the functions. Returns nil if textures cannot be created from EGLImages. A function is loaded only if the
    /// driver lists the extension that contains it, because `Driver` may return an address even for a function that the
    /// driver does not support.
    init?(from driver: Driver, display: EGLDisplayHandle, extensions: Set<String>) {
        guard display.extensions.contains("EGL_KHR_image_base"), extensions.contains("GL_OES_EGL_image"),
            let create: PFNEGLCREATEIMAGEKHRPROC = unsafe driver.optionalFunction("eglCreateImageKHR"),
            let destroy: PFNEGLDESTROYIMAGEKHRPROC = unsafe driver.optionalFunction("eglDestroyImageKHR"),
            let target: PFNGLEGLIMAGETARGETTEXTURE2DOESPROC = unsafe driver.optionalFunction(
                "glEGLImageTargetTexture2DOES")
        else { return nil }
        unsafe createImage = unsafe create
        unsafe destroyImage = unsafe destroy
        unsafe imageTargetTexture = unsafe target
        let lists = display.extensions.contains("EGL_EXT_image_dma_buf_import_modifiers")
        unsafe queryFormats = lists ? unsafe driver.optionalFunction("eglQueryDmaBufFormatsEXT") : nil
        unsafe queryModifiers = lists ? unsafe driver.optionalFunction("eglQueryDmaBufModifiersEXT") : nil
        let exports = display.extensions.contains("EGL_MESA_image_dma_buf_export")
        unsafe exportQuery = exports ? unsafe driver.optionalFunction("eglExportDMABUFImageQueryMESA") : nil
        unsafe export = exports ? unsafe driver.optionalFunction("eglExportDMABUFImageMESA") : nil
    }

    /// Returns the formats that the driver lists and Frost knows; nil if the driver cannot list formats.
    func listFormats(_ display: EGLDisplayHandle) -> [DMABufferFormat]? {
        guard let queryFormats = unsafe queryFormats else { return nil }
        var count: EGLint = 0
        // SAFETY: without an array, EGL returns only the number of formats.
        guard unsafe queryFormats(display.raw, 0, nil, &count) != 0 else { return nil }
        var codes = [EGLint](repeating: 0, count: max(0, Int(count)))
        // SAFETY: the array holds as many codes as EGL is told.
        guard unsafe queryFormats(display.raw, count, &codes, &count) != 0 else { return nil }
        return codes.prefix(Int(count)).map { FourCC(rawValue: UInt32(bitPattern: $0)) }
            .filter { DRMFormat($0) != nil }
            .map { DMABufferFormat(fourcc: $0, arrangements: arrangements(of: $0, display)) }
    }

    private func arrangements(of fourcc: FourCC, _ display: EGLDisplayHandle) -> [DMABufferFormat.Arrangement] {
        guard let queryModifiers = unsafe queryModifiers else { return [] }
        let code = EGLint(bitPattern: fourcc.rawValue)
        var count: EGLint = 0
        // SAFETY: without arrays, EGL returns only the number of modifiers.
        guard unsafe queryModifiers(display.raw, code, 0, nil, nil, &count) != 0, count > 0 else { return [] }
        var modifiers = [EGLuint64KHR](repeating: 0, count: Int(count))
        var external = [EGLBoolean](repeating: 0, count: Int(count))
        // SAFETY: both arrays hold as many values as EGL is told.
        guard unsafe queryModifiers(display.raw, code, count, &modifiers, &external, &count) != 0 else { return [] }
        return zip(modifiers, external).prefix(max(0, Int(count))).map {
            DMABufferFormat.Arrangement(modifier: DRMModifier(rawValue: $0), isExternalOnly: $1 != 0)
        }
    }
}

/// A context's functions for images and its support of dma-bufs, queried once.
// SAFETY: the functions are only stored addresses. Each call through them has its own safety comment.
@safe struct ImageAccess {
    let functions: ImageFunctions?
    let support: DMABufferSupport

    init(from driver: Driver, display: EGLDisplayHandle, extensions: Set<String>, isSoftware: Bool) {
        let functions = ImageFunctions(from: driver, display: display, extensions: extensions)
        func missing(_ names: String...) -> String? {
            names.first { !display.extensions.contains($0) && !extensions.contains($0) }
        }
        let base = missing("EGL_KHR_image_base", "GL_OES_EGL_image")
        self.functions = functions
        support = DMABufferSupport(
            formats: functions?.listFormats(display),
            missingForImport: base ?? missing("EGL_EXT_image_dma_buf_import"),
            missingForExternal: missing("GL_OES_EGL_image_external_essl3"),
            missingForExport: base ?? missing("EGL_KHR_gl_texture_2D_image", "EGL_MESA_image_dma_buf_export"),
            takesModifiers: missing("EGL_EXT_image_dma_buf_import_modifiers") == nil, isSoftware: isSoftware)
    }
}
