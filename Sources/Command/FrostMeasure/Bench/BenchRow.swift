import Frost
import FrostCLI

/// A measurement as a line of a table, and as a JSON object.
protocol BenchRow {
    /// The titles and the widths of the columns. They are aligned to the right.
    static var columns: [(String, Int)] { get }
    /// The title of the text behind the columns.
    static var lastTitle: String { get }
    var cells: [String] { get }
    /// The text behind the columns: what was measured.
    var ending: String { get }
    /// The members of the JSON object.
    var members: [(String, JSON)] { get }
}

extension BenchRow {
    static var header: String { line(columns.map(\.0), lastTitle) }

    var text: String { Self.line(cells, ending) }

    private static func line(_ cells: [String], _ ending: String) -> String {
        zip(cells, columns).map { String(repeating: " ", count: max(0, $1.1 - $0.count)) + $0 + "  " }.joined()
            + ending
    }
}

extension Console {
    /// Prints the header of a table, unless the results are JSON objects.
    func header<Row: BenchRow>(of type: Row.Type) { if !json, !quiet { result(Row.header) } }

    func result(_ row: some BenchRow) { json ? result(.object(row.members)) : result(row.text) }
}

/// Formats milliseconds with about three significant digits.
func significant(_ ms: Double) -> String { fixed(ms, ms < 0.1 ? 5 : ms < 1 ? 3 : ms < 100 ? 2 : 1) }

extension Effect {
    /// The sigma of a Gaussian for a table; "-" for other blurs.
    var sigmaCell: String { gaussian.map { decimal($0.sigmaX) } ?? "-" }
    /// The name of an effect other than a Gaussian, as the end of a line of a table.
    var nameEnding: String { gaussian == nil || name != "gaussian" ? ", \(name)" : "" }
    /// The members of a JSON object that name the effect.
    var members: [(String, JSON)] {
        [("effect", .string(name)), ("sigma", gaussian.map { .number($0.sigmaX, decimals: 6) } ?? .null)]
    }
}

extension PictureSize {
    /// The members of a JSON object that have the size.
    var members: [(String, JSON)] { [("width", .int(width)), ("height", .int(height))] }
}
