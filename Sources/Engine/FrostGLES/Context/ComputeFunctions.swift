import CGLES

/// The functions of compute shaders, which OpenGL ES has since version 3.1 and desktop OpenGL since version 4.3.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe struct ComputeFunctions {
    let dispatchCompute: PFNGLDISPATCHCOMPUTEPROC
    let memoryBarrier: PFNGLMEMORYBARRIERPROC
    let bindImageTexture: PFNGLBINDIMAGETEXTUREPROC
    /// The width and height of a work group.
    let group: SIMD2<Int32>

    /// Loads the functions. Returns nil if one of them is missing. The context must be current.
    init?(from driver: Driver, _ gl: GLFunctions) {
        guard let dispatchCompute: PFNGLDISPATCHCOMPUTEPROC = driver.optionalFunction("glDispatchCompute"),
            let memoryBarrier: PFNGLMEMORYBARRIERPROC = driver.optionalFunction("glMemoryBarrier"),
            let bindImageTexture: PFNGLBINDIMAGETEXTUREPROC = driver.optionalFunction("glBindImageTexture")
        else { return nil }
        self.dispatchCompute = dispatchCompute
        self.memoryBarrier = memoryBarrier
        self.bindImageTexture = bindImageTexture
        // Squares share most texels between neighbours, and store whole blocks of the texture. Groups of 16 x 16 copy 2.5
        // times as fast as groups of 8 x 8 on an H200. OpenGL ES guarantees groups of 128.
        let limit = gl.integer(GLenum(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS))
        group = limit >= 256 ? SIMD2(16, 16) : SIMD2(16, 8)
    }
}

/// Commands that read or write what compute shaders have stored before.
package struct AfterStores: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Shaders fetch the stored texels.
    package static let fetches = AfterStores(rawValue: GLbitfield(GL_TEXTURE_FETCH_BARRIER_BIT))
    /// Shaders store to the same texture again.
    package static let stores = AfterStores(rawValue: GLbitfield(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT))
    /// Any command.
    package static let everything = AfterStores(rawValue: GLbitfield(GL_ALL_BARRIER_BITS))
}

extension CurrentContext {
    /// Lets the current program, a compute shader, store to a texture through image unit 0.
    package func beginStoring(into texture: borrowing Texture) throws(GLError) {
        try beginStoring(into: texture.name, texture.format)
    }

    /// Lets the current program store to the first level of a texture of the host, which must have the given format.
    package func beginStoring(into texture: UInt32, _ format: TextureFormat) throws(GLError) {
        guard let compute = context.compute else { throw .unsupported("glBindImageTexture") }
        compute.bindImageTexture(0, texture, 0, 0, 0, GLenum(GL_WRITE_ONLY), format.internalFormat)
        // If the call failed, the dispatch would store to another texture, which may be the host's.
        if context.mayDrawIntoHost { try checkErrors(after: "glBindImageTexture") }
        try check("glBindImageTexture")
    }

    /// Runs the current program, a compute shader, for a number of columns and rows, in whole groups.
    package func dispatch(columns: Int, rows: Int) throws(GLError) {
        guard let compute = context.compute else { throw .unsupported("glDispatchCompute") }
        let (width, height) = (Int(compute.group.x), Int(compute.group.y))
        compute.dispatchCompute(GLuint((columns + width - 1) / width), GLuint((rows + height - 1) / height), 1)
        try check("glDispatchCompute")
    }

    /// Orders the stores of earlier dispatches before commands that follow.
    package func orderStores(before commands: AfterStores) throws(GLError) {
        context.compute?.memoryBarrier(commands.rawValue)
        try check("glMemoryBarrier")
    }
}
