import CGLES

/// The blending switch and the write mask of a draw buffer.
struct DrawBufferState {
    fileprivate var blends = false
    fileprivate var mask: [GLboolean] = [1, 1, 1, 1]

    fileprivate init() {}

    /// Saves the write mask of a context that has one mask for all draw buffers.
    init(takingOver gl: GLFunctions) {
        // SAFETY: the queried parameter has four values.
        unsafe gl.getBooleanv(GLenum(GL_COLOR_WRITEMASK), &mask)
        gl.colorMask(1, 1, 1, 1)
    }

    func restore(_ gl: GLFunctions) { gl.colorMask(mask[0], mask[1], mask[2], mask[3]) }
}

/// The functions of OpenGL ES 3.2, its extensions and desktop OpenGL for blending and write masks of single draw buffers.
// SAFETY: the struct only stores addresses.
@safe struct DrawBufferFunctions {
    private let isEnabled: PFNGLISENABLEDIPROC
    private let enable: PFNGLENABLEIPROC
    private let disable: PFNGLDISABLEIPROC
    private let getIntegers: PFNGLGETINTEGERI_VPROC
    private let colorMask: PFNGLCOLORMASKIPROC
    private let count: GLuint

    /// Loads the functions. Returns nil if one of the functions is missing.
    ///
    /// - Parameter suffix: the suffix of the functions' names: that of an extension, or nothing.
    init?(from driver: Driver, _ gl: GLFunctions, suffix: String) {
        // OpenGL ES 3.1 has glGetBooleani_v without a suffix. glGetIntegeri_v of 3.0 returns the same values.
        guard let isEnabled: PFNGLISENABLEDIPROC = driver.optionalFunction("glIsEnabledi" + suffix),
            let enable: PFNGLENABLEIPROC = driver.optionalFunction("glEnablei" + suffix),
            let disable: PFNGLDISABLEIPROC = driver.optionalFunction("glDisablei" + suffix),
            let colorMask: PFNGLCOLORMASKIPROC = driver.optionalFunction("glColorMaski" + suffix)
        else { return nil }
        self.isEnabled = isEnabled
        self.enable = enable
        self.disable = disable
        unsafe getIntegers = unsafe gl.getIntegeriv
        self.colorMask = colorMask
        count = GLuint(max(1, gl.integer(GLenum(GL_MAX_DRAW_BUFFERS))))
    }

    func takeOver() -> [DrawBufferState] {
        (0..<count).map { index in
            var state = DrawBufferState()
            state.blends = isEnabled(GLenum(GL_BLEND), index) != 0
            // Frost writes only the first draw buffer. But advanced blend equations (GL_MULTIPLY_KHR) forbid draws while
            // any draw buffer blends.
            if state.blends { disable(GLenum(GL_BLEND), index) }
            guard index == 0 else { return state }
            var mask: [GLint] = [1, 1, 1, 1]
            // SAFETY: the queried parameter has four values per index.
            unsafe getIntegers(GLenum(GL_COLOR_WRITEMASK), index, &mask)
            state.mask = mask.map { $0 == 0 ? 0 : 1 }
            colorMask(index, 1, 1, 1, 1)
            return state
        }
    }

    func restore(_ states: [DrawBufferState]) {
        guard let first = states.first else { return }
        for (index, state) in states.enumerated() where state.blends { enable(GLenum(GL_BLEND), GLuint(index)) }
        colorMask(0, first.mask[0], first.mask[1], first.mask[2], first.mask[3])
    }
}
