import FrostCore
import FrostDrawing
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
    mutating func program(_ source: ShaderSource, in gl: borrowing CurrentContext) throws(GLError) -> Program {
        guard hasBinaries else { return try compiled(source, in: gl) }
        let key = Self.key(gl.device, source)
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
        case .unusable(let path): reject("\(path) is damaged, or belongs to another driver or program")
        case .binary(let binary) where binary == Self.wanted: break
        case .binary(let binary):
            do throws(GLError) {
                let program = try Program(binary, in: gl)
                counts.loaded += 1
                return program
            } catch .link {
                reject("the driver refuses a program that it has compiled before")
            }
        }
        let program = try compiled(source, in: gl)
        if let binary = try? program.binary(in: gl) {
            let hadProblem = cache.problem != nil
            cache.keep(binary, key: key)
            if !hadProblem, let problem = cache.problem {
                Log.write(.warning, "program cache: programs are not stored any more: \(problem)")
            }
        }
        return program
    }

    /// Whether a program is kept, so that it need not be compiled, or whether an earlier process with software GL asked for it.
    /// If not, software GL notes this call in the place of the program on disk. Hardware does not: on an NVIDIA H200, the
    /// second process took longer than the first one with its loops, because it compiled the program.
    mutating func isWorthUsing(_ source: ShaderSource, _ device: DeviceInfo) -> Bool {
        guard hasBinaries else { return false }
        let key = Self.key(device, source)
        if given[key] != nil { return true }
        switch cache.find(key) {
        case .binary: return true
        case .unusable: return false
        case .nothing:
            if device.isSoftware { cache.keep(Self.wanted, key: key) }
            return false
        }
    }

    /// Stands on disk for a program that was wanted once.
    private static let wanted = ProgramBinary(format: 0, bytes: Array("wanted".utf8))

    /// Adds programs that the embedding program has kept from an earlier context. They are used in place of compiling. Bytes
    /// that cannot be used are ignored, and logged.
    ///
    /// - Returns: the number of programs that were stored by this version of Frost with the same driver and device.
    mutating func add(_ package: [UInt8], in gl: borrowing CurrentContext) -> Int {
        guard hasBinaries else {
            reject("the driver does not support program binaries")
            return 0
        }
        let driver = Self.driverKey(gl.device)
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

    private mutating func compiled(_ source: ShaderSource, in gl: borrowing CurrentContext) throws(GLError) -> Program {
        counts.compiled += 1
        let clock = ContinuousClock()
        let start = clock.now
        let program = try Program(source, in: gl)
        Log.write(.debug, "compiled a GPU program in \(Int((clock.now - start).seconds * 1000)) ms")
        return program
    }

    /// Returns a text about a device that is kept beside the programs; nil if there is none.
    ///
    /// - Parameter name: what the text is about.
    func note(_ name: String, of device: DeviceInfo) -> String? {
        Self.note(name, of: device, in: cache)
    }

    /// Returns the text about a device that is kept in a cache; nil if there is none.
    static func note(_ name: String, of device: DeviceInfo, in cache: ProgramCache) -> String? {
        switch cache.find(noteKey(name, device)) {
        case .nothing, .unusable: nil
        case .binary(let file): String(decoding: file.bytes, as: UTF8.self)
        }
    }

    /// Keeps a text about a device beside the programs.
    mutating func keep(_ text: String, as name: String, of device: DeviceInfo) {
        cache.keep(ProgramBinary(format: 0, bytes: Array(text.utf8)), key: Self.noteKey(name, device))
    }

    private static func noteKey(_ name: String, _ device: DeviceInfo) -> [UInt8] { driverKey(device) + name.utf8 }

    private mutating func reject(_ reason: String) {
        counts.rejected += 1
        Log.write(.warning, "program cache: \(reason); the program is compiled again")
    }

    /// Returns the cache key of a program. It contains everything on which the program's binary depends: the driver, the
    /// driver's version, the device, and the shader sources.
    static func key(_ device: DeviceInfo, _ source: ShaderSource) -> [UInt8] {
        let vertex =
            switch source.stage {
            case .fragment: ProgramSource.vertex
            case .compute: ""
            }
        return driverKey(device) + "\(vertex)\0\(source.text)".utf8
    }

    /// The start of the keys of a device's programs.
    private static func driverKey(_ device: DeviceInfo) -> [UInt8] {
        let parts = [device.vendor, device.renderer, device.version, device.shadingLanguage]
        return parts.flatMap { Array("\($0)\0".utf8) }
    }
}
