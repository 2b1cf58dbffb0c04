import FrostCore
import Glibc

/// Looks for GPU drivers in /dev. This saves the 50 ms that it costs to open EGL only to find a software renderer.
package enum HardwareProbe {
    /// Device nodes of GPU drivers that support EGL: DRM, NVIDIA, Mali, Adreno, and the Windows GPU in WSL.
    static let nodes = [
        "/dev/nvidiactl", "/dev/nvidia0", "/dev/mali0", "/dev/kgsl-3d0", "/dev/dxg", "/dev/pvr_sync",
    ]

    /// Whether /dev contains a GPU driver's device node.
    static var mayHaveGPU: Bool { !found.isEmpty }

    /// The device nodes that exist, sorted.
    package static var found: [String] {
        let drm = Folder.names(in: "/dev/dri").filter { $0.hasPrefix("renderD") || $0.hasPrefix("card") }
        // SAFETY: the string is passed as a C string for the duration of the call.
        return (nodes.filter { unsafe access($0, F_OK) == 0 } + drm.map { "/dev/dri/\($0)" }).sorted()
    }
}
