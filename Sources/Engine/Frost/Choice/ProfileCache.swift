import FrostCore
import FrostThreads

/// Keeps profiles of this machine in memory and, if possible, in a folder.
///
/// The cache ignores a file that is missing, damaged, or of another version or machine. It also ignores errors while
/// writing. In both cases the only damage is that Frost has to measure again, which takes some milliseconds. See
/// ``CacheFolder``.
///
/// Thread safety: may be used from any thread, and by several processes.
final class ProfileCache: Sendable {
    private let folder: CacheFolder?
    private let memory = Lock<[String: CostProfile]>([:])

    /// The cache in the user's cache folder, shared by the whole process.
    static let shared = ProfileCache(folder: CacheFolder.user())

    /// Creates a cache.
    ///
    /// - Parameter folder: the folder for profiles; nil keeps profiles in memory only.
    init(folder: String?) { self.folder = folder.map { CacheFolder($0) } }

    /// Returns the profile of a machine; nil if there is no profile, or if the profile is too old.
    func profile(of machine: String, at now: Int) -> CostProfile? {
        let machine = CostProfile.line(machine)
        if let known = memory.withLock({ $0[machine] }) { return known.isFresh(at: now) ? known : nil }
        guard case .bytes(let bytes)? = folder?.read(Self.name(machine), limit: Self.maximumBytes),
            let text = String(validating: bytes, as: UTF8.self), let profile = CostProfile(text),
            // The file name is a hash of the machine's name, and another machine's name may have the same hash.
            profile.machine == machine, profile.isFresh(at: now)
        else { return nil }
        memory.withLock { $0[machine] = profile }
        return profile
    }

    /// Keeps a profile, and replaces any other profile of the same machine.
    ///
    /// - Returns: whether the profile was also written to disk.
    @discardableResult
    func keep(_ profile: CostProfile) -> Bool {
        let machine = CostProfile.line(profile.machine)
        memory.withLock { $0[machine] = profile }
        guard let folder else { return false }
        return folder.replace(Self.name(machine), by: Array(profile.text.utf8)) == nil
    }

    private static func name(_ machine: String) -> String { "choice-\(FNVHash(of: machine).hexadecimal)" }

    private static let maximumBytes = 64 << 10
}
