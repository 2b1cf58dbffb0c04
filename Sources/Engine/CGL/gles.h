// This module imports the types and constants of OpenGL ES 3.2. The functions come from eglGetProcAddress.
#pragma once
#include "packages.h"

#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>

// Applies F to the type, the name in Swift and the name in C of every GL function that Frost calls in all contexts.
// Only contexts of hosts have samplers.
#define FROST_GL_FUNCTIONS(F) \
    F(PFNGLGETERRORPROC, getError, glGetError) \
    F(PFNGLGETSTRINGPROC, getString, glGetString) \
    F(PFNGLGETSTRINGIPROC, getStringi, glGetStringi) \
    F(PFNGLGETINTEGERVPROC, getIntegerv, glGetIntegerv) \
    F(PFNGLENABLEPROC, enable, glEnable) \
    F(PFNGLDISABLEPROC, disable, glDisable) \
    F(PFNGLISENABLEDPROC, isEnabled, glIsEnabled) \
    F(PFNGLGETBOOLEANVPROC, getBooleanv, glGetBooleanv) \
    F(PFNGLGETINTEGERI_VPROC, getIntegeriv, glGetIntegeri_v) \
    F(PFNGLGETINTEGER64I_VPROC, getInteger64iv, glGetInteger64i_v) \
    F(PFNGLCOLORMASKPROC, colorMask, glColorMask) \
    F(PFNGLPAUSETRANSFORMFEEDBACKPROC, pauseTransformFeedback, glPauseTransformFeedback) \
    F(PFNGLRESUMETRANSFORMFEEDBACKPROC, resumeTransformFeedback, glResumeTransformFeedback) \
    F(PFNGLFLUSHPROC, flush, glFlush) \
    F(PFNGLPIXELSTOREIPROC, pixelStorei, glPixelStorei) \
    F(PFNGLGENTEXTURESPROC, genTextures, glGenTextures) \
    F(PFNGLDELETETEXTURESPROC, deleteTextures, glDeleteTextures) \
    F(PFNGLISTEXTUREPROC, isTexture, glIsTexture) \
    F(PFNGLISPROGRAMPROC, isProgram, glIsProgram) \
    F(PFNGLBINDTEXTUREPROC, bindTexture, glBindTexture) \
    F(PFNGLACTIVETEXTUREPROC, activeTexture, glActiveTexture) \
    F(PFNGLTEXPARAMETERIPROC, texParameteri, glTexParameteri) \
    F(PFNGLGETTEXPARAMETERIVPROC, getTexParameteriv, glGetTexParameteriv) \
    F(PFNGLTEXSTORAGE2DPROC, texStorage2D, glTexStorage2D) \
    F(PFNGLTEXIMAGE2DPROC, texImage2D, glTexImage2D) \
    F(PFNGLTEXSUBIMAGE2DPROC, texSubImage2D, glTexSubImage2D) \
    F(PFNGLGENFRAMEBUFFERSPROC, genFramebuffers, glGenFramebuffers) \
    F(PFNGLDELETEFRAMEBUFFERSPROC, deleteFramebuffers, glDeleteFramebuffers) \
    F(PFNGLISFRAMEBUFFERPROC, isFramebuffer, glIsFramebuffer) \
    F(PFNGLGETFRAMEBUFFERATTACHMENTPARAMETERIVPROC, getFramebufferAttachmentParameteriv, glGetFramebufferAttachmentParameteriv) \
    F(PFNGLBINDRENDERBUFFERPROC, bindRenderbuffer, glBindRenderbuffer) \
    F(PFNGLGETRENDERBUFFERPARAMETERIVPROC, getRenderbufferParameteriv, glGetRenderbufferParameteriv) \
    F(PFNGLBINDFRAMEBUFFERPROC, bindFramebuffer, glBindFramebuffer) \
    F(PFNGLFRAMEBUFFERTEXTURE2DPROC, framebufferTexture2D, glFramebufferTexture2D) \
    F(PFNGLCHECKFRAMEBUFFERSTATUSPROC, checkFramebufferStatus, glCheckFramebufferStatus) \
    F(PFNGLINVALIDATEFRAMEBUFFERPROC, invalidateFramebuffer, glInvalidateFramebuffer) \
    F(PFNGLBLITFRAMEBUFFERPROC, blitFramebuffer, glBlitFramebuffer) \
    F(PFNGLREADPIXELSPROC, readPixels, glReadPixels) \
    F(PFNGLVIEWPORTPROC, viewport, glViewport) \
    F(PFNGLCLEARBUFFERFVPROC, clearBufferfv, glClearBufferfv) \
    F(PFNGLGENBUFFERSPROC, genBuffers, glGenBuffers) \
    F(PFNGLDELETEBUFFERSPROC, deleteBuffers, glDeleteBuffers) \
    F(PFNGLBINDBUFFERPROC, bindBuffer, glBindBuffer) \
    F(PFNGLBINDBUFFERRANGEPROC, bindBufferRange, glBindBufferRange) \
    F(PFNGLBINDBUFFERBASEPROC, bindBufferBase, glBindBufferBase) \
    F(PFNGLBUFFERDATAPROC, bufferData, glBufferData) \
    F(PFNGLMAPBUFFERRANGEPROC, mapBufferRange, glMapBufferRange) \
    F(PFNGLUNMAPBUFFERPROC, unmapBuffer, glUnmapBuffer) \
    F(PFNGLGENSAMPLERSPROC, genSamplers, glGenSamplers) \
    F(PFNGLDELETESAMPLERSPROC, deleteSamplers, glDeleteSamplers) \
    F(PFNGLSAMPLERPARAMETERIPROC, samplerParameteri, glSamplerParameteri) \
    F(PFNGLBINDSAMPLERPROC, bindSampler, glBindSampler) \
    F(PFNGLGENQUERIESPROC, genQueries, glGenQueries) \
    F(PFNGLDELETEQUERIESPROC, deleteQueries, glDeleteQueries) \
    F(PFNGLBEGINQUERYPROC, beginQuery, glBeginQuery) \
    F(PFNGLENDQUERYPROC, endQuery, glEndQuery) \
    F(PFNGLGETQUERYIVPROC, getQueryiv, glGetQueryiv) \
    F(PFNGLGETQUERYOBJECTUIVPROC, getQueryObjectuiv, glGetQueryObjectuiv) \
    F(PFNGLCREATESHADERPROC, createShader, glCreateShader) \
    F(PFNGLDELETESHADERPROC, deleteShader, glDeleteShader) \
    F(PFNGLSHADERSOURCEPROC, shaderSource, glShaderSource) \
    F(PFNGLCOMPILESHADERPROC, compileShader, glCompileShader) \
    F(PFNGLGETSHADERIVPROC, getShaderiv, glGetShaderiv) \
    F(PFNGLGETSHADERINFOLOGPROC, getShaderInfoLog, glGetShaderInfoLog) \
    F(PFNGLCREATEPROGRAMPROC, createProgram, glCreateProgram) \
    F(PFNGLDELETEPROGRAMPROC, deleteProgram, glDeleteProgram) \
    F(PFNGLATTACHSHADERPROC, attachShader, glAttachShader) \
    F(PFNGLDETACHSHADERPROC, detachShader, glDetachShader) \
    F(PFNGLLINKPROGRAMPROC, linkProgram, glLinkProgram) \
    F(PFNGLGETPROGRAMIVPROC, getProgramiv, glGetProgramiv) \
    F(PFNGLGETPROGRAMINFOLOGPROC, getProgramInfoLog, glGetProgramInfoLog) \
    F(PFNGLUSEPROGRAMPROC, useProgram, glUseProgram) \
    F(PFNGLGETUNIFORMLOCATIONPROC, getUniformLocation, glGetUniformLocation) \
    F(PFNGLGETUNIFORMBLOCKINDEXPROC, getUniformBlockIndex, glGetUniformBlockIndex) \
    F(PFNGLUNIFORMBLOCKBINDINGPROC, uniformBlockBinding, glUniformBlockBinding) \
    F(PFNGLPROGRAMPARAMETERIPROC, programParameteri, glProgramParameteri) \
    F(PFNGLGETPROGRAMBINARYPROC, getProgramBinary, glGetProgramBinary) \
    F(PFNGLPROGRAMBINARYPROC, programBinary, glProgramBinary) \
    F(PFNGLUNIFORM1IPROC, uniform1i, glUniform1i) \
    F(PFNGLUNIFORM1FPROC, uniform1f, glUniform1f) \
    F(PFNGLUNIFORM2IPROC, uniform2i, glUniform2i) \
    F(PFNGLUNIFORM4IPROC, uniform4i, glUniform4i) \
    F(PFNGLUNIFORM2FPROC, uniform2f, glUniform2f) \
    F(PFNGLUNIFORM4FPROC, uniform4f, glUniform4f) \
    F(PFNGLGENVERTEXARRAYSPROC, genVertexArrays, glGenVertexArrays) \
    F(PFNGLDELETEVERTEXARRAYSPROC, deleteVertexArrays, glDeleteVertexArrays) \
    F(PFNGLBINDVERTEXARRAYPROC, bindVertexArray, glBindVertexArray) \
    F(PFNGLDRAWARRAYSPROC, drawArrays, glDrawArrays) \
    F(PFNGLFENCESYNCPROC, fenceSync, glFenceSync) \
    F(PFNGLDELETESYNCPROC, deleteSync, glDeleteSync) \
    F(PFNGLCLIENTWAITSYNCPROC, clientWaitSync, glClientWaitSync)

#define FROST_GL_FIELD(type, field, name) type _Nonnull field;
#define FROST_GL_NAME(type, field, name) #name,

// The addresses of the functions, in the order of their names.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"
struct frost_gl_functions {
    FROST_GL_FUNCTIONS(FROST_GL_FIELD)
} __attribute__((swift_attr("safe")));
#pragma clang diagnostic pop

static const int frost_gl_function_count = sizeof(struct frost_gl_functions) / sizeof(void *);

static inline const char *_Nonnull frost_gl_function_name(int index) {
    static const char *const names[] = {FROST_GL_FUNCTIONS(FROST_GL_NAME)};
    return names[index];
}
