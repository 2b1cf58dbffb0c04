package import CEGL
import FrostCore
import FrostThreads
import Glibc
import Synchronization

/// The library libEGL, which is opened at run time, and the displays that were opened through this library.
///
/// If the library is missing, opening it throws an error that contains the reason. A program that uses Frost therefore
/// starts on a machine without EGL too.
///
/// Thread-safety: may be used from any thread.
// SAFETY: all stored properties are constants. EGL allows calls to the stored addresses from any thread.
@safe public final class EGLLibrary: @unchecked Sendable {
    /// The library name that was passed to the dynamic loader.
    public let name: String
    let egl: EGLFunctions
    /// The EGL client extensions, which need no display.
    package let clientExtensions: Set<String>
    let displays = Mutex<[DisplayKey: EGLDisplayHandle]>([:])
    /// The threads that were abandoned inside a driver call.
    private let abandoned = Mutex<[DriverWatch]>([])
    private let getProcAddress: PFNEGLGETPROCADDRESSPROC
    private let library: SharedLibrary

    /// The usual file name of the library. The loader of GLVND is installed under this name, or, without GLVND, the EGL
    /// library of the only driver.
    public static let defaultName = "libEGL.so.1"

    /// EGL_VERSION of the client library, for example "1.5 libglvnd"; nil if the library is EGL 1.4 and does not report its
    /// version.
    package var clientVersion: String? {
        // SAFETY: with EGL_NO_DISPLAY, EGL returns the client's version. The library owns the string, which is copied.
        unsafe egl.queryString(nil, EGL_VERSION).map { unsafe String(cString: $0) }
    }

    /// Returns the dynamic loader's reason why a library cannot be opened. Returns nil if the library can be opened; the
    /// library then stays open.
    package static func obstacle(toOpening name: String) -> String? {
        do throws(GLError) { _ = try SharedLibrary.open(name) } catch {
            if case .libraryMissing(_, let reason) = error { return reason }
            return error.description
        }
        return nil
    }

    /// Whether a driver call of an abandoned thread has not returned. The exit handlers of the driver could then wait
    /// for ever.
    package static var isBlocked: Bool {
        opened.withLock { libraries in libraries.values.contains { (try? $0.checkNotBlocked()) == nil } }
    }

    /// The process that used EGL first; nil if none has. Drivers have threads and locks, which do not work in a child.
    private static let firstUse = Lock<ForkGeneration?>(nil)

    /// Whether a parent of this process has used EGL, so that this process cannot.
    package static var isForked: Bool { firstUse.withLock { $0?.isCurrent == false } }

    private static func checkProcess() throws(GLError) {
        let isOwn = firstUse.withLock { firstUse in
            let generation = firstUse ?? .current
            firstUse = generation
            return generation.isCurrent
        }
        guard isOwn else { throw .forked }
    }

    private static let opened = Mutex<[String: EGLLibrary]>([:])

    /// Opens the library, or returns it if it is already open. Displays belong to the process, so all users of the library
    /// share the displays.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, ``GLError/unsupported(_:)`` for a library that is not EGL, or
    ///   ``GLError/forked``.
    public static func open(_ name: String = defaultName) throws(GLError) -> EGLLibrary {
        try checkProcess()
        return try opened.withLock { (opened) throws(GLError) in
            if let library = opened[name] { return library }
            let library = try EGLLibrary(name)
            opened[name] = library
            return library
        }
    }

    /// Registers a library for tests, under a name that the dynamic loader cannot find. Its functions come from the given
    /// `getProcAddress`.
    package static func register(_ name: String, _ getProcAddress: PFNEGLGETPROCADDRESSPROC) throws(GLError) {
        try checkProcess()
        let library = try unsafe EGLLibrary(name, of: SharedLibrary.open(defaultName), getProcAddress)
        opened.withLock { $0[name] = library }
    }

    private convenience init(_ name: String) throws(GLError) {
        let library = try SharedLibrary.open(name)
        try unsafe self.init(name, of: library, library.function("eglGetProcAddress"))
    }

