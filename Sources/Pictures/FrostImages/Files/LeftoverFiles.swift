import FrostCore
import Glibc
import Synchronization

/// Finds and removes temporary files of ``AtomicFile`` that killed processes left behind.
enum LeftoverFiles {
    /// The folders that this process has already searched for leftover files.
    private static let searched = Mutex<Set<FileIdentity>>([])

    private static let mark = ".frost-"
    private static let suffix = ".tmp"

    /// Returns the name of a temporary file: `.stem.frost-pid-random.tmp`.
    static func name(for stem: FilePath, _ random: String) -> FilePath {
        ".\(stem)\(mark)\(getpid())-\(random)\(suffix)"
    }

    /// Removes the leftover files from a folder. Each process does this only once for each folder.
    ///
    /// The name of a temporary file contains the number of the process that writes the file. The file is a leftover if
    /// no other process has this number, and if the file is not locked. A process locks each temporary file while
    /// writing it. The lock is necessary because a writing process may run in another container, where process numbers
    /// differ. A file with the number of this process is also a leftover, unless it is locked: in a container every
    /// process may have the same number, and this process has not created a file in this folder yet.
    static func remove(in folder: FilePath) {
        guard let identity = folder.identity else { return }
        // Other threads wait here until the search has ended. Otherwise the search could see a file that another thread
        // has created but not yet locked, and take it for a leftover.
        searched.withLock { if $0.insert(identity).inserted { search(folder) } }
    }

    static func search(_ folder: FilePath) {
        for name in Folder.entries(in: folder) {
            guard let process = process(of: name.text) else { continue }
            guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
            removeUnlocked(folder.appending(name))
        }
    }

    /// Returns the process number in the name of a temporary file, or nil if the name is not that of a temporary file.
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

    private static func removeUnlocked(_ path: FilePath) {
        guard let descriptor = try? path.open(O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? path.unlink() }
    }
}
