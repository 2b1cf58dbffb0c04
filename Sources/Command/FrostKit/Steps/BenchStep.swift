import Frost
import FrostCLI
import FrostMeasure

extension KitStep {
    /// Measures blurs beside the device's own copy, by `frost bench --textures`.
    static let bench = KitStep(
        "bench", "measures blurs from texture to texture beside the device's own copy of the picture", seconds: 40
    ) { context in
        let sigmas = [2, 8, 30, 100]
        // The larger picture comes last, so that a slow device at least has the smaller one.
        let sizes = context.seconds < 20 ? ["1920x1080"] : ["1920x1080", "3840x2160"]
        let limit = max(1, (context.seconds - 2) / sizes.count)
        var result = KitResult(outcome: .passed, finding: "")
        for size in sizes {
            var words = [
                "bench", "--textures", "--json", "--runs", "3", "--size", size, "--sigma",
                sigmas.map(String.init).joined(separator: ","),
            ]
            if let device = context.device { words += ["--device", device] }
            let process = Subprocess.run(words, seconds: limit)
            let rows = process.output.split(separator: "\n").compactMap { FlatJSON.members($0, all: true) }
            for row in rows {
                func number(_ name: String) -> Double { row[name].flatMap(Double.init) ?? .nan }
                let sigma = row["sigma"] ?? "?"
                let (blur, copy, ratio) = (number("min_ms"), number("copy_ms"), number("ratio"))
                let bandwidth = number("copy_GB_per_s")
                result.evidence.append(
                    "\(size), sigma \(sigma): \(fixed(blur, 3)) ms, \(fixed(ratio, 2)) times the copy of "
                        + "\(fixed(copy, 3)) ms (\(fixed(bandwidth, 1)) GB/s)")
                result.figures += [
                    ("blur_ms", blur), ("copy_ms", copy), ("ratio", ratio), ("copy_GB_per_s", bandwidth),
                ].map { ("\(size)_sigma_\(sigma)_\($0)", .number($1, decimals: 4)) }
            }
            guard process.end == .exit(0), rows.count == sigmas.count else {
                let reason = process.errors.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
                return KitResult(
                    outcome: .failed,
                    finding: "\(size): \(rows.count) of \(sigmas.count) measurements (\(process.end))\(reason)",
                    figures: result.figures, evidence: result.evidence)
            }
            let ratios = rows.compactMap { $0["ratio"].flatMap(Double.init) }.map { fixed($0, 1) }.joined(
                separator: ", ")
            result.finding +=
                (result.finding.isEmpty
                    ? "times of the copy at sigma \(sigmas.map(String.init).joined(separator: ", ")): " : "; ")
                + "\(size): \(ratios)"
        }
        return result
    }
}
