public import FrostCore
import Glibc

/// An output file that appears at its path either completely or not at all. The bytes go to a temporary file in the
/// folder of the target. ``commit()`` syncs the temporary file and renames it to the target. If this value is destroyed
/// without a commit, it deletes the temporary file.
///
/// If the target is a symbolic link, the link stays, and the file that the link refers to is replaced, unless
/// ``Options/followsLinks`` is false. The new file gets the permission bits, the extended attributes and the access
/// control list of the replaced file. It also gets the owner of the replaced file, if the system allows that. If the
/// replaced file has other names (hard links), these still name the old file. A target that exists and is not a regular
/// file (a pipe, /dev/null) has no content to protect, so the bytes are written to it directly. A path that names an open
/// descriptor, such as /dev/stdout or /dev/fd/3, is written to at the descriptor's position.
public struct AtomicFile: ByteSink, ~Copyable, Sendable {
    /// The path that the caller passed, as text.
    public let name: String
    /// The path of the temporary file that holds the bytes until ``commit()``, or nil if the bytes go directly to the
    /// target. A caller that handles interrupts must delete this file when the process is interrupted.
    public let temporaryPath: FilePath?

    private let target: FilePath
    private var descriptor: Int32
    private let times: FileTimes?
    private var isCommitted = false

    /// How to replace a file.
    public struct Options: Sendable {
        /// Whether a symbolic link stays, and the file that it leads to is replaced. If false, the link is replaced.
        public var followsLinks = true
        /// A function that is called with the path of each temporary file, before that file is created. A caller that
        /// handles interrupts must delete this file when the process is interrupted.
        public var willCreate: @Sendable (FilePath) -> Void = { _ in }
        /// The times that the file gets; nil for the times of writing.
        package var times: FileTimes?

        /// Creates the usual options.
        public init() {}
    }

    /// Creates the temporary file, or opens a target that is not a regular file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to replace the file.
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``. If the path names a directory, the error has the number
    ///   EISDIR.
    public init(path: FilePath, options: Options = Options()) throws(ImageError) {
        // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
        let target: FilePath
        let (descriptor, temporaryPath): (Int32, FilePath?)
        do throws(Errno) {
            if let open = path.descriptor {
                // Opening the path again would begin at the start of a regular file, and not at the descriptor's position.
                let copy = fcntl(open, F_DUPFD_CLOEXEC, 0)
                guard copy >= 0 else { throw Errno.last }
                (self.name, self.target, self.times) = (path.text, path, nil)
                (self.descriptor, self.temporaryPath) = (copy, nil)
                return
            }
            target = options.followsLinks ? try Self.followLinks(path) : path
            var old = try Self.status(of: target, followsLink: options.followsLinks)
            if old?.kind == S_IFLNK { old = nil }
            let kind = old?.kind ?? S_IFREG
            if kind == S_IFDIR { throw Errno(code: EISDIR) }
            // The link of a descriptor of another process leads to a file that may have no path, so it cannot be replaced.
            let isDirect = kind != S_IFREG || path.hasPrefix("/proc/")
            (descriptor, temporaryPath) =
                isDirect
                ? (try path.open(O_WRONLY | O_CLOEXEC), nil)
                : try Self.createBeside(target, replacing: old, options.willCreate)
        } catch {
            throw .cannotWrite(path: path.text, errno: error.code)
        }

        name = path.text
        self.target = target
        times = options.times
        self.descriptor = descriptor
        self.temporaryPath = temporaryPath
    }

    /// The descriptor of the file, for a process that writes to it. This value keeps it open.
    package var writtenDescriptor: Int32 { descriptor }

