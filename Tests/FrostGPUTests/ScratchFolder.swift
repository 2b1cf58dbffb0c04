import Glibc
import Testing

/// A folder of a test's own, gone with all that is in it when the value goes.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/frost-gpu-XXXXXX".utf8CString)
        // SAFETY: the array ends in NUL, and mkdtemp writes within it.
        let made = unsafe mkdtemp(&template) != nil
        try #require(made)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        if unsafe unlink(path) == 0 { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    /// The names in a folder, sorted, without "." and "..".
    static func names(in path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // SAFETY: d_name is a C string within the entry, which is valid until the next readdir.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        // SAFETY: the array is as long as fread is told.
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    static func write(_ path: String, _ bytes: [UInt8]) throws {
        let file = try unsafe #require(unsafe fopen(path, "w"))
        defer { unsafe fclose(file) }
        // SAFETY: the array is as long as fwrite is told.
        #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// The permission bits; 0 if there is nothing.
    static func mode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
