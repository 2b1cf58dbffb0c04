import CGLES

/// Every GL function that Frost calls, with the address from eglGetProcAddress. The functions use the calling thread's
/// current context. Therefore only `CurrentContext`, and objects that borrow a `CurrentContext`, call these functions.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe struct GLFunctions {
    let getError: PFNGLGETERRORPROC
    let getString: PFNGLGETSTRINGPROC
    let getStringi: PFNGLGETSTRINGIPROC
    let getIntegerv: PFNGLGETINTEGERVPROC
    let enable: PFNGLENABLEPROC
    let disable: PFNGLDISABLEPROC
    let isEnabled: PFNGLISENABLEDPROC
    let getBooleanv: PFNGLGETBOOLEANVPROC
    let getIntegeriv: PFNGLGETINTEGERI_VPROC
    let getInteger64iv: PFNGLGETINTEGER64I_VPROC
    let colorMask: PFNGLCOLORMASKPROC
    let pauseTransformFeedback: PFNGLPAUSETRANSFORMFEEDBACKPROC
    let resumeTransformFeedback: PFNGLRESUMETRANSFORMFEEDBACKPROC
    let flush: PFNGLFLUSHPROC
    let pixelStorei: PFNGLPIXELSTOREIPROC

    let genTextures: PFNGLGENTEXTURESPROC
    let deleteTextures: PFNGLDELETETEXTURESPROC
    let isTexture: PFNGLISTEXTUREPROC
    let isProgram: PFNGLISPROGRAMPROC
    let bindTexture: PFNGLBINDTEXTUREPROC
    let activeTexture: PFNGLACTIVETEXTUREPROC
    let texParameteri: PFNGLTEXPARAMETERIPROC
    let texStorage2D: PFNGLTEXSTORAGE2DPROC
    let texImage2D: PFNGLTEXIMAGE2DPROC
    let texSubImage2D: PFNGLTEXSUBIMAGE2DPROC

    let genFramebuffers: PFNGLGENFRAMEBUFFERSPROC
    let deleteFramebuffers: PFNGLDELETEFRAMEBUFFERSPROC
    let isFramebuffer: PFNGLISFRAMEBUFFERPROC
    let getFramebufferAttachmentParameteriv: PFNGLGETFRAMEBUFFERATTACHMENTPARAMETERIVPROC
    let bindRenderbuffer: PFNGLBINDRENDERBUFFERPROC
    let getRenderbufferParameteriv: PFNGLGETRENDERBUFFERPARAMETERIVPROC
    let bindFramebuffer: PFNGLBINDFRAMEBUFFERPROC
    let framebufferTexture2D: PFNGLFRAMEBUFFERTEXTURE2DPROC
    let checkFramebufferStatus: PFNGLCHECKFRAMEBUFFERSTATUSPROC
    let invalidateFramebuffer: PFNGLINVALIDATEFRAMEBUFFERPROC
    let blitFramebuffer: PFNGLBLITFRAMEBUFFERPROC
    let readPixels: PFNGLREADPIXELSPROC
    let viewport: PFNGLVIEWPORTPROC
    let clearBufferfv: PFNGLCLEARBUFFERFVPROC

    let genBuffers: PFNGLGENBUFFERSPROC
    let deleteBuffers: PFNGLDELETEBUFFERSPROC
    let bindBuffer: PFNGLBINDBUFFERPROC
    let bindBufferRange: PFNGLBINDBUFFERRANGEPROC
    let bindBufferBase: PFNGLBINDBUFFERBASEPROC
    let bufferData: PFNGLBUFFERDATAPROC
    let mapBufferRange: PFNGLMAPBUFFERRANGEPROC
    let unmapBuffer: PFNGLUNMAPBUFFERPROC

    /// Only hosts have samplers. Tests create theirs with this function.
    let genSamplers: PFNGLGENSAMPLERSPROC
    let bindSampler: PFNGLBINDSAMPLERPROC

    let genQueries: PFNGLGENQUERIESPROC
    let deleteQueries: PFNGLDELETEQUERIESPROC
    let beginQuery: PFNGLBEGINQUERYPROC
    let endQuery: PFNGLENDQUERYPROC
    let getQueryiv: PFNGLGETQUERYIVPROC
    let getQueryObjectuiv: PFNGLGETQUERYOBJECTUIVPROC

    let createShader: PFNGLCREATESHADERPROC
    let deleteShader: PFNGLDELETESHADERPROC
    let shaderSource: PFNGLSHADERSOURCEPROC
    let compileShader: PFNGLCOMPILESHADERPROC
    let getShaderiv: PFNGLGETSHADERIVPROC
    let getShaderInfoLog: PFNGLGETSHADERINFOLOGPROC
    let createProgram: PFNGLCREATEPROGRAMPROC
    let deleteProgram: PFNGLDELETEPROGRAMPROC
    let attachShader: PFNGLATTACHSHADERPROC
    let detachShader: PFNGLDETACHSHADERPROC
    let linkProgram: PFNGLLINKPROGRAMPROC
    let getProgramiv: PFNGLGETPROGRAMIVPROC
    let getProgramInfoLog: PFNGLGETPROGRAMINFOLOGPROC
    let useProgram: PFNGLUSEPROGRAMPROC
    let getUniformLocation: PFNGLGETUNIFORMLOCATIONPROC
    let getUniformBlockIndex: PFNGLGETUNIFORMBLOCKINDEXPROC
    let uniformBlockBinding: PFNGLUNIFORMBLOCKBINDINGPROC
    let programParameteri: PFNGLPROGRAMPARAMETERIPROC
    let getProgramBinary: PFNGLGETPROGRAMBINARYPROC
    let programBinary: PFNGLPROGRAMBINARYPROC
    let uniform1i: PFNGLUNIFORM1IPROC
    let uniform1f: PFNGLUNIFORM1FPROC
    let uniform2i: PFNGLUNIFORM2IPROC
    let uniform4i: PFNGLUNIFORM4IPROC
    let uniform2f: PFNGLUNIFORM2FPROC
    let uniform4f: PFNGLUNIFORM4FPROC

    let genVertexArrays: PFNGLGENVERTEXARRAYSPROC
    let deleteVertexArrays: PFNGLDELETEVERTEXARRAYSPROC
    let bindVertexArray: PFNGLBINDVERTEXARRAYPROC
    let drawArrays: PFNGLDRAWARRAYSPROC

    let fenceSync: PFNGLFENCESYNCPROC
    let deleteSync: PFNGLDELETESYNCPROC
    let clientWaitSync: PFNGLCLIENTWAITSYNCPROC

    /// Loads the functions.
    ///
    /// - Parameter driver: the driver that returns the addresses. No context needs to be current.
    /// - Throws: ``GLError/unsupported(_:)`` if a function of ES 3.0 is missing.
    init(from driver: Driver) throws(GLError) {
        getError = try driver.function("glGetError")
        unsafe getString = try unsafe driver.function("glGetString")
        unsafe getStringi = try unsafe driver.function("glGetStringi")
        unsafe getIntegerv = try unsafe driver.function("glGetIntegerv")
        enable = try driver.function("glEnable")
        disable = try driver.function("glDisable")
        isEnabled = try driver.function("glIsEnabled")
        unsafe getBooleanv = try unsafe driver.function("glGetBooleanv")
        unsafe getIntegeriv = try unsafe driver.function("glGetIntegeri_v")
        unsafe getInteger64iv = try unsafe driver.function("glGetInteger64i_v")
        colorMask = try driver.function("glColorMask")
        pauseTransformFeedback = try driver.function("glPauseTransformFeedback")
        resumeTransformFeedback = try driver.function("glResumeTransformFeedback")
        flush = try driver.function("glFlush")
        pixelStorei = try driver.function("glPixelStorei")
        unsafe genTextures = try unsafe driver.function("glGenTextures")
        unsafe deleteTextures = try unsafe driver.function("glDeleteTextures")
        isTexture = try driver.function("glIsTexture")
        isProgram = try driver.function("glIsProgram")
        bindTexture = try driver.function("glBindTexture")
        activeTexture = try driver.function("glActiveTexture")
        texParameteri = try driver.function("glTexParameteri")
        texStorage2D = try driver.function("glTexStorage2D")
        unsafe texImage2D = try unsafe driver.function("glTexImage2D")
        unsafe texSubImage2D = try unsafe driver.function("glTexSubImage2D")
        unsafe genFramebuffers = try unsafe driver.function("glGenFramebuffers")
        unsafe deleteFramebuffers = try unsafe driver.function("glDeleteFramebuffers")
        isFramebuffer = try driver.function("glIsFramebuffer")
        unsafe getFramebufferAttachmentParameteriv = try unsafe driver.function(
            "glGetFramebufferAttachmentParameteriv")
        bindRenderbuffer = try driver.function("glBindRenderbuffer")
        unsafe getRenderbufferParameteriv = try unsafe driver.function("glGetRenderbufferParameteriv")
        bindFramebuffer = try driver.function("glBindFramebuffer")
        framebufferTexture2D = try driver.function("glFramebufferTexture2D")
        checkFramebufferStatus = try driver.function("glCheckFramebufferStatus")
        unsafe invalidateFramebuffer = try unsafe driver.function("glInvalidateFramebuffer")
        blitFramebuffer = try driver.function("glBlitFramebuffer")
        unsafe readPixels = try unsafe driver.function("glReadPixels")
        viewport = try driver.function("glViewport")
        unsafe clearBufferfv = try unsafe driver.function("glClearBufferfv")
        unsafe genBuffers = try unsafe driver.function("glGenBuffers")
        unsafe deleteBuffers = try unsafe driver.function("glDeleteBuffers")
        bindBuffer = try driver.function("glBindBuffer")
        bindBufferRange = try driver.function("glBindBufferRange")
        bindBufferBase = try driver.function("glBindBufferBase")
        unsafe bufferData = try unsafe driver.function("glBufferData")
        unsafe mapBufferRange = try unsafe driver.function("glMapBufferRange")
        unmapBuffer = try driver.function("glUnmapBuffer")
        unsafe genSamplers = try unsafe driver.function("glGenSamplers")
        bindSampler = try driver.function("glBindSampler")
        unsafe genQueries = try unsafe driver.function("glGenQueries")
        unsafe deleteQueries = try unsafe driver.function("glDeleteQueries")
        beginQuery = try driver.function("glBeginQuery")
        endQuery = try driver.function("glEndQuery")
        unsafe getQueryiv = try unsafe driver.function("glGetQueryiv")
        unsafe getQueryObjectuiv = try unsafe driver.function("glGetQueryObjectuiv")
        createShader = try driver.function("glCreateShader")
        deleteShader = try driver.function("glDeleteShader")
        unsafe shaderSource = try unsafe driver.function("glShaderSource")
        compileShader = try driver.function("glCompileShader")
        unsafe getShaderiv = try unsafe driver.function("glGetShaderiv")
        unsafe getShaderInfoLog = try unsafe driver.function("glGetShaderInfoLog")
        createProgram = try driver.function("glCreateProgram")
        deleteProgram = try driver.function("glDeleteProgram")
        attachShader = try driver.function("glAttachShader")
        detachShader = try driver.function("glDetachShader")
        linkProgram = try driver.function("glLinkProgram")
        unsafe getProgramiv = try unsafe driver.function("glGetProgramiv")
        unsafe getProgramInfoLog = try unsafe driver.function("glGetProgramInfoLog")
        useProgram = try driver.function("glUseProgram")
        unsafe getUniformLocation = try unsafe driver.function("glGetUniformLocation")
        unsafe getUniformBlockIndex = try unsafe driver.function("glGetUniformBlockIndex")
        uniformBlockBinding = try driver.function("glUniformBlockBinding")
        programParameteri = try driver.function("glProgramParameteri")
        unsafe getProgramBinary = try unsafe driver.function("glGetProgramBinary")
        unsafe programBinary = try unsafe driver.function("glProgramBinary")
        uniform1i = try driver.function("glUniform1i")
        uniform1f = try driver.function("glUniform1f")
        uniform2f = try driver.function("glUniform2f")
        uniform4f = try driver.function("glUniform4f")
        uniform2i = try driver.function("glUniform2i")
        uniform4i = try driver.function("glUniform4i")
        unsafe genVertexArrays = try unsafe driver.function("glGenVertexArrays")
        unsafe deleteVertexArrays = try unsafe driver.function("glDeleteVertexArrays")
        bindVertexArray = try driver.function("glBindVertexArray")
        drawArrays = try driver.function("glDrawArrays")
        unsafe fenceSync = try unsafe driver.function("glFenceSync")
        unsafe deleteSync = try unsafe driver.function("glDeleteSync")
        unsafe clientWaitSync = try unsafe driver.function("glClientWaitSync")
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
