import CCommand
import Glibc

/// Breaks help texts into lines that fit the terminal.
package enum TextColumns {
    /// The line width in columns. On a terminal it is the width of the terminal, clamped to 80...110. For files and
    /// pipes it is 80.
    static var width: Int { isatty(1) == 1 ? min(max(Int(frost_terminal_columns(1)), 80), 110) : 80 }

    /// Returns a table of two columns. A left entry that is too long gets its own line.
    ///
    /// - Parameter left: the width of the left column in characters.
    package static func table(_ rows: [(String, String)], left: Int = 26, width: Int = width) -> String {
        let indent = String(repeating: " ", count: left + 4)
        return rows.map { name, text in
            let padding = name.count <= left ? String(repeating: " ", count: left - name.count + 2) : "\n" + indent
            return "  " + name + padding + lines(text, width: width - left - 4).joined(separator: "\n" + indent) + "\n"
        }.joined()
    }

    /// Breaks paragraphs into lines. All lines of a paragraph except the first begin with `indent`.
    package static func wrapped(_ text: String, indent: String = "", width: Int = width) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            let parts = lines(String(paragraph), width: width, after: indent.count)
            return parts.joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    /// Breaks a text into lines at spaces. A word that is longer than a line is not broken.
    ///
    /// - Parameter indent: the number of characters by which every line except the first is narrower than `width`.
    private static func lines(_ text: String, width: Int, after indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let room = lines.isEmpty ? width : width - indent
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= room {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }
}
