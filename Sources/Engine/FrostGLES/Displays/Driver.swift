import CDriverWatch

/// The functions of an EGL library as one thread calls them: directly in the context of an embedding program, and watched
/// on a thread of Frost.
// SAFETY: the addresses are constants. Each call through them has its own safety comment.
@safe struct Driver: @unchecked Sendable {
    let library: EGLLibrary
    let egl: EGLFunctions
    /// The watch of the only thread that may call the functions; nil if any thread may.
    private let watch: DriverWatch?

    /// Creates a driver whose functions any thread may call.
    init(_ library: EGLLibrary) {
        self.library = library
        egl = library.egl
        watch = nil
    }

    /// Creates a driver whose functions only the thread of `watch` calls.
    init(_ library: EGLLibrary, watchedBy watch: DriverWatch) throws(GLError) {
        self.library = library
        self.watch = watch
        egl = try library.functions(watchedBy: watch)
    }

    /// Makes the calls of this thread and those of other threads with software GL take turns. llvmpipe (Mesa 22.3) does not
    /// support contexts that draw at the same time: before it reads or changes a texture, it looks for the texture in the
    /// unfinished draws of all contexts, without a lock. Its rasteriser has threads of its own, which work on.
    func takeTurns() { watch?.takeTurns() }

    /// Returns the GL or EGL function of a name. `Function` must be the type that the header declares.
    func function<Function>(_ name: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
        guard let function: Function = optionalFunction(name) else { throw .unsupported(name) }
        return function
    }

    /// Returns the GL or EGL function of a name; nil if the driver does not have it. GLVND returns an address for every name
    /// that looks like a GL function. Therefore use this method only for functions that a version or an extension
    /// guarantees.
    func optionalFunction<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
        // SAFETY: the caller passes the type that the header declares for this name.
        library.address(of: name).map { unsafe unsafeBitCast(watch?.wrapper(name, $0) ?? $0, to: type) }
    }

    /// Returns the details of a failed call, including the EGL error code of this thread.
    func evidence(_ call: String) -> GLEvidence {
        GLEvidence(call: call, code: UInt32(bitPattern: egl.getError()))
    }
}
