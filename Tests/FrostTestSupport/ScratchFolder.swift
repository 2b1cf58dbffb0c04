import FrostCore
public import Glibc
import Testing

/// A temporary folder for one test. It is removed with its contents when the object is deallocated.
public final class ScratchFolder: Sendable {
    /// The folder's absolute path.
    public let path: String

    /// The parent folder of all scratch folders: `$TMPDIR`, or /tmp if it is not set.
    public static let parent = Environment.value("TMPDIR") ?? "/tmp"

    /// Creates an empty folder.
    public init() throws {
        var template = Array("\(Self.parent)/frost-tests-XXXXXX".utf8CString)
        // SAFETY: the array ends in NUL, and mkdtemp only overwrites its characters.
        let made = unsafe mkdtemp(&template) != nil
        try #require(made)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // SAFETY: here and in the functions below, strings are passed as C strings for the duration of the call.
        if unsafe unlink(path) == 0 { return }
        for name in Folder.names(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    /// Returns the bytes of a file, up to the first 4 MiB; nil if the file cannot be opened.
    public static func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        // SAFETY: `bytes` has as many elements as fread may write.
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    /// Writes a file, replacing an existing one.
    public static func write(_ path: String, _ bytes: [UInt8]) throws {
        let file = try unsafe #require(unsafe fopen(path, "w"))
        defer { unsafe fclose(file) }
        // SAFETY: `bytes` has as many elements as fwrite reads.
        #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// Returns the permission bits of a file; 0 if the file does not exist.
    public static func mode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
