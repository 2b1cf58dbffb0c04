import FrostCore
import Glibc

/// A file that appears at its path whole or not at all. It is written beside its target under another name;
/// ``commit()`` syncs it and renames it over the target. If the value is dropped before that, the temporary file is
/// deleted.
///
/// A target that is a symbolic link stays one: the file behind it is replaced. A replaced file's permission bits are
/// kept, and its owner if the system allows that. A target that exists and is no regular file (a pipe, /dev/null,
/// /dev/stdout) has no content to protect and is written to directly.
public struct AtomicFile: ByteSink, ~Copyable, Sendable {
    /// The path as it was given.
    public let name: String
    /// The file that holds the bytes until ``commit()``, for a caller that must delete it when the process is
    /// interrupted; nil if the target is written to directly.
    public let temporaryPath: String?

    private let target: String
    private var descriptor: Int32
    private var isCommitted = false

    /// Creates the temporary file, or opens a target that is not a regular file.
    ///
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``; for a directory, with EISDIR.
    public init(path: String, willCreate: (String) -> Void = { _ in }) throws(ImageError) {
        // All fields of a noncopyable value are set together: nothing may throw in between.
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

    /// Appends the bytes.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if let error = Descriptor.write(descriptor, bytes) { throw .cannotWrite(path: name, errno: error.code) }
    }

    /// Durably replaces the target's content: when this returns, a power failure does not undo it. When it throws, the
    /// old file is unchanged and the temporary file is deleted.
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
        // From here on the new file is in place. Syncing the folder makes its name durable too; if the folder cannot be
        // opened or synced (some network file systems), that is left to the system.
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

    /// Some file systems report a failed write only here.
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
    /// The path that a write to `path` reaches: `path` itself, or the target of its links, whether or not that exists.
    private static func followLinks(_ path: String) throws(ImageError) -> String {
        var path = path
        let given = path
        var link = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Linux itself follows at most 40 links.
        for _ in 0..<40 {
            // SAFETY: readlink fills at most the capacity it is told and returns how much.
            let count = unsafe readlink(path.fileName, &link, link.count)
            if count <= 0 { return path }
            let destination = FileName.decode(link[..<count].map { UInt8(bitPattern: $0) })
            path = destination.hasPrefix("/") ? destination : split(path).folder + "/" + destination
        }
        throw .cannotWrite(path: given, errno: ELOOP)
    }

    /// /proc shows open descriptors as links to files, but the file behind such a link may have no path.
    private static func isDescriptorName(_ path: String) -> Bool {
        path == "/dev/stdout" || path == "/dev/stderr" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/")
    }

    /// nil if nothing is there.
    private static func status(of path: String, name: String) throws(ImageError) -> stat? {
        var result = stat()
        // SAFETY: stat fills in the structure it is given.
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

    /// Creates a file `.name.frost-pid-random.tmp` in the target's folder.
    ///
    /// - Parameter old: the file to replace, whose permissions and owner the new file gets.
    private static func createBeside(
        _ target: String, replacing old: stat?, name: String, _ willCreate: (String) -> Void
    ) throws(ImageError) -> (Int32, String?) {
        // A rename needs no permission on the file that it replaces, so a read-only file is refused here.
        // SAFETY: here and below, strings are passed as C strings for the duration of the call.
        if old != nil, unsafe access(target.fileName, W_OK) != 0 { throw .cannotWrite(path: name, errno: errno) }
        let (folder, file) = split(target)
        LeftoverFiles.remove(in: folder)
        // Leaves room within NAME_MAX for the rest of the name.
        let stem = String(decoding: file.utf8.prefix(180), as: UTF8.self)
        // Random names collide only if someone creates them on purpose, so a few tries are enough.
        for _ in 0..<8 {
            let random = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = folder + "/" + LeftoverFiles.name(for: stem, random)
            // No one else may read it until it has the old file's permissions. A new file's depend on the umask.
            let mode: mode_t = old == nil ? 0o666 : 0o600
            willCreate(path)
            let descriptor = unsafe open(path.fileName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 {
                // While this process holds the lock, the file is being written.
                _ = flock(descriptor, LOCK_EX | LOCK_NB)
                if let old {
                    // Changing the owner needs privileges. Without them the file is written all the same.
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
