import FrostCore
import Glibc
import Synchronization

/// Temporary files of ``AtomicFile`` that killed processes left behind.
enum LeftoverFiles {
    /// Identifies a folder, whatever name it was reached by.
    private struct Identity: Hashable { let device, number: UInt64 }

    /// Folders that this process has searched.
    private static let searched = Mutex<Set<Identity>>([])

    private static let mark = ".frost-"
    private static let suffix = ".tmp"

    /// `.stem.frost-pid-random.tmp`.
    static func name(for stem: String, _ random: String) -> String { ".\(stem)\(mark)\(getpid())-\(random)\(suffix)" }

    /// Removes the leftover files of a folder, once in a process's life.
    ///
    /// A file is a leftover if no other process has the process number in its name, and if no process holds the lock
    /// that writers hold on their files. The lock matters because a writer may run in another container, where its
    /// number means nothing here. A file with this process's own number is a leftover too: in a container every process
    /// may have the same number, and this process has not created a file here yet.
    static func remove(in folder: String) {
        var status = stat()
        guard unsafe stat(folder.fileName, &status) == 0 else { return }
        let identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        // Other threads wait: a file of theirs that is not locked yet would look like a leftover.
        searched.withLock { if $0.insert(identity).inserted { search(folder) } }
    }

    static func search(_ folder: String) {
        for name in Folder.names(in: folder) {
            guard let process = process(of: name) else { continue }
            guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
            removeUnlocked(folder + "/" + name)
        }
    }

    /// The number of the process that a file of this name belongs to; nil for other names.
    static func process(of name: String) -> pid_t? {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return nil }
        // Split from the end: the stem may contain any character.
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
