import CGLES

/// Every GL function that Frost calls in all contexts, with the address from eglGetProcAddress. gles.h lists them. The
/// functions use the calling thread's current context. Therefore only `CurrentContext`, and objects that borrow a
/// `CurrentContext`, call these functions.
typealias GLFunctions = frost_gl_functions

extension frost_gl_functions {
    /// Loads the functions.
    ///
    /// - Parameter driver: the driver that returns the addresses. No context needs to be current.
    /// - Throws: ``GLError/unsupported(_:)`` if a function of ES 3.0 is missing.
    init(from driver: Driver) throws(GLError) {
        var addresses: [@convention(c) () -> Void] = []
        for index in 0..<frost_gl_function_count {
            addresses.append(try driver.function(unsafe String(cString: frost_gl_function_name(index))))
        }
        // SAFETY: the struct consists of the addresses, in the order of the names. Each has the type that the header of
        // the GL declares for its name.
        self = unsafe addresses.withUnsafeBytes { unsafe $0.load(as: frost_gl_functions.self) }
    }

    /// Returns the value of a parameter that has one value.
    func integer(_ name: GLenum) -> GLint {
        var value: GLint = 0
        // SAFETY: each queried parameter has one value.
        unsafe getIntegerv(name, &value)
        return value
    }
}

/// The function that GL_EXT_disjoint_timer_query adds to the queries of ES 3.0.
// SAFETY: the struct only stores an address. Each call through it has its own safety comment.
@safe struct TimerFunctions {
    let getQueryObjectui64v: PFNGLGETQUERYOBJECTUI64VEXTPROC

    /// Loads the function. Returns nil if the function is missing, or if the counter of the driver's timer has 0 bits. The
    /// context must be current.
    init?(from driver: Driver, _ gl: GLFunctions) {
        guard
            let function: PFNGLGETQUERYOBJECTUI64VEXTPROC = unsafe driver.optionalFunction("glGetQueryObjectui64vEXT")
        else { return nil }
        var bits: GLint = 0
        // SAFETY: the queried parameter has one value.
        unsafe gl.getQueryiv(GL.timeElapsed, GL.queryCounterBits, &bits)
        guard bits > 0 else { return nil }
        unsafe getQueryObjectui64v = unsafe function
    }
}
