import CEGL
import Synchronization

/// What a display is opened on.
enum DisplayKey: Hashable {
    /// The address of the EGLDeviceEXT.
    case device(UInt)
    case gbm(node: String)
    case surfaceless
}

/// An initialised display. Never terminated: EGL hands out one display per device to the whole process, so others
/// may be using it.
// SAFETY: the handle is constant and EGL's functions may be given it on any thread.
@safe struct EGLDisplayHandle: @unchecked Sendable {
    let raw: EGLDisplay
    let vendor: String
    let version: String
    let extensions: Set<String>
    /// Whether EGL is 1.5 or later.
    let isEGL15: Bool
}

extension EGLLibrary {
    /// The display of a candidate, opened and initialised at the first call for it.
    func display(for candidate: DisplayCandidate) throws(GLError) -> EGLDisplayHandle {
        let key: DisplayKey =
            switch candidate.platform {
            case .device: unsafe .device(UInt(bitPattern: candidate.device))
            case .gbm: .gbm(node: candidate.renderNode ?? "")
            case .surfaceless: .surfaceless
            }
        return try displays.withLock { (displays) throws(GLError) in
            if let display = displays[key] { return display }
            let display: EGLDisplayHandle
            if candidate.platform == .gbm {
                display = try unsafe GBMLibrary.shared.get().withDevice(on: candidate.renderNode ?? "") {
                    (device) throws(GLError) in
                    try unsafe open(candidate, native: device)
                }
            } else {
                display = try unsafe open(candidate, native: candidate.device)
            }
            displays[key] = display
            return display
        }
    }

    private func open(
        _ candidate: DisplayCandidate, native: UnsafeMutableRawPointer?
    ) throws(GLError) -> EGLDisplayHandle {
        guard let getPlatformDisplay = unsafe egl.getPlatformDisplay else {
            throw .unsupported("eglGetPlatformDisplayEXT")
        }
        // SAFETY: `native` is of the platform's type: an enumerated device, a GBM device, or the default display.
        guard let raw = unsafe getPlatformDisplay(candidate.platform.code, native, nil) else {
            throw .displayFailed(device: candidate.label, evidence("eglGetPlatformDisplayEXT"))
        }
        // SAFETY: EGL returned this display; it accepts NULL for the version numbers.
        guard unsafe egl.initialize(raw, nil, nil) != 0 else {
            throw .displayFailed(device: candidate.label, evidence("eglInitialize"))
        }
        return unsafe handle(of: raw)
    }

    /// An initialised display, with its version and extensions.
    func handle(of raw: EGLDisplay) -> EGLDisplayHandle {
        func text(_ name: Int32) -> String {
            // SAFETY: the display is initialised; its strings live as long as it does, and are copied.
            unsafe egl.queryString(raw, name).map { unsafe String(cString: $0) } ?? ""
        }
        let version = text(EGL_VERSION)
        let numbers = version.prefix { $0 != " " }.split(separator: ".").compactMap { Int($0) }
        return unsafe EGLDisplayHandle(
            raw: raw, vendor: text(EGL_VENDOR), version: version,
            extensions: Set(text(EGL_EXTENSIONS).split(separator: " ").map(String.init)),
            isEGL15: numbers.count == 2 && (numbers[0], numbers[1]) >= (1, 5))
    }

    /// The failed call with EGL's error of this thread.
    func evidence(_ call: String) -> GLEvidence {
        GLEvidence(call: call, code: UInt32(bitPattern: egl.getError()))
    }
}
