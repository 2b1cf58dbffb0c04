import CTerminal
import Glibc

/// Text of help, broken into lines that fit the terminal.
package enum TextColumns {
    /// The terminal's width if it is from 80 to 110 columns, else the nearer of both; 80 for files and pipes.
    static var width: Int { isatty(1) == 1 ? min(max(Int(frost_terminal_columns(1)), 80), 110) : 80 }

    /// Two columns. A left entry that is too long gets its own line.
    ///
    /// - Parameter left: characters of the left column.
    package static func table(_ rows: [(String, String)], left: Int = 26, width: Int = width) -> String {
        let indent = String(repeating: " ", count: left + 4)
        return rows.map { name, text in
            let padding = name.count <= left ? String(repeating: " ", count: left - name.count + 2) : "\n" + indent
            return "  " + name + padding + lines(text, width: width - left - 4).joined(separator: "\n" + indent) + "\n"
        }.joined()
    }

    /// Paragraphs; all lines but the first of each begin with `indent`.
    package static func wrapped(_ text: String, indent: String = "", width: Int = width) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            let parts = lines(String(paragraph), width: width, after: indent.count)
            return parts.joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    /// Breaks at spaces. A word that is longer than a line stays whole.
    ///
    /// - Parameter indent: by how much all lines but the first are narrower.
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
