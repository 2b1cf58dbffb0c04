import FrostCore
import Synchronization

/// Profiles of this machine, kept in memory and, if possible, in a folder.
///
/// A file that is missing, damaged, or of another version or machine is ignored, and a file that cannot be written is
/// not kept: both only cost some milliseconds of measuring. See ``CacheFolder``.
///
/// Thread safety: may be used from any thread, and by several processes.
final class ProfileCache: Sendable {
    private let folder: CacheFolder?
    private let memory = Mutex<[String: CostProfile]>([:])

    /// The user's cache, one for the process.
    static let shared = ProfileCache(folder: CacheFolder.user())

    /// - Parameter folder: nil keeps profiles in memory only.
    init(folder: String?) { self.folder = folder.map { CacheFolder($0) } }

    /// The profile of a machine; nil if there is none or it is too old.
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
    /// - Returns: whether it was also written to disk.
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
