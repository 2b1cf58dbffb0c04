/// A histogram of signed errors, in 8-bit steps.
struct ErrorHistogram {
    /// The number of bins. It is odd, so that 0 is in the middle of a bin.
    static let bins = 41

    /// The limit of the histogram. The bins divide -range...range into equal parts.
    let range: Double
    private(set) var counts = [Int](repeating: 0, count: bins)
    /// The number of errors below -range, including NaN. `above` counts the errors above range.
    private(set) var below = 0
    private(set) var above = 0

    /// Creates an empty histogram.
    ///
    /// - Parameter range: the limit in 8-bit steps; above 0.
    init(range: Double) { self.range = range }

    mutating func add(_ error: Double) {
        // NaN counts as an error below the range.
        guard error >= -range else { return below += 1 }
        guard error <= range else { return above += 1 }
        let place = (error / range + 1) / 2 * Double(Self.bins)
        counts[min(Int(place), Self.bins - 1)] += 1
    }

    var total: Int { counts.reduce(below + above, +) }

    /// Returns the range of errors that a bin counts.
    func bounds(_ bin: Int) -> ClosedRange<Double> {
        let width = 2 * range / Double(Self.bins)
        return Double(bin) * width - range...Double(bin + 1) * width - range
    }
}
