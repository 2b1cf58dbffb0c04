import Frost
import Glibc

/// A text colour on terminals. Output to other programs and to files has no colours.
package enum Ink: String {
    case red = "1;31"
    case yellow = "1;33"
    case green = "1;32"

    /// Returns the text with the escape codes of this colour, or unchanged if the descriptor is not a terminal with
    /// colours.
    ///
    /// - Parameter descriptor: the descriptor to which the text will be written.
    package func paint(_ text: String, on descriptor: Int32) -> String {
        Self.isShown(on: descriptor) ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Returns whether to use colours. As no-color.org defines it, any text in NO_COLOR switches colours off.
    private static func isShown(on descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && (Environment.value("NO_COLOR") ?? "").isEmpty
            && Environment.value("TERM") != "dumb"
    }
}
