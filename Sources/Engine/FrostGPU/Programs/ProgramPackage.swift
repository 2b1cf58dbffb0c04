import FrostCore

/// The format of the bytes in which the embedding program keeps GL programs:
///
///     offset  bytes  little-endian
///          0      8  "FrostPkg"
///          8      8  version of this layout
///         16         for each program: the length of its file in 8 bytes, then the file, as ``ProgramFile`` describes it
///
/// Each file has a checksum of its own. So a package that was cut still yields the programs before the cut.
enum ProgramPackage {
    private static let magic = Array("FrostPkg".utf8)
    private static let version: UInt64 = 1

    static func encode(_ files: [[UInt8]]) -> [UInt8] {
        files.reduce(magic + bytes(version)) { $0 + bytes(UInt64($1.count)) + $1 }
    }

    /// Returns the files of a package, and a description of the fault if a part of the package cannot be read.
    static func decode(_ package: [UInt8]) -> (files: [ArraySlice<UInt8>], fault: String?) {
        guard package.starts(with: magic) else {
            return ([], "the \(package.count) bytes are not stored programs of Frost")
        }
        guard package.count >= 16, number(package[8..<16]) == version else {
            return ([], "the programs were stored by another version of Frost")
        }
        var files: [ArraySlice<UInt8>] = []
        var rest = package[16...]
        while !rest.isEmpty {
            let head = rest.prefix(8)
            let body = rest.dropFirst(8)
            // The length is not trusted, so no arithmetic with it may overflow.
            guard head.count == 8, number(head) <= UInt64(body.count) else {
                return (files, "the stored programs are cut after program \(files.count)")
            }
            let length = Int(number(head))
            files.append(body.prefix(length))
            rest = body.dropFirst(length)
        }
        return (files, nil)
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
