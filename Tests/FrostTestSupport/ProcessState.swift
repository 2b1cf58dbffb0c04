import Glibc

/// The system resources that this process holds, from /proc.
public struct ProcessState: Sendable, CustomStringConvertible {
    /// Open file descriptors, without the one used for counting.
    public let fileDescriptors: Int
    /// Resident memory in KiB.
    public let residentKiB: Int
    /// Threads.
    public let threads: Int

    /// The state now.
    public static var current: ProcessState {
        ProcessState(
            fileDescriptors: countDescriptors(), residentKiB: field("VmRSS:"), threads: field("Threads:"))
    }

    /// One line.
    public var description: String {
        "\(fileDescriptors) file descriptors, \(residentKiB) KiB resident, \(threads) threads"
    }

    private static func countDescriptors() -> Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return -1 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without ".", ".." and the folder itself.
        return count - 3
    }

    private static func field(_ name: String) -> Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return -1 }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return -1 }
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? -1
    }
}

/// The value of an environment variable; nil if it is not set.
public func environment(_ name: String) -> String? {
    // SAFETY: tests do not change the environment while others read it.
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
