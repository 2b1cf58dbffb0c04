import CEGL

/// The EGL platform on which a display is opened without a window system.
public enum DisplayPlatform: String, Sendable, Hashable, CaseIterable {
    /// Opens a display for each device that EGL enumerates (EGL_EXT_platform_device).
    case device
    /// Opens a display on a render node (EGL_KHR_platform_gbm).
    case gbm
    /// Opens a display on a device that Mesa chooses (EGL_MESA_platform_surfaceless).
    case surfaceless

    /// The client extensions for this platform. EGL must have at least one of them.
    var extensions: Set<String> {
        switch self {
        case .device: ["EGL_EXT_platform_device"]
        case .gbm: ["EGL_KHR_platform_gbm", "EGL_MESA_platform_gbm"]
        case .surfaceless: ["EGL_MESA_platform_surfaceless"]
        }
    }

    var code: EGLenum {
        switch self {
        case .device: EGLenum(EGL_PLATFORM_DEVICE_EXT)
        case .gbm: EGLenum(EGL_PLATFORM_GBM_KHR)
        case .surfaceless: EGLenum(EGL_PLATFORM_SURFACELESS_MESA)
        }
    }
}
