import Glibc

/// Functions for small text files, such as those in /proc and /sys.
package enum TextFile {
    /// Returns the first `limit` bytes of a file as text; nil if the file cannot be opened.
    package static func content(_ path: String, limit: Int = 1 << 16) -> String? {
        guard let descriptor = try? FilePath(path).open(O_RDONLY | O_CLOEXEC) else { return nil }
        defer { close(descriptor) }
        let bytes = (try? Descriptor.readAll(descriptor, limit: limit)) ?? []
        return String(decoding: bytes.prefix(limit), as: UTF8.self)
    }

    /// Returns the first line of a file, without the line end; nil if the file cannot be opened.
    package static func line(_ path: String) -> String? {
        content(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
    }
}
