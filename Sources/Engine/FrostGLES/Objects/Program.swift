import CGLES

/// A linked GL program: a vertex shader and a fragment shader, or a compute shader.
package struct Program: ~Copyable {
    /// The location of a uniform. A uniform that the linker removed because it is unused also has a `Uniform` value; GL
    /// ignores numbers that are set for such a uniform.
    package struct Uniform: Sendable, Hashable {
        let location: GLint

        /// Whether the program uses the uniform.
        package var exists: Bool { location >= 0 }
    }

    let object: OwnedObject
    var name: GLuint { object.name }

    /// Compiles and links complete shader sources in GLSL ES 3.00, which include `#version`. Contexts of desktop OpenGL
    /// compile them as GLSL 3.30, which has everything that Frost's shaders use, and ignores precisions.
    ///
    /// - Throws: ``GLError/shaderCompilation(stage:log:)`` and ``GLError/link(log:)`` with the driver's log.
    package init(vertex: String, fragment: String, in current: borrowing CurrentContext) throws(GLError) {
        try self.init([(vertex, GL.vertexShader, "vertex"), (fragment, GL.fragmentShader, "fragment")], in: current)
    }

    /// Compiles and links the complete source of a compute shader in GLSL ES 3.10, which contexts of desktop OpenGL
    /// compile as GLSL 4.30.
    ///
    /// - Throws: the errors of ``init(vertex:fragment:in:)``.
    package init(compute: String, in current: borrowing CurrentContext) throws(GLError) {
        try self.init([(compute, GLenum(GL_COMPUTE_SHADER), "compute")], in: current)
    }

    private init(
        _ sources: [(text: String, type: GLenum, stage: String)], in current: borrowing CurrentContext
    ) throws(GLError) {
        let gl = current.gl
        try current.checkPending()
        var shaders: [GLuint] = []
        defer { for shader in shaders { gl.deleteShader(shader) } }
        for source in sources { shaders.append(try Self.compile(source.text, source.type, source.stage, current)) }
        let object = OwnedObject(.program, UInt(gl.createProgram()), in: current)
        let name = object.name
        for shader in shaders { gl.attachShader(name, shader) }
        // Without this hint some drivers keep no binary for ``binary(in:)``.
        if !current.limits.programBinaryFormats.isEmpty {
            gl.programParameteri(name, GL.programBinaryRetrievableHint, GLint(GL_TRUE))
        }
        gl.linkProgram(name)
        for shader in shaders { gl.detachShader(name, shader) }
        try Self.checkLinked(name, current)
        try current.checkErrors(after: "glLinkProgram")
        self.object = object
    }

    /// Throws if a program could not be linked or loaded.
    static func checkLinked(_ name: GLuint, _ current: borrowing CurrentContext) throws(GLError) {
        let gl = current.gl
        var linked: GLint = 0
        // SAFETY: the queried parameter has one value.
        unsafe gl.getProgramiv(name, GL.linkStatus, &linked)
        guard linked == 0 else { return }
        let log = unsafe Self.log(of: name, gl.getProgramiv, gl.getProgramInfoLog)
        current.context.drainErrors()
        throw .link(log: log)
    }

    /// Returns a shader of GLSL ES 3.00 as one of GLSL 3.30, or of GLSL ES 3.10 as one of GLSL 4.30, which has the formats
    /// of GL_NV_image_formats.
    static func desktop(_ source: String) -> String {
        for (version, desktop) in [("#version 300 es\n", "#version 330\n"), ("#version 310 es\n", "#version 430\n")]
        where source.hasPrefix(version) {
            let formats = "#extension GL_NV_image_formats : require\n"
            let rest = source.dropFirst(version.count)
            return desktop + (rest.hasPrefix(formats) ? rest.dropFirst(formats.count) : rest)
        }
        preconditionFailure("a shader in another language")
    }

    private static func compile(
        _ source: String, _ type: GLenum, _ stage: String, _ current: borrowing CurrentContext
    ) throws(GLError) -> GLuint {
        let gl = current.gl
        let shader = gl.createShader(type)
        let source = current.isDesktop ? Self.desktop(source) : source
        unsafe source.withCString { text in
            var text: UnsafePointer<CChar>? = unsafe text
            // SAFETY: one string that ends in NUL is passed, and GL copies it.
            unsafe gl.shaderSource(shader, 1, &text, nil)
        }
        gl.compileShader(shader)
        var compiled: GLint = 0
        // SAFETY: the queried parameter has one value.
        unsafe gl.getShaderiv(shader, GL.compileStatus, &compiled)
        guard compiled != 0 else {
            let log = unsafe Self.log(of: shader, gl.getShaderiv, gl.getShaderInfoLog)
            gl.deleteShader(shader)
            try current.checkReset()
            current.context.drainErrors()
            throw .shaderCompilation(stage: stage, log: log)
        }
        return shader
    }

    private static func log(
        of name: GLuint, _ getValue: PFNGLGETSHADERIVPROC, _ getLog: PFNGLGETSHADERINFOLOGPROC
    ) -> String {
        var length: GLint = 0
        // SAFETY: the queried parameter has one value.
        unsafe getValue(name, GL.infoLogLength, &length)
        guard length > 0 else { return "the driver gave no reason" }
        var text = [CChar](repeating: 0, count: Int(length))
        var written: GLsizei = 0
        // SAFETY: the array has as many bytes as GL is told.
        unsafe getLog(name, length, &written, &text)
        return String(decoding: text.prefix(Int(written)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the location of a uniform, by its name in the source.
    package func uniform(_ uniform: String, in current: borrowing CurrentContext) -> Uniform {
        // SAFETY: GL reads a NUL-terminated name.
        Uniform(location: unsafe current.gl.getUniformLocation(name, uniform))
    }

    /// Assigns a uniform block to a binding point.
    package func bindBlock(_ block: String, binding: Int, in current: borrowing CurrentContext) throws(GLError) {
        // SAFETY: GL reads a NUL-terminated name.
        let index = unsafe current.gl.getUniformBlockIndex(name, block)
        guard index != GLuint(GL_INVALID_INDEX) else { throw .link(log: "no uniform block \(block)") }
        current.gl.uniformBlockBinding(name, index, GLuint(binding))
        try current.check("glUniformBlockBinding")
    }

    /// Makes this program current. Later calls of `set` and later draws use this program.
    package func use(in current: borrowing CurrentContext) throws(GLError) {
        current.gl.useProgram(name)
        try current.check("glUseProgram")
    }

    /// Sets an int or sampler uniform of the current program.
    package func set(_ uniform: Uniform, _ value: Int32, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.uniform1i(uniform.location, value)
        try current.check("glUniform1i")
    }

    /// Sets a float uniform of the current program.
    package func set(_ uniform: Uniform, float value: Float, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.uniform1f(uniform.location, value)
        try current.check("glUniform1f")
    }

    /// Sets a vec2 uniform of the current program.
    package func set(_ uniform: Uniform, floats value: SIMD2<Float>, in current: borrowing CurrentContext)
        throws(GLError)
    {
        current.gl.uniform2f(uniform.location, value.x, value.y)
        try current.check("glUniform2f")
    }

    /// Sets a vec4 uniform of the current program.
    package func set(_ uniform: Uniform, floats value: SIMD4<Float>, in current: borrowing CurrentContext)
        throws(GLError)
    {
        current.gl.uniform4f(uniform.location, value.x, value.y, value.z, value.w)
        try current.check("glUniform4f")
    }

    /// Sets an ivec2 uniform of the current program.
    package func set(_ uniform: Uniform, _ value: SIMD2<Int32>, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.uniform2i(uniform.location, value.x, value.y)
        try current.check("glUniform2i")
    }

    /// Sets an ivec4 uniform of the current program.
    package func set(_ uniform: Uniform, _ value: SIMD4<Int32>, in current: borrowing CurrentContext) throws(GLError) {
        current.gl.uniform4i(uniform.location, value.x, value.y, value.z, value.w)
        try current.check("glUniform4i")
    }
}
