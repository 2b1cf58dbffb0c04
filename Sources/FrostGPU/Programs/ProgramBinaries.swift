import FrostGLES

/// Loads programs from the cache on disk, or compiles them from source.
struct ProgramBinaries {
    /// Counts programs: how many were compiled, how many were loaded from the cache on disk, and how many files of the cache
    /// were rejected.
    struct Counts: Sendable, Hashable {
        var compiled = 0
        var loaded = 0
        var rejected = 0
    }

    private var cache: ProgramCache
    private let hasBinaries: Bool
    private(set) var counts = Counts()

    init(_ cache: ProgramCache, in gl: borrowing CurrentContext) {
        self.cache = cache
        hasBinaries = !gl.limits.programBinaryFormats.isEmpty
    }

    /// The reason why programs are not kept on disk; nil if they are kept.
    var problem: String? { hasBinaries ? cache.problem : "the driver does not support program binaries" }

    /// Loads or compiles a program. A compiled program is kept on disk.
    ///
    /// - Throws: the errors of compiling. Errors of the cache are ignored.
    mutating func program(vertex: String, fragment: String, in gl: borrowing CurrentContext) throws(GLError) -> Program
    {
        guard hasBinaries else {
            counts.compiled += 1
            return try Program(vertex: vertex, fragment: fragment, in: gl)
        }
        let key = Self.key(gl.device, vertex, fragment)
        switch cache.find(key) {
        case .nothing: break
        case .unusable: counts.rejected += 1
        case .binary(let binary):
            do throws(GLError) {
                let program = try Program(binary, in: gl)
                counts.loaded += 1
                return program
            } catch .link {
                counts.rejected += 1
            }
        }
        counts.compiled += 1
        let program = try Program(vertex: vertex, fragment: fragment, in: gl)
        if let binary = try? program.binary(in: gl) { cache.keep(binary, key: key) }
        return program
    }

    /// Returns the cache key of a program. It contains everything on which the program's binary depends: the driver, the
    /// driver's version, the device, and the shader sources.
    static func key(_ device: DeviceInfo, _ vertex: String, _ fragment: String) -> [UInt8] {
        let parts = [device.vendor, device.renderer, device.version, device.shadingLanguage, vertex, fragment]
        return Array(parts.joined(separator: "\0").utf8)
    }
}
