import Frost
import Glibc

/// Describes the system for results. It names neither the machine nor its user.
enum KitSystem {
    /// The distribution, the kernel and the C library, for example "Debian GNU/Linux 12 (bookworm), Linux 6.1.0, glibc
    /// 2.36".
    static var description: String {
        [distribution, kernel, library].compactMap { $0 }.joined(separator: ", ")
    }

    private static var distribution: String? {
        TextFile.content("/etc/os-release")?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
    }

    /// The version number of the kernel, without the suffix, which may name the machine's owner.
    private static var kernel: String? {
        TextFile.line("/proc/sys/kernel/osrelease").map { "Linux \($0.prefix { $0 == "." || $0.isNumber })" }
    }

    private static var library: String? {
        var name = [CChar](repeating: 0, count: 64)
        // SAFETY: confstr writes at most as many bytes as the array has, with a zero byte at the end.
        guard unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count) > 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The time that ended child processes spent on processors, in seconds; 0 if /proc does not contain it.
    static var childSeconds: Double {
        // The name of the program is in parentheses, and may contain spaces. Fields 16 and 17 are the times of
        // children.
        let fields = (TextFile.line("/proc/self/stat") ?? "").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 14 else { return 0 }
        return fields[13...14].reduce(0) { $0 + (Double($1) ?? 0) } / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }
}