    /// Appends bytes to the file.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if let error = Descriptor.write(descriptor, bytes) { throw .cannotWrite(path: name, errno: error.code) }
    }

    /// Durably replaces the content of the target: after this method returns, a power failure does not undo the change.
    /// If the method throws, the old file is unchanged and the temporary file is deleted. If only the last step fails, which
    /// makes the new name durable, the new file is in place, and a power failure may bring the old one back.
    public consuming func commit() throws(ImageError) {
        guard let temporaryPath else {
            try closeDescriptor()
            isCommitted = true
            return
        }
        do throws(Errno) {
            try times?.set(on: descriptor)
            try Errno.check { fsync(descriptor) }
        } catch {
            throw .cannotWrite(path: name, errno: error.code)
        }
        // The duplicate holds the lock until the file has its name. Otherwise a process of another container could take
        // the file for a leftover.
        let lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        defer { if lock >= 0 { close(lock) } }
        try closeDescriptor()
        do throws(Errno) { try temporaryPath.rename(to: target) } catch {
            throw .cannotWrite(path: name, errno: error.code)
        }
        isCommitted = true
        // From here on, the new file is in place.
        do throws(Errno) { try Folder.sync(target.folder) } catch {
            throw .cannotWrite(path: name, errno: error.code)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isCommitted, let temporaryPath { try? temporaryPath.unlink() }
    }

    /// Closes the descriptor and throws if that fails: some file systems report a failed write only at this point.
    private mutating func closeDescriptor() throws(ImageError) {
        let result = close(descriptor)
        let error = errno
        descriptor = -1
        // Linux closes the descriptor even if the call is interrupted.
        if result != 0, error != EINTR { throw .cannotWrite(path: name, errno: error) }
    }
}

// MARK: - Names

extension AtomicFile {
    /// Returns the path of the file that a write to `path` would change. If `path` is a symbolic link, this is the
    /// final target of the link, whether or not the target exists.
    private static func followLinks(_ path: FilePath) throws(Errno) -> FilePath {
        var path = path
        // Linux also follows at most 40 links.
        for _ in 0..<40 {
            do throws(Errno) { path = path.folder.appending(try path.linkContent()) } catch {
                // EINVAL means that the file is not a link, and ENOENT that there is no file.
                if error.code == EINVAL || error.code == ENOENT { return path }
                throw error
            }
        }
        throw Errno(code: ELOOP)
    }

    /// Returns the status of the file at a path, or nil if no file exists there.
    private static func status(of path: FilePath, followsLink: Bool) throws(Errno) -> stat? {
        do throws(Errno) { return try path.status(followsLink: followsLink) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Removes the temporary files that killed processes left beside a file. Creating the file does the same.
    ///
    /// - Parameter followsLink: if the path is a symbolic link, whether the file that it leads to is meant.
    package static func removeLeftovers(besides path: FilePath, followsLink: Bool) {
        let target = followsLink ? (try? followLinks(path)) ?? path : path
        LeftoverFiles.remove(in: target.folder)
    }

    /// Creates a file `.name.frost-pid-random.tmp` in the folder of the target.
    ///
    /// - Parameter old: the status of the file to replace. The new file gets its attributes.
    private static func createBeside(
        _ target: FilePath, replacing old: stat?, _ willCreate: (FilePath) -> Void
    ) throws(Errno) -> (Int32, FilePath?) {
        // Replacing a file by renaming another file needs no write permission for the replaced file. This check
        // therefore refuses to replace a read-only file.
        if old != nil { try target.checkAccess(W_OK) }
        let attributes = try old.map { (status) throws(Errno) in try FileAttributes(of: target, status) }
        let folder = target.folder
        LeftoverFiles.remove(in: folder)
        // The temporary name contains at most 180 bytes of the file's name, so that its total length stays within
        // NAME_MAX.
        let stem = FilePath(bytes: target.name.bytes.prefix(180))
        // If the file replaces an old file, no other user may read it before it has the permissions of the old file. If
        // there is no old file, the permissions depend on the umask.
        let mode: mode_t = old == nil ? 0o666 : 0o600
        // Random names collide only if someone creates them on purpose, so a few tries are enough.
        for _ in 0..<8 {
            let random = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = folder.appending(LeftoverFiles.name(for: stem, random))
            willCreate(path)
            let descriptor: Int32
            do throws(Errno) { descriptor = try path.open(O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode) } catch {
                if error.code == EEXIST { continue }
                throw error
            }
            guard isOurs(descriptor) else {
                close(descriptor)
                continue
            }
            do throws(Errno) { try attributes?.apply(to: descriptor) } catch {
                close(descriptor)
                try? path.unlink()
                throw error
            }
            return (descriptor, path)
        }
        throw Errno(code: EEXIST)
    }

    /// Locks a new temporary file, which tells other processes that this process is still writing it. Returns false if a
    /// process of another container, which searches the folder for leftover files, was faster: it has the lock, or has
    /// deleted the file.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        // File systems without locks report another error. No process deletes leftover files there.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
        var status = stat()
        // SAFETY: fstat fills in the given structure.
        return unsafe fstat(descriptor, &status) != 0 || status.st_nlink > 0
    }
}
