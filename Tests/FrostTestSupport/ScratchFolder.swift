import FrostCore
public import Glibc
import Testing

/// A folder of a test's own, removed with all that is in it when the value goes.
public final class ScratchFolder: Sendable {
    public let path: String

    /// The folder for temporary files: `$TMPDIR` or /tmp.
    public static let parent = Environment.value("TMPDIR") ?? "/tmp"

    public init() throws {
        var template = Array("\(Self.parent)/frost-tests-XXXXXX".utf8CString)
        // SAFETY: the array ends in NUL, and mkdtemp writes within it.
        let made = unsafe mkdtemp(&template) != nil
        try #require(made)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        if unsafe unlink(path) == 0 { return }
        for name in Folder.names(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    /// The bytes of a file of up to 4 MiB; nil if it cannot be opened.
    public static func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        // SAFETY: the array is as long as fread is told.
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    /// Replaces a file.
    public static func write(_ path: String, _ bytes: [UInt8]) throws {
        let file = try unsafe #require(unsafe fopen(path, "w"))
        defer { unsafe fclose(file) }
        // SAFETY: the array is as long as fwrite is told.
        #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// The permission bits; 0 if there is no such file.
    public static func mode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
