import FrostCore
import FrostGLES

/// Program binaries in a folder of files.
///
/// If something cannot be written, `problem` tells why: see ``CacheFolder``.
struct ProgramCache {
    /// Bounds on the folder. The least recently used files are deleted to keep them.
    struct Limits {
        var files = 64
        var bytes = 16 << 20
    }

    /// Why nothing is kept; nil without a problem.
    private(set) var problem: String?
    private let folder: CacheFolder?
    private let limits: Limits

    /// The file system is not touched before the first use.
    init(_ location: ProgramCacheLocation.Resolved, limits: Limits = Limits()) {
        self.limits = limits
        switch location {
        case .folder(let path): folder = CacheFolder(path)
        case .none(let reason): (folder, problem) = (nil, reason)
        }
    }

    static let suffix = ".program"

    static func fileName(_ key: [UInt8]) -> String { FNVHash(of: key).hexadecimal + suffix }

    /// What was found for a key.
    enum Finding: Equatable {
        case binary(ProgramBinary)
        /// No file.
        case nothing
        /// A file that cannot be used. It will be replaced.
        case unusable
    }

    /// Looks a program up.
    func find(_ key: [UInt8]) -> Finding {
        guard let folder else { return .nothing }
        switch folder.read(Self.fileName(key), limit: limits.bytes) {
        case .nothing: return .nothing
        case .unusable: return .unusable
        case .bytes(let bytes): return ProgramFile.decode(bytes, key: key).map { .binary($0) } ?? .unusable
        }
    }

    /// Stores a program, in place of an earlier one.
    mutating func keep(_ binary: ProgramBinary, key: [UInt8]) {
        guard let folder, problem == nil else { return }
        let bytes = ProgramFile.encode(binary, key: key)
        guard bytes.count <= limits.bytes else { return }
        problem = folder.replace(Self.fileName(key), by: bytes)
        if problem == nil { folder.prune(suffix: Self.suffix, files: limits.files, bytes: limits.bytes) }
    }
}
