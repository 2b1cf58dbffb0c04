import FrostCore
import FrostGLES
import FrostLog

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
    /// The files that the embedding program supplied, by their keys.
    private var given: [[UInt8]: [UInt8]] = [:]
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
        guard hasBinaries else { return try compiled(vertex, fragment, in: gl) }
        let key = Self.key(gl.device, vertex, fragment)
        if let file = given[key] {
            do throws(GLError) {
                guard let binary = ProgramFile.decode(file, key: key) else {
                    throw .link(log: "the checksum of the stored program is wrong")
                }
                let program = try Program(binary, in: gl)
                counts.loaded += 1
                return program
            } catch .link(let log) {
                given[key] = nil
                reject("a program of the embedding program cannot be used: \(log)")
            }
        }
        switch cache.find(key) {
        case .nothing: break
        case .unusable: reject("\(ProgramCache.fileName(key)) is damaged, or belongs to another driver or program")
        case .binary(let binary):
            do throws(GLError) {
                let program = try Program(binary, in: gl)
                counts.loaded += 1
                return program
            } catch .link {
                reject("the driver refuses a program that it has compiled before")
            }
        }
        let program = try compiled(vertex, fragment, in: gl)
        if let binary = try? program.binary(in: gl) {
            let hadProblem = cache.problem != nil
            cache.keep(binary, key: key)
            if !hadProblem, let problem = cache.problem {
                Log.write(.warning, "program cache: programs are not stored any more: \(problem)")
            }
        }
        return program
    }

    /// Adds programs that the embedding program has kept from an earlier context. They are used in place of compiling. Bytes
    /// that cannot be used are ignored, and logged.
    ///
    /// - Returns: the number of programs that were stored by this version of Frost with the same driver and device.
    mutating func add(_ package: [UInt8], in gl: borrowing CurrentContext) -> Int {
        guard hasBinaries else {
            reject("the driver does not support program binaries")
            return 0
        }
        let driver = Self.key(gl.device, "", "").dropLast()
        let (files, fault) = ProgramPackage.decode(package)
        if let fault { reject(fault) }
        var added = 0
        for file in files.map(Array.init) {
            guard let key = ProgramFile.key(of: file), ProgramFile.decode(file, key: key) != nil else {
                reject("a stored program is damaged")
                continue
            }
            guard key.starts(with: driver) else {
                reject("a stored program belongs to another driver or device")
                continue
            }
            given[key] = file
            added += 1
        }
        return added
    }

    private mutating func compiled(
        _ vertex: String, _ fragment: String, in gl: borrowing CurrentContext
    ) throws(GLError) -> Program {
        counts.compiled += 1
        let clock = ContinuousClock()
        let start = clock.now
        let program = try Program(vertex: vertex, fragment: fragment, in: gl)
        Log.write(.debug, "compiled a GPU program in \(Int((clock.now - start).seconds * 1000)) ms")
        return program
    }

    private mutating func reject(_ reason: String) {
        counts.rejected += 1
        Log.write(.warning, "program cache: \(reason); the program is compiled again")
    }

    /// Returns the cache key of a program. It contains everything on which the program's binary depends: the driver, the
    /// driver's version, the device, and the shader sources.
    static func key(_ device: DeviceInfo, _ vertex: String, _ fragment: String) -> [UInt8] {
        let parts = [device.vendor, device.renderer, device.version, device.shadingLanguage, vertex, fragment]
        return Array(parts.joined(separator: "\0").utf8)
    }
}
