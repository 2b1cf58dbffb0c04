import FrostCore
import Glibc

/// An output file that appears at its path either completely or not at all. The bytes go to a temporary file in the
/// folder of the target. ``commit()`` syncs the temporary file and renames it to the target. If this value is destroyed
/// without a commit, it deletes the temporary file.
///
/// If the target is a symbolic link, the link stays, and the file that the link refers to is replaced. The new file
/// gets the permission bits of the replaced file. It also gets the owner of the replaced file, if the system allows
/// that. A target that exists and is not a regular file (a pipe, /dev/null, /dev/stdout) has no content to protect, so
/// the bytes are written to it directly.
public struct AtomicFile: ByteSink, ~Copyable, Sendable {
    /// The path that the caller passed.
    public let name: String
    /// The path of the temporary file that holds the bytes until ``commit()``, or nil if the bytes go directly to the
    /// target. A caller that handles interrupts must delete this file when the process is interrupted.
    public let temporaryPath: String?

    private let target: String
    private var descriptor: Int32
    private var isCommitted = false

    /// Creates the temporary file, or opens a target that is not a regular file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - willCreate: a function that is called with the path of each temporary file, before that file is created.
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``. If the path names a directory, the error has the number
    ///   EISDIR.
    public init(path: String, willCreate: (String) -> Void = { _ in }) throws(ImageError) {
        // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
        let target = try Self.followLinks(path)
        let old = try Self.status(of: target, name: path)
        let kind = old.map { $0.st_mode & S_IFMT } ?? S_IFREG
        if kind == S_IFDIR { throw .cannotWrite(path: path, errno: EISDIR) }
        let isDirect = kind != S_IFREG || Self.isDescriptorName(path)
        let (descriptor, temporaryPath) =
            isDirect
            ? (try Self.openDirectly(path), nil) : try Self.createBeside(target, replacing: old, name: path, willCreate)

        name = path
        self.target = target
        self.descriptor = descriptor
        self.temporaryPath = temporaryPath
    }

    /// Appends bytes to the file.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if let error = Descriptor.write(descriptor, bytes) { throw .cannotWrite(path: name, errno: error.code) }
    }

    /// Durably replaces the content of the target: after this method returns, a power failure does not undo the change.
    /// If the method throws, the old file is unchanged and the temporary file is deleted.
    public consuming func commit() throws(ImageError) {
        guard let temporaryPath else {
            try closeDescriptor()
            isCommitted = true
            return
        }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path: name, errno: errno) }
        try closeDescriptor()
        // SAFETY: the strings are passed as C strings for the duration of the call.
        guard unsafe rename(temporaryPath.fileName, target.fileName) == 0 else {
            throw .cannotWrite(path: name, errno: errno)
        }
        isCommitted = true
        // From here on, the new file is in place. Syncing the folder makes the new name durable. On some network file
        // systems the folder cannot be opened or synced. The name then becomes durable when the system itself writes
        // the folder.
        let folder = unsafe open(Self.split(target).folder.fileName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            _ = fsync(folder)
            close(folder)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        // SAFETY: the string is passed as a C string for the duration of the call.
        if !isCommitted, let temporaryPath { _ = unsafe unlink(temporaryPath.fileName) }
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
    private static func followLinks(_ path: String) throws(ImageError) -> String {
        var path = path
        let given = path
        var link = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Linux also follows at most 40 links.
        for _ in 0..<40 {
            // SAFETY: readlink fills at most the capacity that it receives, and returns the number of bytes written.
            let count = unsafe readlink(path.fileName, &link, link.count)
            if count <= 0 { return path }
            let destination = FileName.decode(link[..<count].map { UInt8(bitPattern: $0) })
            path = destination.hasPrefix("/") ? destination : split(path).folder + "/" + destination
        }
        throw .cannotWrite(path: given, errno: ELOOP)
    }

    /// Returns whether the path may name an open descriptor of a process. The file behind such a path cannot be
    /// replaced by renaming another file: /proc shows a descriptor as a link to a file, but this file may have no path.
    private static func isDescriptorName(_ path: String) -> Bool {
        path == "/dev/stdout" || path == "/dev/stderr" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/")
    }

    /// Returns the status of the file at a path, or nil if no file exists there.
    private static func status(of path: String, name: String) throws(ImageError) -> stat? {
        var result = stat()
        // SAFETY: stat fills the structure that it receives.
        if unsafe stat(path.fileName, &result) == 0 { return result }
        let error = errno
        if error == ENOENT { return nil }
        throw .cannotWrite(path: name, errno: error)
    }

    /// Splits a path into its folder and its last component.
    private static func split(_ path: String) -> (folder: String, file: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let file = String(path[path.index(after: slash)...])
        return slash == path.startIndex ? ("/", file) : (String(path[..<slash]), file)
    }

    private static func openDirectly(_ path: String) throws(ImageError) -> Int32 {
        // SAFETY: the string is passed as a C string for the duration of the call.
        let descriptor = unsafe open(path.fileName, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, errno: errno) }
        return descriptor
    }

    /// Creates a file `.name.frost-pid-random.tmp` in the folder of the target.
    ///
    /// - Parameter old: the status of the file to replace. The new file gets its permissions and its owner.
    private static func createBeside(
        _ target: String, replacing old: stat?, name: String, _ willCreate: (String) -> Void
    ) throws(ImageError) -> (Int32, String?) {
        // Replacing a file by renaming another file needs no write permission for the replaced file. This check
        // therefore refuses to replace a read-only file. SAFETY: here and below, strings are passed as C strings for
        // the duration of the call.
        if old != nil, unsafe access(target.fileName, W_OK) != 0 { throw .cannotWrite(path: name, errno: errno) }
        let (folder, file) = split(target)
        LeftoverFiles.remove(in: folder)
        // The temporary name contains at most 180 bytes of the file's name, so that its total length stays within
        // NAME_MAX.
        let stem = String(decoding: file.utf8.prefix(180), as: UTF8.self)
        // Random names collide only if someone creates them on purpose, so a few tries are enough.
        for _ in 0..<8 {
            let random = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = folder + "/" + LeftoverFiles.name(for: stem, random)
            // If the file replaces an old file, no other user may read it before it has the permissions of the old
            // file. If there is no old file, the permissions depend on the umask.
            let mode: mode_t = old == nil ? 0o666 : 0o600
            willCreate(path)
            let descriptor = unsafe open(path.fileName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 {
                // The lock tells other processes that this process is still writing the file.
                _ = flock(descriptor, LOCK_EX | LOCK_NB)
                if let old {
                    // Changing the owner needs privileges. Without these privileges, the file belongs to the current
                    // user.
                    _ = fchown(descriptor, old.st_uid, old.st_gid)
                    _ = fchmod(descriptor, old.st_mode & 0o777)
                }
                return (descriptor, path)
            }
            if errno != EEXIST { throw .cannotWrite(path: name, errno: errno) }
        }
        throw .cannotWrite(path: name, errno: EEXIST)
    }
}
