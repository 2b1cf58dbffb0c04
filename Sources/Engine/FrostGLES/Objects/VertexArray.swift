import CGLES

/// The vertex state of draws that use only gl_VertexID and no vertex attributes. Some drivers of ES 3 require a vertex array
/// for such draws.
package struct VertexArray: ~Copyable {
    private let object: OwnedObject
    var name: GLuint { object.name }

    /// Creates a vertex array without attributes.
    package init(in current: borrowing CurrentContext) throws(GLError) {
        object = unsafe OwnedObject(.vertexArray, by: current.gl.genVertexArrays, in: current)
        // Without a name, draws would use the context's default vertex array, which desktop OpenGL refuses.
        try current.checkErrors(after: "glGenVertexArrays")
    }
}

extension CurrentContext {
    /// Draws all pixels of a rectangle of the framebuffer. The viewport is set to this rectangle. The vertex shader
    /// uses gl_VertexID to place a single triangle that covers the whole viewport. The draw uses the current program,
    /// textures and uniforms.
    package func drawTriangle(
        columns: Range<Int>, rows: Range<Int>, _ vertexArray: borrowing VertexArray
    ) throws(GLError) {
        gl.viewport(
            GLint(columns.lowerBound), GLint(rows.lowerBound), GLsizei(columns.count), GLsizei(rows.count))
        if context.mayDrawIntoHost { try checkErrors(after: "glViewport") }
        gl.bindVertexArray(vertexArray.name)
        gl.drawArrays(GL.triangles, 0, 3)
        keepFence()
        try check("glDrawArrays")
    }
}
