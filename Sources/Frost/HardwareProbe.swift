import Glibc

/// A look at /dev that tells a machine without any GPU driver apart, since opening EGL just to find a software
/// renderer costs 50 ms.
package enum HardwareProbe {
    /// Device nodes of the GPU drivers that have an EGL: DRM, NVIDIA, Mali, Adreno, and Windows' GPU in WSL.
    static let nodes = [
        "/dev/nvidiactl", "/dev/nvidia0", "/dev/mali0", "/dev/kgsl-3d0", "/dev/dxg", "/dev/pvr_sync",
    ]

    /// Whether there may be a hardware GPU.
    static var mayHaveGPU: Bool { !found.isEmpty }

    /// The device nodes that there are, in order.
    package static var found: [String] {
        var found = nodes.filter { unsafe access($0, F_OK) == 0 }
        guard let folder = unsafe opendir("/dev/dri") else { return found }
        defer { unsafe closedir(folder) }
        while let entry = unsafe readdir(folder) {
            // SAFETY: d_name is a C string within the entry, which is valid until the next readdir.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name.hasPrefix("renderD") || name.hasPrefix("card") { found.append("/dev/dri/\(name)") }
        }
        return found.sorted()
    }
}
