import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Replaces everything on the GPU after an error of the GL. A call that failed may have left any object incomplete.
    /// For example, if a framebuffer could not be bound, the next call attached its texture to another framebuffer.
    /// Later work must not use such objects.
    func forgetObjects(in gl: borrowing CurrentContext) {
        dropIdleObjects()
        programs = programs.emptied()
        uniforms = UniformBuffers()
        hostFramebuffer = nil
        stopwatches.forgetTimers()
        generation += 1
        gl.discardErrors()
        // If no vertex array can be created either, the next execution reports its own error.
        if let new = try? VertexArray(in: gl) { vertexArray = new }
        gl.collectGarbage()
    }

    /// Releases the idle targets, the buffers, the mask and the content.
    private func dropIdleObjects() {
        mask = nil
        (content, boundContent) = (nil, nil)
        pool.trim(to: 0)
        buffers.trim(to: 0)
        uploads = nil
        readbacks = nil
    }

    /// Deletes the idle targets, the buffers, the mask and the content, and waits until the GPU no longer uses them, but
    /// at most for a second.
    ///
    /// - Returns: the number of bytes that were freed.
    func trim(in gl: borrowing CurrentContext) throws(GPUError) -> Int {
        let before = gl.objectCounts.bytes
        dropIdleObjects()
        gl.collectGarbage()
        let freed = before - gl.objectCounts.bytes
        try fromGL { () throws(GLError) in
            if freed > 0 { try replaceLastDraw(in: gl) }
            // Also returns what was still in use at an earlier call.
            try gl.returnMemory()
        }
        totals.trimmedBytes += freed
        return freed
    }

    /// Draws and stores into textures of a single texel, and reads no texture. Drivers keep the target and the textures of
    /// the last draw and of the last dispatch, also if they were deleted, until the next ones use others.
    private func replaceLastDraw(in gl: borrowing CurrentContext) throws(GLError) {
        let sources =
            [ProgramSource.black(.fragment)] + (storableFormats.isEmpty ? [] : [ProgramSource.black(.compute)])
        for source in sources {
            let program = try Program(source, in: gl)
            try program.use(in: gl)
            for _ in 0..<2 {
                let texture = try Texture(.rgba8, width: 1, height: 1, in: gl)
                switch source.stage {
                case .fragment:
                    let framebuffer = try Framebuffer(texture, in: gl)
                    try gl.beginDrawing(into: framebuffer)
                    try gl.drawTriangle(columns: 0..<1, rows: 0..<1, vertexArray)
                case .compute:
                    try gl.beginStoring(into: texture)
                    try gl.dispatch(columns: 1, rows: 1)
                }
            }
        }
        try gl.checkErrors(after: "drawing one texel")
    }
}

extension Program {
    /// Compiles and links a program of Frost.
    init(_ source: ShaderSource, in gl: borrowing CurrentContext) throws(GLError) {
        switch source.stage {
        case .fragment: try self.init(vertex: ProgramSource.vertex, fragment: source.text, in: gl)
        case .compute: try self.init(compute: source.text, in: gl)
        }
    }
}
