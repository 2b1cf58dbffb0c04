import FrostCPU
import FrostGLES
import Glibc

/// What this process runs on, as far as it can be told without opening EGL.
package enum MachineIdentity {
    /// The processor's model; nil where the kernel does not say.
    package static var processor: String? {
        let lines = head(of: "/proc/cpuinfo").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("model name") }), let colon = line.firstIndex(of: ":")
        else { return nil }
        let words = line[line.index(after: colon)...].split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// What a profile of this machine is found by: what costs depend on, but for the driver, which only EGL knows.
    static func machine(threads: Int) -> String {
        let driver = head(of: "/sys/module/nvidia/version").split(separator: "\n").first.map(String.init)
        return "frost \(frostVersion), \(processor ?? "unknown processor"), \(CPUExecutor.processors) processors, "
            + "\(threads) threads, "
            + (HardwareProbe.found + (driver.map { ["nvidia \($0)"] } ?? [])).joined(separator: " ")
    }

    /// The first bytes of a file; nothing if it cannot be read.
    private static func head(of path: String) -> String {
        guard let file = unsafe fopen(path, "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

extension DeviceInfo {
    /// What a profile belongs to: another driver or device has other costs.
    var costIdentity: String {
        [vendor, renderer, version, eglVersion, pciPath ?? "", renderNode ?? ""].joined(separator: "; ")
    }
}
