import Glibc
import Synchronization

/// Temporary files that processes left behind when they were killed, of the names that ``AtomicFile`` gives.
enum LeftoverFiles {
    /// The same for every name of a folder.
    private struct Identity: Hashable { let device, number: UInt64 }

    /// Folders that were looked through.
    private static let searched = Mutex<Set<Identity>>([])

    private static let mark = ".frost-"
    private static let suffix = ".tmp"

    /// `.stem.frost-pid-random.tmp`.
    static func name(for stem: String, _ random: String) -> String { ".\(stem)\(mark)\(getpid())-\(random)\(suffix)" }

    /// Removes what is left in a folder, once in a process's life.
    ///
    /// A file's process is dead if no other process has its number and nobody holds the lock that a writer has on its
    /// file: the number alone would say so of a process in another container. This process's own number was another's
    /// where it is always the same, as in a container, since none of its files is here yet.
    static func remove(in folder: String) {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return }
        let identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        // Others wait: a file of theirs that is not locked yet would look like one left behind.
        searched.withLock { if $0.insert(identity).inserted { search(folder) } }
    }

    static func search(_ folder: String) {
        for name in Folder.names(in: folder) {
            guard let process = process(of: name) else { continue }
            guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
            removeUnlocked(folder + "/" + name)
        }
    }

    /// The process that a file of this name belongs to; nil if the name is none of these.
    static func process(of name: String) -> pid_t? {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return nil }
        // From behind: the stem may have anything in it.
        let parts = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let random = parts.last, !random.isEmpty,
            random.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isLowercase) }),
            parts[parts.count - 3].hasSuffix(".frost")
        else { return nil }
        return pid_t(parts[parts.count - 2]).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func removeUnlocked(_ path: String) {
        // SAFETY: strings are passed as C strings for the duration of the calls.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlink(path) }
    }
}
