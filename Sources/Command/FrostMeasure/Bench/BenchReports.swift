import Frost
import FrostCLI

/// Formats measurements as tables for files.
enum BenchReports {
    /// Returns the measurements as CSV (RFC 4180) with a header. The columns are the members of the JSON object.
    static func csv(_ measurements: [Measurement]) -> String {
        let rows = measurements.map { $0.members.dropFirst() }
        guard let first = rows.first else { return "" }
        let header = first.map(\.0).joined(separator: ",")
        let lines = rows.map { row in row.map { cell($0.1) }.joined(separator: ",") }
        return ([header] + lines).map { $0 + "\r\n" }.joined()
    }

    private static func cell(_ value: JSON) -> String {
        switch value {
        case .null: return ""
        case .string(let text):
            guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
            return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        default: return value.text
        }
    }

    /// Returns the measurements as a Markdown table with a caption.
    static func markdown(_ measurements: [Measurement]) -> String {
        let verified = measurements.contains { $0.error != nil }
        var header = ["size", "sigma", "on", "min ms", "median ms", "memcpy ms", "ratio", "error bound"]
        if verified { header += ["max error", "mean error"] }
        var rows = [header, header.indices.map { $0 == 2 ? "---" : "---:" }]
        for m in measurements {
            var row = [
                m.size.description, decimal(m.sigma), m.subject, significant(m.blur.minimum),
                significant(m.blur.median), significant(m.memcpy.minimum),
                fixed(m.ratio, 2), fixed(m.errorBound, 2),
            ]
            if verified { row += m.error.map { [fixed($0.maximum, 3), fixed($0.mean, 4)] } ?? ["", ""] }
            rows.append(row.map(escaped))
        }
        let table = rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        let format = measurements.first.map { "\($0.format.rawValue), edge \($0.effect.edge.rawValue)" } ?? ""
        return "Frost \(frostVersion), \(Machine.processor), \(Machine.date); \(format). The ratio is the time of the "
            + "fastest run divided by\nthat of a single-threaded memcpy of the same picture. Errors are in 8-bit steps. "
            + "The bound applies before\nrounding.\n\n" + table
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
