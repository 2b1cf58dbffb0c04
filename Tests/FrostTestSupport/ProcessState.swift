import Glibc

/// The system resources that this process holds, read from /proc.
public struct ProcessState: Sendable, CustomStringConvertible {
    /// The number of open file descriptors, without the descriptor used for counting.
    public let fileDescriptors: Int
    /// Resident memory in KiB.
    public let residentKiB: Int
    /// The number of threads.
    public let threads: Int

    /// The resources that the process holds now.
    public static var current: ProcessState {
        ProcessState(
            fileDescriptors: countDescriptors(), residentKiB: field("VmRSS:"), threads: field("Threads:"))
    }

    /// All three values in one line.
    public var description: String {
        "\(fileDescriptors) file descriptors, \(residentKiB) KiB resident, \(threads) threads"
    }

    private static func countDescriptors() -> Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return -1 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // The count excludes ".", ".." and the descriptor of /proc/self/fd itself.
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

/// Returns the value of an environment variable; nil if the variable is not set.
public func environment(_ name: String) -> String? {
    // SAFETY: tests do not change the environment while another thread reads it.
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
