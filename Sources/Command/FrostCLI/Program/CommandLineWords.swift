import CCommand
import Frost

/// Returns the words of the command line without the name of the program. Bytes that are not UTF-8 are preserved,
/// because a file name may contain them.
package func commandLineWords() -> [String] {
    // SAFETY: each index is within the count, and the C library's words are valid as long as the process lives.
    (1..<max(1, frost_argument_count())).map { unsafe String(system: frost_argument($0)) }
}
