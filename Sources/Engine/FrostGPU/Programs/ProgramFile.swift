import FrostCore
import FrostGLES

/// The file format of a program binary:
///
///     offset  bytes  little-endian
///          0      8  "FrostPrg"
///          8      4  version of this layout
///         12      4  the driver's format of the binary
///         16      8  length of the key
///         24      8  length of the binary
///         32      8  checksum of all other bytes
///         40         the key, then the binary, then the end of the file
///
/// The file contains the whole key, so that a program of another driver or of other sources is never used.
enum ProgramFile {
    private static let magic = Array("FrostPrg".utf8)
    private static let version: UInt64 = 1
    static let headerLength = 40

    static func encode(_ binary: ProgramBinary, key: [UInt8]) -> [UInt8] {
        var head = magic
        head += bytes(version, 4)
        head += bytes(UInt64(binary.format), 4)
        head += bytes(UInt64(key.count), 8)
        head += bytes(UInt64(binary.bytes.count), 8)
        let checksum = FNVHash(of: head, key, binary.bytes).value
        return head + bytes(checksum, 8) + key + binary.bytes
    }

    /// Decodes a file. Returns nil for bytes that `encode` would not write with this key.
    static func decode(_ file: [UInt8], key: [UInt8]) -> ProgramBinary? {
        guard file.count >= headerLength, file.starts(with: magic), number(file[8..<12]) == version,
            number(file[16..<24]) == UInt64(key.count)
        else { return nil }
        let rest = file[headerLength...]
        // The lengths in the file are not trusted, so no arithmetic with them may overflow.
        guard rest.count >= key.count, number(file[24..<32]) == UInt64(rest.count - key.count) else { return nil }
        guard rest.prefix(key.count).elementsEqual(key) else { return nil }
        let binary = Array(rest.dropFirst(key.count))
        guard !binary.isEmpty, number(file[32..<40]) == FNVHash(of: Array(file[..<32]), key, binary).value else {
            return nil
        }
        return ProgramBinary(format: UInt32(truncatingIfNeeded: number(file[12..<16])), bytes: binary)
    }

    /// Returns the key that a file contains, or nil if the bytes have another layout. Does not verify the checksum.
    static func key(of file: [UInt8]) -> [UInt8]? {
        guard file.count >= headerLength, file.starts(with: magic), number(file[8..<12]) == version,
            number(file[16..<24]) <= UInt64(file.count - headerLength)
        else { return nil }
        return Array(file[headerLength...].prefix(Int(number(file[16..<24]))))
    }

    private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
