import Glibc

/// How a PNG is compressed. No option changes a pixel.
public struct PNGWriteOptions: Sendable, Hashable {
    /// How each row is predicted before it is compressed.
    public enum Filter: Sendable, Hashable, CaseIterable {
        case none, sub, up, average, paeth
        /// For each megabyte, the filter with which a sample becomes smallest.
        case adaptive
    }

    /// zlib's level, 1 (fast) to 9 (small), for the strips in which a sample shows that a search for repetitions pays;
    /// 0 stores.
    public let level: Int
    /// The rows' filter.
    public let filter: Filter
    /// The maximum number of threads that compress. It does not change the bytes.
    public var threads: Int

    /// Compared with libpng's own defaults (level 6 with its adaptive filter), these make smaller files of photographs,
    /// blurred or sharp, and files of about the same size for screenshots, in a tenth to a fifth of the time:
    /// docs/Performance.md.
    ///
    /// - Parameter threads: by default the number of processors, 16 at most.
    /// - Precondition: `level` is 0 to 9, and `threads` is at least 1.
    public init(level: Int = 4, filter: Filter = .adaptive, threads: Int? = nil) {
        precondition((0...9).contains(level), "zlib's levels are 0 to 9, not \(level)")
        precondition(threads ?? 1 > 0, "\(threads ?? 1) threads")
        self.level = level
        self.filter = filter
        self.threads = threads ?? min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
