package import CEGL
import Glibc
import Synchronization

/// libEGL, opened at run time, and the displays opened through it.
///
/// A missing library is an error with a reason, so a program that uses Frost starts on a machine without EGL.
///
/// Thread-safety: may be used from any thread.
// SAFETY: all stored properties are constants; the addresses in them may be called from any thread, by EGL's rules.
@safe public final class EGLLibrary: @unchecked Sendable {
    /// The name that the loader was given.
    public let name: String
    let egl: EGLFunctions
    /// The extensions that need no display.
    package let clientExtensions: Set<String>
    let displays = Mutex<[DisplayKey: EGLDisplayHandle]>([:])
    private let getProcAddress: PFNEGLGETPROCADDRESSPROC
    private let library: DynamicLibrary

    /// The name under which a GLVND loader or a single driver is installed.
    public static let defaultName = "libEGL.so.1"

    /// EGL_VERSION of the loader: "1.5 libglvnd"; nil if EGL 1.4 has no answer.
    package var clientVersion: String? {
        // SAFETY: EGL_NO_DISPLAY asks for the client's version; the string is the library's and is copied.
        unsafe egl.queryString(nil, EGL_VERSION).map { unsafe String(cString: $0) }
    }

    /// Why a library cannot be opened, in the loader's words; nil if it can, and then it stays open.
    package static func obstacle(toOpening name: String) -> String? {
        do throws(GLError) { _ = try DynamicLibrary(name) } catch {
            if case .libraryMissing(_, let reason) = error { return reason }
            return error.description
        }
        return nil
    }

    private static let opened = Mutex<[String: EGLLibrary]>([:])

    /// Opens the library, or returns it if it is open: displays belong to the process, not to their user.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, or ``GLError/unsupported(_:)`` for a library that is not
    ///   EGL.
    public static func open(_ name: String = defaultName) throws(GLError) -> EGLLibrary {
        try opened.withLock { (opened) throws(GLError) in
            if let library = opened[name] { return library }
            let library = try EGLLibrary(name)
            opened[name] = library
            return library
        }
    }

    /// For tests: replaces the library's functions by others, under a name that no loader knows.
    package static func register(_ name: String, _ getProcAddress: PFNEGLGETPROCADDRESSPROC) throws(GLError) {
        let library = try unsafe EGLLibrary(name, of: DynamicLibrary(defaultName), getProcAddress)
        opened.withLock { $0[name] = library }
    }

    private convenience init(_ name: String) throws(GLError) {
        let library = try DynamicLibrary(name)
        try unsafe self.init(name, of: library, library.function("eglGetProcAddress"))
    }

    private init(
        _ name: String, of library: DynamicLibrary, _ getProcAddress: PFNEGLGETPROCADDRESSPROC
    ) throws(GLError) {
        self.name = name
        self.library = library
        unsafe self.getProcAddress = unsafe getProcAddress
        egl = try unsafe EGLFunctions(library: library, getProcAddress: getProcAddress)
        // SAFETY: EGL_NO_DISPLAY asks for the client's extensions; an EGL 1.4 without them answers NULL.
        clientExtensions = unsafe Self.words(egl.queryString(nil, EGL_EXTENSIONS))
    }

    /// The context that is current on the calling thread, and its display.
    func current() throws(GLError) -> (EGLDisplayHandle, EGLContext) {
        // SAFETY: both functions only answer; a display with a current context is initialised.
        guard let context = unsafe egl.getCurrentContext(), let display = unsafe egl.getCurrentDisplay() else {
            throw .notCurrent("no EGL context is current on this thread")
        }
        return unsafe (handle(of: display), context)
    }

    /// The GL or EGL function of that name. `Function` has to be the type its header declares.
    func function<Function>(_ name: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
        guard let function: Function = optionalFunction(name) else { throw .unsupported(name) }
        return function
    }

