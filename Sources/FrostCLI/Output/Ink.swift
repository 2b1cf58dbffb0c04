import Frost
import Glibc

/// A colour of text on terminals. Output to programs and files has no colours.
package enum Ink: String {
    case red = "1;31"
    case yellow = "1;33"
    case green = "1;32"

    /// - Parameter descriptor: where the text will go.
    package func paint(_ text: String, on descriptor: Int32) -> String {
        Self.isShown(on: descriptor) ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }

    /// By no-color.org: any text in NO_COLOR switches colours off.
    private static func isShown(on descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && (Environment.value("NO_COLOR") ?? "").isEmpty
            && Environment.value("TERM") != "dumb"
    }
}
