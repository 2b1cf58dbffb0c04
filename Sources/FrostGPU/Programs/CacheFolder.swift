import Glibc

/// A folder of files that a cache keeps.
///
/// A cache may fail at everything: what cannot be read, is damaged or belongs to somebody else is as if it were not
/// there, and what cannot be written is not. Other processes may use the folder at the same time: files appear under
/// their names whole.
package struct CacheFolder: Sendable {
    package let path: String

    package static let temporarySuffix = ".tmp"

    /// The file system is not touched before the first use.
    package init(_ path: String) { self.path = path }

    package enum Content: Equatable {
        case bytes([UInt8])
        /// No file.
        case nothing
        /// A file that cannot be used.
        case unusable
    }

    /// Reads a file of at most `limit` bytes, and marks it as used now.
    package func read(_ name: String, limit: Int) -> Content {
        // Neither links nor pipes are followed or waited for.
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        let file = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .unusable }
        defer { close(file) }
        var status = stat()
        // SAFETY: fstat fills in the structure it is given.
        guard unsafe fstat(file, &status) == 0, Self.isOwn(status), status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit, let bytes = Self.read(file, Int(status.st_size))
        else { return .unusable }
        // Fails on read-only file systems, where nothing is deleted either.
        _ = futimens(file, nil)
        return .bytes(bytes)
    }

    /// Writes a file in place of what has its name. The folder is made if need be.
    ///
    /// - Returns: what hindered it; nil if the file is there.
    package func replace(_ name: String, by bytes: [UInt8]) -> String? {
        guard makeFolder() else { return "\(path): \(Self.reason())" }
        guard Self.isOwnFolder(path) else { return "\(path) belongs to somebody else, or may be written by others" }
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(path)/.\(name)-\(getpid())-\(random)\(Self.temporarySuffix)"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return "\(path): \(Self.reason())" }
        // Not synced: after a power failure a checksum tells.
        let isWritten = Self.write(file, bytes)
        let isClosed = close(file) == 0
        guard isWritten, isClosed, unsafe rename(temporary, "\(path)/\(name)") == 0 else {
            let problem = "\(path): \(Self.reason())"
            _ = unsafe unlink(temporary)
            return problem
        }
        return nil
    }

    /// The names in the folder; none if it cannot be read.
    func names() -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // SAFETY: d_name is a C string within the entry, which is valid until the next readdir.
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                })
        }
        return names
    }

    /// Whether a file is the user's own and nobody else may write it.
    private static func isOwn(_ status: stat) -> Bool {
        status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Follows links: people put their caches on other disks.
    private static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        // SAFETY: stat fills in the structure it is given.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        // In a sticky folder, such as /tmp, everybody may make things, and only their owner can rename them.
        return isOwn(status) || status.st_uid == 0 && status.st_mode & S_ISVTX != 0
    }

    /// Makes the folder and its missing parents, for the user alone.
    private func makeFolder() -> Bool {
        // A C string would end there, and name another folder.
        guard !path.utf8.contains(0) else {
            errno = EINVAL
            return false
        }
        var made = ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : made
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            if unsafe access(made, F_OK) == 0 { continue }
            // Root's folders in a user's home would lock that user out; sudo may keep HOME.
            if geteuid() == 0, !Self.isOwnFolder(parent) {
                errno = EPERM
                return false
            }
            // Another process may have been quicker.
            if unsafe mkdir(made, 0o700) != 0, errno != EEXIST { return false }
        }
        return true
    }

    /// nil unless there are exactly as many bytes.
    private static func read(_ file: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            // SAFETY: the rest of the array is as long as the call is told.
            let got = unsafe bytes.withUnsafeMutableBytes { memory in
                unsafe Glibc.read(file, memory.baseAddress.map { unsafe $0 + done }, count - done)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func write(_ file: Int32, _ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            // SAFETY: the rest of the array is as long as the call is told.
            let put = unsafe bytes.withUnsafeBytes { memory in
                unsafe Glibc.write(file, memory.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            done += put
        }
        return true
    }

    private static func reason() -> String {
        // SAFETY: a C string that is copied at once.
        unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    }
}
