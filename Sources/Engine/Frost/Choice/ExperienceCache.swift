import FrostCore
import FrostThreads

/// Keeps the experience with this machine in memory and, if possible, in a folder.
///
/// The cache ignores a file that is missing, damaged, or of another version or machine. It also ignores errors while
/// writing. In both cases the only damage is that Frost has to measure again. See ``CacheFolder``.
///
/// Thread safety: may be used from any thread, and by several processes.
final class ExperienceCache: Sendable {
    private let folder: CacheFolder?
    /// The experience with each machine. Renderers with different numbers of threads count as different machines.
    private let memory = Lock<[String: Experience]>([:])

    /// The cache in the user's cache folder, shared by the whole process.
    static let shared = ExperienceCache(folder: CacheFolder.user())

    /// Creates a cache.
    ///
    /// - Parameter folder: the folder for files; nil keeps everything in memory only.
    init(folder: String?) { self.folder = folder.map { CacheFolder($0) } }

    /// Calls `body` with what was measured on a machine: nothing, if the last measurements are too old.
    func access<Result>(_ machine: String, at now: Int, _ body: (inout Experience) -> Result) -> Result {
        memory.withLock { memory in
            if memory[machine]?.isFresh(at: now) != true {
                memory[machine] = read(machine).flatMap { $0.isFresh(at: now) ? $0 : nil }
            }
            return body(&memory[machine, default: Experience(created: now)])
        }
    }

    /// Writes the experience with a machine to the folder.
    ///
    /// - Returns: whether it was written.
    @discardableResult
    func save(_ machine: String) -> Bool {
        guard let folder, let text = memory.withLock({ $0[machine]?.text(machine: machine) }) else { return false }
        return folder.replace(Self.name(machine), by: Array(text.utf8)) == nil
    }

    private func read(_ machine: String) -> Experience? {
        guard case .bytes(let bytes)? = folder?.read(Self.name(machine), limit: Self.maximumBytes) else { return nil }
        return String(validating: bytes, as: UTF8.self).flatMap { Experience($0, machine: machine) }
    }

    private static func name(_ machine: String) -> String { "choice-\(FNVHash(of: machine).hexadecimal)" }

    private static let maximumBytes = 64 << 10
}
