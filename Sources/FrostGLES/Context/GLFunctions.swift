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

    let genSamplers: PFNGLGENSAMPLERSPROC
    let deleteSamplers: PFNGLDELETESAMPLERSPROC
    let bindSampler: PFNGLBINDSAMPLERPROC
    let samplerParameteri: PFNGLSAMPLERPARAMETERIPROC

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
    /// - Parameter library: the library that returns the addresses. No context needs to be current.
    /// - Throws: ``GLError/unsupported(_:)`` if a function of ES 3.0 is missing.
    init(from library: EGLLibrary) throws(GLError) {
        getError = try library.function("glGetError")
        unsafe getString = try unsafe library.function("glGetString")
        unsafe getStringi = try unsafe library.function("glGetStringi")
        unsafe getIntegerv = try unsafe library.function("glGetIntegerv")
        enable = try library.function("glEnable")
        disable = try library.function("glDisable")
        isEnabled = try library.function("glIsEnabled")
        unsafe getBooleanv = try unsafe library.function("glGetBooleanv")
        unsafe getIntegeriv = try unsafe library.function("glGetIntegeri_v")
        unsafe getInteger64iv = try unsafe library.function("glGetInteger64i_v")
        colorMask = try library.function("glColorMask")
        pauseTransformFeedback = try library.function("glPauseTransformFeedback")
        resumeTransformFeedback = try library.function("glResumeTransformFeedback")
        flush = try library.function("glFlush")
        pixelStorei = try library.function("glPixelStorei")
        unsafe genTextures = try unsafe library.function("glGenTextures")
        unsafe deleteTextures = try unsafe library.function("glDeleteTextures")
        isTexture = try library.function("glIsTexture")
        isProgram = try library.function("glIsProgram")
        bindTexture = try library.function("glBindTexture")
        activeTexture = try library.function("glActiveTexture")
        texParameteri = try library.function("glTexParameteri")
        texStorage2D = try library.function("glTexStorage2D")
        unsafe texImage2D = try unsafe library.function("glTexImage2D")
        unsafe texSubImage2D = try unsafe library.function("glTexSubImage2D")
        unsafe genFramebuffers = try unsafe library.function("glGenFramebuffers")
        unsafe deleteFramebuffers = try unsafe library.function("glDeleteFramebuffers")
        isFramebuffer = try library.function("glIsFramebuffer")
        unsafe getFramebufferAttachmentParameteriv = try unsafe library.function(
            "glGetFramebufferAttachmentParameteriv")
        bindRenderbuffer = try library.function("glBindRenderbuffer")
        unsafe getRenderbufferParameteriv = try unsafe library.function("glGetRenderbufferParameteriv")
        bindFramebuffer = try library.function("glBindFramebuffer")
        framebufferTexture2D = try library.function("glFramebufferTexture2D")
        checkFramebufferStatus = try library.function("glCheckFramebufferStatus")
        unsafe invalidateFramebuffer = try unsafe library.function("glInvalidateFramebuffer")
        blitFramebuffer = try library.function("glBlitFramebuffer")
        unsafe readPixels = try unsafe library.function("glReadPixels")
        viewport = try library.function("glViewport")
        unsafe clearBufferfv = try unsafe library.function("glClearBufferfv")
        unsafe genBuffers = try unsafe library.function("glGenBuffers")
        unsafe deleteBuffers = try unsafe library.function("glDeleteBuffers")
        bindBuffer = try library.function("glBindBuffer")
        bindBufferRange = try library.function("glBindBufferRange")
        bindBufferBase = try library.function("glBindBufferBase")
        unsafe bufferData = try unsafe library.function("glBufferData")
        unsafe mapBufferRange = try unsafe library.function("glMapBufferRange")
        unmapBuffer = try library.function("glUnmapBuffer")
        unsafe genSamplers = try unsafe library.function("glGenSamplers")
        unsafe deleteSamplers = try unsafe library.function("glDeleteSamplers")
        bindSampler = try library.function("glBindSampler")
        samplerParameteri = try library.function("glSamplerParameteri")
        unsafe genQueries = try unsafe library.function("glGenQueries")
        unsafe deleteQueries = try unsafe library.function("glDeleteQueries")
        beginQuery = try library.function("glBeginQuery")
        endQuery = try library.function("glEndQuery")
        unsafe getQueryiv = try unsafe library.function("glGetQueryiv")
        unsafe getQueryObjectuiv = try unsafe library.function("glGetQueryObjectuiv")
        createShader = try library.function("glCreateShader")
        deleteShader = try library.function("glDeleteShader")
        unsafe shaderSource = try unsafe library.function("glShaderSource")
        compileShader = try library.function("glCompileShader")
        unsafe getShaderiv = try unsafe library.function("glGetShaderiv")
        unsafe getShaderInfoLog = try unsafe library.function("glGetShaderInfoLog")
        createProgram = try library.function("glCreateProgram")
        deleteProgram = try library.function("glDeleteProgram")
        attachShader = try library.function("glAttachShader")
        detachShader = try library.function("glDetachShader")
        linkProgram = try library.function("glLinkProgram")
        unsafe getProgramiv = try unsafe library.function("glGetProgramiv")
        unsafe getProgramInfoLog = try unsafe library.function("glGetProgramInfoLog")
        useProgram = try library.function("glUseProgram")
        unsafe getUniformLocation = try unsafe library.function("glGetUniformLocation")
        unsafe getUniformBlockIndex = try unsafe library.function("glGetUniformBlockIndex")
        uniformBlockBinding = try library.function("glUniformBlockBinding")
        programParameteri = try library.function("glProgramParameteri")
        unsafe getProgramBinary = try unsafe library.function("glGetProgramBinary")
        unsafe programBinary = try unsafe library.function("glProgramBinary")
        uniform1i = try library.function("glUniform1i")
        uniform1f = try library.function("glUniform1f")
        uniform2f = try library.function("glUniform2f")
        uniform4f = try library.function("glUniform4f")
        uniform2i = try library.function("glUniform2i")
        uniform4i = try library.function("glUniform4i")
        unsafe genVertexArrays = try unsafe library.function("glGenVertexArrays")
        unsafe deleteVertexArrays = try unsafe library.function("glDeleteVertexArrays")
        bindVertexArray = try library.function("glBindVertexArray")
        drawArrays = try library.function("glDrawArrays")
        unsafe fenceSync = try unsafe library.function("glFenceSync")
        unsafe deleteSync = try unsafe library.function("glDeleteSync")
        unsafe clientWaitSync = try unsafe library.function("glClientWaitSync")
    }
}