    private init(
        _ name: String, of library: SharedLibrary, _ getProcAddress: PFNEGLGETPROCADDRESSPROC
    ) throws(GLError) {
        self.name = name
        self.library = library
        unsafe self.getProcAddress = unsafe getProcAddress
        egl = try unsafe EGLFunctions(library: library, getProcAddress: getProcAddress, watch: nil)
        // SAFETY: with EGL_NO_DISPLAY, EGL returns the client's extensions. EGL 1.4 without client extensions returns NULL.
        clientExtensions = unsafe Self.words(egl.queryString(nil, EGL_EXTENSIONS))
    }

    /// Adds a thread that was abandoned.
    func add(_ watch: DriverWatch) { abandoned.withLock { $0.append(watch) } }

    /// Throws ``GLError/driverBlocked(call:seconds:)`` if a call of an abandoned thread has not returned yet. Other calls
    /// would probably wait for a lock that the call holds.
    func checkNotBlocked() throws(GLError) {
        let blocked = abandoned.withLock { watches in
            watches.removeAll { $0.hasReturned }
            return watches.first?.blocked
        }
        if let blocked { throw blocked.error }
    }

    /// Returns the context that is current on the calling thread, and its display.
    func current() throws(GLError) -> (EGLDisplayHandle, EGLContext) {
        // SAFETY: both functions only return state. The display has a current context, so it is initialised already.
        guard let context = unsafe egl.getCurrentContext(), let display = unsafe egl.getCurrentDisplay() else {
            throw .notCurrent("no EGL context is current on this thread")
        }
        return unsafe (EGLDisplayHandle(display, egl), context)
    }

    /// Returns the address of a GL or EGL function; nil if the library does not know the name.
    func address(of name: String) -> (@convention(c) () -> Void)? { unsafe getProcAddress(name) }

    /// Returns EGL's functions for a thread that is watched.
    func functions(watchedBy watch: DriverWatch) throws(GLError) -> EGLFunctions {
        try unsafe EGLFunctions(library: library, getProcAddress: getProcAddress, watch: watch)
    }

    /// Returns the space-separated words of a C string; an empty set for NULL.
    static func words(_ text: UnsafePointer<CChar>?) -> Set<String> {
        // SAFETY: EGL's query functions return NUL-terminated strings that outlive this call, or NULL.
        guard let text = unsafe text.map({ unsafe String(cString: $0) }) else { return [] }
        return Set(text.split(separator: " ").map(String.init))
    }
}

/// The EGL functions that Frost calls.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
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
    /// nil if EGL does not have the extension EGL_EXT_platform_base.
    let getPlatformDisplay: PFNEGLGETPLATFORMDISPLAYEXTPROC?
    /// nil if EGL has neither EGL_EXT_device_enumeration nor EGL_EXT_device_base.
    let queryDevices: PFNEGLQUERYDEVICESEXTPROC?
    let queryDeviceString: PFNEGLQUERYDEVICESTRINGEXTPROC?

    init(
        library: SharedLibrary, getProcAddress: PFNEGLGETPROCADDRESSPROC, watch: DriverWatch?
    ) throws(GLError) {
        typealias Address = @convention(c) () -> Void
        func optional<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
            // SAFETY: the caller passes the type that the header declares for this name.
            unsafe getProcAddress(name).map { unsafe unsafeBitCast(watch?.wrapper(name, $0) ?? $0, to: type) }
        }
        // In EGL 1.4 without EGL_KHR_get_all_proc_addresses, eglGetProcAddress finds extension functions only. The library
        // exports all other functions.
        func core<Function>(_ name: String, as type: Function.Type = Function.self) throws(GLError) -> Function {
            if let function: Function = optional(name) { return function }
            let function: Address = try library.function(name)
            // SAFETY: the caller passes the type that the header declares for this name.
            return unsafe unsafeBitCast(watch?.wrapper(name, function) ?? function, to: type)
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
