import Frost
import FrostCLI

/// A measurement as a line of a table, and as a JSON object.
struct BenchRow {
    /// The columns with their titles and widths. They are aligned to the right.
    let columns: [(title: String, width: Int, text: String)]
    /// The text behind the columns: what was measured.
    let subject: (title: String, text: String)
    let json: JSONValue

    private func line(_ cells: [String], _ last: String) -> String {
        zip(columns, cells).map { String(repeating: " ", count: max(0, $0.width - $1.count)) + $1 + "  " }.joined()
            + last
    }

    /// Prints the row.
    ///
    /// - Parameter isFirst: whether the titles are printed before it.
    func print(on console: Console, isFirst: Bool) {
        if console.json { return console.result(json) }
        if isFirst, !console.quiet { console.result(line(columns.map(\.title), subject.title)) }
        console.result(line(columns.map(\.text), subject.text))
    }

    /// Returns the rows as CSV (RFC 4180) with a header. The columns are the members of the JSON objects without the
    /// schema.
    static func csv(_ rows: [BenchRow]) -> String {
        let members = rows.map { $0.json.members.dropFirst() }
        guard let first = members.first else { return "" }
        let lines = members.map { row in row.map { cell($0.value) }.joined(separator: ",") }
        return ([first.map(\.name).joined(separator: ",")] + lines).map { $0 + "\r\n" }.joined()
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: return ""
        case .string(let text):
            guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
            return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        case .bool, .number, .array, .object: return value.line
        }
    }

    /// Returns the rows as a Markdown table.
    static func markdown(_ rows: [BenchRow]) -> String {
        guard let first = rows.first else { return "" }
        let head = [first.columns.map(\.title) + [first.subject.title], first.columns.map { _ in "---:" } + ["---"]]
        return (head + rows.map { $0.columns.map(\.text) + [$0.subject.text] }).map { cells in
            let escaped = cells.map {
                $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
            }
            return "| " + escaped.joined(separator: " | ") + " |\n"
        }.joined()
    }
}

/// Formats milliseconds with about three significant digits.
func significant(_ ms: Double) -> String { fixed(ms, ms < 0.1 ? 5 : ms < 1 ? 3 : ms < 100 ? 2 : 1) }

extension Effect {
    /// The sigma of a Gaussian for a table; "-" for other blurs.
    var sigmaCell: String { gaussian.map { numberText($0.sigmaX, decimals: 2) } ?? "-" }
    /// The name of an effect other than a Gaussian, as the end of a line of a table.
    var nameEnding: String { gaussian == nil || name != "gaussian" ? ", \(name)" : "" }
    /// The members of a JSON object that name the effect.
    var json: JSONValue { ["effect": .string(name), "sigma": .number(gaussian?.sigmaX, decimals: 6)] }
}

extension PictureSize {
    /// The members of a JSON object that have the size.
    var json: JSONValue { ["width": .int(width), "height": .int(height)] }
}
