import FrostCore

/// Compression options of PNG files. No option changes a pixel.
public struct PNGWriteOptions: Sendable, Hashable {
    /// The PNG filter, which predicts each row before compression.
    public enum Filter: Sendable, Hashable, CaseIterable {
        /// One of PNG's five filters, for all rows.
        case none, sub, up, average, paeth
        /// The encoder divides the picture into strips of about a megabyte. It tries the filters on a few rows of each
        /// strip and chooses the filter with which these rows become smallest.
        case adaptive
    }

    /// The zlib level, from 1 (fast) to 9 (small). It applies only to strips for which a sample shows that a search for
    /// repetitions pays off. Level 0 stores the pixels uncompressed.
    public let level: Int
    /// The filter of the rows.
    public let filter: Filter
    /// The maximum number of threads that compress the picture. The number of threads does not affect the bytes of the
    /// file.
    public var threads: Int

    /// Creates compression options. The default options take a tenth to a fifth of the time of libpng's own defaults,
    /// which are level 6 and libpng's adaptive filter. Files of photographs, blurred or sharp, are smaller than with
    /// libpng's defaults. Files of screenshots have about the same size. See docs/internals/Performance.md.
    ///
    /// - Parameters:
    ///   - level: the effort of the compression.
    ///   - filter: PNG's row filter.
    ///   - threads: by default one for each processor that the process may use, at most 16.
    /// - Precondition: `level` is 0 to 9, and `threads` is at least 1.
    public init(level: Int = 4, filter: Filter = .adaptive, threads: Int? = nil) {
        precondition((0...9).contains(level), "zlib's levels are 0 to 9, not \(level)")
        precondition(threads ?? 1 > 0, "\(threads ?? 1) threads")
        self.level = level
        self.filter = filter
        self.threads = threads ?? min(16, Processors.byDefault)
    }
}
