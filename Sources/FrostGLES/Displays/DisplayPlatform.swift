import CEGL

/// How an EGL display is opened without a window system.
public enum DisplayPlatform: String, Sendable, Hashable, CaseIterable {
    /// EGL_EXT_platform_device: one display for each device that EGL enumerates.
    case device
    /// EGL_KHR_platform_gbm: a display on an opened render node.
    case gbm
    /// EGL_MESA_platform_surfaceless: Mesa chooses the device.
    case surfaceless

    /// The client extensions of which one has to be there.
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
