import FrostGPU
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Profiles of this machine, kept in memory and, where that is possible, in a folder.
///
/// A file that is missing, damaged, of another version or another machine is as good as none, and one that cannot be
/// written is not written: what is lost is some milliseconds of measuring. Files appear whole or not at all.
///
/// Thread safety: may be used from any thread, and by several processes.
final class ProfileCache: Sendable {
    private let folder: String?
    private let memory = Mutex<[String: CostProfile]>([:])

    /// The user's: one for the process.
    static let shared = ProfileCache(folder: UserCache.folder())

    /// - Parameter folder: nil keeps profiles in memory only.
    init(folder: String?) { self.folder = folder }

    /// The profile of a machine, if there is one that is still fresh.
    func profile(of machine: String, at now: Int) -> CostProfile? {
        let machine = CostProfile.line(machine)
        if let known = memory.withLock({ $0[machine] }) { return known.isFresh(at: now) ? known : nil }
        guard let path = path(machine), let text = Self.content(path), let profile = CostProfile(text),
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
        guard let folder, let path = path(machine) else { return false }
        return Self.makeFolders(folder) && Self.replace(path, by: profile.text)
    }

    private func path(_ machine: String) -> String? {
        folder.map { "\($0)/choice-\(CostProfile.checksum(machine))" }
    }

    private static let maximumBytes = 64 << 10

    private static func content(_ path: String) -> String? {
        // Without O_NONBLOCK a pipe of that name would wait for its writer.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        // SAFETY: fstat fills in the structure it is given.
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (0...maximumBytes).contains(Int(status.st_size))
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        // SAFETY: as many bytes are read as the array has.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard count == bytes.count else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func makeFolders(_ path: String) -> Bool {
        var status = stat()
        // SAFETY: stat fills in the structure it is given.
        if unsafe stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex, makeFolders(String(path[..<slash])) else {
            return false
        }
        // Another process may have been faster.
        return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
    }

    private static func replace(_ path: String, by text: String) -> Bool {
        var template = Array("\(path).XXXXXX".utf8CString)
        let file = unsafe template.withUnsafeMutableBufferPointer { name in
            // SAFETY: the array is a C string that ends in six X.
            unsafe name.baseAddress.map { unsafe mkstemp($0) } ?? -1
        }
        guard file >= 0 else { return false }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Array(text.utf8)
        // SAFETY: as many bytes are written as the array has.
        let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        // Not synced: after a power failure the checksum tells, and a new probe is cheap.
        let isWhole = close(file) == 0 && count == bytes.count
        if isWhole, unsafe rename(temporary, path) == 0 { return true }
        _ = unsafe unlink(temporary)
        return false
    }
}
