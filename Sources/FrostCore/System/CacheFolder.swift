import Glibc

/// A folder of files that a cache keeps.
///
/// A cache may fail at everything: a file that cannot be read, is damaged or belongs to somebody else counts as missing,
/// and a file that cannot be written is not kept. Other processes may use the folder at the same time: a file gets its
/// name only when it is complete.
package struct CacheFolder: Sendable {
    package let path: String

    private static let temporarySuffix = ".tmp"

    /// The file system is not touched before the first use.
    package init(_ path: String) { self.path = path }

    /// The folder where Frost keeps what it would otherwise have to compute or measure again: `$XDG_CACHE_HOME/frost`, or
    /// `$HOME/.cache/frost`; nil if neither is named by an absolute path. By the XDG base directory specification,
    /// relative paths are ignored.
    ///
    /// - Parameter environment: the value of a variable; nil if it is not set.
    package static func user(_ environment: (String) -> String? = Environment.value) -> String? {
        func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return absolute("XDG_CACHE_HOME").map { $0 + "/frost" } ?? absolute("HOME").map { $0 + "/.cache/frost" }
    }

    package enum Content: Equatable {
        case bytes([UInt8])
        /// No file.
        case nothing
        /// A file that cannot be used.
        case unusable
    }

    /// Reads a file of at most `limit` bytes, and marks it as used now.
    package func read(_ name: String, limit: Int) -> Content {
        // O_NOFOLLOW and O_NONBLOCK: links are not followed, and pipes are not waited for.
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        let file = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .unusable }
        defer { close(file) }
        var status = stat()
        // SAFETY: fstat fills in the structure it is given.
        guard unsafe fstat(file, &status) == 0, Self.isOwn(status), status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit, let bytes = try? Descriptor.readAll(file, limit: status.st_size + 1),
            bytes.count == status.st_size
        else { return .unusable }
        // Fails on read-only file systems, where nothing is deleted either.
        _ = futimens(file, nil)
        return .bytes(bytes)
    }

    /// Writes a file in place of any other of its name. The folder is made if need be.
    ///
    /// - Returns: why the file could not be written; nil if it was.
    package func replace(_ name: String, by bytes: [UInt8]) -> String? {
        if let error = makeFolder() { return "\(path): \(error.message)" }
        guard Self.isOwnFolder(path) else { return "\(path) belongs to somebody else, or may be written by others" }
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(path)/.\(name)-\(getpid())-\(random)\(Self.temporarySuffix)"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return "\(path): \(Errno.last.message)" }
        // Not synced: after a power failure a checksum shows the damage.
        var error = unsafe Descriptor.write(file, bytes.span.bytes)
        if close(file) != 0, error == nil { error = .last }
        if error == nil, unsafe rename(temporary, "\(path)/\(name)") != 0 { error = .last }
        guard let error else { return nil }
        _ = unsafe unlink(temporary)
        return "\(path): \(error.message)"
    }

    /// Deletes the least recently used files until at most so many files and bytes are left, and the temporary files of
    /// processes that died over an hour ago.
    ///
    /// - Parameter suffix: other files are neither counted nor deleted.
    package func prune(suffix: String, files: Int, bytes limit: Int) {
        var entries: [(path: String, used: Int, bytes: Int)] = []
        for name in Folder.names(in: path) {
            let file = "\(path)/\(name)"
            var status = stat()
            guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let used = status.st_mtim.tv_sec
            if name.hasSuffix(suffix) {
                entries.append((file, used * 1_000_000_000 + status.st_mtim.tv_nsec, status.st_size))
            } else if name.hasSuffix(Self.temporarySuffix), time(nil) - used > 3600 {
                _ = unsafe unlink(file)
            }
        }
        entries.sort { ($0.used, $0.path) < ($1.used, $1.path) }
        var bytes = entries.reduce(0) { $0 + $1.bytes }
        for index in entries.indices where entries.count - index > files || bytes > limit {
            bytes -= entries[index].bytes
            _ = unsafe unlink(entries[index].path)
        }
    }

    /// Whether a file belongs to the user and nobody else may write it.
    private static func isOwn(_ status: stat) -> Bool {
        status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Follows links: people put their caches on other disks.
    private static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        // SAFETY: stat fills in the structure it is given.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        // In a sticky folder, such as /tmp, everybody may create files, and only their owner can rename them.
        return isOwn(status) || status.st_uid == 0 && status.st_mode & S_ISVTX != 0
    }

    /// Makes the folder and its missing parents, for the user alone.
    private func makeFolder() -> Errno? {
        // A C string would end at the zero, and name another folder.
        guard !path.utf8.contains(0) else { return Errno(code: EINVAL) }
        var made = ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : made
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            if unsafe access(made, F_OK) == 0 { continue }
            // Folders of root in a user's home would lock that user out; sudo may keep HOME.
            if geteuid() == 0, !Self.isOwnFolder(parent) { return Errno(code: EPERM) }
            // EEXIST: another process made it in the meantime.
            if unsafe mkdir(made, 0o700) != 0, errno != EEXIST { return .last }
        }
        return nil
    }
}
