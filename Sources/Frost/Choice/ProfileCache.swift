import FrostGPU
import Synchronization

/// Profiles of this machine, kept in memory and, where that is possible, in a folder.
///
/// A file that is missing, damaged, of another version or another machine is as good as none, and one that cannot be
/// written is not written: what is lost is some milliseconds of measuring. See ``CacheFolder``.
///
/// Thread safety: may be used from any thread, and by several processes.
final class ProfileCache: Sendable {
    private let folder: CacheFolder?
    private let memory = Mutex<[String: CostProfile]>([:])

    /// The user's: one for the process.
    static let shared = ProfileCache(folder: UserCache.folder())

    /// - Parameter folder: nil keeps profiles in memory only.
    init(folder: String?) { self.folder = folder.map { CacheFolder($0) } }

    /// The profile of a machine, if there is one that is still fresh.
    func profile(of machine: String, at now: Int) -> CostProfile? {
        let machine = CostProfile.line(machine)
        if let known = memory.withLock({ $0[machine] }) { return known.isFresh(at: now) ? known : nil }
        guard case .bytes(let bytes)? = folder?.read(Self.name(machine), limit: Self.maximumBytes),
            let text = String(validating: bytes, as: UTF8.self), let profile = CostProfile(text),
            // Another machine's name may have the same checksum.
            profile.machine == machine, profile.isFresh(at: now)
        else { return nil }
        memory.withLock { $0[machine] = profile }
        return profile
    }

    /// Keeps a profile, in place of any other of the same machine.
    ///
    /// - Returns: whether it is on disk too.
    @discardableResult
    func keep(_ profile: CostProfile) -> Bool {
        let machine = CostProfile.line(profile.machine)
        memory.withLock { $0[machine] = profile }
        guard let folder else { return false }
        return folder.replace(Self.name(machine), by: Array(profile.text.utf8)) == nil
    }

    private static func name(_ machine: String) -> String { "choice-\(CostProfile.checksum(machine))" }

    private static let maximumBytes = 64 << 10
}
