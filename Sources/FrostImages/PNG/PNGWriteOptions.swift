/// How a PNG is compressed. No choice changes a pixel.
public struct PNGWriteOptions: Sendable, Hashable {
    /// How each row is predicted before it is compressed.
    public enum Filter: Sendable, Hashable, CaseIterable {
        case none, sub, up, average, paeth
        /// libpng picks the best guess for each row. Slower.
        case adaptive
    }

    /// zlib's level: 0 stores, 1 is fast, 9 is small.
    public let level: Int
    /// The rows' filter.
    public let filter: Filter

    /// The defaults suit blurred pictures, which change slowly: at 3840x2160 and sigma 8, level 4 with `up` took a
    /// quarter of the time of libpng's own choice (level 6, `adaptive`) and came out 5% larger; Paeth pays off below
    /// sigma 4 or so, by less than a tenth.
    ///
    /// - Precondition: `level` is 0 to 9.
    public init(level: Int = 4, filter: Filter = .up) {
        precondition((0...9).contains(level), "zlib's levels are 0 to 9, not \(level)")
        self.level = level
        self.filter = filter
    }
}
