import FrostCore
import FrostGLES

/// Stores program binaries as files in a folder.
///
/// If a file cannot be written, `problem` contains the reason: see ``CacheFolder``.
struct ProgramCache {
    /// The maximum number of files and bytes in the folder. If a limit is exceeded, the least recently used files are
    /// deleted.
    struct Limits {
        var files = 256
        var bytes = 16 << 20
    }

    /// The reason why nothing is stored; nil if there is no problem.
    private(set) var problem: String?
    private let folder: CacheFolder?
    private let limits: Limits

    /// Creates a cache. The cache does not touch the file system before it is used for the first time.
    init(_ location: ProgramCacheLocation.Resolved, limits: Limits = Limits()) {
        self.limits = limits
        switch location {
        case .folder(let path): folder = CacheFolder(path)
        case .none(let reason): (folder, problem) = (nil, reason)
        }
    }

    static let suffix = ".program"

    static func fileName(_ key: [UInt8]) -> String { FNVHash(of: key).hexadecimal + suffix }

    /// The result of searching for a key.
    enum Finding: Equatable {
        case binary(ProgramBinary)
        /// There is no file.
        case nothing
        /// There is a file, but it cannot be used. It will be replaced.
        case unusable(path: String)
    }

    /// Searches for a program.
    func find(_ key: [UInt8]) -> Finding {
        guard let folder else { return .nothing }
        let name = Self.fileName(key)
        switch folder.read(name, limit: limits.bytes) {
        case .nothing: return .nothing
        case .unusable: return .unusable(path: folder.path(of: name))
        case .bytes(let bytes):
            return ProgramFile.decode(bytes, key: key).map { .binary($0) } ?? .unusable(path: folder.path(of: name))
        }
    }

    /// Stores a program, and replaces an earlier program with the same key.
    mutating func keep(_ binary: ProgramBinary, key: [UInt8]) {
        guard let folder, problem == nil else { return }
        let bytes = ProgramFile.encode(binary, key: key)
        guard bytes.count <= limits.bytes else { return }
        problem = folder.replace(Self.fileName(key), by: bytes)
        if problem == nil { folder.prune(suffix: Self.suffix, files: limits.files, bytes: limits.bytes) }
    }
}
