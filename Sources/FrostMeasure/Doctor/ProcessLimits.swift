import Frost
import Glibc

/// The limits on the processors and the memory of this process. They are set by control groups (versions 1 and 2), by
/// processor affinity and by rlimits.
struct ProcessLimits {
    /// The number of processors that the process may use; nil without a limit.
    private(set) var processors: Double?
    private(set) var processorEvidence = ""
    /// The memory limit in bytes; nil if no limit is known.
    private(set) var memory: Int?
    private(set) var memoryEvidence: String?

    /// Reads the limits from /proc and /sys.
    ///
    /// - Parameter root: the folder that contains /proc and /sys.
    init(root: String = "") {
        let group = Self.groups(TextFile.content(root + "/proc/self/cgroup") ?? "")
        let folder = root + "/sys/fs/cgroup"
        // The limits of parent groups also apply. They also serve if the path of the group itself is missing, as is possible
        // in a container.
        for path in Self.upwards(group.unified) {
            bound(memory: folder + path + "/memory.max")
            bound(quota: folder + path + "/cpu.max")
        }
        for path in Self.upwards(group.memory) { bound(memory: folder + "/memory" + path + "/memory.limit_in_bytes") }
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
            bound(Int(limit.rlim_cur), "ulimit -v: \(limit.rlim_cur >> 10) KiB")
        }
    }

    /// Parses /proc/self/cgroup. Returns the control group of the process for each controller; an empty text is the
    /// root group.
    static func groups(_ text: String) -> (unified: String, memory: String, cpu: String) {
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

    private mutating func bound(memory path: String) {
        guard let text = TextFile.line(path), let bytes = Int(text) else { return }
        bound(bytes, "\(path): \(text)")
    }

    private mutating func bound(_ bytes: Int, _ evidence: String) {
        // If there is no limit, the Linux kernel may state a number near the maximum of Int instead.
        guard bytes > 0, bytes < 1 << 60, bytes < memory ?? Int.max else { return }
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
