import Glibc

/// The processors of the machine that this process may use.
package enum Processors {
    /// The number of threads that work uses if nobody chose one: `OMP_NUM_THREADS`, the variable by which the numeric
    /// libraries of Python and others are told to share a machine; without it, the processors that are online, at most as
    /// many as the affinity and the quotas of the control groups allow. It is determined once.
    package static let byDefault = count(
        online: sysconf(Int32(_SC_NPROCESSORS_ONLN)), limits: ProcessLimits(), Environment.value("OMP_NUM_THREADS"))

    /// - Parameter openMP: the value of `OMP_NUM_THREADS`: a number, or a list with a number for each level of nesting,
    ///   of which the first counts. Other values are ignored, as OpenMP's runtimes do.
    package static func count(online: Int, limits: ProcessLimits, _ openMP: String?) -> Int {
        let first = openMP?.split(separator: ",", omittingEmptySubsequences: false).first?.split(separator: " ").first
        if let first, let number = Int(first), number > 0 { return number }
        // A quota of one and a half processors lets two threads work most of the time.
        let allowed = limits.processors.map { Int($0.rounded(.up)) } ?? online
        return max(1, min(online, allowed))
    }
}
