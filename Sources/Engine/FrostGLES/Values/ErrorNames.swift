import CEGL
import CGLES

/// Names of the error codes of EGL and GL. The codes of EGL and the codes of GL do not overlap.
enum ErrorNames {
    private static let known: [UInt32: String] = [
        GL.invalidEnum: "GL_INVALID_ENUM",
        GL.invalidValue: "GL_INVALID_VALUE",
        GL.invalidOperation: "GL_INVALID_OPERATION",
        GL.invalidFramebufferOperation: "GL_INVALID_FRAMEBUFFER_OPERATION",
        GL.outOfMemory: "GL_OUT_OF_MEMORY",
        GL.contextLost: "GL_CONTEXT_LOST",
        GLenum(GL_GUILTY_CONTEXT_RESET): "GL_GUILTY_CONTEXT_RESET",
        GLenum(GL_INNOCENT_CONTEXT_RESET): "GL_INNOCENT_CONTEXT_RESET",
        GLenum(GL_UNKNOWN_CONTEXT_RESET): "GL_UNKNOWN_CONTEXT_RESET",
        GLenum(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT): "GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT",
        GLenum(GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT): "GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT",
        GLenum(GL_FRAMEBUFFER_UNSUPPORTED): "GL_FRAMEBUFFER_UNSUPPORTED",
        UInt32(EGL_NOT_INITIALIZED): "EGL_NOT_INITIALIZED",
        UInt32(EGL_BAD_ACCESS): "EGL_BAD_ACCESS",
        UInt32(EGL_BAD_ALLOC): "EGL_BAD_ALLOC",
        UInt32(EGL_BAD_ATTRIBUTE): "EGL_BAD_ATTRIBUTE",
        UInt32(EGL_BAD_CONFIG): "EGL_BAD_CONFIG",
        UInt32(EGL_BAD_CONTEXT): "EGL_BAD_CONTEXT",
        UInt32(EGL_BAD_DISPLAY): "EGL_BAD_DISPLAY",
        UInt32(EGL_BAD_MATCH): "EGL_BAD_MATCH",
        UInt32(EGL_BAD_PARAMETER): "EGL_BAD_PARAMETER",
        UInt32(EGL_BAD_SURFACE): "EGL_BAD_SURFACE",
        UInt32(EGL_BAD_NATIVE_PIXMAP): "EGL_BAD_NATIVE_PIXMAP",
        UInt32(EGL_CONTEXT_LOST): "EGL_CONTEXT_LOST",
        UInt32(EGL_SUCCESS): "EGL_SUCCESS",
    ]

    static func name(of code: UInt32) -> String {
        let hex = "0x" + String(code, radix: 16)
        return known[code].map { "\($0) (\(hex))" } ?? hex
    }
}
