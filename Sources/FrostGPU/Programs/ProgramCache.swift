import FrostGLES

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Program binaries in a folder of files.
///
/// A cache may fail at everything: what cannot be read, is damaged or belongs to somebody else is as if it were not
/// there, and what cannot be written is not. `problem` says so. Other processes may use the folder at the same time:
/// files appear under their names whole.
struct ProgramCache {
    /// Bounds on the folder, kept by deleting the files that were not used for longest.
    struct Limits {
        var files = 64
        var bytes = 16 << 20
    }

    /// Why nothing is kept; nil while all is well.
    private(set) var problem: String?
    private let folder: String?
    private let limits: Limits

    /// Nothing of the file system is looked at before the first use.
    init(_ location: ProgramCacheLocation.Resolved, limits: Limits = Limits()) {
        self.limits = limits
        switch location {
        case .folder(let path): folder = path
        case .none(let reason): (folder, problem) = (nil, reason)
        }
    }

    static let suffix = ".program"
    static let temporarySuffix = ".tmp"

    static func fileName(_ key: [UInt8]) -> String { Hash(of: key).hexadecimal + suffix }

    /// What was found under a key.
    enum Finding: Equatable {
        case binary(ProgramBinary)
        /// No file.
        case nothing
        /// A file that cannot be used. It will be written anew.
        case unusable
    }

    /// Looks a program up.
    func find(_ key: [UInt8]) -> Finding {
        guard let folder else { return .nothing }
        // Neither links nor pipes are followed or waited for.
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        let file = unsafe open("\(folder)/\(Self.fileName(key))", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .unusable }
        defer { close(file) }
        guard let status = Self.ownStatus(of: file), status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limits.bytes, let bytes = Self.read(file, Int(status.st_size)),
            let binary = ProgramFile.decode(bytes, key: key)
        else { return .unusable }
        // Marks it as used now. Fails on read-only file systems, where nothing is deleted either.
        _ = futimens(file, nil)
        return .binary(binary)
    }

    /// Keeps a program, in place of what was there.
    mutating func keep(_ binary: ProgramBinary, key: [UInt8]) {
        guard let folder, problem == nil else { return }
        let bytes = ProgramFile.encode(binary, key: key)
        guard bytes.count <= limits.bytes else { return }
        guard Self.makeFolder(folder) else {
            problem = "\(folder): \(Self.reason())"
            return
        }
        guard Self.isOwn(folder) else {
            problem = "\(folder) belongs to somebody else, or may be written by others"
            return
        }
        let name = Self.fileName(key)
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(folder)/.\(name)-\(getpid())-\(random)\(Self.temporarySuffix)"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            problem = "\(folder): \(Self.reason())"
            return
        }
        // Not synced: after a power failure the checksum tells.
        let isWritten = Self.write(file, bytes)
        let isClosed = close(file) == 0
        guard isWritten, isClosed, unsafe rename(temporary, "\(folder)/\(name)") == 0 else {
            problem = "\(folder): \(Self.reason())"
            _ = unsafe unlink(temporary)
            return
        }
        prune(folder)
    }

    /// Deletes the files that were not used for longest until the limits are kept, and what writers left who died.
    private func prune(_ folder: String) {
        var entries: [(path: String, used: Int, bytes: Int)] = []
        for name in Self.names(in: folder) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let used = status.st_mtim.tv_sec
            if name.hasSuffix(Self.suffix) {
                entries.append((path, used * 1_000_000_000 + status.st_mtim.tv_nsec, Int(status.st_size)))
            } else if name.hasSuffix(Self.temporarySuffix), time(nil) - used > 3600 {
                _ = unsafe unlink(path)
            }
        }
        entries.sort { ($0.used, $0.path) < ($1.used, $1.path) }
        var bytes = entries.reduce(0) { $0 + $1.bytes }
        for index in entries.indices where entries.count - index > limits.files || bytes > limits.bytes {
            bytes -= entries[index].bytes
            _ = unsafe unlink(entries[index].path)
        }
    }
}

// MARK: - Files

extension ProgramCache {
    /// A file's status if it is the user's own and nobody else may write it.
    private static func ownStatus(of file: Int32) -> stat? {
        var status = stat()
        // SAFETY: fstat fills in the structure it is given.
        guard unsafe fstat(file, &status) == 0, isOwn(status) else { return nil }
        return status
    }

    private static func isOwn(_ status: stat) -> Bool {
        status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Follows links: people put their caches on other disks.
    private static func isOwn(_ folder: String) -> Bool {
        var status = stat()
        // SAFETY: stat fills in the structure it is given.
        guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        // In a sticky folder, such as /tmp, everybody may make things, and only their owner can rename them.
        return isOwn(status) || status.st_uid == 0 && status.st_mode & S_ISVTX != 0
    }

    /// Makes a folder and its missing parents, for the user alone.
    private static func makeFolder(_ path: String) -> Bool {
        var made = ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : made
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            // SAFETY: here and below, strings are passed as C strings for the duration of the call.
            if unsafe access(made, F_OK) == 0 { continue }
            // Root's folders in a user's home would lock that user out; sudo may keep HOME.
            if geteuid() == 0, !isOwn(parent) {
                errno = EPERM
                return false
            }
            // Another process may have been quicker.
            if unsafe mkdir(made, 0o700) != 0, errno != EEXIST { return false }
        }
        return true
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
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