    /// As ``function(_:as:)``, nil if the driver has none. GLVND returns an address for every name that looks like
    /// GL's, so ask only for what a version or an extension promises.
    func optionalFunction<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
        // SAFETY: as in DynamicLibrary.function: the caller names the header's type.
        unsafe getProcAddress(name).map { unsafe unsafeBitCast($0, to: type) }
    }

    /// The blank-separated words of a C string, none for NULL.
    static func words(_ text: UnsafePointer<CChar>?) -> Set<String> {
        // SAFETY: EGL's query functions return NUL-terminated strings that outlive this call, or NULL.
        guard let text = unsafe text.map({ unsafe String(cString: $0) }) else { return [] }
        return Set(text.split(separator: " ").map(String.init))
    }
}

/// The EGL functions that Frost calls.
// SAFETY: the struct only stores addresses; each call through them is marked and argued where it is made.
@safe struct EGLFunctions {
    let getError: PFNEGLGETERRORPROC
    let queryString: PFNEGLQUERYSTRINGPROC
    let initialize: PFNEGLINITIALIZEPROC
    let bindAPI: PFNEGLBINDAPIPROC
    let chooseConfig: PFNEGLCHOOSECONFIGPROC
    let createContext: PFNEGLCREATECONTEXTPROC
    let destroyContext: PFNEGLDESTROYCONTEXTPROC
    let createPbufferSurface: PFNEGLCREATEPBUFFERSURFACEPROC
    let destroySurface: PFNEGLDESTROYSURFACEPROC
    let makeCurrent: PFNEGLMAKECURRENTPROC
    let getCurrentContext: PFNEGLGETCURRENTCONTEXTPROC
    let getCurrentDisplay: PFNEGLGETCURRENTDISPLAYPROC
    let getCurrentSurface: PFNEGLGETCURRENTSURFACEPROC
    let querySurface: PFNEGLQUERYSURFACEPROC
    let releaseThread: PFNEGLRELEASETHREADPROC
    /// Absent without EGL_EXT_platform_base.
    let getPlatformDisplay: PFNEGLGETPLATFORMDISPLAYEXTPROC?
    /// Absent without EGL_EXT_device_enumeration or EGL_EXT_device_base.
    let queryDevices: PFNEGLQUERYDEVICESEXTPROC?
    let queryDeviceString: PFNEGLQUERYDEVICESTRINGEXTPROC?

    init(library: DynamicLibrary, getProcAddress: PFNEGLGETPROCADDRESSPROC) throws(GLError) {
        func optional<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
            // SAFETY: the type is the one the header declares for this name.
            unsafe getProcAddress(name).map { unsafe unsafeBitCast($0, to: type) }
        }
        // EGL 1.4 without EGL_KHR_get_all_proc_addresses answers for extensions only; the library exports the rest.
        func core<Function>(_ name: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
            if let function: Function = optional(name) { return function }
            return try library.function(name)
        }
        getError = try core("eglGetError")
        unsafe queryString = try unsafe core("eglQueryString")
        unsafe initialize = try unsafe core("eglInitialize")
        bindAPI = try core("eglBindAPI")
        unsafe chooseConfig = try unsafe core("eglChooseConfig")
        unsafe createContext = try unsafe core("eglCreateContext")
        unsafe destroyContext = try unsafe core("eglDestroyContext")
        unsafe createPbufferSurface = try unsafe core("eglCreatePbufferSurface")
        unsafe destroySurface = try unsafe core("eglDestroySurface")
        unsafe makeCurrent = try unsafe core("eglMakeCurrent")
        unsafe getCurrentContext = try unsafe core("eglGetCurrentContext")
        unsafe getCurrentDisplay = try unsafe core("eglGetCurrentDisplay")
        unsafe getCurrentSurface = try unsafe core("eglGetCurrentSurface")
        unsafe querySurface = try unsafe core("eglQuerySurface")
        releaseThread = try core("eglReleaseThread")
        unsafe getPlatformDisplay = unsafe optional("eglGetPlatformDisplayEXT")
        unsafe queryDevices = unsafe optional("eglQueryDevicesEXT")
        unsafe queryDeviceString = unsafe optional("eglQueryDeviceStringEXT")
    }
}
