import FrostCore
import Glibc
import Synchronization

/// Finds and removes temporary files of ``AtomicFile`` that killed processes left behind.
enum LeftoverFiles {
    /// Identifies a folder by device and inode, independently of its path.
    private struct Identity: Hashable { let device, number: UInt64 }

    /// The folders that this process has already searched for leftover files.
    private static let searched = Mutex<Set<Identity>>([])

    private static let mark = ".frost-"
    private static let suffix = ".tmp"

    /// Returns the name of a temporary file: `.stem.frost-pid-random.tmp`.
    static func name(for stem: String, _ random: String) -> String { ".\(stem)\(mark)\(getpid())-\(random)\(suffix)" }

    /// Removes the leftover files of a folder. This happens once per process and folder.
    ///
    /// A file is a leftover if no other process has the process number in the file's name, and if no process holds the
    /// lock that writers hold on their files. The lock is necessary because a writer may run in another container,
    /// where process numbers differ. A file with the number of this process is also a leftover: in a container every
    /// process may have the same number, and this process has not created a file in this folder yet.
    static func remove(in folder: String) {
        var status = stat()
        guard unsafe stat(folder.fileName, &status) == 0 else { return }
        let identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        // Other threads wait for the search to end. Otherwise a file that they have created but not yet locked would
        // look like a leftover.
        searched.withLock { if $0.insert(identity).inserted { search(folder) } }
    }

    static func search(_ folder: String) {
        for name in Folder.names(in: folder) {
            guard let process = process(of: name) else { continue }
            guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
            removeUnlocked(folder + "/" + name)
        }
    }

    /// Returns the process number in a temporary file's name, or nil for other names.
    static func process(of name: String) -> pid_t? {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return nil }
        // The name is split from its end, because the stem may contain any character.
        let parts = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let random = parts.last, !random.isEmpty,
            random.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isLowercase) }),
            parts[parts.count - 3].hasSuffix(".frost")
        else { return nil }
        return pid_t(parts[parts.count - 2]).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func removeUnlocked(_ path: String) {
        // SAFETY: strings are passed as C strings for the duration of the calls.
        let descriptor = unsafe open(path.fileName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlink(path.fileName) }
    }
}
