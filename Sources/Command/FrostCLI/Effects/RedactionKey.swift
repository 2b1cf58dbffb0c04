package import Frost
import FrostImages
import FrostPipeline
import Glibc

extension Option {
    package static let key = Option(
        "key", value: "FILE", kind: .file, default: .words("$XDG_STATE_HOME/frost/redact.key"),
        "the file with the secret key of redact, of at least 16 bytes. Results with different keys are different samples of "
            + "what they hide, so use one key for all results that somebody may see. The usual file is created when it is "
            + "first needed")
    static let hold = Option(
        "hold", value: "FRAMES", kind: .integer(HeldMosaic.framesRange), default: .value("\(HeldMosaic.usualFrames)"),
        "how many frames of a video or an animation show the mosaic of the same frame. What moves below a mosaic can be "
            + "computed from those of many frames. 1 lets each frame show its own")
}

extension Arguments {
    /// How many frames show the mosaic of the same frame.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if the command line states it for an effect without a mosaic.
    func heldFrames(of effect: Effect) throws(CommandError) -> Int {
        guard effect.isMosaic || written(.hold) == nil else {
            throw .usage("--hold: \(effect.name) with these parameters shows no mosaic")
        }
        return value(.hold, as: Int.self) ?? HeldMosaic.usualFrames
    }
}

/// The user's key for effects with secret offsets, such as `redact`: see ``Scatter``.
package enum RedactionKey {
    private static let name = "redact.key"
    private static let byteCounts = 16...4096

    /// Returns the effect with the user's key, if it needs one.
    ///
    /// - Parameter use: what the effect is applied to; nil if there is no input.
    static func apply(
        to effect: Effect, for use: Scatter.Use?, _ arguments: Arguments, _ console: Console
    ) throws(CommandError) -> Effect {
        let path = arguments.path(.key)
        guard effect.keyed(for: .pictures) != effect else {
            if path != nil { throw .usage("--key: \(effect.name) with these parameters uses no secret key") }
            return effect
        }
        guard let use else { return effect }
        // A dry run must not create a file.
        if path == nil, arguments.has(.dryRun), !existsOrCannot { return effect }
        return try effect.keyed(by: key(arguments, console), for: use)
    }

    /// Returns digits that differ for effects with different secret keys, and from which the key cannot be computed; nil without a
    /// secret key.
    static func fingerprint(of effect: Effect) -> String? {
        for case .scatter(let scatter) in effect.outputStages.inside where scatter.key.isSecret {
            let key = scatter.cipherKey
            let bytes = (0..<4).flatMap { index in (0..<4).map { UInt8(truncatingIfNeeded: key[index] >> (8 * $0)) } }
            return FileHash.hexadecimal(FileHash.sha256(Array("frost manifest".utf8) + bytes).prefix(8))
        }
        return nil
    }

    /// Returns the key of `--key`, or the user's.
    package static func key(_ arguments: Arguments, _ console: Console) throws(CommandError) -> SecretKey {
        if let path = arguments.path(.key) { return try read(path) }
        return usual(console)
    }

    /// Reads the file that the user names.
    private static func read(_ path: FilePath) throws(CommandError) -> SecretKey {
        let bytes = try rethrow(content(of: path), as: CommandError.cannotRead(path))
        guard byteCounts.contains(bytes.count) else {
            throw .usage(
                "--key \(path.shownName): a key has \(byteCounts.lowerBound) to \(byteCounts.upperBound) bytes, but the file "
                    + (bytes.count > byteCounts.upperBound ? "has more" : "has \(bytes.count)"))
        }
        return key(of: bytes)
    }

    /// Returns the bytes of a file, or so many of them that the file has too many for a key.
    private static func content(of path: FilePath) throws(Errno) -> [UInt8] {
        let descriptor = try path.open(O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        return try Descriptor.readAll(descriptor, limit: byteCounts.upperBound + 1)
    }

    /// Whether the key that Frost keeps for the user exists, or cannot be kept.
    private static var existsOrCannot: Bool {
        guard let path = CacheFolder.state() else { return true }
        if case .nothing = CacheFolder(path).read(name, limit: byteCounts.upperBound) { return false }
        return true
    }

    /// Returns the key that Frost keeps for the user, which it creates if there is none. If it cannot be kept, warns and returns a
    /// key for this run.
    private static func usual(_ console: Console) -> SecretKey {
        func once(_ reason: String) -> SecretKey {
            console.warn(
                "the key of redact cannot be kept (\(reason)). This run uses a key of its own; its results show other samples "
                    + "of what they hide than those of other runs. Use --key FILE or --fill COLOR")
            return SecretKey()
        }
        guard let path = CacheFolder.state() else { return once("neither XDG_STATE_HOME nor HOME is an absolute path") }
        let folder = CacheFolder(path)
        if case .nothing = folder.read(name, limit: byteCounts.upperBound) {
            let bytes = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
            if let reason = folder.add(name, bytes) { return once(reason) }
        }
        switch folder.read(name, limit: byteCounts.upperBound) {
        case .bytes(let bytes) where byteCounts.contains(bytes.count):
            // Another process may have made the key just now, and results must not be durable before their key is.
            if let reason = folder.sync() { return once(reason) }
            folder.removeLeftovers()
            return key(of: bytes)
        case .bytes, .unusable: return once("\(path)/\(name) is damaged, or belongs to another user")
        case .nothing: return once("\(path)/\(name) was deleted")
        }
    }

    /// Returns the key of a file's bytes. It cannot be computed from their plain SHA-256, which manifests contain.
    private static func key(of bytes: [UInt8]) -> SecretKey {
        let digest = FileHash.sha256(Array("frost redact".utf8) + bytes)
        func word(_ index: Int) -> UInt32 { digest[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        return SecretKey(bits: SIMD4(word(0), word(1), word(2), word(3)))
    }
}
