extension GLThread {
    /// Opens a device by one of its device nodes, through GBM. The node may be a primary node ("/dev/dri/card0"), which
    /// ``DeviceSelector`` ignores. Buffers of a ``DMABufferAllocator`` on the same node then belong to this device.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, ``GLError/unsupported(_:)`` if EGL does not have the GBM
    ///   platform, ``GLError/displayFailed(device:_:)`` or ``GLError/contextFailed(device:_:)``.
    package static func open(node: String, options: ContextOptions = ContextOptions()) throws(GLError) -> GLThread {
        let library = try EGLLibrary.open(options.libraryName)
        guard !library.clientExtensions.isDisjoint(with: DisplayPlatform.gbm.extensions) else {
            throw .unsupported("EGL_KHR_platform_gbm")
        }
        let candidates = try DisplayCandidate.all(in: library, options)
        let path = DeviceFiles.realPath(node) ?? node
        let known = candidates.first { $0.platform == .gbm && $0.renderNode == path }
        let other = unsafe DisplayCandidate(
            index: candidates.count, platform: .gbm, device: nil, renderNode: path,
            pciPath: DeviceFiles.pciPath(of: path), saysSoftware: false)
        return try GLThread(candidate: known ?? other, library: library, options: options)
    }
}
