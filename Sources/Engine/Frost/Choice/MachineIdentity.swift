import FrostCPU
import FrostCore
import FrostGLES

/// Describes this machine without opening EGL.
package enum MachineIdentity {
    /// The processor's model; nil if the kernel does not report it.
    package static var processor: String? {
        let lines = (TextFile.content("/proc/cpuinfo", limit: 1 << 13) ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("model name") }), let colon = line.firstIndex(of: ":")
        else { return nil }
        let words = line[line.index(after: colon)...].split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Returns the key of this machine's profile: everything that costs depend on, except for the GPU driver, which only EGL
    /// can name.
    static func machine(threads: Int) -> String {
        let driver = TextFile.line("/sys/module/nvidia/version")
        return "frost \(frostVersion), \(processor ?? "unknown processor"), \(CPUExecutor.defaultThreads) processors, "
            + "\(threads) threads, "
            + (HardwareProbe.found + (driver.map { ["nvidia \($0)"] } ?? [])).joined(separator: " ")
    }
}

extension DeviceInfo {
    /// The key of a device's measurements. It names the device and the driver, because costs depend on both.
    var costIdentity: String {
        [vendor, renderer, version, eglVersion, pciPath ?? "", renderNode ?? ""].joined(separator: "; ")
    }
}
