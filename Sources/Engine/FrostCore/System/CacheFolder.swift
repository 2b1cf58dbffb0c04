import Glibc

/// A folder with the files of a cache, or with the state of the program.
///
/// No operation is required to succeed. A file that cannot be read, is damaged or belongs to another user
/// counts as missing. A file that cannot be written is not kept. Other processes may use the folder at the same time: a
/// file gets its name only when it is complete.
package struct CacheFolder: Sendable {
    private let path: FilePath

    private static let temporarySuffix = ".tmp"

    /// Creates a cache in a folder. The file system is not accessed before the first use.
    package init(_ path: String) { self.path = FilePath(path) }

    /// Returns the folder in which Frost keeps results that it would otherwise compute or measure again:
    /// `$XDG_CACHE_HOME/frost`, or `$HOME/.cache/frost`. The result is nil if neither variable is an absolute path. The
    /// XDG base directory specification requires that relative paths are ignored.
    ///
    /// - Parameter environment: returns the value of a variable; nil if it is not set.
    package static func user(_ environment: (String) -> String? = Environment.value) -> String? {
        folder("XDG_CACHE_HOME", ".cache", environment)
    }

    /// Returns the folder in which Frost keeps what it must not lose: `$XDG_STATE_HOME/frost`, or
    /// `$HOME/.local/state/frost`; see ``user(_:)``.
    package static func state(_ environment: (String) -> String? = Environment.value) -> String? {
        folder("XDG_STATE_HOME", ".local/state", environment)
    }

    /// Returns the folder in which users keep what Frost reads and does not write: `$XDG_CONFIG_HOME/frost`, or
    /// `$HOME/.config/frost`; see ``user(_:)``.
    package static func configuration(_ environment: (String) -> String? = Environment.value) -> String? {
        folder("XDG_CONFIG_HOME", ".config", environment)
    }

    private static func folder(
        _ variable: String, _ usual: String, _ environment: (String) -> String?
    ) -> String? {
        func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return absolute(variable).map { $0 + "/frost" } ?? absolute("HOME").map { "\($0)/\(usual)/frost" }
    }

    /// Returns the path of a file in the folder.
    package func path(of name: String) -> String { file(name).description }

    package enum Content: Equatable {
        case bytes([UInt8])
        /// There is no file with the name.
        case nothing
        /// The file exists and cannot be used.
        case unusable
    }

    /// Reads a file of at most `limit` bytes, and sets the file's time of last use to now.
    package func read(_ name: String, limit: Int) -> Content {
        // O_NOFOLLOW rejects links. With O_NONBLOCK, opening a pipe does not wait.
        let file: Int32
        do throws(Errno) {
            file = try self.file(name).open(O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            return error.code == ENOENT || error.code == ENOTDIR ? .nothing : .unusable
        }
        defer { close(file) }
        var status = stat()
        // SAFETY: fstat fills in the given structure.
        guard unsafe fstat(file, &status) == 0, Self.isOwn(status), status.kind == S_IFREG,
            status.st_size <= limit, let bytes = try? Descriptor.readAll(file, limit: status.st_size + 1),
            bytes.count == status.st_size
        else { return .unusable }
        // Marks the file as used. The call fails on read-only file systems, where no file is deleted either.
        _ = futimens(file, nil)
        return .bytes(bytes)
    }

    /// Writes a file and replaces any file of the same name. The folder is created if it does not exist.
    ///
    /// - Returns: the reason why the file could not be written; nil if it was written.
    package func replace(_ name: String, by bytes: [UInt8]) -> String? { write(name, bytes, replaces: true) }

    /// Writes a file unless there is one of the same name. The folder is created if it does not exist. The file that this
    /// function writes is durable when it returns; ``sync()`` makes the name of another process's file durable.
    ///
    /// - Returns: the reason why the file could not be written; nil if there is a file of that name now.
    package func add(_ name: String, _ bytes: [UInt8]) -> String? { write(name, bytes, replaces: false) }

    /// Makes the names in the folder durable.
    ///
    /// - Returns: the reason why they could not be made durable.
    package func sync() -> String? {
        do throws(Errno) { try Folder.sync(path) } catch { return "\(path): \(error.message)" }
        return nil
    }

    private func write(_ name: String, _ bytes: [UInt8], replaces: Bool) -> String? {
        do throws(Errno) {
            try makeFolder(isDurable: !replaces)
        } catch {
            return "\(path): \(error.message)"
        }
        guard Self.isOwnFolder(path) else { return "\(path) belongs to another user, or others can write to it" }
        removeLeftovers()
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = file(".\(name)-\(getpid())-\(random)\(Self.temporarySuffix)")
        do throws(Errno) {
            let file = try temporary.open(O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: 0o600)
            do throws(Errno) {
                // A file that can be replaced is not synced. After a power failure, a checksum detects the damage.
                var error = unsafe Descriptor.write(file, bytes.span.bytes)
                do throws(Errno) { if !replaces, error == nil { try Errno.check { fsync(file) } } } catch let failure {
                    error = failure
                }
                // Linux closes the descriptor even if the call is interrupted.
                if close(file) != 0, errno != EINTR, error == nil { error = .last }
                if let error { throw error }
                if replaces {
                    try temporary.rename(to: self.file(name))
                } else {
                    do throws(Errno) { try temporary.link(to: self.file(name)) } catch {
                        if error.code != EEXIST { throw error }
                    }
                    // A failure leaves a name that `removeLeftovers` deletes. The file is kept in any case.
                    try? temporary.unlink()
                    return sync()
                }
            } catch {
                try? temporary.unlink()
                throw error
            }
            return nil
        } catch {
            return "\(path): \(error.message)"
        }
    }

    /// Deletes temporary files that have not changed for over an hour, because their processes died, and those that have
    /// another name already.
    package func removeLeftovers() {
        for name in Folder.entries(in: path) where name.text.hasSuffix(Self.temporarySuffix) {
            let file = path.appending(name)
            guard let status = try? file.status(followsLink: false), status.kind == S_IFREG,
                status.st_nlink > 1 || time(nil) - status.st_mtim.tv_sec > 3600
            else { continue }
            try? file.unlink()
        }
    }

    /// Deletes the least recently used files until at most `files` files are left and these have at most `limit` bytes
    /// in total.
    ///
    /// - Parameter suffix: the suffix of the cache's files. Other files are neither counted nor deleted.
    package func prune(suffix: String, files: Int, bytes limit: Int) {
        var entries: [(path: FilePath, used: Int, bytes: Int)] = []
        for name in Folder.entries(in: path) where name.text.hasSuffix(suffix) {
            let file = path.appending(name)
            guard let status = try? file.status(followsLink: false), status.kind == S_IFREG else { continue }
            let used = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
            entries.append((file, used, status.st_size))
        }
        entries.sort { ($0.used, $0.path) < ($1.used, $1.path) }
        var bytes = entries.reduce(0) { $0 + $1.bytes }
        for index in entries.indices where entries.count - index > files || bytes > limit {
            bytes -= entries[index].bytes
            try? entries[index].path.unlink()
        }
    }

    /// Whether a file belongs to the user and only the user may write it.
    private static func isOwn(_ status: stat) -> Bool {
        status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Whether a folder is safe from changes by other users. Links are followed, because users move their caches to
    /// other disks.
    private static func isOwnFolder(_ path: FilePath) -> Bool {
        guard let status = try? path.status(), status.kind == S_IFDIR else { return false }
        // In a sticky folder such as /tmp, everybody may create files, but only the owner of a file can rename it.
        return isOwn(status) || status.st_uid == 0 && status.st_mode & S_ISVTX != 0
    }

    private func file(_ name: String) -> FilePath { path.appending(FilePath(name)) }

    /// Creates the folder and its missing parents. Only the user may access the new folders.
    private func makeFolder(isDurable: Bool) throws(Errno) {
        var missing: [FilePath] = []
        var folder = path
        while !Self.isPresent(folder), folder != folder.folder {
            missing.append(folder)
            folder = folder.folder
        }
        for folder in missing.reversed() {
            // Root must not create folders in the home of another user, because that user could not access them. HOME
            // can be another user's home, because sudo may keep this variable.
            if geteuid() == 0, !Self.isOwnFolder(folder.folder) { throw Errno(code: EPERM) }
            do throws(Errno) {
                if isDurable { try Folder.make(folder, mode: 0o700) } else { try folder.makeFolder(mode: 0o700) }
            } catch {
                // Another process created the folder in the meantime.
                if error.code != EEXIST { throw error }
            }
        }
    }

    private static func isPresent(_ folder: FilePath) -> Bool { (try? folder.checkAccess(F_OK)) != nil }
}
