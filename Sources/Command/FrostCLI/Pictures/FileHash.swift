import CCommand
import Frost
import FrostImages
import Glibc

/// Computes the SHA-256 of files, in the form that sha256sum prints.
package enum FileHash {
    /// Returns the SHA-256 of a file as 64 hexadecimal digits.
    ///
    /// - Throws: ``ImageError/cannotRead(path:errno:)``.
    static func sha256(_ path: FilePath) throws(CommandError) -> String {
        return try rethrow(digest(of: path), as: CommandError.cannotRead(path))
    }

    private static func digest(of path: FilePath) throws(Errno) -> String {
        let descriptor = try path.open(O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var context = sha256_ctx()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // SAFETY: the context is a local variable, and no byte count exceeds the size of its array.
        unsafe nettle_sha256_init(&context)
        while true {
            let count = try Descriptor.read(descriptor, into: &buffer).get()
            if count == 0 { return digest(&context) }
            unsafe nettle_sha256_update(&context, count, buffer)
        }
    }

    private static func digest(_ context: inout sha256_ctx) -> String {
        hexadecimal(bytes(&context))
    }

    /// Returns bytes as two hexadecimal digits each.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func bytes(_ context: inout sha256_ctx) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        unsafe nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }

    /// Returns the SHA-256 of bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var context = sha256_ctx()
        // SAFETY: the context is a local variable, and the byte count is that of the array.
        unsafe nettle_sha256_init(&context)
        unsafe nettle_sha256_update(&context, bytes.count, bytes)
        return Self.bytes(&context)
    }
}
