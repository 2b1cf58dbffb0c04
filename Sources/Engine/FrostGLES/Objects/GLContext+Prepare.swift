import CGLES

extension GLContext {
    /// Sets the GL state that Frost needs in a new context, and finds the formats that can be rendered to.
    ///
    /// - Throws: an error of the GL, ``GLError/outOfMemory(_:)`` or ``GLError/contextLost(reason:)``.
    func prepare() throws(GLError) {
        // Dithering is on by default, and would change the quantised output.
        gl.disable(GL.dither)
        // The test of the formats creates render targets, which are deleted here, also after an error.
        defer { collectGarbage() }
        gl.pixelStorei(GL.packAlignment, 1)
        gl.pixelStorei(GL.unpackAlignment, 1)
        try CurrentContext(self).checkErrors(after: "preparing a context")
        for format in TextureFormat.allCases where try isRenderable(format) { limits.renderableFormats.insert(format) }
    }

    /// Whether a small render target of the format can be created. This has to be tried, because some drivers list
    /// extensions that do not work.
    ///
    /// - Throws: errors that do not concern the format.
    private func isRenderable(_ format: TextureFormat) throws(GLError) -> Bool {
        // OpenGL 3.3 can render to all formats.
        if !isDesktop, let needed = format.neededExtension, !extensions.contains(needed) { return false }
        let current = CurrentContext(self)
        defer { drainErrors() }
        do throws(GLError) {
            let texture = try Texture(format, width: 4, height: 4, in: current)
            let framebuffer = try Framebuffer(texture, in: current)
            try current.checkErrors(after: "making a framebuffer")
            return framebuffer.width == 4
        } catch {
            switch error {
            case .contextLost, .outOfMemory, .timeout, .driverBlocked: throw error
            case .callFailed, .framebufferIncomplete, .tooLarge, .unsupported: return false
            case .libraryMissing, .noDevice, .displayFailed, .contextFailed, .notCurrent, .shaderCompilation, .link,
                .dmaBuffer, .noThread, .forked:
                throw error
            }
        }
    }
}
