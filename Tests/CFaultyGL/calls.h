// The GL functions whose calls can fail one by one: see faulty_call. CALL is applied to functions without a result, with
// their type, name, parameters and arguments; RESULT also has the type of the result and its value after a failure.
#pragma once

#define CALLS(CALL, RESULT) \
    CALL(PFNGLACTIVETEXTUREPROC, glActiveTexture, (GLenum a), (a)) \
    CALL(PFNGLATTACHSHADERPROC, glAttachShader, (GLuint a, GLuint b), (a, b)) \
    CALL(PFNGLBINDBUFFERPROC, glBindBuffer, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDBUFFERBASEPROC, glBindBufferBase, (GLenum a, GLuint b, GLuint c), (a, b, c)) \
    CALL(PFNGLBINDBUFFERRANGEPROC, glBindBufferRange, (GLenum a, GLuint b, GLuint c, GLintptr d, GLsizeiptr e), (a, b, c, d, e)) \
    CALL(PFNGLBINDFRAMEBUFFERPROC, glBindFramebuffer, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDSAMPLERPROC, glBindSampler, (GLuint a, GLuint b), (a, b)) \
    CALL(PFNGLBINDTEXTUREPROC, glBindTexture, (GLenum a, GLuint b), (a, b)) \
    CALL(PFNGLBINDVERTEXARRAYPROC, glBindVertexArray, (GLuint a), (a)) \
    CALL(PFNGLBUFFERDATAPROC, glBufferData, (GLenum a, GLsizeiptr b, const void *c, GLenum d), (a, b, c, d)) \
    CALL(PFNGLCOMPILESHADERPROC, glCompileShader, (GLuint a), (a)) \
    CALL(PFNGLDISABLEPROC, glDisable, (GLenum a), (a)) \
    CALL(PFNGLDRAWARRAYSPROC, glDrawArrays, (GLenum a, GLint b, GLsizei c), (a, b, c)) \
    CALL(PFNGLENABLEPROC, glEnable, (GLenum a), (a)) \
    CALL(PFNGLFLUSHPROC, glFlush, (void), ()) \
    CALL(PFNGLFRAMEBUFFERTEXTURE2DPROC, glFramebufferTexture2D, (GLenum a, GLenum b, GLenum c, GLuint d, GLint e), (a, b, c, d, e)) \
    CALL(PFNGLGENBUFFERSPROC, glGenBuffers, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENFRAMEBUFFERSPROC, glGenFramebuffers, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENTEXTURESPROC, glGenTextures, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLGENVERTEXARRAYSPROC, glGenVertexArrays, (GLsizei a, GLuint *b), (a, b)) \
    CALL(PFNGLINVALIDATEFRAMEBUFFERPROC, glInvalidateFramebuffer, (GLenum a, GLsizei b, const GLenum *c), (a, b, c)) \
    CALL(PFNGLLINKPROGRAMPROC, glLinkProgram, (GLuint a), (a)) \
    CALL(PFNGLPIXELSTOREIPROC, glPixelStorei, (GLenum a, GLint b), (a, b)) \
    CALL(PFNGLPROGRAMBINARYPROC, glProgramBinary, (GLuint a, GLenum b, const void *c, GLsizei d), (a, b, c, d)) \
    CALL(PFNGLREADPIXELSPROC, glReadPixels, (GLint a, GLint b, GLsizei c, GLsizei d, GLenum e, GLenum f, void *g), (a, b, c, d, e, f, g)) \
    CALL(PFNGLSAMPLERPARAMETERIPROC, glSamplerParameteri, (GLuint a, GLenum b, GLint c), (a, b, c)) \
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
    CALL(PFNGLUSEPROGRAMPROC, glUseProgram, (GLuint a), (a)) \
    CALL(PFNGLVIEWPORTPROC, glViewport, (GLint a, GLint b, GLsizei c, GLsizei d), (a, b, c, d)) \
    RESULT(PFNGLCHECKFRAMEBUFFERSTATUSPROC, glCheckFramebufferStatus, GLenum, 0, (GLenum a), (a)) \
    RESULT(PFNGLCLIENTWAITSYNCPROC, glClientWaitSync, GLenum, GL_WAIT_FAILED, (GLsync a, GLbitfield b, GLuint64 c), (a, b, c)) \
    RESULT(PFNGLCREATEPROGRAMPROC, glCreateProgram, GLuint, 0, (void), ()) \
    RESULT(PFNGLCREATESHADERPROC, glCreateShader, GLuint, 0, (GLenum a), (a)) \
    RESULT(PFNGLFENCESYNCPROC, glFenceSync, GLsync, 0, (GLenum a, GLbitfield b), (a, b)) \
    RESULT(PFNGLGETUNIFORMBLOCKINDEXPROC, glGetUniformBlockIndex, GLuint, GL_INVALID_INDEX, (GLuint a, const GLchar *b), (a, b)) \
    RESULT(PFNGLGETUNIFORMLOCATIONPROC, glGetUniformLocation, GLint, -1, (GLuint a, const GLchar *b), (a, b)) \
    RESULT(PFNGLMAPBUFFERRANGEPROC, glMapBufferRange, void *, 0, (GLenum a, GLintptr b, GLsizeiptr c, GLbitfield d), (a, b, c, d)) \
    RESULT(PFNGLUNMAPBUFFERPROC, glUnmapBuffer, GLboolean, 0, (GLenum a), (a))
