import CEGL
import Synchronization

/// Identifies the device that a display is opened on.
enum DisplayKey: Hashable {
    /// An EGL device, by the address of its EGLDeviceEXT handle.
    case device(UInt)
    case gbm(node: String)
    case surfaceless
}

/// An initialised EGL display. Within a process, EGL has only one display per device, so other code may use the same
/// display. Frost therefore never terminates a display.
// SAFETY: the handle is constant, and EGL's functions accept it on any thread.
@safe struct EGLDisplayHandle: @unchecked Sendable {
    let raw: EGLDisplay
    let vendor: String
    let version: String
    let extensions: Set<String>
    /// Whether the display has EGL 1.5 or later.
    let isEGL15: Bool
}

extension EGLDisplayHandle {
    /// Creates a handle for an initialised display, with its version and extensions.
    init(_ raw: EGLDisplay, _ egl: EGLFunctions) {
        func text(_ name: Int32) -> String {
            // SAFETY: the display is initialised. Its strings live as long as the display, and are copied.
            unsafe egl.queryString(raw, name).map { unsafe String(cString: $0) } ?? ""
        }
        let version = text(EGL_VERSION)
        let numbers = version.prefix { $0 != " " }.split(separator: ".").compactMap { Int($0) }
        unsafe self.init(
            raw: raw, vendor: text(EGL_VENDOR), version: version,
            extensions: Set(text(EGL_EXTENSIONS).split(separator: " ").map(String.init)),
            isEGL15: numbers.count == 2 && (numbers[0], numbers[1]) >= (1, 5))
    }
}

extension Driver {
    /// Returns the display of a candidate. Opens and initialises the display at the first call.
    func display(for candidate: DisplayCandidate) throws(GLError) -> EGLDisplayHandle {
        let key: DisplayKey =
            switch candidate.platform {
            case .device: unsafe .device(UInt(bitPattern: candidate.device))
            case .gbm: .gbm(node: candidate.renderNode ?? "")
            case .surfaceless: .surfaceless
            }
        // The lock is not held during driver calls, which may never return. If two threads open the same display, EGL
        // returns it to both.
        if let display = library.displays.withLock({ $0[key] }) { return display }
        let display: EGLDisplayHandle
        if candidate.platform == .gbm {
            display = try unsafe GBMLibrary.shared.get().withDevice(on: candidate.renderNode ?? "") {
                (device) throws(GLError) in
                try unsafe open(candidate, native: device)
            }
        } else {
            display = try unsafe open(candidate, native: candidate.device)
        }
        return library.displays.withLock { displays in
            let first = displays[key] ?? display
            displays[key] = first
            return first
        }
    }

    private func open(
        _ candidate: DisplayCandidate, native: UnsafeMutableRawPointer?
    ) throws(GLError) -> EGLDisplayHandle {
        guard let getPlatformDisplay = unsafe egl.getPlatformDisplay else {
            throw .unsupported("eglGetPlatformDisplayEXT")
        }
        // SAFETY: `native` has the type that the platform requires: an enumerated device, a GBM device, or NULL for the
        // default display.
        guard let raw = unsafe getPlatformDisplay(candidate.platform.code, native, nil) else {
            throw .displayFailed(device: candidate.label, evidence("eglGetPlatformDisplayEXT"))
        }
        // SAFETY: EGL returned this display, and accepts NULL for the version numbers.
        guard unsafe egl.initialize(raw, nil, nil) != 0 else {
            throw .displayFailed(device: candidate.label, evidence("eglInitialize"))
        }
        return unsafe EGLDisplayHandle(raw, egl)
    }
}
