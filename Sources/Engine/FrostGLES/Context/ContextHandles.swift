import CEGL

/// The EGL handles of a context that was made current on this thread.
@unsafe struct ContextHandles {
    let display: EGLDisplay
    let context: EGLContext
    /// A pbuffer of 1x1 pixels, for drivers without surfaceless contexts; otherwise nil.
    let surface: EGLSurface?

    /// Creates a context of the newest version that works, and makes it current.
    init(display: EGLDisplayHandle, candidate: DisplayCandidate, driver: Driver, options: ContextOptions)
        throws(GLError)
    {
        let egl = driver.egl
        guard egl.bindAPI(EGLenum(EGL_OPENGL_ES_API)) != 0 else {
            throw .contextFailed(device: candidate.label, driver.evidence("eglBindAPI"))
        }
        let isSurfaceless = display.extensions.contains("EGL_KHR_surfaceless_context")
        let hasNoConfig =
            display.extensions.contains("EGL_KHR_no_config_context")
            || display.extensions.contains("EGL_MESA_configless_context")
        var config: EGLConfig?
        if !hasNoConfig || !isSurfaceless {
            // A surface type of 0 also matches configurations that support no surfaces at all. Headless drivers have only
            // such configurations.
            let wanted: [EGLint] = [
                EGL_SURFACE_TYPE, isSurfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                EGL_NONE,
            ]
            var count: EGLint = 0
            // SAFETY: the list ends in EGL_NONE, and `config` has room for one configuration.
            guard unsafe egl.chooseConfig(display.raw, wanted, &config, 1, &count) != 0, count > 0 else {
                throw .contextFailed(device: candidate.label, driver.evidence("eglChooseConfig"))
            }
        }
        guard let context = unsafe Self.create(display, config, driver, options) else {
            throw .contextFailed(device: candidate.label, driver.evidence("eglCreateContext"))
        }
        var surface: EGLSurface?
        if !isSurfaceless {
            let size: [EGLint] = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
            // SAFETY: the configuration was selected for pbuffers, and the list ends in EGL_NONE.
            unsafe surface = unsafe egl.createPbufferSurface(display.raw, config, size)
            if unsafe surface == nil {
                let evidence = driver.evidence("eglCreatePbufferSurface")
                _ = unsafe egl.destroyContext(display.raw, context)
                throw .contextFailed(device: candidate.label, evidence)
            }
        }
        // SAFETY: all handles belong to this display. The context is new, so it is current on no other thread.
        guard unsafe egl.makeCurrent(display.raw, surface, surface, context) != 0 else {
            let evidence = driver.evidence("eglMakeCurrent")
            if let surface = unsafe surface { _ = unsafe egl.destroySurface(display.raw, surface) }
            _ = unsafe egl.destroyContext(display.raw, context)
            throw .contextFailed(device: candidate.label, evidence)
        }
        unsafe self.display = unsafe display.raw
        unsafe self.context = unsafe context
        unsafe self.surface = unsafe surface
    }

    /// Creates a context. The newest version is tried first. For each version, a robust context is tried first, because the
    /// driver reports GPU resets only to contexts with LOSE_CONTEXT_ON_RESET.
    private static func create(
        _ display: EGLDisplayHandle, _ config: EGLConfig?, _ driver: Driver, _ options: ContextOptions
    ) -> EGLContext? {
        var variants: [[EGLint]] = [[]]
        if display.extensions.contains("EGL_EXT_create_context_robustness") {
            variants.insert(
                [
                    EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT, EGL_TRUE,
                    EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT,
                ], at: 0)
        }
        if options.checksEveryCall {
            let debug: [EGLint] =
                display.isEGL15
                ? [EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE]
                : display.extensions.contains("EGL_KHR_create_context")
                    ? [EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR] : []
            variants = variants.map { $0 + debug } + variants
        }
        let hasMinor = display.isEGL15 || display.extensions.contains("EGL_KHR_create_context")
        for minor in (0...max(0, min(2, options.newestMinorVersion))).reversed() where hasMinor || minor == 0 {
            for variant in variants {
                let version: [EGLint] =
                    hasMinor
                    ? [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, EGLint(minor)]
                    : [EGL_CONTEXT_CLIENT_VERSION, 3]
                let attributes = version + variant + [EGL_NONE]
                // SAFETY: the list ends in EGL_NONE. The configuration is of this display, or nil.
                if let context = unsafe driver.egl.createContext(display.raw, config, nil, attributes) {
                    return unsafe context
                }
            }
        }
        return nil
    }

    /// Releases the context and destroys it. Call it once, on the thread of `init`.
    func destroy(in driver: Driver) {
        // SAFETY: the handles are valid up to this point. The display stays open.
        _ = unsafe driver.egl.makeCurrent(display, nil, nil, nil)
        if let surface = unsafe surface { _ = unsafe driver.egl.destroySurface(display, surface) }
        _ = unsafe driver.egl.destroyContext(display, context)
        _ = driver.egl.releaseThread()
    }
}
