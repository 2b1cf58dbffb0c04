// The functions of EGL and the GL that threads of Frost call, for macros that define a function for each of them. CALL
// is applied to functions without a result, with their type, name, parameters and arguments. RESULT also has the type
// of the result and its value after a failure.
#pragma once

#define DRIVER_CALLS(CALL, RESULT) \
    RESULT(PFNEGLBINDAPIPROC, eglBindAPI, EGLBoolean, 0, (EGLenum a), (a)) \
    RESULT(PFNEGLCHOOSECONFIGPROC, eglChooseConfig, EGLBoolean, 0, (EGLDisplay a, const EGLint *b, EGLConfig *c, EGLint d, EGLint *e), (a, b, c, d, e)) \
    RESULT(PFNEGLCREATECONTEXTPROC, eglCreateContext, EGLContext, 0, (EGLDisplay a, EGLConfig b, EGLContext c, const EGLint *d), (a, b, c, d)) \
    RESULT(PFNEGLCREATEIMAGEKHRPROC, eglCreateImageKHR, EGLImageKHR, 0, (EGLDisplay a, EGLContext b, EGLenum c, EGLClientBuffer d, const EGLint *e), (a, b, c, d, e)) \
    RESULT(PFNEGLCREATEPBUFFERSURFACEPROC, eglCreatePbufferSurface, EGLSurface, 0, (EGLDisplay a, EGLConfig b, const EGLint *c), (a, b, c)) \
    RESULT(PFNEGLCREATESYNCKHRPROC, eglCreateSyncKHR, EGLSyncKHR, 0, (EGLDisplay a, EGLenum b, const EGLint *c), (a, b, c)) \
    RESULT(PFNEGLDESTROYCONTEXTPROC, eglDestroyContext, EGLBoolean, 0, (EGLDisplay a, EGLContext b), (a, b)) \
    RESULT(PFNEGLDESTROYIMAGEKHRPROC, eglDestroyImageKHR, EGLBoolean, 0, (EGLDisplay a, EGLImageKHR b), (a, b)) \
    RESULT(PFNEGLDESTROYSURFACEPROC, eglDestroySurface, EGLBoolean, 0, (EGLDisplay a, EGLSurface b), (a, b)) \
    RESULT(PFNEGLDESTROYSYNCKHRPROC, eglDestroySyncKHR, EGLBoolean, 0, (EGLDisplay a, EGLSyncKHR b), (a, b)) \
    RESULT(PFNEGLDUPNATIVEFENCEFDANDROIDPROC, eglDupNativeFenceFDANDROID, EGLint, -1, (EGLDisplay a, EGLSyncKHR b), (a, b)) \
    RESULT(PFNEGLEXPORTDMABUFIMAGEMESAPROC, eglExportDMABUFImageMESA, EGLBoolean, 0, (EGLDisplay a, EGLImageKHR b, int *c, EGLint *d, EGLint *e), (a, b, c, d, e)) \
    RESULT(PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC, eglExportDMABUFImageQueryMESA, EGLBoolean, 0, (EGLDisplay a, EGLImageKHR b, int *c, int *d, EGLuint64KHR *e), (a, b, c, d, e)) \
    RESULT(PFNEGLGETCURRENTCONTEXTPROC, eglGetCurrentContext, EGLContext, 0, (void), ()) \
    RESULT(PFNEGLGETCURRENTDISPLAYPROC, eglGetCurrentDisplay, EGLDisplay, 0, (void), ()) \
    RESULT(PFNEGLGETCURRENTSURFACEPROC, eglGetCurrentSurface, EGLSurface, 0, (EGLint a), (a)) \
    RESULT(PFNEGLGETERRORPROC, eglGetError, EGLint, 0, (void), ()) \
    RESULT(PFNEGLGETPLATFORMDISPLAYEXTPROC, eglGetPlatformDisplayEXT, EGLDisplay, 0, (EGLenum a, void *b, const EGLint *c), (a, b, c)) \
    RESULT(PFNEGLINITIALIZEPROC, eglInitialize, EGLBoolean, 0, (EGLDisplay a, EGLint *b, EGLint *c), (a, b, c)) \
    RESULT(PFNEGLMAKECURRENTPROC, eglMakeCurrent, EGLBoolean, 0, (EGLDisplay a, EGLSurface b, EGLSurface c, EGLContext d), (a, b, c, d)) \
    RESULT(PFNEGLQUERYDEVICESEXTPROC, eglQueryDevicesEXT, EGLBoolean, 0, (EGLint a, EGLDeviceEXT *b, EGLint *c), (a, b, c)) \
    RESULT(PFNEGLQUERYDEVICESTRINGEXTPROC, eglQueryDeviceStringEXT, const char *, 0, (EGLDeviceEXT a, EGLint b), (a, b)) \
    RESULT(PFNEGLQUERYDMABUFFORMATSEXTPROC, eglQueryDmaBufFormatsEXT, EGLBoolean, 0, (EGLDisplay a, EGLint b, EGLint *c, EGLint *d), (a, b, c, d)) \
    RESULT(PFNEGLQUERYDMABUFMODIFIERSEXTPROC, eglQueryDmaBufModifiersEXT, EGLBoolean, 0, (EGLDisplay a, EGLint b, EGLint c, EGLuint64KHR *d, EGLBoolean *e, EGLint *f), (a, b, c, d, e, f)) \
    RESULT(PFNEGLQUERYSTRINGPROC, eglQueryString, const char *, 0, (EGLDisplay a, EGLint b), (a, b)) \
    RESULT(PFNEGLQUERYSURFACEPROC, eglQuerySurface, EGLBoolean, 0, (EGLDisplay a, EGLSurface b, EGLint c, EGLint *d), (a, b, c, d)) \
    RESULT(PFNEGLRELEASETHREADPROC, eglReleaseThread, EGLBoolean, 0, (void), ()) \
    RESULT(PFNEGLWAITSYNCKHRPROC, eglWaitSyncKHR, EGLint, 0, (EGLDisplay a, EGLSyncKHR b, EGLint c), (a, b, c)) \
    CALL(PFNGLACTIVETEXTUREPROC, glActiveTexture, (GLenum a), (a)) \
    CALL(PFNGLATTACHSHADERPROC, glAttachShader, (GLuint a, GLuint b), (a, b)) \
    CALL(PFNGLBEGINQUERYPROC, glBeginQuery, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDBUFFERPROC, glBindBuffer, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDBUFFERBASEPROC, glBindBufferBase, (GLenum a, GLuint b, GLuint c), (a, b, c)) \
    CALL(PFNGLBINDBUFFERRANGEPROC, glBindBufferRange, (GLenum a, GLuint b, GLuint c, GLintptr d, GLsizeiptr e), (a, b, c, d, e)) \
    CALL(PFNGLBINDFRAMEBUFFERPROC, glBindFramebuffer, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDIMAGETEXTUREPROC, glBindImageTexture, (GLuint a, GLuint b, GLint c, GLboolean d, GLint e, GLenum f, GLenum g), (a, b, c, d, e, f, g)) \
    CALL(PFNGLBINDRENDERBUFFERPROC, glBindRenderbuffer, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDSAMPLERPROC, glBindSampler, (GLuint a, GLuint b), (a, b)) \
    CALL(PFNGLBINDTEXTUREPROC, glBindTexture, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDVERTEXARRAYPROC, glBindVertexArray, (GLuint a), (a)) \
    CALL(PFNGLBLITFRAMEBUFFERPROC, glBlitFramebuffer, (GLint a, GLint b, GLint c, GLint d, GLint e, GLint f, GLint g, GLint h, GLbitfield i, GLenum j), (a, b, c, d, e, f, g, h, i, j)) \
    CALL(PFNGLBUFFERDATAPROC, glBufferData, (GLenum a, GLsizeiptr b, const void *c, GLenum d), (a, b, c, d)) \
    CALL(PFNGLBUFFERSTORAGEEXTPROC, glBufferStorageEXT, (GLenum a, GLsizeiptr b, const void *c, GLbitfield d), (a, b, c, d)) \
    RESULT(PFNGLCHECKFRAMEBUFFERSTATUSPROC, glCheckFramebufferStatus, GLenum, 0, (GLenum a), (a)) \
    CALL(PFNGLCLEARBUFFERFVPROC, glClearBufferfv, (GLenum a, GLint b, const GLfloat *c), (a, b, c)) \
    RESULT(PFNGLCLIENTWAITSYNCPROC, glClientWaitSync, GLenum, GL_WAIT_FAILED, (GLsync a, GLbitfield b, GLuint64 c), (a, b, c)) \
    CALL(PFNGLCOLORMASKPROC, glColorMask, (GLboolean a, GLboolean b, GLboolean c, GLboolean d), (a, b, c, d)) \
    CALL(PFNGLCOMPILESHADERPROC, glCompileShader, (GLuint a), (a)) \
    RESULT(PFNGLCREATEPROGRAMPROC, glCreateProgram, GLuint, 0, (void), ()) \
    RESULT(PFNGLCREATESHADERPROC, glCreateShader, GLuint, 0, (GLenum a), (a)) \
    CALL(PFNGLDEBUGMESSAGECALLBACKPROC, glDebugMessageCallback, (GLDEBUGPROC a, const void *b), (a, b)) \
    CALL(PFNGLDEBUGMESSAGECALLBACKKHRPROC, glDebugMessageCallbackKHR, (GLDEBUGPROCKHR a, const void *b), (a, b)) \
    CALL(PFNGLDELETEBUFFERSPROC, glDeleteBuffers, (GLsizei a, const GLuint *b), (a, b)) \
    CALL(PFNGLDELETEFRAMEBUFFERSPROC, glDeleteFramebuffers, (GLsizei a, const GLuint *b), (a, b)) \
    CALL(PFNGLDELETEPROGRAMPROC, glDeleteProgram, (GLuint a), (a)) \
    CALL(PFNGLDELETEQUERIESPROC, glDeleteQueries, (GLsizei a, const GLuint *b), (a, b)) \
    CALL(PFNGLDELETESAMPLERSPROC, glDeleteSamplers, (GLsizei a, const GLuint *b), (a, b)) \
    CALL(PFNGLDELETESHADERPROC, glDeleteShader, (GLuint a), (a)) \
    CALL(PFNGLDELETESYNCPROC, glDeleteSync, (GLsync a), (a)) \
    CALL(PFNGLDELETETEXTURESPROC, glDeleteTextures, (GLsizei a, const GLuint *b), (a, b)) \
    CALL(PFNGLDELETEVERTEXARRAYSPROC, glDeleteVertexArrays, (GLsizei a, const GLuint *b), (a, b)) \
    CALL(PFNGLDETACHSHADERPROC, glDetachShader, (GLuint a, GLuint b), (a, b)) \
    CALL(PFNGLDISABLEPROC, glDisable, (GLenum a), (a)) \
    CALL(PFNGLDISPATCHCOMPUTEPROC, glDispatchCompute, (GLuint a, GLuint b, GLuint c), (a, b, c)) \
    CALL(PFNGLDRAWARRAYSPROC, glDrawArrays, (GLenum a, GLint b, GLsizei c), (a, b, c)) \
    CALL(PFNGLEGLIMAGETARGETTEXTURE2DOESPROC, glEGLImageTargetTexture2DOES, (GLenum a, GLeglImageOES b), (a, b)) \
    CALL(PFNGLENABLEPROC, glEnable, (GLenum a), (a)) \
    CALL(PFNGLENDQUERYPROC, glEndQuery, (GLenum a), (a)) \
    RESULT(PFNGLFENCESYNCPROC, glFenceSync, GLsync, 0, (GLenum a, GLbitfield b), (a, b)) \
    CALL(PFNGLFLUSHPROC, glFlush, (void), ()) \
    CALL(PFNGLFRAMEBUFFERTEXTURE2DPROC, glFramebufferTexture2D, (GLenum a, GLenum b, GLenum c, GLuint d, GLint e), (a, b, c, d, e)) \
    CALL(PFNGLGENBUFFERSPROC, glGenBuffers, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENFRAMEBUFFERSPROC, glGenFramebuffers, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENQUERIESPROC, glGenQueries, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENSAMPLERSPROC, glGenSamplers, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENTEXTURESPROC, glGenTextures, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENVERTEXARRAYSPROC, glGenVertexArrays, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGETBOOLEANVPROC, glGetBooleanv, (GLenum a, GLboolean *b), (a, b)) \
    RESULT(PFNGLGETERRORPROC, glGetError, GLenum, 0, (void), ()) \
    CALL(PFNGLGETFRAMEBUFFERATTACHMENTPARAMETERIVPROC, glGetFramebufferAttachmentParameteriv, (GLenum a, GLenum b, GLenum c, GLint *d), (a, b, c, d)) \
    RESULT(PFNGLGETGRAPHICSRESETSTATUSPROC, glGetGraphicsResetStatus, GLenum, 0, (void), ()) \
    RESULT(PFNGLGETGRAPHICSRESETSTATUSEXTPROC, glGetGraphicsResetStatusEXT, GLenum, 0, (void), ()) \
    RESULT(PFNGLGETGRAPHICSRESETSTATUSKHRPROC, glGetGraphicsResetStatusKHR, GLenum, 0, (void), ()) \
    CALL(PFNGLGETINTEGER64I_VPROC, glGetInteger64i_v, (GLenum a, GLuint b, GLint64 *c), (a, b, c)) \
    CALL(PFNGLGETINTEGERI_VPROC, glGetIntegeri_v, (GLenum a, GLuint b, GLint *c), (a, b, c)) \
    CALL(PFNGLGETINTEGERVPROC, glGetIntegerv, (GLenum a, GLint *b), (a, b)) \
    CALL(PFNGLGETPROGRAMBINARYPROC, glGetProgramBinary, (GLuint a, GLsizei b, GLsizei *c, GLenum *d, void *e), (a, b, c, d, e)) \
    CALL(PFNGLGETPROGRAMINFOLOGPROC, glGetProgramInfoLog, (GLuint a, GLsizei b, GLsizei *c, GLchar *d), (a, b, c, d)) \
    CALL(PFNGLGETPROGRAMIVPROC, glGetProgramiv, (GLuint a, GLenum b, GLint *c), (a, b, c)) \
    CALL(PFNGLGETQUERYIVPROC, glGetQueryiv, (GLenum a, GLenum b, GLint *c), (a, b, c)) \
    CALL(PFNGLGETQUERYOBJECTUI64VEXTPROC, glGetQueryObjectui64vEXT, (GLuint a, GLenum b, GLuint64 *c), (a, b, c)) \
    CALL(PFNGLGETQUERYOBJECTUIVPROC, glGetQueryObjectuiv, (GLuint a, GLenum b, GLuint *c), (a, b, c)) \
    CALL(PFNGLGETRENDERBUFFERPARAMETERIVPROC, glGetRenderbufferParameteriv, (GLenum a, GLenum b, GLint *c), (a, b, c)) \
    CALL(PFNGLGETSHADERINFOLOGPROC, glGetShaderInfoLog, (GLuint a, GLsizei b, GLsizei *c, GLchar *d), (a, b, c, d)) \
    CALL(PFNGLGETSHADERIVPROC, glGetShaderiv, (GLuint a, GLenum b, GLint *c), (a, b, c)) \
    RESULT(PFNGLGETSTRINGPROC, glGetString, const GLubyte *, 0, (GLenum a), (a)) \
    RESULT(PFNGLGETSTRINGIPROC, glGetStringi, const GLubyte *, 0, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLGETTEXLEVELPARAMETERIVPROC, glGetTexLevelParameteriv, (GLenum a, GLint b, GLenum c, GLint *d), (a, b, c, d)) \
    CALL(PFNGLGETTEXPARAMETERIVPROC, glGetTexParameteriv, (GLenum a, GLenum b, GLint *c), (a, b, c)) \
    RESULT(PFNGLGETUNIFORMBLOCKINDEXPROC, glGetUniformBlockIndex, GLuint, GL_INVALID_INDEX, (GLuint a, const GLchar *b), (a, b)) \
    RESULT(PFNGLGETUNIFORMLOCATIONPROC, glGetUniformLocation, GLint, -1, (GLuint a, const GLchar *b), (a, b)) \
    CALL(PFNGLINVALIDATEFRAMEBUFFERPROC, glInvalidateFramebuffer, (GLenum a, GLsizei b, const GLenum *c), (a, b, c)) \
    RESULT(PFNGLISENABLEDPROC, glIsEnabled, GLboolean, 0, (GLenum a), (a)) \
    RESULT(PFNGLISFRAMEBUFFERPROC, glIsFramebuffer, GLboolean, 0, (GLuint a), (a)) \
    RESULT(PFNGLISPROGRAMPROC, glIsProgram, GLboolean, 0, (GLuint a), (a)) \
    RESULT(PFNGLISTEXTUREPROC, glIsTexture, GLboolean, 0, (GLuint a), (a)) \
    CALL(PFNGLLINKPROGRAMPROC, glLinkProgram, (GLuint a), (a)) \
    RESULT(PFNGLMAPBUFFERRANGEPROC, glMapBufferRange, void *, 0, (GLenum a, GLintptr b, GLsizeiptr c, GLbitfield d), (a, b, c, d)) \
    CALL(PFNGLMEMORYBARRIERPROC, glMemoryBarrier, (GLbitfield a), (a)) \
    CALL(PFNGLPAUSETRANSFORMFEEDBACKPROC, glPauseTransformFeedback, (void), ()) \
    CALL(PFNGLPIXELSTOREIPROC, glPixelStorei, (GLenum a, GLint b), (a, b)) \
    CALL(PFNGLPROGRAMBINARYPROC, glProgramBinary, (GLuint a, GLenum b, const void *c, GLsizei d), (a, b, c, d)) \
    CALL(PFNGLPROGRAMPARAMETERIPROC, glProgramParameteri, (GLuint a, GLenum b, GLint c), (a, b, c)) \
    CALL(PFNGLREADPIXELSPROC, glReadPixels, (GLint a, GLint b, GLsizei c, GLsizei d, GLenum e, GLenum f, void *g), (a, b, c, d, e, f, g)) \
    CALL(PFNGLRESUMETRANSFORMFEEDBACKPROC, glResumeTransformFeedback, (void), ()) \
    CALL(PFNGLSAMPLERPARAMETERIPROC, glSamplerParameteri, (GLuint a, GLenum b, GLint c), (a, b, c)) \
    CALL(PFNGLSHADERSOURCEPROC, glShaderSource, (GLuint a, GLsizei b, const GLchar *const*c, const GLint *d), (a, b, c, d)) \
    CALL(PFNGLTEXIMAGE2DPROC, glTexImage2D, (GLenum a, GLint b, GLint c, GLsizei d, GLsizei e, GLint f, GLenum g, GLenum h, const void *i), (a, b, c, d, e, f, g, h, i)) \
    CALL(PFNGLTEXPARAMETERIPROC, glTexParameteri, (GLenum a, GLenum b, GLint c), (a, b, c)) \
    CALL(PFNGLTEXSTORAGE2DPROC, glTexStorage2D, (GLenum a, GLsizei b, GLenum c, GLsizei d, GLsizei e), (a, b, c, d, e)) \
    CALL(PFNGLTEXSUBIMAGE2DPROC, glTexSubImage2D, (GLenum a, GLint b, GLint c, GLint d, GLsizei e, GLsizei f, GLenum g, GLenum h, const void *i), (a, b, c, d, e, f, g, h, i)) \
    CALL(PFNGLUNIFORM1FPROC, glUniform1f, (GLint a, GLfloat b), (a, b)) \
    CALL(PFNGLUNIFORM1IPROC, glUniform1i, (GLint a, GLint b), (a, b)) \
    CALL(PFNGLUNIFORM2FPROC, glUniform2f, (GLint a, GLfloat b, GLfloat c), (a, b, c)) \
    CALL(PFNGLUNIFORM2IPROC, glUniform2i, (GLint a, GLint b, GLint c), (a, b, c)) \
    CALL(PFNGLUNIFORM4FPROC, glUniform4f, (GLint a, GLfloat b, GLfloat c, GLfloat d, GLfloat e), (a, b, c, d, e)) \
    CALL(PFNGLUNIFORM4IPROC, glUniform4i, (GLint a, GLint b, GLint c, GLint d, GLint e), (a, b, c, d, e)) \
    CALL(PFNGLUNIFORMBLOCKBINDINGPROC, glUniformBlockBinding, (GLuint a, GLuint b, GLuint c), (a, b, c)) \
    RESULT(PFNGLUNMAPBUFFERPROC, glUnmapBuffer, GLboolean, 0, (GLenum a), (a)) \
    CALL(PFNGLUSEPROGRAMPROC, glUseProgram, (GLuint a), (a)) \
    CALL(PFNGLVIEWPORTPROC, glViewport, (GLint a, GLint b, GLsizei c, GLsizei d), (a, b, c, d))
