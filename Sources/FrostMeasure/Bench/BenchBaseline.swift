import Frost
import FrostCLI
import FrostImages
import Glibc

/// A saved run of `frost bench --json`, to compare with.
struct BenchBaseline {
    private let path: String
    /// The time of each blur relative to a memcpy, by what was measured.
    private var ratios: [[String]: Double] = [:]

    /// Reads a run: a line for each measurement.
    init(path: String) throws(CommandError) {
        self.path = path
        guard let text = TextFile.content(path, limit: 1 << 24) else {
            throw .image(.cannotRead(path: path, errno: errno))
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

    /// The time of a measurement divided by that of the baseline, each relative to the memcpy beside it, so that a machine
    /// that is slower today does not count; nil if the baseline does not have that measurement.
    func ratio(of measurement: Measurement) -> Double? {
        let line = JSON.object(measurement.members).text
        return FlatJSON.members(line[...], all: true).flatMap { ratios[Self.key($0)] }.map { measurement.ratio / $0 }
    }

    /// What two measurements have in common that may be compared.
    private static func key(_ members: [String: String]) -> [String] {
        ["width", "height", "sigma", "effect", "format", "edge", "asked", "device", "threads"].map { members[$0] ?? "" }
    }

    /// A line about all measurements.
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
