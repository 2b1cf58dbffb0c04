import Glibc

/// The limits on the processors and the memory of this process. They are set by control groups (versions 1 and 2), by
/// processor affinity and by rlimits.
package struct ProcessLimits {
    /// The number of processors that the process may use; nil without a limit.
    package private(set) var processors: Double?
    package private(set) var processorEvidence = ""
    /// The memory limit in bytes; nil if no limit is known.
    package private(set) var memory: Int?
    package private(set) var memoryEvidence: String?
    /// The number of bytes that large allocations can still take under all memory limits of the process; nil if no
    /// limit is known.
    package private(set) var memoryLeft: Int?

    /// Reads the limits from /proc and /sys.
    ///
    /// - Parameter root: the folder that contains /proc and /sys.
    package init(root: String = "") {
        let group = Self.groups(TextFile.content(root + "/proc/self/cgroup") ?? "")
        let folder = root + "/sys/fs/cgroup"
        // The limits of parent groups also apply. They also serve if the path of the group itself is missing, as is
        // possible in a container.
        for path in Self.upwards(group.unified) {
            bound(memory: folder + path, "memory.max", "memory.current", caches: ["active_file", "inactive_file"])
            bound(quota: folder + path + "/cpu.max")
        }
        for path in Self.upwards(group.memory) {
            bound(
                memory: folder + "/memory" + path, "memory.limit_in_bytes", "memory.usage_in_bytes",
                caches: ["total_active_file", "total_inactive_file"])
        }
        for path in Self.upwards(group.cpu) {
            let cpu = folder + "/cpu" + path
            if let quota = TextFile.line(cpu + "/cpu.cfs_quota_us"),
                let period = TextFile.line(cpu + "/cpu.cfs_period_us")
            {
                bound(quota, period, "\(cpu)/cpu.cfs_quota_us: \(quota) of \(period)")
            }
        }
        bound(affinity: TextFile.content(root + "/proc/self/status") ?? "")
        var limit = rlimit()
        // SAFETY: getrlimit fills the structure that it receives.
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < 1 << 60 {
            // The first number of this file is the size of the address space in pages.
            let pages = TextFile.line(root + "/proc/self/statm")?.split(separator: " ").first.flatMap { Int($0) } ?? 0
            let used = pages * sysconf(Int32(_SC_PAGESIZE))
            bound(Int(limit.rlim_cur), used: used + Self.stacks, "ulimit -v: \(limit.rlim_cur >> 10) KiB")
        }
    }

    /// The number of bytes that are kept for small allocations, which nothing counts.
    package static let reserve = 8 << 20

    /// The address space of the stacks of threads that may still be created.
    private static var stacks: Int {
        var attributes = pthread_attr_t()
        var stack = 0
        // SAFETY: the attributes are initialised before they are used, and destroyed once.
        if unsafe pthread_attr_init(&attributes) == 0 {
            unsafe pthread_attr_getstacksize(&attributes, &stack)
            unsafe pthread_attr_destroy(&attributes)
        }
        return stack * (min(16, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 4)
    }

    /// Parses /proc/self/cgroup. Returns the control group of the process for each controller; an empty text is the
    /// root group.
    package static func groups(_ text: String) -> (unified: String, memory: String, cpu: String) {
        var found = (unified: "", memory: "", cpu: "")
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let path = fields[2] == "/" ? "" : String(fields[2])
            let controllers = fields[1].split(separator: ",")
            if fields[1].isEmpty { found.unified = path }
            if controllers.contains("memory") { found.memory = path }
            if controllers.contains("cpu") { found.cpu = path }
        }
        return found
    }

    /// Returns a path and all of its parents, for example "/a/b", "/a" and "".
    private static func upwards(_ path: String) -> [String] {
        var paths = [path]
        while let slash = paths[paths.count - 1].lastIndex(of: "/") {
            paths.append(String(paths[paths.count - 1][..<slash]))
        }
        return paths
    }

    /// Applies the memory limit of a control group.
    ///
    /// - Parameters:
    ///   - group: the folder of the group.
    ///   - limit: the name of the file that contains the limit.
    ///   - usage: the name of the file that contains the number of bytes in use, including cached pages of files.
    ///   - caches: the counters in memory.stat of those cached pages, which the kernel takes back before a group is
    ///     over its limit.
    private mutating func bound(memory group: String, _ limit: String, _ usage: String, caches: [String]) {
        let path = "\(group)/\(limit)"
        guard let text = TextFile.line(path), let bytes = Int(text) else { return }
        let used = TextFile.line("\(group)/\(usage)").flatMap { Int($0) } ?? 0
        let cached = (TextFile.content("\(group)/memory.stat") ?? "").split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count == 2, caches.contains(String(words[0])) else { return sum }
            return sum + (Int(words[1]) ?? 0)
        }
        bound(bytes, used: max(0, used - cached), "\(path): \(text)")
    }

    private mutating func bound(_ bytes: Int, used: Int, _ evidence: String) {
        // If there is no limit, the Linux kernel may state a number near the maximum of Int instead.
        guard bytes > 0, bytes < 1 << 60 else { return }
        memoryLeft = min(memoryLeft ?? Int.max, max(0, bytes - used - Self.reserve))
        guard bytes < memory ?? Int.max else { return }
        (memory, memoryEvidence) = (bytes, evidence)
    }

    private mutating func bound(quota path: String) {
        guard let line = TextFile.line(path) else { return }
        let parts = line.split(separator: " ").map(String.init)
        if parts.count == 2 { bound(parts[0], parts[1], "\(path): \(line)") }
    }

    private mutating func bound(_ quota: String, _ period: String, _ evidence: String) {
        guard let quota = Double(quota), let period = Double(period), quota > 0, period > 0 else { return }
        bound(processors: quota / period, evidence)
    }

    private mutating func bound(processors count: Double, _ evidence: String) {
        guard count < processors ?? .infinity else { return }
        (processors, processorEvidence) = (count, evidence)
    }

    /// Reads the processor affinity from the line Cpus_allowed, whose mask is hexadecimal with commas.
    ///
    /// - Parameter status: the text of /proc/self/status.
    private mutating func bound(affinity status: String) {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") }) else { return }
        let count = line.drop { $0 != ":" }.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
        if count > 0 { bound(processors: Double(count), "affinity to \(count) processors (taskset, cpuset)") }
    }
}
