import CNettle
import Frost
import FrostImages
import Glibc

/// Computes the SHA-256 of files, in the form that sha256sum prints.
enum FileHash {
    /// Returns the SHA-256 of a file as 64 hexadecimal digits.
    ///
    /// - Throws: ``ImageError/cannotRead(path:errno:)``.
    static func sha256(_ path: String) throws(CommandError) -> String {
        // SAFETY: the string is passed as a C string for the duration of the call.
        let descriptor = unsafe open(path.fileName, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .image(.cannotRead(path: path, errno: errno)) }
        defer { close(descriptor) }
        var context = sha256_ctx()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // SAFETY: the context is a local variable, and no byte count exceeds the size of its array.
        unsafe nettle_sha256_init(&context)
        while true {
            switch Descriptor.read(descriptor, into: &buffer) {
            case .success(let count):
                if count == 0 { return digest(&context) }
                unsafe nettle_sha256_update(&context, count, buffer)
            case .failure(let error): throw .image(.cannotRead(path: path, errno: error.code))
            }
        }
    }

    private static func digest(_ context: inout sha256_ctx) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        unsafe nettle_sha256_digest(&context, digest.count, &digest)
        let digits = Array("0123456789abcdef")
        return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
