import Glibc

/// How a PNG is compressed. No choice changes a pixel.
public struct PNGWriteOptions: Sendable, Hashable {
    /// How each row is predicted before it is compressed.
    public enum Filter: Sendable, Hashable, CaseIterable {
        case none, sub, up, average, paeth
        /// What makes least of a sample, megabyte by megabyte.
        case adaptive
    }

    /// How hard repetitions are looked for where a sample shows that it pays: zlib's level, 1 is fast, 9 is small; 0 stores.
    public let level: Int
    /// The rows' filter.
    public let filter: Filter
    /// Threads that may compress at once; the bytes are the same for any number.
    public var threads: Int

    /// The defaults make smaller files of blurred and of sharp photographs than libpng's own choice does (level 6, its
    /// adaptive filter), and of screenshots about the same, in a tenth to a fifth of the time: docs/Performance.md.
    ///
    /// - Parameter threads: by default as many as there are processors, up to 16.
    /// - Precondition: `level` is 0 to 9, and there is a thread.
    public init(level: Int = 4, filter: Filter = .adaptive, threads: Int? = nil) {
        precondition((0...9).contains(level), "zlib's levels are 0 to 9, not \(level)")
        precondition(threads ?? 1 > 0, "\(threads ?? 1) threads")
        self.level = level
        self.filter = filter
        self.threads = threads ?? min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
