import Frost
import FrostCLI
import FrostImages
import Glibc

/// A saved run of `frost bench --json`, with which new measurements are compared.
struct BenchBaseline {
    private let path: FilePath
    /// The time of each blur, divided by the time of a memcpy. The keys describe what was measured.
    private var ratios: [[String]: Double] = [:]

    /// Reads a saved run. Each line of the file is a measurement.
    init(path: FilePath) throws(CommandError) {
        self.path = path
        guard let text = TextFile.content(path.text, limit: 1 << 24) else {
            throw .image(.cannotRead(path: path.text, errno: errno))
        }
        for line in text.split(separator: "\n") {
            guard let members = FlatJSON.members(line, all: true), members["schema"] == Measurement.schema,
                let ratio = members["ratio"].flatMap(Double.init), ratio > 0
            else {
                throw .usage("--baseline \(path.shownName): not the output of 'frost bench --json': \(line.prefix(60))")
            }
            ratios[Self.key(members)] = ratio
        }
    }

    /// Returns the time of a measurement, divided by the time of the same measurement in the baseline. Both times are
    /// relative to the memcpy that was measured beside the blur. The result therefore does not depend on whether the
    /// machine is slower today. Returns nil if the baseline does not contain the measurement.
    func ratio(of measurement: Measurement) -> Double? {
        let members = measurement.row.json.members.map { ($0.name, $0.value.text) }
        return ratios[Self.key(Dictionary(uniqueKeysWithValues: members))].map { measurement.ratio / $0 }
    }

    /// Returns the values that describe what was measured. Two measurements may be compared only if these values are
    /// equal.
    private static func key(_ members: [String: String]) -> [String] {
        ["width", "height", "sigma", "effect", "format", "edge", "asked", "device", "threads"].map { members[$0] ?? "" }
    }

    /// Returns one line of text that summarises the comparison of all measurements with the baseline.
    func summary(_ measurements: [Measurement]) -> String {
        let found = measurements.compactMap(\.baselineRatio)
        guard let least = found.min(), let most = found.max() else {
            return "\(path.shownName) has none of these measurements"
        }
        let mean = exp(found.reduce(0) { $0 + log($1) } / Double(found.count))
        let missing = measurements.count - found.count
        return "compared with \(path.shownName): \(fixed(mean, 2)) times its time (geometric mean of \(found.count)), "
            + "from \(fixed(least, 2)) to \(fixed(most, 2))"
            + (missing == 0 ? "" : "; \(missing) measurements are missing in it")
    }
}

extension JSONValue {
    /// The value as ``FlatJSON`` reads it: a text without quotation marks.
    fileprivate var text: String { if case .string(let text) = self { text } else { line } }
}
